#include "services/matchmaking/app/rate.h"

#include <gtest/gtest.h>

namespace mj::matchmaking {
namespace {

EndedRound Round(std::array<std::int64_t, kSeats> coins) {
  return {.round = "r",
          .variant = "v",
          .currency = "COIN",
          .players = {PlayerId("a"), PlayerId("b"), PlayerId("c"), PlayerId("d")},
          .settled = true,
          .coins = coins};
}

TEST(RateTest, WhoWonMoreCoinsDidBetter) {
  const auto after = RatingsAfter(Round({-20, 30, 0, -10}), {});
  EXPECT_GT(after[1].mean, after[2].mean);
  EXPECT_GT(after[2].mean, after[3].mean);
  EXPECT_GT(after[3].mean, after[0].mean);
}

TEST(RateTest, HowManyMoreDoesNotCount) {
  EXPECT_EQ(RatingsAfter(Round({-20, 30, 0, -10}), {}), RatingsAfter(Round({-2, 9'000, 2, 1}), {}));
}

TEST(RateTest, EqualCoinsAreATie) {
  const auto after = RatingsAfter(Round({30, -10, -10, -10}), {});
  EXPECT_EQ(after[1], after[2]);
  EXPECT_EQ(after[2], after[3]);
  EXPECT_GT(after[0].mean, after[1].mean);
  // A drawn round with nothing paid moves nobody's mean.
  for (const rating::Rating& rating : RatingsAfter(Round({0, 0, 0, 0}), {})) {
    EXPECT_NEAR(static_cast<double>(rating.mean), 25e6, 2);
  }
}

TEST(RateTest, OnlySettledRoundsForCoinsCount) {
  EndedRound round = Round({1, 2, 3, 4});
  EXPECT_TRUE(Counts(round));
  EXPECT_TRUE(IsMeeting(round));
  round.settled = false;
  EXPECT_FALSE(Counts(round));
  EXPECT_TRUE(IsMeeting(round));
  round.settled = true;
  round.currency = "PRACTICE";
  EXPECT_FALSE(Counts(round));
  EXPECT_FALSE(IsMeeting(round));
}

}  // namespace
}  // namespace mj::matchmaking
