// The wallet's own program, killed and cut off in the middle of its groups: whoever asks again gets
// one effect for each request.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "libs/base/status_testing.h"
#include "libs/pg/cluster_testing.h"
#include "libs/rpc/client.h"
#include "libs/rpc/connected_testing.h"
#include "libs/rpc/program_testing.h"
#include "mahjong/wallet/v1/wallet_service.grpc.pb.h"
#include "services/wallet/store/books_testing.h"
#include "tests/support/counts.h"

namespace mj::wallet {
namespace {

namespace v1 = ::mahjong::wallet::v1;
using base::IsOk;
using Stub = v1::WalletService::StubInterface;

constexpr int kClients = 16;
constexpr int kEach = 12;  // requests of a client in a round

// mj-wallet as a process, and the way to it.
class Wallet {
 public:
  explicit Wallet(const std::string& database)
      : program_(MJ_WALLET, {"--database", database}),
        stub_(
            v1::WalletService::NewStub(mj::rpc::ConnectedChannel({.target = program_.address()}))) {
  }

  void Kill() { program_.Kill(); }
  v1::WalletService::Stub& stub() { return *stub_; }

 private:
  mj::rpc::Program program_;
  const std::unique_ptr<v1::WalletService::Stub> stub_;
};

class KilledTest : public ::testing::Test {
 protected:
  absl::Status Deposit(v1::WalletService::Stub& stub, const std::string& id,
                       const std::string& player, std::int64_t coins) const {
    v1::DepositRequest request;
    request.set_request_id(id);
    request.set_account_id(player);
    request.set_coins(coins);
    return mj::rpc::Invoke(stub, &Stub::Deposit, request, kOptions).status();
  }
  absl::Status Withdraw(v1::WalletService::Stub& stub, const std::string& id,
                        const std::string& player) const {
    v1::WithdrawRequest request;
    request.set_request_id(id);
    request.set_account_id(player);
    request.set_coins(1);
    return mj::rpc::Invoke(stub, &Stub::Withdraw, request, kOptions).status();
  }
  void OpenPlayers(v1::WalletService::Stub& stub) const {
    for (int player = 0; player < 4; ++player) {
      v1::OpenAccountRequest open;
      open.set_account_id("p" + std::to_string(player));
      open.set_request_id("open-" + open.account_id());
      ASSERT_THAT(mj::rpc::Invoke(stub, &Stub::OpenAccount, open, kOptions), IsOk());
      ASSERT_THAT(Deposit(stub, "give-" + open.account_id(), open.account_id(), 1'000'000), IsOk());
    }
  }
  // The requests of one round: a coin in, a coin out, on few accounts. `ask` calls one.
  void AskAll(v1::WalletService::Stub& stub, std::int64_t round,
              const std::function<void(const std::function<absl::Status()>&)>& ask) const {
    std::vector<std::thread> threads;
    for (int client = 0; client < kClients; ++client) {
      threads.emplace_back([&, client] {
        for (int i = 0; i < kEach; ++i) {
          const std::string id =
              "r" + std::to_string(round) + "-" + std::to_string(client) + "-" + std::to_string(i);
          const std::string player = "p" + std::to_string((client + i) % 4);
          ask([&] {
            return i % 2 == 0 ? Deposit(stub, id, player, 1) : Withdraw(stub, id, player);
          });
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  std::int64_t Int(const std::string& sql) const { return std::stoll(database_.Execute(sql)); }
  std::int64_t Posted() const {
    return Int("SELECT count(*) FROM wallet.journal WHERE request_key LIKE '%/r%-%-%'");
  }

  // The books as the program itself audits them, and each request once.
  void ExpectEachOnce(v1::WalletService::Stub& stub, std::int64_t rounds) const {
    EXPECT_EQ(Posted(), rounds * kClients * kEach);
    EXPECT_EQ(Int("SELECT sum(coins)::bigint FROM wallet.balances"), 4'000'000);
    v1::VerifyLedgerRequest request;
    std::int64_t rows = 0;
    do {
      const auto step = mj::rpc::Invoke(stub, &Stub::VerifyLedger, request, kOptions);
      ASSERT_THAT(step, IsOk());
      EXPECT_FALSE(step->has_finding()) << step->finding().description();
      rows += step->journal_rows();
      request.set_page_token(step->next_page_token());
    } while (!request.page_token().empty());
    EXPECT_EQ(rows, 4 + rounds * kClients * kEach);
  }

  const mj::rpc::CallOptions kOptions{.timeout = std::chrono::seconds(30), .request_id = {}};
  const pg::testing::Database database_{store::Migrations()};
};

TEST_F(KilledTest, TheSameRequestsAgainAfterAKillHaveOneEffect) {
  const std::int64_t kills = mj::testing::Count(200);
  auto wallet = std::make_unique<Wallet>(database_.url());
  OpenPlayers(wallet->stub());
  for (std::int64_t round = 0; round < kills; ++round) {
    std::thread killer([&] {
      // Wherever it stands when so many are written.
      const std::int64_t enough = round * kClients * kEach + 1 + 29 * (round % 6);
      while (Posted() < enough) {
      }
      wallet->Kill();
    });
    AskAll(wallet->stub(), round, [](const auto& call) { (void)call(); });
    killer.join();
    wallet = std::make_unique<Wallet>(database_.url());
    AskAll(wallet->stub(), round, [](const auto& call) { EXPECT_THAT(call(), IsOk()); });
  }
  ExpectEachOnce(wallet->stub(), kills);
}

TEST_F(KilledTest, ConnectionsThatTheDatabaseEndsLoseNothing) {
  const std::int64_t rounds_min = mj::testing::Count(200);
  Wallet wallet(database_.url());
  OpenPlayers(wallet.stub());
  std::int64_t cuts = 0;  // of connections with a transaction on its way
  std::int64_t round = 0;
  for (; round < rounds_min || cuts < rounds_min; ++round) {
    std::atomic<bool> done = false;
    std::thread cutter([&] {
      while (!done) {
        const std::string cut = database_.Execute(
            "SELECT pg_terminate_backend(pid) FROM ("
            "  SELECT pid FROM pg_stat_activity"
            "  WHERE datname = current_database() AND application_name = 'mj-wallet'"
            "    AND state <> 'idle' ORDER BY random() LIMIT 1) at_work");
        if (cut == "t") ++cuts;
      }
    });
    AskAll(wallet.stub(), round, [](const auto& call) { (void)call(); });
    done = true;
    cutter.join();
    AskAll(wallet.stub(), round, [](const auto& call) { EXPECT_THAT(call(), IsOk()); });
  }
  RecordProperty("cuts", std::to_string(cuts));
  ExpectEachOnce(wallet.stub(), round);
}

}  // namespace
}  // namespace mj::wallet
