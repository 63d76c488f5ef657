// Many clients at once on real PostgreSQL: nothing is lost, made, or waited for in a circle.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "libs/base/clock.h"
#include "libs/base/reasons.h"
#include "libs/pg/cluster_testing.h"
#include "libs/pg/pool.h"
#include "services/wallet/app/wallet.h"
#include "services/wallet/store/books_testing.h"
#include "services/wallet/store/pg_ledger_store.h"
#include "tests/support/counts.h"

namespace mj::wallet::store {
namespace {

constexpr int kClients = 64;

class RacesTest : public ::testing::Test {
 protected:
  CallContext Context() { return {"races", clock_.Monotonic() + std::chrono::minutes(5)}; }

  void Open(const std::string& id, std::int64_t coins) {
    ASSERT_TRUE(
        wallet_.OpenAccount(Context(), {.request_id = "open-" + id, .account_id = id}).ok());
    if (coins > 0) {
      ASSERT_TRUE(Deposit("give-" + id, id, coins).ok());
    }
  }

  absl::StatusOr<MoneyAnswer> Deposit(const std::string& key, const std::string& id,
                                      std::int64_t coins) {
    return wallet_.Deposit(Context(), {key, id, Currency::kCoin, coins});
  }
  absl::StatusOr<MoneyAnswer> Withdraw(const std::string& key, const std::string& id,
                                       std::int64_t coins) {
    return wallet_.Withdraw(Context(), {key, id, Currency::kCoin, coins});
  }

  std::int64_t Balance(const std::string& id) {
    const auto account = wallet_.GetAccount(Context(), {id});
    EXPECT_TRUE(account.ok()) << account.status();
    return account.ok() ? account->balance : -1;
  }

  // Runs `work(client)` on `clients` threads at once.
  static void AtOnce(int clients, const std::function<void(int)>& work) {
    std::vector<std::thread> threads;
    for (int client = 0; client < clients; ++client) threads.emplace_back(work, client);
    for (std::thread& thread : threads) thread.join();
  }

  // A round among four of the first `players` players, drawn by `random`.
  static SettleRoundRequest RandomRound(const std::string& round_id, int players,
                                        std::mt19937_64& random) {
    std::vector<std::string> ids;
    for (int player = 0; player < players; ++player) ids.push_back("p" + std::to_string(player));
    std::shuffle(ids.begin(), ids.end(), random);
    ids.resize(4);
    SettleRoundRequest round{.round_id = round_id,
                             .table_id = "table",
                             .variant = "shaoguan",
                             .rulebook_version = "v1",
                             .base = 10,
                             .player_ids = ids,
                             .transfers = {}};
    const auto seat = static_cast<std::uint32_t>(random() % 4);
    for (std::uint32_t other = 1; other < 4; ++other) {
      round.transfers.push_back(
          {(seat + other) % 4, seat, static_cast<std::int64_t>(1 + random() % 400), "SG-40"});
    }
    round.transfers.push_back({seat, (seat + 1) % 4, 30, "SG-30"});
    return round;
  }

