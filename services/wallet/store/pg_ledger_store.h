// The ledger in PostgreSQL, schema `wallet` (migrations/0001_wallet.sql).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "libs/pg/pool.h"
#include "services/wallet/app/ledger_store.h"
#include "services/wallet/store/group_commit.h"
#include "services/wallet/store/posting_group.h"
#include "services/wallet/store/round_rows.h"

namespace mj::wallet::store {

// See LedgerStore. Keeps a reference to `pool`. Postings are written in groups (group_commit.h).
//
// Order of locks, the same for every write: the players' balance rows by account number, then one
// chain head, then the keys by their text. A write never holds a key while it waits for a balance,
// so no two wait for each other in a circle. House accounts have no row to lock.
class PgLedgerStore final : public LedgerStore {
 public:
  explicit PgLedgerStore(pg::Pool& pool, GroupCommitOptions options = {});

  [[nodiscard]] absl::StatusOr<OpenOutcome> OpenAccount(const RequestKey& key,
                                                        const AccountKey& account,
                                                        base::MonotonicTime deadline) override;
  [[nodiscard]] absl::StatusOr<Lookup> FindAccount(const AccountKey& account,
                                                   base::MonotonicTime deadline) override;
  [[nodiscard]] absl::StatusOr<std::vector<Tier>> TiersOf(const std::string& variant,
                                                          Currency currency,
                                                          base::MonotonicTime deadline) override;
  [[nodiscard]] absl::StatusOr<TierOutcome> PutTier(const RequestKey& key, const TierPeriod& period,
                                                    base::MonotonicTime deadline) override;
  [[nodiscard]] absl::StatusOr<PostOutcome> Post(const Posting& posting,
                                                 base::MonotonicTime deadline) override;
  void PostAsync(std::shared_ptr<const Posting> posting, base::MonotonicTime deadline,
                 PostDone done) override;
  [[nodiscard]] absl::StatusOr<ChangeOutcome> Change(const ChangeRequest& request,
                                                     base::MonotonicTime deadline) override;
  [[nodiscard]] absl::StatusOr<RoundLookup> FindRound(const std::string& round_id,
                                                      base::MonotonicTime deadline) override;
  [[nodiscard]] absl::StatusOr<std::optional<JournalRecord>> FindJournal(
      JournalNo journal_no, base::MonotonicTime deadline) override;
  [[nodiscard]] absl::StatusOr<std::vector<ListedEntry>> ListEntries(
      const AccountKey& account, std::optional<EntryPosition> before, int count_max,
      base::MonotonicTime deadline) override;
  [[nodiscard]] absl::StatusOr<std::vector<ListedEntry>> ListEntriesAfter(
      const AccountKey& account, std::int64_t after, int count_max,
      base::MonotonicTime deadline) override;
  [[nodiscard]] absl::StatusOr<std::map<AccountKey, std::int64_t>> LastSequences(
      const std::vector<AccountKey>& accounts, base::MonotonicTime deadline) override;
  [[nodiscard]] absl::StatusOr<std::vector<SettledRound>> ListSettlements(
      const SettlementFilter& filter, std::optional<std::int64_t> before, int count_max,
      base::MonotonicTime deadline) override;
  [[nodiscard]] absl::StatusOr<std::optional<SettledRound>> FindSettlement(
      const std::string& round_id, JournalNo journal_no, base::MonotonicTime deadline) override;
  [[nodiscard]] absl::StatusOr<std::optional<HashedRow>> FindHashedRow(
      const std::string& round_id, JournalNo journal_no, base::MonotonicTime deadline) override;
  [[nodiscard]] absl::StatusOr<Verified> Verify(const std::string& place, std::int64_t rows_max,
                                                base::MonotonicTime deadline) override;

 private:
  pg::Pool& pool_;
  RulebookCache rulebooks_;
  PostingGroupWriter writer_;
  GroupCommit commit_;
};

}  // namespace mj::wallet::store
