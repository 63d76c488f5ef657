#include "libs/ledger/coins.h"

#include <gtest/gtest.h>

#include <limits>

namespace mj::ledger {
namespace {

TEST(CoinsTest, HoldUpToTheLimitInBothDirections) {
  EXPECT_EQ(Coins::From(kCoinsMax)->value(), 9007199254740992);
  EXPECT_EQ(Coins::From(-kCoinsMax)->value(), -9007199254740992);
  EXPECT_EQ(Coins::From(kCoinsMax + 1), std::nullopt);
  EXPECT_EQ(Coins::From(-kCoinsMax - 1), std::nullopt);
  EXPECT_EQ(Coins::From(std::numeric_limits<std::int64_t>::min()), std::nullopt);
  EXPECT_EQ(Coins::From(std::numeric_limits<std::int64_t>::max()), std::nullopt);
}

TEST(CoinsTest, AdditionBeyondTheLimitIsNothing) {
  const Coins max = Coins::From(kCoinsMax).value();
  EXPECT_EQ(Add(40_coins, 2_coins), 42_coins);
  EXPECT_EQ(Add(max, 0_coins), max);
  EXPECT_EQ(Add(max, 1_coins), std::nullopt);
  EXPECT_EQ(Add(-max, -1_coins), std::nullopt);
  EXPECT_EQ(Subtract(40_coins, 42_coins), -2_coins);
  EXPECT_EQ(Subtract(max, -1_coins), std::nullopt);
  EXPECT_EQ(Subtract(-max, 1_coins), std::nullopt);
}

TEST(CoinsTest, ProportionRoundsDownAndNeedsNoRoomForTheProduct) {
  const Coins max = Coins::From(kCoinsMax).value();
  EXPECT_EQ(Proportion(160_coins, 400_coins, 700_coins), 91_coins);
  EXPECT_EQ(Proportion(160_coins, 300_coins, 700_coins), 68_coins);
  EXPECT_EQ(Proportion(max, max, max), max);
  EXPECT_EQ(Proportion(max, Coins::From(kCoinsMax - 1).value(), max).value(), kCoinsMax - 1);
  EXPECT_EQ(Proportion(0_coins, 1_coins, 1_coins), 0_coins);
}

}  // namespace
}  // namespace mj::ledger
