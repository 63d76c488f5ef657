// A base that follows the players' coins (CZ-70, D-CZ-10).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "libs/base/status_testing.h"
#include "services/table/app/bench_testing.h"
#include "services/table/app/stakes.h"

namespace mj::table {
namespace {

const std::vector<Room> kTiers = {
    {10, 160, 0, 0}, {100, 1'600, 0, 0}, {1'000, 16'000, 0, 0}, {10'000, 160'000, 0, 0}};

PerSeat<Coins> Have(Coins a, Coins b, Coins c, Coins d) { return PerSeat<Coins>({a, b, c, d}); }

TEST(BaseOfCoinsTest, IsTheLowestOfTheFourTiers) {
  TableSpec spec = Spec();
  spec.base = 10'000;
  for (const char* variant : {"chaozhou", "jieyang"}) {
    spec.variant = variant;
    const Bench table(spec);
    const auto base = [&](Coins least) {
      return BaseOfCoins(table.state, kTiers, Have(1'000'000, 160'000, least, 500'000));
    };
    EXPECT_EQ(base(160), 10);
    EXPECT_EQ(base(1'599), 10);
    EXPECT_EQ(base(1'600), 100);
    EXPECT_EQ(base(15'999), 100);
    EXPECT_EQ(base(16'000), 1'000);
    EXPECT_EQ(base(159'999), 1'000);
    EXPECT_EQ(base(160'000), 10'000);
    EXPECT_EQ(base(159), 10) << "the wallet will say that it has too little";
  }
}

TEST(BaseOfCoinsTest, IsNeverAboveThatOfTheRoom) {
  const Bench table(Spec());
  EXPECT_EQ(BaseOfCoins(table.state, kTiers, Have(1'000'000, 160'000, 16'000, 500'000)), 100);
  EXPECT_EQ(BaseOfCoins(table.state, kTiers, Have(1'000'000, 160, 16'000, 500'000)), 10);
}

TEST(BaseOfCoinsTest, ChangesBetweenRoundsAndIsAskedAboutAnew) {
  Bench table(Spec());
  EXPECT_EQ(table.state.base, 100);
  table.ReadyAll();
  table.Apply(SetBase(table.state, 10));
  EXPECT_EQ(NextStepOf(table.state), NextStep::kAsk) << "they had said so for another base";
  table.Begin();
  EXPECT_EQ(table.state.round->begun.base, 10);
  EXPECT_EQ(SettlementOf([&] {
              table.PlayToEnd();
              table.Score();
              return table.state;
            }())
                .base,
            10);
}

TEST(BaseOfCoinsTest, ASeatIsHeldForTheLeastRoomAndWhoComesNeedsThatOfTheTable) {
  const Bench table(Spec());
  EXPECT_EQ(HoldBaseOf(table.state, Seat::k0), 0);
  EXPECT_EQ(JoinBaseOf(table.state), 100);
}

}  // namespace
}  // namespace mj::table
