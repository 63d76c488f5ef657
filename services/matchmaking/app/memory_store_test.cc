#include "services/matchmaking/app/memory_store_testing.h"

#include "libs/base/simulated_clock_testing.h"
#include "services/matchmaking/app/feed_contract_testing.h"
#include "services/matchmaking/app/store_company_contract_testing.h"
#include "services/matchmaking/app/store_contract_testing.h"

namespace mj::matchmaking {
namespace {

class MemoryHarness {
 public:
  Store& store() { return store_; }
  FeedStore& feeds() { return store_; }
  void Advance(Millis by) { clock_.Advance(by); }

 private:
  base::SimulatedClock clock_;
  MemoryStore store_{clock_};
};

INSTANTIATE_TYPED_TEST_SUITE_P(Memory, StoreContract, MemoryHarness);
INSTANTIATE_TYPED_TEST_SUITE_P(Memory, CompanyContract, MemoryHarness);
INSTANTIATE_TYPED_TEST_SUITE_P(Memory, FeedContract, MemoryHarness);

}  // namespace
}  // namespace mj::matchmaking
