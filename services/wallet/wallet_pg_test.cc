// The whole service in this process, on real PostgreSQL: what only the wiring can get wrong.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "libs/base/status_testing.h"
#include "libs/pg/cluster_testing.h"
#include "libs/rpc/client.h"
#include "libs/rpc/service.h"
#include "mahjong/wallet/v1/wallet_service.grpc.pb.h"
#include "services/wallet/running_testing.h"

namespace mj::wallet {
namespace {

using base::FailsWith;
using base::HasCode;
using base::IsOk;
using base::Reason;

TEST(WalletServiceTest, TwoReplicasSettleEachRoundOnce) {
  const pg::testing::Database database(Migrations());
  const auto one = Start(database.url());
  const auto two = Start(database.url());
  ASSERT_THAT(one, IsOk());
  ASSERT_THAT(two, IsOk());
  const auto first = StubOf(**one);
  const auto second = StubOf(**two);
  for (const char* const id : {"a", "b", "c", "d"}) Open(*first, id, 1000);

  for (int round = 0; round < 5; ++round) {
    const std::string id = "round-" + std::to_string(round);
    Begin(*first, id);
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 8; ++thread) {
      threads.emplace_back([&, thread] {
        const auto settled = mj::rpc::Invoke(*(thread % 2 == 0 ? first : second),
                                             &Stub::SettleRound, Round(id), kOptions);
        EXPECT_THAT(settled, IsOk());
        if (settled.ok()) {
          EXPECT_EQ(settled->seats(0).net(), 60);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  v1::GetAccountRequest get;
  get.set_account_id("a");
  const auto account = mj::rpc::Invoke(*second, &Stub::GetAccount, get, kOptions);
  ASSERT_THAT(account, IsOk());
  EXPECT_EQ(account->account().balance(), 1300);
  EXPECT_EQ(database.Execute("SELECT count(*) FROM wallet.settlements"), "5");
  EXPECT_NE((*one)->metrics().Text().find("mahjong_pg_connections"), std::string::npos);
}

TEST(WalletServiceTest, SaysThatTheDatabaseIsAwayAndComesBack) {
  pg::testing::Cluster cluster;
  const pg::testing::Database database(Migrations(), cluster);
  const auto service = Start(database.url());
  ASSERT_THAT(service, IsOk());
  const auto stub = StubOf(**service);
  for (const char* const id : {"a", "b", "c", "d"}) Open(*stub, id, 1000);
  Begin(*stub, "round-1");
  cluster.Stop();
  const auto away = mj::rpc::Invoke(*stub, &Stub::SettleRound, Round("round-1"), kOptions);
  EXPECT_THAT(away, FailsWith(Reason::kUnavailable));
  cluster.Start();
  const auto back = mj::rpc::Invoke(*stub, &Stub::SettleRound, Round("round-1"), kOptions);
  ASSERT_THAT(back, IsOk());
  EXPECT_EQ(back->seats(0).balance(), 1060);
}

TEST(WalletServiceTest, DoesNotStartWithoutItsSchema) {
  const pg::testing::Database empty(std::vector<std::string>{});
  const auto service = Start(empty.url());
  EXPECT_EQ(service.status().code(), absl::StatusCode::kFailedPrecondition);
}

TEST(WalletServiceTest, DoesNotStartWithoutItsDatabase) {
  EXPECT_THAT(Start("postgresql:///nothing?host=/nonexistent"), FailsWith(Reason::kUnavailable));
}

TEST(WalletServiceTest, ACallEndsAtItsDeadlineThoughARowIsLocked) {
  const pg::testing::Database database(Migrations());
  const auto service = Start(database.url());
  ASSERT_THAT(service, IsOk());
  const auto stub = StubOf(**service);
  for (const char* const id : {"a", "b", "c", "d"}) Open(*stub, id, 1000);
  Begin(*stub, "round-1");
  std::thread holder([&] {
    database.Execute("BEGIN; SELECT FROM wallet.balances FOR UPDATE; SELECT pg_sleep(2); COMMIT");
  });
  while (database.Execute("SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%pg_sleep(2)%'"
                          " AND state = 'active' AND pid <> pg_backend_pid()") == "0") {
  }
  const auto late = mj::rpc::Invoke(*stub, &Stub::SettleRound, Round("round-1"),
                                    {.timeout = std::chrono::milliseconds(300), .request_id = {}});
  EXPECT_THAT(late, HasCode(absl::StatusCode::kDeadlineExceeded));
  holder.join();
  const auto settled = mj::rpc::Invoke(*stub, &Stub::SettleRound, Round("round-1"), kOptions);
  ASSERT_THAT(settled, IsOk());
  EXPECT_EQ(settled->seats(0).balance(), 1060);
}

TEST(WalletServiceTest, TheAuditNamesARowThatWasTamperedWith) {
  const pg::testing::Database database(Migrations());
  const auto service = Start(database.url());
  ASSERT_THAT(service, IsOk());
  const auto stub = StubOf(**service);
  for (const char* const id : {"a", "b", "c", "d"}) Open(*stub, id, 1000);
  Begin(*stub, "round-1");
  ASSERT_THAT(mj::rpc::Invoke(*stub, &Stub::SettleRound, Round("round-1"), kOptions), IsOk());
  // The whole audit; what it came to.
  const auto verify = [&](v1::VerifyLedgerResponse& sum) {
    v1::VerifyLedgerRequest request;
    request.set_rows_max(2);
    do {
      const auto step = mj::rpc::Invoke(*stub, &Stub::VerifyLedger, request, kOptions);
      ASSERT_THAT(step, IsOk());
      sum.set_journal_rows(sum.journal_rows() + step->journal_rows());
      sum.set_accounts(sum.accounts() + step->accounts());
      if (step->has_finding()) *sum.mutable_finding() = step->finding();
      request.set_page_token(step->next_page_token());
    } while (!request.page_token().empty());
  };
  v1::VerifyLedgerResponse right;
  verify(right);
  EXPECT_FALSE(right.has_finding()) << right.finding().description();
  EXPECT_EQ(right.journal_rows(), 5);
  EXPECT_EQ(right.accounts(), 4);

  const std::string row = database.Execute("SELECT journal_no FROM wallet.settlements");
  database.Execute(
      "SET session_replication_role = replica;"
      "UPDATE wallet.settlement_transfers SET coins = coins + 1 WHERE line_no = 2");
  v1::VerifyLedgerResponse wrong;
  verify(wrong);
  EXPECT_EQ(wrong.finding().fault(), "ROW_CHANGED");
  EXPECT_EQ(wrong.finding().journal_id(), row);
  EXPECT_GE(wrong.finding().chain_no(), 0);
  EXPECT_FALSE(wrong.finding().description().empty());

  v1::VerifyLedgerRequest bad;
  bad.set_rows_max(100'001);
  EXPECT_THAT(mj::rpc::Invoke(*stub, &Stub::VerifyLedger, bad, kOptions),
              FailsWith(Reason::kBadPageSize, "rows_max"));
  bad.set_rows_max(1);
  bad.set_page_token("e1-0-0-0");
  EXPECT_THAT(mj::rpc::Invoke(*stub, &Stub::VerifyLedger, bad, kOptions),
              FailsWith(Reason::kBadPageToken, "page_token"));
}

}  // namespace
}  // namespace mj::wallet