  base::SystemClock clock_;
  const pg::testing::Database database_{std::vector<std::string>{"0001_wallet.sql"}};
  pg::Pool pool_{{.url = database_.url(), .application_name = "races", .connections_max = kClients},
                 clock_};
  PgLedgerStore store_{pool_};
  Wallet wallet_{store_, clock_};
};

TEST_F(RacesTest, ClientsThatCrossNeverDeadlock) {
  constexpr int kPlayers = 8;
  for (int player = 0; player < kPlayers; ++player) Open("p" + std::to_string(player), 5000);
  const std::int64_t rounds = mj::testing::Count(20'000) / kClients + 1;
  AtOnce(kClients, [&](int client) {
    std::mt19937_64 random(static_cast<std::uint64_t>(client));
    for (std::int64_t round = 0; round < rounds; ++round) {
      const std::string id = "r-" + std::to_string(client) + "-" + std::to_string(round);
      const auto answer = wallet_.SettleRound(Context(), RandomRound(id, kPlayers, random));
      ASSERT_TRUE(answer.ok()) << answer.status();
    }
  });
  // A deadlock, or any other meeting that could not be waited out, would have been run again.
  EXPECT_EQ(pool_.stats().reruns, 0);
  EXPECT_EQ(database_.Execute("SELECT count(*) FROM wallet.settlements"),
            std::to_string(rounds * kClients));
  std::int64_t total = Balance("house_rake") + Balance("issue");
  for (int player = 0; player < kPlayers; ++player) total += Balance("p" + std::to_string(player));
  EXPECT_EQ(total, 0);
  ExpectBooksAreRight(database_);
}

TEST_F(RacesTest, OnesIntoAndOutOfOneAccount) {
  Open("ann", 1000);
  const std::int64_t each = mj::testing::Count(2'000) / 10 + 1;
  AtOnce(20, [&](int client) {
    for (std::int64_t i = 0; i < each; ++i) {
      const std::string key = std::to_string(client) + "-" + std::to_string(i);
      const auto answer = client % 2 == 0 ? Deposit(key, "ann", 1) : Withdraw(key, "ann", 1);
      ASSERT_TRUE(answer.ok()) << answer.status();
    }
  });
  EXPECT_EQ(Balance("ann"), 1000);
  EXPECT_EQ(wallet_.GetAccount(Context(), {"ann"})->last_sequence, 20 * each + 1);
  ExpectBooksAreRight(database_);
}

TEST_F(RacesTest, SixOfAThousandFromFiveThousand) {
  Open("ann", 5000);
  std::atomic<int> taken = 0;
  std::atomic<int> refused = 0;
  AtOnce(6, [&](int client) {
    const auto answer = Withdraw(std::to_string(client), "ann", 1000);
    if (answer.ok()) {
      ++taken;
    } else {
      EXPECT_TRUE(base::HasReason(answer.status(), base::Reason::kInsufficientFunds));
      ++refused;
    }
  });
  EXPECT_EQ(taken, 5);
  EXPECT_EQ(refused, 1);
  EXPECT_EQ(Balance("ann"), 0);
  ExpectBooksAreRight(database_);
}

TEST_F(RacesTest, OneIdWithManyContentsHasOneEffect) {
  Open("ann", 0);
  Open("bob", 0);
  std::atomic<int> posted = 0;
  AtOnce(16, [&](int client) {
    const auto answer = Deposit("the-id", client % 2 == 0 ? "ann" : "bob", 1 + client / 2 % 2);
    if (answer.ok()) {
      ++posted;
    } else {
      EXPECT_TRUE(base::HasReason(answer.status(), base::Reason::kRequestIdReused))
          << answer.status();
    }
  });
  EXPECT_EQ(posted, 4);  // the sixteen are four contents, four times each
  EXPECT_EQ(database_.Execute("SELECT count(*) FROM wallet.journal"), "1");
  ExpectBooksAreRight(database_);
}

TEST_F(RacesTest, OneIdIsEitherRefusedOrPostedNeverBoth) {
  Open("poor", 0);
  Open("rich", 1'000'000);
  const std::int64_t ids = mj::testing::Count(1'000);
  for (std::int64_t i = 0; i < ids; ++i) {
    std::atomic<int> posted = 0;
    std::atomic<int> short_of_funds = 0;
    AtOnce(4, [&](int client) {
      const auto answer = Withdraw("id-" + std::to_string(i), client % 2 == 0 ? "poor" : "rich", 5);
      if (answer.ok()) {
        ++posted;
      } else if (base::HasReason(answer.status(), base::Reason::kInsufficientFunds)) {
        ++short_of_funds;
      } else {
        EXPECT_TRUE(base::HasReason(answer.status(), base::Reason::kRequestIdReused))
            << answer.status();
      }
    });
    EXPECT_TRUE((posted == 2 && short_of_funds == 0) || (posted == 0 && short_of_funds == 2))
        << posted << " posted, " << short_of_funds << " refused";
  }
  ExpectBooksAreRight(database_);
}

TEST_F(RacesTest, AnAccountOpenedByManyIsOpenedOnce) {
  std::atomic<int> opened = 0;
  AtOnce(16, [&](int client) {
    const auto answer = wallet_.OpenAccount(
        Context(), {.request_id = client % 2 == 0 ? "one" : "two", .account_id = "ann"});
    if (answer.ok()) {
      ++opened;
    } else {
      EXPECT_TRUE(base::HasReason(answer.status(), base::Reason::kAccountExists))
          << answer.status();
    }
  });
  EXPECT_EQ(opened, 8);  // the eight of whichever request was first
  EXPECT_EQ(database_.Execute("SELECT count(*) FROM wallet.accounts WHERE account_id = 'ann'"),
            "1");
}

TEST_F(RacesTest, ConnectionsThatAreCutLoseAndDoubleNothing) {
  constexpr int kPlayers = 6;
  for (int player = 0; player < kPlayers; ++player) Open("p" + std::to_string(player), 100'000);
  std::atomic<bool> over = false;
  std::thread cutter([&] {
    while (!over) {
      database_.Execute(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
          " WHERE application_name = 'races' AND random() < 0.3");
    }
  });
  const std::int64_t rounds = mj::testing::Count(4'000) / 8 + 1;
  AtOnce(8, [&](int client) {
    std::mt19937_64 random(static_cast<std::uint64_t>(client));
    for (std::int64_t i = 0; i < rounds; ++i) {
      const std::string id = "r-" + std::to_string(client) + "-" + std::to_string(i);
      const SettleRoundRequest round = RandomRound(id, kPlayers, random);
      auto answer = wallet_.SettleRound(Context(), round);
      for (int retry = 0;
           retry < 1000 && base::HasReason(answer.status(), base::Reason::kUnavailable); ++retry) {
        answer = wallet_.SettleRound(Context(), round);
      }
      ASSERT_TRUE(answer.ok()) << answer.status();
      const auto again = wallet_.SettleRound(Context(), round);
      if (again.ok()) {
        EXPECT_EQ(again->settlement, answer->settlement);
      }
    }
  });
  over = true;
  cutter.join();
  EXPECT_EQ(database_.Execute("SELECT count(*) FROM wallet.settlements"),
            std::to_string(rounds * 8));
  ExpectBooksAreRight(database_);
}

}  // namespace
}  // namespace mj::wallet::store
