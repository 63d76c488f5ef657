// A ledger in memory, for tests of whatever stands on the port. Held to ledger_store_contract.h.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "libs/base/mutex.h"
#include "services/wallet/app/ledger_store.h"
#include "services/wallet/app/wallet.h"

namespace mj::wallet {

// Thread-safe. Begins with the house's accounts and the tiers given. Its clock is `clock`.
class MemoryLedgerStore : public LedgerStore {
 public:
  MemoryLedgerStore(const base::Clock& clock, std::vector<Tier> tiers);

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
                 PostDone done) override {
    done(Post(*posting, deadline));
  }
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
  // There is nothing to tamper with: counts what there is, in one step.
  [[nodiscard]] absl::StatusOr<Verified> Verify(const std::string& place, std::int64_t rows_max,
                                                base::MonotonicTime deadline) override;
  [[nodiscard]] absl::StatusOr<std::optional<SettledRound>> FindSettlement(
      const std::string& round_id, JournalNo journal_no, base::MonotonicTime deadline) override;
  [[nodiscard]] absl::StatusOr<std::optional<HashedRow>> FindHashedRow(
      const std::string& round_id, JournalNo journal_no, base::MonotonicTime deadline) override;

 private:
  // What was answered under a key.
  struct Answer {
    RequestKey key;
    std::variant<Account, Posted, Refused, Changed, Tier> first;
  };
  struct Round {
    std::int64_t number = 0;
    std::shared_ptr<const BegunRound> begun;
    std::optional<RoundClose> closed;
  };
  using Reference = std::tuple<Flow, std::string, std::string>;

  [[nodiscard]] std::vector<Found> FoundOf(const std::vector<std::string>& account_ids,
                                           Currency currency) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  [[nodiscard]] Account Shown(Account account) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  [[nodiscard]] std::vector<Tier> TiersNow() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  [[nodiscard]] Ground GroundOf(const Posting& posting) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  [[nodiscard]] Ground GroundOf(const ChangeRequest& request) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  [[nodiscard]] absl::StatusOr<Posted> Write(const Posting& posting, const Event& event)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void WriteLines(const Posting& posting, const Event& event, JournalNo journal_no)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void WriteRecord(const Posting& posting, const Event& event, JournalNo journal_no)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  [[nodiscard]] Changed Write(const ChangeRequest& request, const Alteration& alteration)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const base::Clock& clock_;
  base::Mutex mutex_;
  std::vector<Tier> tiers_ ABSL_GUARDED_BY(mutex_);
  std::map<AccountKey, Account> accounts_ ABSL_GUARDED_BY(mutex_);
  std::map<AccountKey, std::vector<ListedEntry>> entries_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, Answer> answers_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, Round> rounds_ ABSL_GUARDED_BY(mutex_);
  std::map<JournalNo, JournalRecord> journal_ ABSL_GUARDED_BY(mutex_);
  std::map<std::int64_t, SettledRound> settlements_ ABSL_GUARDED_BY(mutex_);  // by position
  std::set<Reference> references_ ABSL_GUARDED_BY(mutex_);
};

// Rooms of RULEBOOK 7 for tests, in both currencies: Chaozhou's four and Shaoguan's three.
[[nodiscard]] std::vector<Tier> SomeTiers();

// Rulebook "v1" of every game, with the rules that tests name: CZ-0 to CZ-99, SG-, R- alike.
[[nodiscard]] RuleIdsOf SomeRuleIds();

}  // namespace mj::wallet
