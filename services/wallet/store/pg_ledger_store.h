// The ledger in PostgreSQL, schema `wallet` (migrations/0001_wallet.sql).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "libs/base/mutex.h"
#include "libs/pg/pool.h"
#include "services/wallet/app/ledger_store.h"
#include "services/wallet/store/posting_rows.h"

namespace mj::wallet::store {

// See LedgerStore. Keeps a reference to `pool`.
//
// Order of locks, the same for every write: the players' balance rows by account number, then the
// request's key. A write never holds a key while it waits for a balance, so no two wait for each
// other. House accounts have no row to lock.
class PgLedgerStore final : public LedgerStore {
 public:
  explicit PgLedgerStore(pg::Pool& pool) : pool_(pool) {}

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
  // Read once for each currency, then kept.
  [[nodiscard]] absl::StatusOr<AccountNos> House(pg::Transaction& tx, Currency currency);

  pg::Pool& pool_;
  base::Mutex mutex_;
  std::map<Currency, AccountNos> house_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mj::wallet::store
