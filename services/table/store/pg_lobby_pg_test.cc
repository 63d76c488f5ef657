#include "services/table/store/pg_lobby.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include "libs/base/status_testing.h"
#include "libs/pg/cluster_testing.h"
#include "services/table/app/lobby_contract_testing.h"
#include "services/table/store/pg_event_log.h"
#include "services/table/store/schema_testing.h"

namespace mj::table {
namespace {

class PgFixture final : public LobbyFixture {
 public:
  EventLog& log() override { return log_; }
  Lobby& lobby() override { return lobby_; }

  base::SystemClock clock;
  pg::testing::Database database{store::Migrations()};
  pg::Pool pool{{.url = database.url(), .connections_max = 4}, clock};

 private:
  store::PgEventLog log_{pool, clock};
  store::PgLobby lobby_{pool, clock};
};

INSTANTIATE_TEST_SUITE_P(Postgres, LobbyContract,
                         ::testing::Values([] { return std::make_unique<PgFixture>(); }));

TEST(PgLobbyTest, ADatabaseThatIsAwayIsSaidSo) {
  PgFixture fixture;
  fixture.database.Execute("DROP SCHEMA tables CASCADE");
  EXPECT_FALSE(fixture.lobby().List({.variant = "guangdong"}, TableId(), 10).ok());
}

}  // namespace
}  // namespace mj::table
