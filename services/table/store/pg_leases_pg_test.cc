#include "services/table/store/pg_leases.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <thread>

#include "libs/base/status_testing.h"
#include "libs/pg/cluster_testing.h"
#include "services/table/app/leases_contract_testing.h"
#include "services/table/store/pg_event_log.h"
#include "services/table/store/schema_testing.h"

namespace mj::table {
namespace {

class PgFixture final : public LeasesFixture {
 public:
  EventLog& log() override { return log_; }
  Leases& leases() override { return leases_; }
  // The database's clock cannot be moved by hand.
  void Wait(std::chrono::milliseconds time) override {
    database.Execute("SELECT pg_sleep(" + std::to_string(time.count()) + " / 1000.0)");
  }

  base::SystemClock clock;
  pg::testing::Database database{store::Migrations()};
  pg::Pool pool{{.url = database.url(), .connections_max = 4}, clock};

 private:
  store::PgEventLog log_{pool, clock};
  store::PgLeases leases_{pool, clock};
};

INSTANTIATE_TEST_SUITE_P(Postgres, LeasesContract,
                         ::testing::Values([] { return std::make_unique<PgFixture>(); }));

// Two processes take what a third has left, at the same time: each table goes to one of them.
TEST(PgLeasesTest, WhoTakesAtTheSameTimeTakesDifferentTables) {
  PgFixture fixture;
  constexpr int kTables = 300;
  for (int i = 0; i < kTables; ++i) {
    TableSpec spec;
    spec.variant = "chaozhou";
    spec.base = 100;
    const std::string id = "t" + std::to_string(i);
    ASSERT_THAT(fixture.log().Create({1, {}, TableCreated{TableId(id), RequestId(id), spec}},
                                     OwnerId("ghost")),
                base::IsOk());
  }
  std::array<std::vector<HeldTable>, 2> taken;
  const auto take = [&](std::size_t who) {
    while (true) {
      const auto some = fixture.leases().TakeSome(OwnerId("p" + std::to_string(who)), 7);
      ASSERT_THAT(some, base::IsOk());
      if (some->empty()) return;
      taken[who].insert(taken[who].end(), some->begin(), some->end());
    }
  };
  for (std::size_t who : {0U, 1U}) {
    ASSERT_THAT(fixture.leases().Begin({OwnerId("p" + std::to_string(who)), "", "a:1"},
                                       std::chrono::minutes(1)),
                base::IsOk());
  }
  {
    std::thread other(take, 1);
    take(0);
    other.join();
  }
  // Whoever came while the other's rows were locked may have seen nothing and gone.
  take(0);
  EXPECT_EQ(taken[0].size() + taken[1].size(), static_cast<std::size_t>(kTables));
  for (std::size_t who : {0U, 1U}) {
    for (const HeldTable& held : taken[who]) EXPECT_EQ(held.epoch, 2);
  }
}

}  // namespace
}  // namespace mj::table
