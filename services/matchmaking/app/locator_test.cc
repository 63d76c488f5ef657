#include "services/matchmaking/app/locator.h"

#include <gtest/gtest.h>

#include "libs/base/reasons.h"
#include "services/matchmaking/app/app_testing.h"
#include "services/matchmaking/app/seating.h"

namespace mj::matchmaking {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;

class LocatorTest : public AppTest {
 protected:
  Location Where(const std::string& player) {
    const auto found = locator_.Locate(PlayerId(player));
    EXPECT_THAT(found, IsOk());
    return found.value_or(Location());
  }
  Locator locator_{store_, tables_};
};

TEST_F(LocatorTest, FromNowhereToTheQueueToATableToARound) {
  Location there = Where("p1");
  EXPECT_FALSE(there.ticket || there.seat);
  const auto ids = QueueFour();
  EXPECT_EQ(Where("p1").ticket, Find(ids[1]));
  ASSERT_THAT(Seating(store_, tables_, {}).Drive(MatchFour(), {}), IsOk());
  there = Where("p1");
  ASSERT_TRUE(there.seat);
  EXPECT_FALSE(there.ticket);
  EXPECT_EQ(there.seat->seat, 1);
  EXPECT_EQ(there.round_id, "");
  const TableId table = there.seat->place.table;
  tables_.Play(table, "round-7");
  tables_.Move(table, "127.0.0.1:7999");
  there = Where("p1");
  EXPECT_EQ(there.round_id, "round-7");
  EXPECT_EQ(there.seat->place.address, "127.0.0.1:7999")
      << "where it is now, not where it was made";
}

TEST_F(LocatorTest, WhoIsWaitedForLearnsUntilWhen) {
  const auto ids = QueueFour();
  ASSERT_THAT(Seating(store_, tables_, {}).Drive(MatchFour(), {}), IsOk());
  const Location there = Where("p1");
  EXPECT_EQ(there.deadline, std::nullopt);
  EXPECT_EQ(there.seat->token, Find(ids[1]).assignment->token);
  EXPECT_NE(there.seat->token, Where("p2").seat->token);
  tables_.Ask(there.seat->place.table, PlayerId("p1"), clock_.Now() + Millis(7'000));
  EXPECT_EQ(Where("p1").deadline, clock_.Now() + Millis(7'000));
  EXPECT_EQ(Where("p2").deadline, std::nullopt);
}

TEST_F(LocatorTest, ASeatThatIsOverIsNone) {
  QueueFour();
  ASSERT_THAT(Seating(store_, tables_, {}).Drive(MatchFour(), {}), IsOk());
  const TableId table = Where("p0").seat->place.table;
  tables_.Leave(table, PlayerId("p0"));
  EXPECT_FALSE(Where("p0").seat);
  EXPECT_TRUE(Where("p1").seat);
  tables_.Close(table);
  EXPECT_FALSE(Where("p1").seat);
  tables_.Forget(table);
  EXPECT_FALSE(Where("p2").seat);
}

TEST_F(LocatorTest, ATableThatCannotBeAskedIsNoAnswer) {
  QueueFour();
  ASSERT_THAT(Seating(store_, tables_, {}).Drive(MatchFour(), {}), IsOk());
  tables_.SetFaults([] { return Fault::kLostOnTheWay; });
  EXPECT_THAT(locator_.Locate(PlayerId("p0")), FailsWith(Reason::kDeadlineExceeded));
  EXPECT_FALSE(Where("stranger").seat) << "and is not asked for others";
  tables_.SetFaults(nullptr);
  EXPECT_TRUE(Where("p0").seat);
}

}  // namespace
}  // namespace mj::matchmaking
