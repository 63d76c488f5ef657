#include "services/wallet/store/account_rows.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "services/wallet/store/names.h"
#include "services/wallet/store/player_rows.h"

namespace mj::wallet::store {
namespace {

using base::Cat;
using Numbers = std::vector<std::int64_t>;

constexpr std::string_view kNow = R"sql(
SELECT (extract(epoch FROM transaction_timestamp()) * 1000000)::bigint
)sql";

constexpr std::string_view kUpdate = R"sql(
UPDATE wallet.balances b
SET held = s.held, held_table = nullif(s.held_table, ''),
    held_until = CASE WHEN s.held_table <> '' THEN s.held_until END,
    reservation_no = CASE WHEN s.held_table = '' THEN NULL
                          ELSE coalesce(nullif(s.reservation_no, 0), b.reservation_no) END,
    frozen = s.frozen = 1, closed = s.closed = 1, round_no = nullif(s.round_no, 0)
FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::timestamptz[], $5::bigint[], $6::bigint[],
            $7::bigint[], $8::bigint[])
     s (account_no, held, held_table, held_until, frozen, closed, round_no, reservation_no)
WHERE b.account_no = s.account_no
)sql";

constexpr std::string_view kInsertReservation = R"sql(
INSERT INTO wallet.reservations (account_no, table_id, tier_id, coins, held_until)
VALUES ($1, $2, $3, $4, $5::timestamptz) RETURNING reservation_no
)sql";

constexpr std::string_view kInsertEvent = R"sql(
INSERT INTO wallet.account_events (account_no, kind, actor, reason)
VALUES ($1, $2, $3, $4)
)sql";

constexpr std::string_view kReadStanding = R"sql(
SELECT b.held, b.frozen, b.closed, coalesce(b.held_table, ''),
       (extract(epoch FROM b.held_until) * 1000000)::bigint,
       b.held_table IS NOT NULL
         AND (b.round_no IS NOT NULL OR b.held_until > transaction_timestamp()),
       coalesce(r.round_id, '')
FROM wallet.accounts a JOIN wallet.balances b ON b.account_no = a.account_no
LEFT JOIN wallet.rounds r ON r.round_no = b.round_no
WHERE a.account_id = $1 AND a.currency = $2
)sql";

}  // namespace

absl::StatusOr<LockedAccounts> LockAccounts(pg::Transaction& tx,
                                            const std::vector<std::string>& account_ids,
                                            Currency currency) {
  const std::vector<std::string> currencies(account_ids.size(), std::string(ToSql(currency)));
  const std::vector<pg::Statement> statements = {
      pg::Statement(kNow), pg::Statement(kLockPlayers, account_ids, currencies)};
  MJ_ASSIGN_OR_RETURN(const std::vector<pg::Result> results, tx.ExecuteTogether(statements));
  MJ_ASSIGN_OR_RETURN(const auto now, results[0].One<base::WallTime>());
  MJ_ASSIGN_OR_RETURN(auto players, PlayersFrom(results[1]));
  std::set<AccountKey> asked;
  for (const std::string& id : account_ids) asked.insert({id, currency});
  MJ_ASSIGN_OR_RETURN(const auto others, FindOthers(tx, asked, players));
  MJ_RETURN_IF_ERROR(FillRoundIds(tx, {}, players));

  LockedAccounts locked;
  locked.now = std::get<0>(now);
  for (const std::string& id : account_ids) {
    LockedPlayer found;
    if (const auto player = players.find({id, currency}); player != players.end()) {
      found = player->second;
    } else {
      found.found.what = others.at({id, currency});
    }
    locked.found.push_back(std::move(found.found));
    locked.account_nos.push_back(found.account_no);
    locked.round_nos.push_back(found.round_no);
  }
  return locked;
}

absl::Status UpdateStandings(pg::Transaction& tx, const LockedAccounts& locked,
                             const std::vector<Standing>& after, std::int64_t round_no,
                             std::int64_t reservation_no) {
  if (after.size() != locked.found.size()) return absl::InternalError("not one standing each");
  Numbers held;
  std::vector<std::string> tables;
  std::vector<std::string> until;
  Numbers frozen;
  Numbers closed;
  Numbers round_nos;
  Numbers reservation_nos(after.size(), 0);
  reservation_nos[0] = reservation_no;
  for (std::size_t at = 0; at < after.size(); ++at) {
    const Standing& standing = after[at];
    if (locked.found[at].what != Found::What::kPlayer) {
      return absl::InternalError("a change of what is no player's account");
    }
    held.push_back(standing.hold ? standing.hold->coins.value() : 0);
    tables.push_back(standing.hold ? standing.hold->table_id : "");
    until.push_back(base::FormatUtc(standing.hold ? standing.hold->until : base::WallTime{}));
    frozen.push_back(standing.frozen ? 1 : 0);
    closed.push_back(standing.closed ? 1 : 0);
    const bool stays = standing.round_id == locked.found[at].standing.round_id;
    round_nos.push_back(stays ? locked.round_nos[at] : round_no);
  }
  return tx
      .Execute(kUpdate, locked.account_nos, held, tables, until, frozen, closed, round_nos,
               reservation_nos)
      .status();
}

absl::StatusOr<std::int64_t> InsertReservation(pg::Transaction& tx, std::int64_t account_no,
                                               const std::string& tier_id, const Hold& hold) {
  MJ_ASSIGN_OR_RETURN(const pg::Result result,
                      tx.Execute(kInsertReservation, account_no, hold.table_id, tier_id,
                                 hold.coins.value(), hold.until));
  MJ_ASSIGN_OR_RETURN(const auto row, result.One<std::int64_t>());
  return std::get<0>(row);
}

absl::Status InsertAccountEvent(pg::Transaction& tx, std::int64_t account_no,
                                const Alteration& alteration) {
  return tx
      .Execute(kInsertEvent, account_no, ToSql(*alteration.account_event), alteration.actor,
               alteration.reason)
      .status();
}

absl::StatusOr<Standing> ReadStanding(pg::Transaction& tx, const AccountKey& account) {
  MJ_ASSIGN_OR_RETURN(const pg::Result result,
                      tx.Execute(kReadStanding, account.id, ToSql(account.currency)));
  MJ_ASSIGN_OR_RETURN(const auto row,
                      (result.AtMostOne<std::int64_t, bool, bool, std::string,
                                        std::optional<base::WallTime>, bool, std::string>()));
  Standing standing;
  if (!row) return standing;
  const auto& [held, frozen, closed, held_table, held_until, alive, round_id] = *row;
  standing.frozen = frozen;
  standing.closed = closed;
  standing.round_id = round_id;
  const auto coins = Coins::From(held);
  if (!coins) return absl::InternalError(Cat("what is held of ", account.id));
  if (alive && held_until) standing.hold = Hold{held_table, *coins, *held_until};
  return standing;
}

}  // namespace mj::wallet::store
