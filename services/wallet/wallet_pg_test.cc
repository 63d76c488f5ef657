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
#include "libs/rpc/connected_testing.h"
#include "libs/rpc/service.h"
#include "libs/rules/variant.h"
#include "libs/variants/registry.h"
#include "mahjong/wallet/v1/wallet_service.grpc.pb.h"
#include "services/wallet/config.h"
#include "services/wallet/wiring.h"

namespace mj::wallet {
namespace {

namespace v1 = ::mahjong::wallet::v1;
using base::FailsWith;
using base::HasCode;
using base::IsOk;
using base::Reason;
using Stub = v1::WalletService::StubInterface;

const mj::rpc::CallOptions kOptions{.timeout = std::chrono::seconds(30), .request_id = {}};

std::vector<std::string> Migrations() {
  return {"0001_wallet.sql", "0004_wallet_rounds.sql", "0005_wallet_audit.sql"};
}

absl::StatusOr<std::unique_ptr<mj::rpc::RunningService>> Start(const std::string& database) {
  Config config;
  config.database = database;
  return mj::rpc::StartService(
      "wallet", config.server,
      [config](mj::rpc::Bindings& bindings) { return Bind(config, bindings); },
      {.log_line = [](std::string_view) {}});
}

auto StubOf(const mj::rpc::RunningService& service) {
  return v1::WalletService::NewStub(
      mj::rpc::ConnectedChannel({.target = service.address(), .retry_safe = {}}));
}

// What every table says that plays by the rules of this program.
std::string Rulebook() { return rules::RulebookVersion(*variants::Find("chaozhou")); }

// One of its rules.
std::string RuleId() { return std::string(variants::Find("chaozhou")->rules().front().id); }

void Begin(v1::WalletService::Stub& stub, const std::string& round_id) {
  v1::BeginRoundRequest begin;
  begin.set_round_id(round_id);
  begin.set_table_id("table-1");
  begin.set_variant("chaozhou");
  begin.set_rulebook_version(Rulebook());
  begin.set_base(10);
  for (const char* const player : {"a", "b", "c", "d"}) {
    v1::ReserveRequest reserve;
    reserve.set_request_id("sit-" + round_id + player);
    reserve.set_player_id(player);
    reserve.set_table_id("table-1");
    reserve.set_variant("chaozhou");
    reserve.set_base(10);
    ASSERT_THAT(mj::rpc::Invoke(stub, &Stub::Reserve, reserve, kOptions), IsOk());
    begin.add_player_ids(player);
  }
  ASSERT_THAT(mj::rpc::Invoke(stub, &Stub::BeginRound, begin, kOptions), IsOk());
}

v1::SettleRoundRequest Round(const std::string& id) {
  v1::SettleRoundRequest round;
  round.set_round_id(id);
  round.set_table_id("table-1");
  round.set_variant("chaozhou");
  round.set_rulebook_version(Rulebook());
  round.set_base(10);
  for (const char* const player : {"a", "b", "c", "d"}) round.add_player_ids(player);
  for (const std::uint32_t loser : {1U, 2U, 3U}) {
    auto& transfer = *round.add_transfers();
    transfer.set_from_seat(loser);
    transfer.set_to_seat(0);
    transfer.set_coins(20);
    transfer.set_rule_id(RuleId());
  }
  return round;
}

void Open(v1::WalletService::Stub& stub, const std::string& id, std::int64_t coins) {
  v1::OpenAccountRequest open;
  open.set_request_id("open-" + id);
  open.set_account_id(id);
  ASSERT_THAT(mj::rpc::Invoke(stub, &Stub::OpenAccount, open, kOptions), IsOk());
  v1::DepositRequest deposit;
  deposit.set_request_id("give-" + id);
  deposit.set_account_id(id);
  deposit.set_coins(coins);
  ASSERT_THAT(mj::rpc::Invoke(stub, &Stub::Deposit, deposit, kOptions), IsOk());
}

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
  const pg::testing::Database database(
      {"0001_wallet.sql", "0004_wallet_rounds.sql", "0005_wallet_audit.sql"});
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
