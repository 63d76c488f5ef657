#include "services/table/store/pg_operations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "libs/base/check.h"
#include "libs/base/status_testing.h"
#include "libs/pg/cluster_testing.h"
#include "services/table/app/operations_contract_testing.h"
#include "services/table/store/pg_event_log.h"
#include "services/table/store/schema_testing.h"

namespace mj::table {
namespace {

class PgFixture final : public OperationsFixture {
 public:
  EventLog& log() override { return log_; }
  Operations& operations() override { return operations_; }

  base::SystemClock clock;
  pg::testing::Database database{store::Migrations()};
  pg::Pool pool{{.url = database.url(), .connections_max = 4}, clock};

 private:
  store::PgEventLog log_{pool, clock};
  store::PgOperations operations_{pool, clock};
};

INSTANTIATE_TEST_SUITE_P(Postgres, OperationsContract,
                         ::testing::Values([] { return std::make_unique<PgFixture>(); }));

class PgOperationsTest : public ::testing::Test {
 protected:
  PgOperationsTest() {
    bench_ = Bench(Spec());
    MJ_CHECK(fixture_.log().Create(bench_.journal.front(), OwnerId("a")).ok());
    written_ = 1;
  }
  // What the bench has done and the database has not.
  Appended Write() {
    Append append{TableId("t"), 1, {bench_.journal.begin() + written_, bench_.journal.end()}};
    written_ = static_cast<std::ptrdiff_t>(bench_.journal.size());
    return fixture_.log().Write(std::vector<Append>{append})->front();
  }
  std::size_t Found(const TableFilter& filter) {
    return fixture_.operations().FindTables(filter, TableId(), 10)->size();
  }
  absl::Status Try(const std::string& sql) {
    return fixture_.pool
        .Execute({.deadline = fixture_.clock.Monotonic() + std::chrono::seconds(5)}, sql)
        .status();
  }

  PgFixture fixture_;
  Bench bench_;
  std::ptrdiff_t written_ = 0;
};

TEST_F(PgOperationsTest, RoundsThatDoNotEndAreFoundByTheirAge) {
  using std::chrono::seconds;
  bench_.Begin();
  bench_.PlayToEnd();
  ASSERT_EQ(Write(), Appended::kWritten);
  EXPECT_EQ(Found({.unsettled = seconds(60)}), 0U);
  // The database's clock cannot be moved, but what it wrote can.
  fixture_.database.Execute(
      "SET session_replication_role = replica;"
      "UPDATE tables.events SET written_at = written_at - interval '10 minutes'");
  EXPECT_EQ(Found({.unsettled = seconds(60)}), 1U);
  EXPECT_EQ(Found({.unsettled = seconds(601)}), 0U);
  EXPECT_EQ(Found({.quiet = seconds(60)}), 1U);
  bench_.Score();
  ASSERT_EQ(Write(), Appended::kWritten);
  EXPECT_EQ(Found({.unsettled = seconds(60)}), 1U) << "scored, and not paid since";
  EXPECT_EQ(Found({.quiet = seconds(60)}), 0U);
  bench_.Post();
  ASSERT_EQ(Write(), Appended::kWritten);
  EXPECT_EQ(Found({.unsettled = seconds(60)}), 0U);
}

TEST_F(PgOperationsTest, AnEffectAndItsTrailAreOneTransaction) {
  const OperatorActed order{OperationKind::kCloseTable, RequestId("c"), "eve", "broken"};
  const OperatorActed wrong{OperationKind::kCloseTable, RequestId("d"), "eve", ""};  // no reason
  const LogEntry end{3, {}, TableEnded{}};
  // What the relation refuses leaves no event behind.
  EXPECT_EQ(
      fixture_.log().Write(std::vector<Append>{{TableId("t"), 1, {{2, {}, wrong}, end}}})->front(),
      Appended::kRefused);
  EXPECT_EQ(fixture_.log().Read(TableId("t"), 0, 10)->size(), 1U);
  EXPECT_EQ(
      fixture_.log().Write(std::vector<Append>{{TableId("t"), 1, {{2, {}, order}, end}}})->front(),
      Appended::kWritten);
  EXPECT_EQ(fixture_.operations().ListOperations({}, 0, 10)->size(), 1U);
  // The same again, its answer lost.
  EXPECT_EQ(
      fixture_.log().Write(std::vector<Append>{{TableId("t"), 1, {{2, {}, order}, end}}})->front(),
      Appended::kWritten);
  EXPECT_EQ(fixture_.operations().ListOperations({}, 0, 10)->size(), 1U);
}

TEST_F(PgOperationsTest, TheTrailIsNeverAltered) {
  bench_.Do(Events{OperatorActed{OperationKind::kCloseTable, RequestId("c"), "eve", "broken"}});
  ASSERT_EQ(Write(), Appended::kWritten);
  for (const char* sql : {"UPDATE tables.operations SET reason = 'x'",
                          "DELETE FROM tables.operations", "TRUNCATE tables.operations"}) {
    EXPECT_FALSE(Try(sql).ok()) << sql;
  }
  EXPECT_EQ((*fixture_.operations().Find(RequestId("c")))->reason, "broken");
}

TEST_F(PgOperationsTest, ADatabaseThatIsAwayIsSaidSo) {
  fixture_.database.Execute("DROP SCHEMA tables CASCADE");
  Operations& operations = fixture_.operations();
  EXPECT_FALSE(operations.Find(RequestId("c")).ok());
  EXPECT_FALSE(operations.PresentStop().ok());
  EXPECT_FALSE(operations.WriteStop({.request = RequestId("c")}).ok());
  EXPECT_FALSE(operations.ListOperations({}, 0, 10).ok());
  EXPECT_FALSE(operations.FindTables({}, TableId(), 10).ok());
  EXPECT_FALSE(operations.LatestEvents(TableId("t"), 10).ok());
}

}  // namespace
}  // namespace mj::table
