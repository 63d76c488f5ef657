// Begun rounds as rows.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "libs/base/mutex.h"
#include "libs/pg/pool.h"
#include "services/wallet/app/ledger_store.h"

namespace mj::wallet::store {

// The rulebooks seen so far, so that no round has to bring its own along. Thread-safe.
class RulebookCache {
 public:
  // "variant/version" of each, as kReadRounds takes them.
  [[nodiscard]] std::vector<std::string> Known() const;
  [[nodiscard]] std::optional<RuleIds> Find(const std::string& name) const;
  // The rules of a rulebook never change: whichever comes first stays.
  RuleIds Put(const std::string& name, RuleIds rule_ids);

 private:
  mutable base::Mutex mutex_;
  std::map<std::string, RuleIds> rulebooks_ ABSL_GUARDED_BY(mutex_);
};

// A row of wallet.rounds.
struct RoundRow {
  std::shared_ptr<const BegunRound> begun;
  std::int64_t round_no = 0;
  std::optional<RoundClose> closed;
};

// Reads the rounds of these ids, with how they were closed, in no order.
//   $1 text[]   round ids
//   $2 text[]   RulebookCache::Known: rulebooks whose rules need not be sent
inline constexpr std::string_view kReadRounds = R"sql(
SELECT r.round_no, r.round_id, r.table_id, r.variant, r.rulebook_version, r.currency, r.base,
       r.tier_id, r.rake, r.escape_penalty, r.escape_compensation,
       p0.account_id, p1.account_id, p2.account_id, p3.account_id,
       (extract(epoch FROM r.begun_at) * 1000000)::bigint,
       (extract(epoch FROM r.close_due) * 1000000)::bigint, c.how, c.journal_no,
       CASE WHEN r.variant || '/' || r.rulebook_version <> ALL ($2::text[])
            THEN array_to_string(b.rule_ids, ' ') END
FROM wallet.rounds r
JOIN wallet.rulebooks b ON b.variant = r.variant AND b.version = r.rulebook_version
JOIN wallet.accounts p0 ON p0.account_no = r.account_nos[1]
JOIN wallet.accounts p1 ON p1.account_no = r.account_nos[2]
JOIN wallet.accounts p2 ON p2.account_no = r.account_nos[3]
JOIN wallet.accounts p3 ON p3.account_no = r.account_nos[4]
LEFT JOIN wallet.round_closes c ON c.round_no = r.round_no
WHERE r.round_id = ANY ($1::text[])
)sql";

// What kReadRounds answered. `rulebooks` gets those that are new to it.
[[nodiscard]] absl::StatusOr<std::vector<RoundRow>> RoundsFrom(const pg::Result& result,
                                                               RulebookCache& rulebooks);

// One round; nothing if it was never begun.
[[nodiscard]] absl::StatusOr<std::optional<RoundRow>> ReadRound(pg::Transaction& tx,
                                                                const std::string& round_id,
                                                                RulebookCache& rulebooks);

// Writes a round that begins at this transaction's time, for players that are locked.
//
//   account_nos   by seat
//
// Returns its number; nothing if a round of this id was written a moment ago: to be run again.
[[nodiscard]] absl::StatusOr<std::optional<std::int64_t>> InsertRound(
    pg::Transaction& tx, const RequestKey& key, const BegunRound& round,
    const std::vector<std::int64_t>& account_nos);

}  // namespace mj::wallet::store
