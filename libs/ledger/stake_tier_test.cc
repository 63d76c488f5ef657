#include "libs/ledger/stake_tier.h"

#include <gtest/gtest.h>

#include <vector>

namespace mj::ledger {
namespace {

StakeTier Tier(std::int64_t base, std::int64_t minimum) {
  return {"game", Coins::From(base).value(), Coins::From(minimum).value(), {}, {}, {}};
}

// CZ-70's table, out of order.
std::vector<StakeTier> Tiers() {
  return {Tier(1000, 16000), Tier(10, 160), Tier(10000, 160000), Tier(100, 1600)};
}

TEST(TierOfTest, FollowsTheBalanceAtEveryBorderOfCz70) {
  const std::vector<StakeTier> tiers = Tiers();
  const auto base_of = [&](std::int64_t balance) -> std::int64_t {
    const StakeTier* const tier = TierOf(Coins::From(balance).value(), tiers);
    return tier == nullptr ? 0 : tier->base.value();
  };
  EXPECT_EQ(base_of(0), 0);
  EXPECT_EQ(base_of(159), 0);
  EXPECT_EQ(base_of(160), 10);
  EXPECT_EQ(base_of(1599), 10);
  EXPECT_EQ(base_of(1600), 100);
  EXPECT_EQ(base_of(15999), 100);
  EXPECT_EQ(base_of(16000), 1000);
  EXPECT_EQ(base_of(159999), 1000);
  EXPECT_EQ(base_of(160000), 10000);
  EXPECT_EQ(base_of(kCoinsMax), 10000);
}

TEST(TierOfTest, NoTiersNoTier) { EXPECT_EQ(TierOf(1000_coins, {}), nullptr); }

TEST(TierOfTest, TheGreaterBaseWhereMinimaAreEqual) {
  const std::vector<StakeTier> tiers = {Tier(20, 500), Tier(50, 500), Tier(10, 500)};
  EXPECT_EQ(TierOf(500_coins, tiers)->base, 50_coins);
}

}  // namespace
}  // namespace mj::ledger
