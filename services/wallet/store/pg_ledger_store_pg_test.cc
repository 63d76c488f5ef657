#include "services/wallet/store/pg_ledger_store.h"

#include <gtest/gtest.h>

#include "libs/base/clock.h"
#include "libs/pg/cluster_testing.h"
#include "services/wallet/app/ledger_changes_contract.h"
#include "services/wallet/app/ledger_store_contract.h"
#include "services/wallet/store/books_testing.h"

namespace mj::wallet {
namespace {

class PgStoreFactory {
 public:
  LedgerStore& store() { return store_; }

 private:
  base::SystemClock clock_;
  pg::testing::Database database_{store::Migrations()};
  pg::Pool pool_{{.url = database_.url(), .connections_max = 16}, clock_};
  store::PgLedgerStore store_{pool_};
};

INSTANTIATE_TYPED_TEST_SUITE_P(PostgreSql, LedgerStoreContract, PgStoreFactory);
INSTANTIATE_TYPED_TEST_SUITE_P(PostgreSql, LedgerChangesContract, PgStoreFactory);

}  // namespace
}  // namespace mj::wallet
