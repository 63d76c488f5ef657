#include "services/matchmaking/app/seat_keeper.h"

#include <gtest/gtest.h>

#include "libs/base/reasons.h"
#include "services/matchmaking/app/app_testing.h"
#include "services/matchmaking/app/seating.h"

namespace mj::matchmaking {
namespace {

using base::IsOkAndHolds;

class SeatKeeperTest : public AppTest {
 protected:
  SeatKeeperTest() {
    QueueFour();
    EXPECT_THAT(
        Seating(store_, tables_, {.check_seats_after = Millis(1'000)}).Drive(MatchFour(), {}),
        base::IsOk());
    table_ = tables_.Seated().at(PlayerId("p0"));
  }
  bool Holds(const std::string& player) {
    const auto taking = store_.Foresee(ReadWishes(Asked(player, "again")).value());
    EXPECT_THAT(taking, base::IsOk());
    return taking->has_value();
  }

  TableId table_;
  SeatKeeper keeper_{store_, tables_, {.check_interval = Millis(1'000)}};
};

TEST_F(SeatKeeperTest, NothingIsAskedBeforeItIsTime) {
  tables_.Close(table_);
  EXPECT_THAT(keeper_.Sweep(), IsOkAndHolds(0u));
  EXPECT_TRUE(Holds("p0"));
  clock_.Advance(Millis(1'000));
  EXPECT_THAT(keeper_.Sweep(), IsOkAndHolds(4u));
  EXPECT_FALSE(Holds("p0"));
}

TEST_F(SeatKeeperTest, WhoLeftIsFreeWhoSitsStays) {
  tables_.Leave(table_, PlayerId("p3"));
  clock_.Advance(Millis(1'000));
  EXPECT_THAT(keeper_.Sweep(), IsOkAndHolds(1u));
  EXPECT_FALSE(Holds("p3"));
  EXPECT_TRUE(Holds("p2"));
  clock_.Advance(Millis(1'000));
  EXPECT_THAT(keeper_.Sweep(), IsOkAndHolds(0u));
  tables_.Forget(table_);
  clock_.Advance(Millis(1'000));
  EXPECT_THAT(keeper_.Sweep(), IsOkAndHolds(3u)) << "a table that is unknown has nobody";
}

TEST_F(SeatKeeperTest, ATableThatCannotBeAskedIsAskedNextTime) {
  tables_.Close(table_);
  tables_.SetFaults([] { return Fault::kLostOnTheWay; });
  clock_.Advance(Millis(1'000));
  EXPECT_THAT(keeper_.Sweep(), IsOkAndHolds(0u));
  EXPECT_TRUE(Holds("p0"));
  tables_.SetFaults(nullptr);
  clock_.Advance(Millis(1'000));
  EXPECT_THAT(keeper_.Sweep(), IsOkAndHolds(4u));
}

}  // namespace
}  // namespace mj::matchmaking
