// Many clients at once on real PostgreSQL: nothing is lost, made, or waited for in a circle.

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <random>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "libs/audit/finding.h"
#include "libs/base/reasons.h"
#include "libs/books/audit.h"
#include "services/wallet/app/settle_testing.h"
#include "services/wallet/store/races_testing.h"
#include "tests/support/counts.h"

namespace mj::wallet::store {
namespace {

using RacesTest = BooksFixture;

TEST_F(RacesTest, ClientsThatCrossNeverDeadlock) {
  constexpr int kPlayers = 8;
  for (int player = 0; player < kPlayers; ++player) Open("p" + std::to_string(player), 5000);
  const std::int64_t moves = mj::testing::Count(20'000) / kClients + 1;
  AtOnce(kClients, [&](int client) {
    std::mt19937_64 random(static_cast<std::uint64_t>(client));
    for (std::int64_t i = 0; i < moves; ++i) {
      const int from = static_cast<int>(random() % kPlayers);
      const int to = (from + 1 + static_cast<int>(random() % (kPlayers - 1))) % kPlayers;
      const auto outcome = Post(Move("m-" + std::to_string(client) + "-" + std::to_string(i),
                                     "p" + std::to_string(from), "p" + std::to_string(to),
                                     static_cast<std::int64_t>(1 + random() % 900)));
      ASSERT_TRUE(outcome.ok()) << outcome.status();
    }
  });
  // A deadlock, or any other meeting that could not be waited out, would have been run again.
  EXPECT_EQ(pool_.stats().reruns, 0);
  EXPECT_EQ(database_.Execute("SELECT count(*) FROM wallet.requests WHERE request_key LIKE 'm-%'"),
            std::to_string(moves * kClients));
  std::int64_t total = 0;
  for (int player = 0; player < kPlayers; ++player) total += Balance("p" + std::to_string(player));
  EXPECT_EQ(total, kPlayers * 5000);
  ExpectBooksAreRight(database_);
}

TEST_F(RacesTest, TablesSettleSideBySide) {
  constexpr int kTables = 8;
  for (int table = 0; table < kTables; ++table) OpenTable("t" + std::to_string(table), 100'000);
  const std::int64_t rounds = mj::testing::Count(4'000) / kTables + 1;
  AtOnce(kTables, [&](int client) {
    std::mt19937_64 random(static_cast<std::uint64_t>(client));
    const std::string table = "t" + std::to_string(client);
    for (std::int64_t i = 0; i < rounds; ++i) {
      const SettleRoundRequest round = Begin(table, table + "-" + std::to_string(i), random);
      const auto answer = SettleAndWait(wallet_, Context(), round);
      ASSERT_TRUE(answer.ok()) << answer.status();
      const auto again = SettleAndWait(wallet_, Context(), round);
      ASSERT_TRUE(again.ok()) << again.status();
      EXPECT_EQ(again->settlement, answer->settlement);
    }
  });
  EXPECT_EQ(pool_.stats().reruns, 0);
  EXPECT_EQ(database_.Execute("SELECT count(*) FROM wallet.settlements"),
            std::to_string(rounds * kTables));
  EXPECT_EQ(database_.Execute("SELECT count(*) FROM wallet.round_closes"),
            std::to_string(rounds * kTables));
  ExpectBooksAreRight(database_);
}

TEST_F(RacesTest, ManyOnesOnOneAccount) {
  Open("ann", 1000);
  const std::int64_t each = mj::testing::Count(100'000) / 20;
  AtOnce(20, [&](int client) {
    for (std::int64_t i = 0; i < each; ++i) {
      const std::string key = std::to_string(client) + "-" + std::to_string(i);
      const auto answer = client % 2 == 0 ? Deposit(key, "ann", 1) : Withdraw(key, "ann", 1);
      ASSERT_TRUE(answer.ok()) << answer.status();
    }
  });
  EXPECT_EQ(Balance("ann"), 1000);
  EXPECT_EQ(wallet_.GetAccount(Context(), {"ann"})->last_sequence, 20 * each + 1);
  EXPECT_EQ(pool_.stats().reruns, 0);
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
  constexpr int kTables = 8;
  for (int table = 0; table < kTables; ++table) OpenTable("t" + std::to_string(table), 100'000);
  Open("ann", 0);
  std::atomic<bool> over = false;
  std::thread cutter;
  const std::int64_t laps_min = mj::testing::Count(4'000) / kTables + 1;
  std::vector<std::vector<SettleRoundRequest>> begun(kTables);
  // One round at a table at a time: begun before the cutting of each lap. As many as it takes for
  // some to be hit.
  std::int64_t lap = 0;
  for (; lap < laps_min || pool_.stats().lost == 0; ++lap) {
    AtOnce(kTables, [&](int client) {
      std::mt19937_64 random(static_cast<std::uint64_t>(client * 1000 + lap));
      const std::string table = "t" + std::to_string(client);
      begun[static_cast<std::size_t>(client)] = {
          Begin(table, table + "-" + std::to_string(lap), random)};
    });
    over = false;
    cutter = std::thread([&] {
      while (!over) {
        database_.Execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name = 'races' AND random() < 0.5");
      }
    });
    AtOnce(2 * kTables, [&](int client) {
      const auto asked = [&] {
        if (client >= kTables) {
          return Deposit("d-" + std::to_string(lap) + "-" + std::to_string(client), "ann", 1)
              .status();
        }
        return SettleAndWait(wallet_, Context(), begun[static_cast<std::size_t>(client)][0])
            .status();
      };
      absl::Status answer = asked();
      for (int retry = 0; retry < 10'000 && base::HasReason(answer, base::Reason::kUnavailable);
           ++retry) {
        answer = asked();
      }
      ASSERT_TRUE(answer.ok()) << answer;
    });
    over = true;
    cutter.join();
  }
  EXPECT_EQ(database_.Execute("SELECT count(*) FROM wallet.settlements"),
            std::to_string(lap * kTables));
  EXPECT_EQ(Balance("ann"), lap * kTables);
  ExpectBooksAreRight(database_);
}

// kill -9 of the wallet in the middle of a group, then the same requests again.
TEST_F(RacesTest, AKilledWalletLosesAndDoublesNothing) {
  constexpr int kPlayers = 8;
  for (int player = 0; player < kPlayers; ++player) Open("p" + std::to_string(player), 1'000'000);
  const auto posting = [](int client, std::int64_t i) {
    return Move("m-" + std::to_string(client) + "-" + std::to_string(i),
                "p" + std::to_string(client % kPlayers),
                "p" + std::to_string((client + 1) % kPlayers), 1 + i % 7);
  };
  constexpr std::int64_t kEach = 20;
  const std::int64_t kills = mj::testing::Count(500);
  for (std::int64_t kill_no = 0; kill_no < kills; ++kill_no) {
    const std::string last =
        database_.Execute("SELECT coalesce(max(journal_no), 0) FROM wallet.journal");
    const pid_t wallet = fork();
    ASSERT_GE(wallet, 0);
    if (wallet == 0) {
      base::SystemClock clock;
      pg::Pool pool({.url = database_.url(), .connections_max = 4}, clock);
      PgLedgerStore store(pool, {.further_group_min = 4});
      AtOnce(16, [&](int client) {
        for (std::int64_t i = 0; i < kEach; ++i) {
          (void)store.Post(posting(client, kill_no * kEach + i),
                           clock.Monotonic() + std::chrono::minutes(1));
        }
      });
      _exit(0);
    }
    // As soon as it has written something, wherever it stands then.
    const std::string written = "SELECT count(*) > " + std::to_string(16 * (kill_no % 7)) +
                                " FROM wallet.journal WHERE journal_no > " + last;
    while (database_.Execute(written) != "t") {
    }
    kill(wallet, SIGKILL);
    ASSERT_EQ(waitpid(wallet, nullptr, 0), wallet);
    AtOnce(16, [&](int client) {
      for (std::int64_t i = 0; i < kEach; ++i) {
        const auto outcome = Post(posting(client, kill_no * kEach + i));
        ASSERT_TRUE(outcome.ok()) << outcome.status();
        EXPECT_TRUE(std::holds_alternative<Posted>(*outcome));
      }
    });
  }
  EXPECT_EQ(database_.Execute("SELECT count(*) FROM wallet.journal WHERE kind = 'adjustment'"),
            std::to_string(kills * 16 * kEach));
  ExpectBooksAreRight(database_);
  const auto report = books::Audit(pool_, {}, Context().deadline);
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_FALSE(report->finding.has_value()) << audit::Describe(*report->finding);
}

}  // namespace
}  // namespace mj::wallet::store
