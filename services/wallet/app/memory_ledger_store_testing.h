// A ledger in memory, for tests of whatever stands on the port. Held to ledger_store_contract.h.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "libs/base/mutex.h"
#include "services/wallet/app/ledger_store.h"

namespace mj::wallet {

// Thread-safe. Begins with the house's accounts and the tiers given.
class MemoryLedgerStore final : public LedgerStore {
 public:
  MemoryLedgerStore(const base::Clock& clock, std::vector<Tier> tiers);

  [[nodiscard]] absl::StatusOr<OpenOutcome> OpenAccount(const RequestKey& key,
                                                        const AccountKey& account,
                                                        base::MonotonicTime deadline) override;
  [[nodiscard]] absl::StatusOr<Lookup> FindAccount(const AccountKey& account,
                                                   base::MonotonicTime deadline) override;
  [[nodiscard]] absl::StatusOr<std::vector<Tier>> TiersOf(const std::string& variant,
                                                          base::MonotonicTime deadline) override;
  [[nodiscard]] absl::StatusOr<PostOutcome> Post(const Posting& posting,
                                                 base::MonotonicTime deadline) override;
  [[nodiscard]] absl::StatusOr<std::vector<ListedEntry>> ListEntries(
      const AccountKey& account, std::optional<EntryPosition> before, int count_max,
      base::MonotonicTime deadline) override;

 private:
  struct Answer {
    RequestKey key;
    std::variant<Account, Posted, Refused> first;
  };

  [[nodiscard]] Ground GroundOf(const Posting& posting) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  [[nodiscard]] absl::StatusOr<Posted> Write(const Posting& posting, const Event& event)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const base::Clock& clock_;
  const std::vector<Tier> tiers_;
  base::Mutex mutex_;
  std::map<AccountKey, Account> accounts_ ABSL_GUARDED_BY(mutex_);
  std::map<AccountKey, std::vector<ListedEntry>> entries_ ABSL_GUARDED_BY(mutex_);
  std::map<std::string, Answer> answers_ ABSL_GUARDED_BY(mutex_);
  JournalNo last_journal_no_ ABSL_GUARDED_BY(mutex_) = 0;
};

// Rooms of RULEBOOK 7 for tests: Chaozhou's four and Shaoguan's three.
[[nodiscard]] std::vector<Tier> SomeTiers();

}  // namespace mj::wallet
