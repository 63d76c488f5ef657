#include "libs/pg/pool.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <atomic>
#include <barrier>
#include <optional>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/pg/cluster_testing.h"
#include "libs/pg/errors.h"

namespace mj::pg {
namespace {

using base::HasReason;
using base::Reason;
using std::chrono::milliseconds;
using std::chrono::seconds;

class PoolTest : public ::testing::Test {
 protected:
  PoolTest() { database_.Execute("CREATE TABLE mark (id int PRIMARY KEY, n bigint NOT NULL)"); }

  PoolOptions Options() const { return {.url = database_.url(), .application_name = "pool_test"}; }
  RunOptions Within(std::chrono::nanoseconds time) {
    return {.deadline = clock_.Monotonic() + time};
  }
  std::int64_t Int(Pool& pool, std::string_view sql) {
    const auto result = pool.Execute(Within(seconds(20)), sql);
    EXPECT_TRUE(result.ok()) << result.status();
    return result.ok() ? std::get<0>(*result->One<std::int64_t>()) : -1;
  }

  base::SystemClock clock_;
  const testing::Database database_{std::vector<std::string>{}};
};

TEST_F(PoolTest, CommitsWhatSucceedsAndUndoesWhatFails) {
  Pool pool(Options(), clock_);
  const auto insert = [](Transaction& tx, int id) {
    return tx.Execute("INSERT INTO mark VALUES ($1, $2)", id, id * 10).status();
  };
  EXPECT_TRUE(pool.Run(Within(seconds(20)), [&](Transaction& tx) { return insert(tx, 1); }).ok());
  const absl::Status refused = pool.Run(Within(seconds(20)), [&](Transaction& tx) -> absl::Status {
    MJ_RETURN_IF_ERROR(insert(tx, 2));
    return absl::NotFoundError("changed my mind");
  });
  EXPECT_EQ(refused.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(Int(pool, "SELECT sum(id)::bigint FROM mark"), 1);
}

TEST_F(PoolTest, AFailedStatementEndsTheTransactionWhateverTheBodySays) {
  Pool pool(Options(), clock_);
  const absl::Status status = pool.Run(Within(seconds(20)), [](Transaction& tx) {
    EXPECT_TRUE(tx.Execute("INSERT INTO mark VALUES (1, 1)").ok());
    EXPECT_EQ(tx.Execute("INSERT INTO mark VALUES (1, 2)").status().code(),
              absl::StatusCode::kAlreadyExists);
    EXPECT_EQ(SqlState(tx.Execute("SELECT 1").status()), "23505");
    return absl::OkStatus();
  });
  EXPECT_EQ(SqlState(status), "23505");
  EXPECT_EQ(Int(pool, "SELECT count(*) FROM mark"), 0);
}

TEST_F(PoolTest, ValuesComeBackAsTheyWent) {
  for (const bool prepared : {true, false}) {
    PoolOptions options = Options();
    options.prepared_statements = prepared;
    Pool pool(options, clock_);
    Bytes bytes;
    for (int byte = 0; byte < 256; ++byte) bytes.data.push_back(static_cast<char>(byte));
    const std::string text = "'\"\\{},NULL 潮州\n$1";
    const base::WallTime time{std::chrono::microseconds{1'767'225'600'123'456}};
    for (int again = 0; again < 2; ++again) {  // the second time on the prepared statement
      const auto result = pool.Execute(
          Within(seconds(20)),
          "SELECT $1::bytea, $2::text, $3::bigint, $4::boolean, $5::text, $6::bigint[],"
          "       (SELECT string_agg(t, '|') FROM unnest($7::text[]) t),"
          "       (SELECT string_agg(b, ''::bytea) FROM unnest($8::bytea[]) b),"
          "       (extract(epoch from $9::timestamptz) * 1000000)::bigint",
          bytes, text, std::int64_t{-9007199254740992}, true, nullptr,
          std::vector<std::int64_t>{1, -2}, std::vector<std::string>{text, "", "NULL"},
          std::vector<Bytes>{bytes, Bytes{}, bytes}, std::optional<base::WallTime>(time));
      ASSERT_TRUE(result.ok()) << result.status();
      const auto row =
          result->One<Bytes, std::string, std::int64_t, bool, std::optional<std::string>,
                      std::vector<std::int64_t>, std::string, Bytes, base::WallTime>();
      ASSERT_TRUE(row.ok()) << row.status();
      EXPECT_EQ(*row, std::tuple(bytes, text, std::int64_t{-9007199254740992}, true, std::nullopt,
                                 std::vector<std::int64_t>{1, -2}, text + "||NULL",
                                 Bytes{bytes.data + bytes.data}, time));
    }
  }
}

TEST_F(PoolTest, TextThatIsNoneIsRefusedAndTheConnectionLivesOn) {
  Pool pool(Options(), clock_);
  const auto zero = pool.Execute(Within(seconds(20)), "SELECT $1::text", std::string("a\0b", 3));
  EXPECT_EQ(zero.status().code(), absl::StatusCode::kInvalidArgument);
  const auto utf8 = pool.Execute(Within(seconds(20)), "SELECT $1::text", "\xff");
  EXPECT_EQ(utf8.status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(Int(pool, "SELECT 7::bigint"), 7);
  EXPECT_EQ(pool.stats().opened, 1);
}

TEST_F(PoolTest, ABodyThatMeetsAnotherIsRunAgain) {
  Pool pool(Options(), clock_);
  database_.Execute("INSERT INTO mark VALUES (1, 0)");
  std::atomic<int> runs = 0;
  std::barrier both_read(2);
  const auto increment = [&] {
    RunOptions options = Within(seconds(60));
    options.isolation = RunOptions::Isolation::kSerializable;
    bool first = true;
    EXPECT_TRUE(pool.Run(options,
                         [&](Transaction& tx) -> absl::Status {
                           ++runs;
                           MJ_ASSIGN_OR_RETURN(const Result read, tx.Execute("SELECT n FROM mark"));
                           if (first) both_read.arrive_and_wait();
                           first = false;
                           return tx
                               .Execute("UPDATE mark SET n = $1 WHERE id = 1",
                                        std::get<0>(*read.One<std::int64_t>()) + 1)
                               .status();
                         })
                    .ok());
  };
  std::thread other(increment);
  increment();
  other.join();
  EXPECT_EQ(Int(pool, "SELECT n FROM mark"), 2);
  EXPECT_GE(runs, 3);
  EXPECT_EQ(pool.stats().reruns, runs - 2);
}

TEST_F(PoolTest, ADeadlockIsRunAgain) {
  Pool pool(Options(), clock_);
  database_.Execute("INSERT INTO mark VALUES (1, 0), (2, 0)");
  std::barrier both_hold(2);
  const auto cross = [&](int one, int two) {
    bool first = true;
    EXPECT_TRUE(pool.Run(Within(seconds(60)),
                         [&](Transaction& tx) -> absl::Status {
                           constexpr std::string_view kAdd =
                               "UPDATE mark SET n = n + 1 WHERE id = $1";
                           MJ_RETURN_IF_ERROR(tx.Execute(kAdd, one).status());
                           if (first) both_hold.arrive_and_wait();
                           first = false;
                           return tx.Execute(kAdd, two).status();
                         })
                    .ok());
  };
  std::thread other(cross, 1, 2);
  cross(2, 1);
  other.join();
  EXPECT_EQ(Int(pool, "SELECT sum(n)::bigint FROM mark"), 4);
}

TEST_F(PoolTest, RunsAreBounded) {
  PoolOptions options = Options();
  options.attempts_max = 3;
  Pool pool(options, clock_);
  int runs = 0;
  const absl::Status status = pool.Run(Within(seconds(60)), [&](Transaction&) {
    ++runs;
    return absl::AbortedError("again");
  });
  EXPECT_EQ(status.code(), absl::StatusCode::kAborted);
  EXPECT_EQ(runs, 3);
}

TEST_F(PoolTest, NeverMoreConnectionsThanAllowed) {
  PoolOptions options = Options();
  options.connections_max = 2;
  Pool pool(options, clock_);
  std::atomic<int> inside = 0;
  std::atomic<int> most = 0;
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 8; ++thread) {
    threads.emplace_back([&] {
      for (int round = 0; round < 5; ++round) {
        EXPECT_TRUE(pool.Run(Within(seconds(60)),
                             [&](Transaction& tx) {
                               const int now = ++inside;
                               int seen = most;
                               while (now > seen && !most.compare_exchange_weak(seen, now)) {
                               }
                               const absl::Status status =
                                   tx.Execute("SELECT pg_sleep(0.002)").status();
                               --inside;
                               return status;
                             })
                        .ok());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(most, 2);
  EXPECT_EQ(pool.stats().opened, 2);
  EXPECT_EQ(pool.stats().in_use, 0);
  EXPECT_EQ(pool.stats().idle, 2);
}

TEST_F(PoolTest, WaitingForAConnectionEndsAtTheDeadline) {
  PoolOptions options = Options();
  options.connections_max = 1;
  Pool pool(options, clock_);
  absl::Status inner;
  EXPECT_TRUE(pool.Run(Within(seconds(60)),
                       [&](Transaction&) {
                         inner = pool.Execute(Within(milliseconds(50)), "SELECT 1").status();
                         return absl::OkStatus();
                       })
                  .ok());
  EXPECT_TRUE(HasReason(inner, Reason::kDeadlineExceeded)) << inner;
  EXPECT_EQ(pool.stats().timeouts, 1);
}

TEST_F(PoolTest, AStatementEndsAtTheDeadline) {
  Pool pool(Options(), clock_);
  EXPECT_EQ(Int(pool, "SELECT 1::bigint"), 1);
  const auto result = pool.Execute(Within(milliseconds(300)), "SELECT pg_sleep(60)");
  EXPECT_TRUE(HasReason(result.status(), Reason::kDeadlineExceeded)) << result.status();
  EXPECT_EQ(SqlState(result.status()), "57014");  // the server was told
  EXPECT_EQ(Int(pool, "SELECT 7::bigint"), 7);
  EXPECT_EQ(pool.stats().opened, 1);
}

TEST_F(PoolTest, EachStatementHasOnlyWhatIsLeft) {
  Pool pool(Options(), clock_);
  int statements = 0;
  const absl::Status status =
      pool.Run(Within(milliseconds(400)), [&](Transaction& tx) -> absl::Status {
        for (;; ++statements) MJ_RETURN_IF_ERROR(tx.Execute("SELECT pg_sleep(0.15)").status());
      });
  EXPECT_TRUE(HasReason(status, Reason::kDeadlineExceeded)) << status;
  EXPECT_LE(statements, 2);
}

TEST_F(PoolTest, NothingIsSentAfterTheDeadline) {
  Pool pool(Options(), clock_);
  bool ran = false;
  const absl::Status status = pool.Run(Within(milliseconds(-1)), [&](Transaction&) {
    ran = true;
    return absl::OkStatus();
  });
  EXPECT_TRUE(HasReason(status, Reason::kDeadlineExceeded)) << status;
  EXPECT_FALSE(ran);
}

TEST_F(PoolTest, AConnectionCutWhileIdleIsReplaced) {
  Pool pool(Options(), clock_);
  EXPECT_EQ(Int(pool, "SELECT 1::bigint"), 1);
  database_.Execute(
      "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE application_name = "
      "'pool_test'");
  EXPECT_EQ(Int(pool, "SELECT 2::bigint"), 2);
  EXPECT_EQ(pool.stats().lost, 1);
  EXPECT_EQ(pool.stats().opened, 2);
}

TEST_F(PoolTest, AConnectionCutInATransactionUndoesItAndRunsItAgain) {
  Pool pool(Options(), clock_);
  int runs = 0;
  const absl::Status status = pool.Run(Within(seconds(60)), [&](Transaction& tx) -> absl::Status {
    MJ_RETURN_IF_ERROR(tx.Execute("INSERT INTO mark VALUES (1, 1)").status());
    if (++runs == 1) {
      database_.Execute(
          "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
          " WHERE application_name = 'pool_test'");
    }
    return tx.Execute("INSERT INTO mark VALUES (2, 2)").status();
  });
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(Int(pool, "SELECT count(*) FROM mark"), 2);
}

TEST_F(PoolTest, ALostCommitIsNotRunAgain) {
  Pool pool(Options(), clock_);
  int runs = 0;
  const absl::Status status = pool.Run(Within(seconds(60)), [&](Transaction& tx) {
    ++runs;
    const absl::Status inserted = tx.Execute("INSERT INTO mark VALUES (1, 1)").status();
    database_.Execute(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
        " WHERE application_name = 'pool_test'");
    return inserted;
  });
  EXPECT_TRUE(HasReason(status, Reason::kUnavailable)) << status;
  EXPECT_EQ(runs, 1);
}

TEST_F(PoolTest, ASilentServerIsCutOff) {
  Pool pool(Options(), clock_);
  const std::int64_t pid = Int(pool, "SELECT pg_backend_pid()::bigint");
  ASSERT_GT(pid, 0);
  const absl::Status status = pool.Run(Within(milliseconds(300)), [&](Transaction& tx) {
    kill(static_cast<pid_t>(pid), SIGSTOP);
    return tx.Execute("SELECT 1").status();
  });
  kill(static_cast<pid_t>(pid), SIGCONT);
  EXPECT_TRUE(HasReason(status, Reason::kDeadlineExceeded)) << status;
  EXPECT_EQ(Int(pool, "SELECT 7::bigint"), 7);
  EXPECT_EQ(pool.stats().opened, 2);
}

// Else its locks would keep everybody else waiting for as long as it stands still.
TEST_F(PoolTest, AClientThatStandsStillInATransactionIsCutOffByTheServer) {
  Pool pool(Options(), clock_);
  const absl::Status status = pool.Run(Within(milliseconds(300)), [&](Transaction& tx) {
    const absl::Status inserted = tx.Execute("INSERT INTO mark VALUES (1, 1)").status();
    while (database_.Execute("SELECT count(*) FROM pg_stat_activity"
                             " WHERE application_name = 'pool_test'") != "0") {
    }
    return inserted;
  });
  EXPECT_TRUE(HasReason(status, Reason::kUnavailable) ||
              HasReason(status, Reason::kDeadlineExceeded))
      << status;
  EXPECT_EQ(Int(pool, "SELECT count(*) FROM mark"), 0);
}

TEST_F(PoolTest, ConstraintsAreTold) {
  Pool pool(Options(), clock_);
  database_.Execute("ALTER TABLE mark ADD CHECK (n >= 0)");
  const absl::Status negative =
      pool.Execute(Within(seconds(20)), "INSERT INTO mark VALUES (1, -1)").status();
  EXPECT_EQ(negative.code(), absl::StatusCode::kFailedPrecondition);
  EXPECT_EQ(SqlState(negative), "23514");
  const absl::Status wrong = pool.Execute(Within(seconds(20)), "SELECT nothing FROM mark").status();
  EXPECT_EQ(wrong.code(), absl::StatusCode::kInternal);
}

TEST_F(PoolTest, AReadOnlyTransactionWritesNothing) {
  Pool pool(Options(), clock_);
  RunOptions options = Within(seconds(20));
  options.read_only = true;
  EXPECT_EQ(SqlState(pool.Execute(options, "INSERT INTO mark VALUES (1, 1)").status()), "25006");
  EXPECT_TRUE(pool.Ping(clock_.Monotonic() + seconds(20)).ok());
}

// A service's stderr holds its log, one JSON object a line.
TEST_F(PoolTest, TheServersNoticesDoNotReachStderr) {
  Pool pool(Options(), clock_);
  ::testing::internal::CaptureStderr();
  EXPECT_TRUE(pool.Execute(Within(seconds(20)), "DO $$ BEGIN RAISE WARNING 'look'; END $$").ok());
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST_F(PoolTest, NorWhatTheServerSaysLast) {
  ::testing::internal::CaptureStderr();
  {
    Pool pool(Options(), clock_);
    EXPECT_EQ(Int(pool, "SELECT 1::bigint"), 1);
    database_.Execute(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
        " WHERE application_name = 'pool_test'");
  }
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST_F(PoolTest, TheObserverIsToldTheNumbers) {
  PoolOptions options = Options();
  PoolStats last;
  options.observer = [&last](const PoolStats& stats) { last = stats; };
  Pool pool(options, clock_);
  EXPECT_EQ(Int(pool, "SELECT 7::bigint"), 7);
  EXPECT_EQ(last.opened, 1);
  EXPECT_EQ(last.idle, 1);
  EXPECT_EQ(last.in_use, 0);
}

TEST(PoolAwayTest, SaysSoAtOnceAndComesBack) {
  base::SystemClock clock;
  testing::Cluster cluster;
  Pool pool({.url = cluster.Url("postgres")}, clock);
  const auto ping = [&] { return pool.Ping(clock.Monotonic() + std::chrono::hours(1)); };
  EXPECT_TRUE(ping().ok());
  cluster.Stop();
  EXPECT_TRUE(HasReason(ping(), Reason::kUnavailable)) << ping();
  cluster.Start();
  EXPECT_TRUE(ping().ok());
  cluster.Kill();
  EXPECT_TRUE(HasReason(ping(), Reason::kUnavailable)) << ping();
  cluster.Start();
  EXPECT_TRUE(ping().ok());
  EXPECT_EQ(pool.stats().in_use, 0);
}

TEST_F(PoolTest, StatementsSentTogetherAnswerInTheirOrder) {
  for (const bool prepared : {true, false}) {
    PoolOptions options = Options();
    options.prepared_statements = prepared;
    Pool pool(options, clock_);
    for (int again = 0; again < 2; ++again) {  // the second time on the prepared statements
      database_.Execute("TRUNCATE mark");
      std::vector<Result> results;
      const absl::Status status =
          pool.Run(Within(seconds(20)), [&](Transaction& tx) -> absl::Status {
            const std::vector<Statement> first = {
                Statement("INSERT INTO mark SELECT * FROM unnest($1::int[], $2::bigint[])",
                          std::vector<std::int64_t>{1, 2}, std::vector<std::int64_t>{10, 20}),
                Statement("SELECT n FROM mark WHERE id = $1", 1),
                Statement("SELECT n FROM mark WHERE id = $1", 2)};
            MJ_ASSIGN_OR_RETURN(results, tx.ExecuteTogether(first));
            MJ_RETURN_IF_ERROR(tx.Execute("UPDATE mark SET n = n + 1").status());
            const std::vector<Statement> second = {Statement("UPDATE mark SET n = n + 1")};
            return tx.ExecuteAndCommit(second).status();
          });
      ASSERT_TRUE(status.ok()) << status;
      ASSERT_EQ(results.size(), 3U);
      EXPECT_EQ(results[0].affected(), 2);
      EXPECT_EQ(std::get<0>(*results[1].One<std::int64_t>()), 10);
      EXPECT_EQ(std::get<0>(*results[2].One<std::int64_t>()), 20);
      EXPECT_EQ(Int(pool, "SELECT sum(n)::bigint FROM mark"), 34);
    }
    EXPECT_EQ(pool.stats().opened, 1);
  }
}

TEST_F(PoolTest, TheFirstOfThemThatFailsUndoesAll) {
  Pool pool(Options(), clock_);
  const std::vector<Statement> statements = {
      Statement("INSERT INTO mark VALUES ($1, 1)", 1), Statement("INSERT INTO mark VALUES (1, 2)"),
      Statement("SELECT this_is_no_column FROM mark"), Statement("SELECT $1::text", "x")};
  for (const bool commit : {true, false, true}) {
    const absl::Status status = pool.Run(Within(seconds(20)), [&](Transaction& tx) {
      return commit ? tx.ExecuteAndCommit(statements).status()
                    : tx.ExecuteTogether(statements).status();
    });
    EXPECT_EQ(SqlState(status), "23505") << status;
  }
  EXPECT_EQ(Int(pool, "SELECT count(*) FROM mark"), 0);
  EXPECT_EQ(pool.stats().opened, 1);
}

TEST_F(PoolTest, AConnectionLostAtTheCommitBehindThemLeavesTheOutcomeOpen) {
  Pool pool(Options(), clock_);
  int runs = 0;
  const absl::Status status = pool.Run(Within(seconds(20)), [&](Transaction& tx) -> absl::Status {
    ++runs;
    const std::vector<Statement> first = {Statement("INSERT INTO mark VALUES (1, 1)")};
    MJ_RETURN_IF_ERROR(tx.ExecuteTogether(first).status());
    database_.Execute(
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
        " WHERE application_name = 'pool_test'");
    return tx.ExecuteAndCommit(first).status();
  });
  EXPECT_TRUE(HasReason(status, Reason::kUnavailable)) << status;
  EXPECT_EQ(runs, 1);
  EXPECT_EQ(Int(pool, "SELECT count(*) FROM mark"), 0);
}

TEST_F(PoolTest, AConnectionLostBeforeIsRunAgain) {
  Pool pool(Options(), clock_);
  int runs = 0;
  const absl::Status status = pool.Run(Within(seconds(20)), [&](Transaction& tx) -> absl::Status {
    const std::vector<Statement> first = {Statement("INSERT INTO mark VALUES (1, 1)")};
    MJ_RETURN_IF_ERROR(tx.ExecuteTogether(first).status());
    if (++runs == 1) {
      database_.Execute(
          "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
          " WHERE application_name = 'pool_test'");
    }
    const std::vector<Statement> second = {Statement("SELECT 1")};
    return tx.ExecuteTogether(second).status();
  });
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_EQ(runs, 2);
  EXPECT_EQ(Int(pool, "SELECT count(*) FROM mark"), 1);
}

TEST_F(PoolTest, StatementsSentTogetherEndAtTheDeadline) {
  Pool pool(Options(), clock_);
  const absl::Status status = pool.Run(Within(milliseconds(200)), [&](Transaction& tx) {
    const std::vector<Statement> statements = {Statement("SELECT 1"),
                                               Statement("SELECT pg_sleep(60)")};
    return tx.ExecuteAndCommit(statements).status();
  });
  EXPECT_TRUE(HasReason(status, Reason::kDeadlineExceeded)) << status;
  EXPECT_EQ(Int(pool, "SELECT 7::bigint"), 7);
}

TEST_F(PoolTest, ABodyThatAsksNothingSendsNothing) {
  Pool pool(Options(), clock_);
  EXPECT_TRUE(pool.Run(Within(seconds(20)), [](Transaction&) { return absl::OkStatus(); }).ok());
}

// Answers greater than what sockets hold, while more statements go out.
TEST_F(PoolTest, GreatStatementsAndAnswersDoNotBlockEachOther) {
  Pool pool(Options(), clock_);
  const std::string great(4'000'000, 'x');
  std::vector<Statement> statements;
  for (int i = 0; i < 4; ++i) statements.emplace_back("SELECT $1::text", great);
  std::vector<Result> results;
  const absl::Status status = pool.Run(Within(seconds(60)), [&](Transaction& tx) -> absl::Status {
    MJ_ASSIGN_OR_RETURN(results, tx.ExecuteAndCommit(statements));
    return absl::OkStatus();
  });
  ASSERT_TRUE(status.ok()) << status;
  for (const Result& result : results) {
    EXPECT_EQ(std::get<0>(*result.One<std::string>()), great);
  }
}

TEST_F(PoolTest, PlansByIndexAreThoseOfPreparedStatements) {
  database_.Execute("INSERT INTO mark SELECT n, n FROM generate_series(1, 10) n; ANALYZE mark");
  for (const auto& [prepared, by_index, want] :
       {std::tuple(true, true, true), {true, false, false}, {false, true, false}}) {
    PoolOptions options = Options();
    options.prepared_statements = prepared;
    options.plans_by_index = by_index;
    Pool pool(options, clock_);
    const auto plan = pool.Execute(Within(seconds(20)), "EXPLAIN SELECT n FROM mark WHERE id = 5");
    ASSERT_TRUE(plan.ok()) << plan.status();
    const auto lines = plan->Rows<std::string>();
    ASSERT_TRUE(lines.ok());
    EXPECT_EQ(std::get<0>(lines->at(0)).find("Index Scan") != std::string::npos, want)
        << std::get<0>(lines->at(0));
  }
}

}  // namespace
}  // namespace mj::pg
