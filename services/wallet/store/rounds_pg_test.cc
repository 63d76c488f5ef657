// Seats and rounds on real PostgreSQL, from several sides at once.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <random>
#include <string>
#include <vector>

#include "libs/base/reasons.h"
#include "libs/base/status_testing.h"
#include "services/wallet/app/settle_testing.h"
#include "services/wallet/store/races_testing.h"
#include "tests/support/counts.h"

namespace mj::wallet::store {
namespace {

using base::FailsWith;
using base::Reason;

class RoundsTest : public BooksFixture {
 protected:
  std::mt19937_64 random_{7};

  std::string Count(const std::string& from) {
    return database_.Execute("SELECT count(*) FROM " + from);
  }
};

TEST_F(RoundsTest, SettleAndVoidInParallelCloseARoundOnce) {
  OpenTable("t", 100'000);
  const std::int64_t rounds = mj::testing::Count(2'000);
  for (std::int64_t number = 0; number < rounds; ++number) {
    const std::string id = "round-" + std::to_string(number);
    const SettleRoundRequest settle = Begin("t", id, random_);
    std::array<absl::Status, 6> answers;
    AtOnce(6, [&](int client) {
      absl::Status& answer = answers[static_cast<std::size_t>(client)];
      switch (client % 3) {
        case 0:
          answer = SettleAndWait(wallet_, Context(), settle).status();
          break;
        case 1:
          answer = wallet_.VoidRound(Context(), {id, "test", "ops"}).status();
          break;
        default:
          answer = wallet_.ApplyPenalty(Context(), {id, 1, ""}).status();
      }
    });
    // The two that ask for one thing agree; of the three things one was done.
    int done = 0;
    for (std::size_t way = 0; way < 3; ++way) {
      EXPECT_EQ(answers[way].ok(), answers[way + 3].ok()) << answers[way] << answers[way + 3];
      if (answers[way].ok()) {
        ++done;
      } else {
        EXPECT_TRUE(base::HasReason(answers[way], Reason::kRoundFinished)) << answers[way];
      }
    }
    EXPECT_EQ(done, 1);
  }
  EXPECT_EQ(Count("wallet.round_closes"), std::to_string(rounds));
  ExpectBooksAreRight(database_);
}

TEST_F(RoundsTest, ARoundBegunByManyBeginsOnceAndAPlayerIsInOne) {
  OpenTable("t", 100'000);
  std::atomic<int> begun = 0;
  AtOnce(16, [&](int client) {
    // Eight say the same, the others want rounds of their own with the same players.
    const std::string id = client % 2 == 0 ? "round" : "round-" + std::to_string(client);
    const auto answer = wallet_.BeginRound(Context(), {.round_id = id,
                                                       .table_id = "t",
                                                       .variant = "shaoguan",
                                                       .rulebook_version = "v1",
                                                       .base = 10,
                                                       .tier_id = "",
                                                       .player_ids = Seats("t")});
    if (answer.ok()) {
      ++begun;
    } else {
      EXPECT_TRUE(base::HasReason(answer.status(), Reason::kRoundInProgress)) << answer.status();
    }
  });
  EXPECT_EQ(Count("wallet.rounds"), "1");
  EXPECT_TRUE(begun == 8 || begun == 1) << begun;
}

TEST_F(RoundsTest, APlayerGetsOneOfTheSeatsThatItAsksForAtOnce) {
  Open("ann", 100'000);
  std::atomic<int> seats = 0;
  AtOnce(8, [&](int client) {
    const std::string name = std::to_string(client);
    const auto seat = wallet_.Reserve(Context(), {.request_id = "sit-" + name,
                                                  .player_id = "ann",
                                                  .table_id = "t-" + name,
                                                  .variant = "shaoguan",
                                                  .base = 10});
    if (seat.ok()) {
      ++seats;
    } else {
      EXPECT_TRUE(base::HasReason(seat.status(), Reason::kPlayerBusy)) << seat.status();
    }
  });
  EXPECT_EQ(seats, 1);
  EXPECT_EQ(Count("wallet.reservations"), "1");
}

// At every moment of a round a withdrawal is either before it, after it, or refused; and no coin
// that the round moves has left meanwhile.
TEST_F(RoundsTest, AWithdrawalAtEveryMomentOfARound) {
  OpenTable("t", 1'000'000);
  const std::int64_t rounds = mj::testing::Count(1'000);
  std::atomic<bool> over = false;
  std::atomic<int> taken = 0;
  std::atomic<int> refused = 0;
  AtOnce(3, [&](int client) {
    if (client == 0) {
      for (std::int64_t number = 0; number < rounds; ++number) {
        const std::string id = "round-" + std::to_string(number);
        const SettleRoundRequest settle = Begin("t", id, random_);
        const auto settled = SettleAndWait(wallet_, Context(), settle);
        ASSERT_TRUE(settled.ok()) << settled.status();
        for (std::size_t seat = 0; seat < 4; ++seat) {
          EXPECT_TRUE(settled->settlement.rake_shortfall[seat].IsZero());
        }
      }
      over = true;
      return;
    }
    for (int number = 0; !over; ++number) {
      const auto answer =
          Withdraw("w-" + std::to_string(client) + "-" + std::to_string(number), "t-a", 1);
      if (answer.ok()) {
        ++taken;
      } else {
        EXPECT_TRUE(base::HasReason(answer.status(), Reason::kRoundInProgress)) << answer.status();
        ++refused;
      }
    }
  });
  EXPECT_GT(taken + refused, 0);
  EXPECT_EQ(Count("wallet.journal WHERE kind = 'withdrawal'"), std::to_string(taken));
  ExpectBooksAreRight(database_);
}

TEST_F(RoundsTest, AReversalFromTwoSidesTakesPlaceOnce) {
  OpenTable("t", 10'000);
  const auto settled = SettleAndWait(wallet_, Context(), Begin("t", "round", random_));
  ASSERT_TRUE(settled.ok()) << settled.status();
  std::array<absl::StatusOr<ReverseAnswer>, 8> answers;
  AtOnce(8, [&](int client) {
    // Two keys, each asked for four times.
    answers[static_cast<std::size_t>(client)] =
        wallet_.Reverse(Context(), {.request_id = "r" + std::to_string(client % 2),
                                    .journal_id = settled->journal_id,
                                    .reason = "wrong",
                                    .requested_by = "ann",
                                    .approved_by = "bob"});
  });
  int done = 0;
  for (const auto& answer : answers) {
    if (answer.ok()) {
      ++done;
    } else {
      EXPECT_THAT(answer, FailsWith(Reason::kAlreadyReversed, "journal_id"));
    }
  }
  EXPECT_EQ(done, 4);
  EXPECT_EQ(Count("wallet.journal WHERE kind = 'reversal'"), "1");
  for (const std::string& id : Seats("t")) EXPECT_EQ(Balance(id), 10'000);
  ExpectBooksAreRight(database_);
}

TEST_F(RoundsTest, ARoundIsClosedAfterEverythingAroundItHasEnded) {
  OpenTable("t", 10'000);
  const SettleRoundRequest settle = Begin("t", "round", random_);
  // The reservations are over, the tier has ended, a player is frozen.
  database_.Execute("UPDATE wallet.balances SET held_until = now() - interval '1 hour'");
  const auto now = clock_.Now();
  ASSERT_TRUE(wallet_
                  .PutStakeTier(Context(), {.request_id = "end",
                                            .tier_id = "shaoguan-10",
                                            .variant = "shaoguan",
                                            .base = 10,
                                            .rake_per_player = 77,
                                            .valid_from = {},
                                            .valid_until = now + std::chrono::milliseconds(800),
                                            .requested_by = "ops"})
                  .ok());
  ASSERT_TRUE(
      wallet_
          .Freeze(
              Context(),
              {.request_id = "f", .account_id = "t-b", .reason = "fraud", .requested_by = "ops"})
          .ok());
  while (clock_.Now() < now + std::chrono::milliseconds(900)) {
  }
  EXPECT_THAT(wallet_.Reserve(Context(), {.request_id = "late",
                                          .player_id = "t-a",
                                          .table_id = "t",
                                          .variant = "shaoguan",
                                          .base = 10}),
              FailsWith(Reason::kTierNotFound, "base"));
  const auto settled = SettleAndWait(wallet_, Context(), settle);
  ASSERT_TRUE(settled.ok()) << settled.status();
  EXPECT_EQ(settled->settlement.rake.value(), 4);
  EXPECT_EQ(wallet_.GetAccount(Context(), {"t-a"})->standing.hold, std::nullopt);
  ExpectBooksAreRight(database_);
}

TEST_F(RoundsTest, TheSchemaKnowsWhatClosesARound) {
  OpenTable("t", 10'000);
  (void)Begin("t", "round", random_);
  ASSERT_TRUE(wallet_.VoidRound(Context(), {"round", "test", "ops"}).ok());
  // A row of an earlier transaction, and of another round, closes nothing.
  EXPECT_EQ(database_.Refusal("INSERT INTO wallet.round_closes (round_no, how, journal_no)"
                              " SELECT round_no + 1, how, journal_no + 1 FROM wallet.round_closes"),
            "23514");
  for (const char* const table :
       {"rulebooks", "rounds", "round_players", "round_closes", "reservations"}) {
    const std::string name = std::string("wallet.") + table;
    EXPECT_EQ(database_.Refusal("DELETE FROM " + name), "23001") << table;
    EXPECT_EQ(database_.Refusal("TRUNCATE " + name + " CASCADE"), "23001") << table;
  }
}

}  // namespace
}  // namespace mj::wallet::store
