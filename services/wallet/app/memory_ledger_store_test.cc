#include "services/wallet/app/memory_ledger_store_testing.h"

#include "libs/base/clock.h"
#include "services/wallet/app/ledger_changes_contract.h"
#include "services/wallet/app/ledger_store_contract.h"

namespace mj::wallet {
namespace {

class MemoryStoreFactory {
 public:
  LedgerStore& store() { return store_; }

 private:
  base::SystemClock clock_;
  MemoryLedgerStore store_{clock_, SomeTiers()};
};

INSTANTIATE_TYPED_TEST_SUITE_P(Memory, LedgerStoreContract, MemoryStoreFactory);
INSTANTIATE_TYPED_TEST_SUITE_P(Memory, LedgerChangesContract, MemoryStoreFactory);

}  // namespace
}  // namespace mj::wallet
