#include "libs/ledger/penalty.h"

#include <gtest/gtest.h>

namespace mj::ledger {
namespace {

void Expect(const Outcome<PenaltyShares>& got, std::int64_t taken, std::int64_t share,
            std::int64_t house, std::int64_t shortfall) {
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(got.value().taken.value(), taken);
  EXPECT_EQ(got.value().share.value(), share);
  EXPECT_EQ(got.value().house.value(), house);
  EXPECT_EQ(got.value().shortfall.value(), shortfall);
}

TEST(SharePenaltyTest, EqualSharesAndTheIndivisibleRestToTheHouse) {
  Expect(SharePenalty(1000_coins, 640_coins, 640_coins), 640, 213, 1, 0);
  Expect(SharePenalty(500_coins, 640_coins, 640_coins), 500, 166, 2, 140);
  Expect(SharePenalty(0_coins, 640_coins, 640_coins), 0, 0, 0, 640);
  Expect(SharePenalty(2_coins, 640_coins, 640_coins), 2, 0, 2, 638);
}

TEST(SharePenaltyTest, ATierMayShareOutAPart) {
  Expect(SharePenalty(1000_coins, 640_coins, 300_coins), 640, 100, 340, 0);
  // Those who stayed come before the house when the escaper is short.
  Expect(SharePenalty(350_coins, 640_coins, 300_coins), 350, 100, 50, 290);
  Expect(SharePenalty(299_coins, 640_coins, 300_coins), 299, 99, 2, 341);
  Expect(SharePenalty(1000_coins, 640_coins, 0_coins), 640, 0, 640, 0);
}

TEST(SharePenaltyTest, RefusesAmountsThatMakeNoSense) {
  EXPECT_EQ(SharePenalty(-1_coins, 1_coins, 1_coins).rejection(), Rejection::kNotPositive);
  EXPECT_EQ(SharePenalty(1_coins, -1_coins, 0_coins).rejection(), Rejection::kNotPositive);
  EXPECT_EQ(SharePenalty(1_coins, 1_coins, -1_coins).rejection(), Rejection::kNotPositive);
  EXPECT_EQ(SharePenalty(1_coins, 1_coins, 2_coins).rejection(), Rejection::kTooLarge);
}

TEST(SharePenaltyTest, NothingIsMadeOrLost) {
  for (std::int64_t balance = 0; balance <= 60; ++balance) {
    for (std::int64_t penalty = 0; penalty <= 40; ++penalty) {
      for (std::int64_t compensation = 0; compensation <= penalty; ++compensation) {
        const auto got = SharePenalty(Coins::From(balance).value(), Coins::From(penalty).value(),
                                      Coins::From(compensation).value());
        ASSERT_TRUE(got.ok());
        const PenaltyShares& shares = got.value();
        ASSERT_EQ(shares.taken.value(), 3 * shares.share.value() + shares.house.value());
        ASSERT_EQ(shares.taken.value() + shares.shortfall.value(), penalty);
        ASSERT_LE(shares.taken.value(), balance);
        ASSERT_LE(3 * shares.share.value(), compensation);
      }
    }
  }
}

}  // namespace
}  // namespace mj::ledger
