#include "services/matchmaking/app/feed_contract_testing.h"
#include "services/matchmaking/app/store_company_contract_testing.h"
#include "services/matchmaking/app/store_contract_testing.h"
#include "services/matchmaking/store/pg_harness_testing.h"

namespace mj::matchmaking {
namespace {

INSTANTIATE_TYPED_TEST_SUITE_P(Postgres, StoreContract, store::PgHarness);
INSTANTIATE_TYPED_TEST_SUITE_P(Postgres, CompanyContract, store::PgHarness);
INSTANTIATE_TYPED_TEST_SUITE_P(Postgres, FeedContract, store::PgHarness);

}  // namespace
}  // namespace mj::matchmaking
