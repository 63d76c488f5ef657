#include "services/matchmaking/app/waits.h"

#include <gtest/gtest.h>

#include "libs/base/reasons.h"
#include "services/matchmaking/app/app_testing.h"
#include "services/matchmaking/app/seating.h"
#include "services/matchmaking/app/store_wrapper_testing.h"

namespace mj::matchmaking {
namespace {

class CountingStore final : public StoreWrapper {
 public:
  using StoreWrapper::StoreWrapper;
  absl::StatusOr<std::vector<Millis>> RecentWaits(const matching::Pool& pool,
                                                  std::size_t limit) override {
    ++asked;
    if (!failure.ok()) return failure;
    return StoreWrapper::RecentWaits(pool, limit);
  }
  int asked = 0;
  absl::Status failure;
};

class WaitsTest : public AppTest {
 protected:
  // Seats four after a wait of `wait` and more.
  void SeatFour(const std::string& prefix, Millis wait) {
    QueueFour(prefix);
    clock_.Advance(wait);
    ASSERT_THAT(Seating(store_, tables_, {}).Drive(MatchFour(), {}), base::IsOk());
  }
  CountingStore counting_{store_};
  Waits waits_{counting_, clock_, {.fresh_for = Millis(1'000)}};
};

TEST_F(WaitsTest, AsLongAsThoseDidWhoWereSeatedLastLessWhatIsOver) {
  SeatFour("a", Millis(1'000));
  SeatFour("b", Millis(9'000));
  SeatFour("c", Millis(3'000));
  const Ticket ticket = Find(QueueFour("d")[3]);  // a millisecond ago
  EXPECT_EQ(waits_.Left(ticket), Millis(3'003 - 1)) << "the median";
  clock_.Advance(Millis(1'000));
  EXPECT_EQ(waits_.Left(ticket), Millis(2'002));
  clock_.Advance(Millis(60'000));
  EXPECT_EQ(waits_.Left(ticket), Millis(0)) << "any moment now";
}

TEST_F(WaitsTest, NothingWhereNothingIsKnownOrNobodyWaits) {
  Ticket ticket = Find(QueueFour("a")[0]);
  EXPECT_EQ(waits_.Left(ticket), std::nullopt) << "nobody was seated here yet";
  clock_.Advance(Millis(1'000));
  ASSERT_THAT(Seating(store_, tables_, {}).Drive(MatchFour(), {}), base::IsOk());
  EXPECT_NE(waits_.Left(ticket), std::nullopt);
  ticket.state = TicketState::kMatched;
  EXPECT_EQ(waits_.Left(ticket), std::nullopt);
  ticket.state = TicketState::kQueued;
  ticket.wish.pool.room = "room-1";
  EXPECT_EQ(waits_.Left(ticket), std::nullopt) << "friends come when they come";
}

TEST_F(WaitsTest, TheStoreIsAskedOnceInAWhile) {
  SeatFour("a", Millis(1'000));
  const Ticket ticket = Find(QueueFour("b")[0]);
  for (int i = 0; i < 5; ++i) EXPECT_NE(waits_.Left(ticket), std::nullopt);
  EXPECT_EQ(counting_.asked, 1);
  clock_.Advance(Millis(1'000));
  EXPECT_NE(waits_.Left(ticket), std::nullopt);
  EXPECT_EQ(counting_.asked, 2);
}

// Four hundred who come within a second to a pool that nobody used before: all but the first are told.
TEST_F(WaitsTest, APoolThatOpensIsSoonKnown) {
  const Ticket ticket = Find(QueueFour("a")[0]);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(waits_.Left(ticket), std::nullopt);
  EXPECT_EQ(counting_.asked, 1);
  ASSERT_THAT(Seating(store_, tables_, {}).Drive(MatchFour(), {}), base::IsOk());
  EXPECT_EQ(waits_.Left(ticket), std::nullopt) << "asked a moment ago";
  clock_.Advance(Millis(100));
  EXPECT_NE(waits_.Left(ticket), std::nullopt);
  EXPECT_EQ(counting_.asked, 2);
}

TEST_F(WaitsTest, AStoreThatIsAwayCostsTheEstimateOnly) {
  SeatFour("a", Millis(1'000));
  const Ticket ticket = Find(QueueFour("b")[0]);
  counting_.failure = base::Error(base::Reason::kUnavailable);
  EXPECT_EQ(waits_.Left(ticket), std::nullopt);
  counting_.failure = absl::OkStatus();
  EXPECT_NE(waits_.Left(ticket), std::nullopt);
}

TEST_F(WaitsTest, FewPoolsAreRemembered) {
  Waits small(counting_, clock_, {.pools = 2});
  Ticket ticket = Find(QueueFour("a")[0]);
  for (int pool = 0; pool < 10; ++pool) {
    ticket.wish.pool.base = 10 + pool;
    EXPECT_EQ(small.Left(ticket), std::nullopt);
  }
  EXPECT_EQ(counting_.asked, 10);
}

}  // namespace
}  // namespace mj::matchmaking
