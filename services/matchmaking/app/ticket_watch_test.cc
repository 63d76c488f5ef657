#include "services/matchmaking/app/ticket_watch.h"

#include <gtest/gtest.h>

#include "libs/base/reasons.h"
#include "services/matchmaking/app/app_testing.h"
#include "services/matchmaking/app/seating.h"
#include "services/matchmaking/app/store_wrapper_testing.h"

namespace mj::matchmaking {
namespace {

using base::IsOk;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using enum TicketState;

class TicketWatchTest : public AppTest {
 protected:
  TicketWatch::OnChange Into(std::vector<TicketState>& seen) {
    return [&seen](const Ticket& ticket) { seen.push_back(ticket.state); };
  }
  TicketWatch watch_{store_, clock_};
};

TEST_F(TicketWatchTest, EachChangeIsToldOnceAndTheFinalOneEndsIt) {
  const auto tickets = QueueFour();
  std::vector<TicketState> seen;
  watch_.Watch(Find(tickets[0]), Into(seen));
  EXPECT_THAT(watch_.Poll(), IsOk());
  EXPECT_THAT(seen, IsEmpty());
  const Match match = MatchFour();
  EXPECT_THAT(watch_.Poll(), IsOk());
  EXPECT_THAT(watch_.Poll(), IsOk());
  EXPECT_THAT(seen, ElementsAre(kMatched));
  ASSERT_THAT(store_.ReleaseMatch(match, "UNAVAILABLE", {}), IsOk());
  EXPECT_THAT(watch_.Poll(), IsOk());
  ASSERT_THAT(Seating(store_, tables_, {}).Drive(MatchFour(), {}), IsOk());
  EXPECT_THAT(watch_.Poll(), IsOk());
  EXPECT_THAT(seen, ElementsAre(kMatched, kQueued, kAssigned));
  EXPECT_EQ(watch_.size(), 0u);
}

TEST_F(TicketWatchTest, ARunningOutIsToldWithoutAnySweep) {
  const auto tickets = QueueFour();
  std::vector<TicketState> seen;
  watch_.Watch(Find(tickets[0]), Into(seen));
  clock_.Advance(Millis(60'000));
  EXPECT_THAT(watch_.Poll(), IsOk());
  EXPECT_THAT(seen, ElementsAre(kExpired));
}

TEST_F(TicketWatchTest, SeveralWatchersOfOneTicketAndOneThatStops) {
  const auto tickets = QueueFour();
  std::vector<TicketState> first;
  std::vector<TicketState> second;
  watch_.Watch(Find(tickets[0]), Into(first));
  const auto id = watch_.Watch(Find(tickets[0]), Into(second));
  watch_.Unwatch(id);
  watch_.Unwatch(id);
  watch_.Unwatch(TicketWatch::WatchId::kNone);
  ASSERT_THAT(store_.CancelTicket(tickets[0]), IsOk());
  EXPECT_THAT(watch_.Poll(), IsOk());
  EXPECT_THAT(first, ElementsAre(kCancelled));
  EXPECT_THAT(second, IsEmpty());
}

TEST_F(TicketWatchTest, AFailureOfTheStoreLosesNothing) {
  class Failing final : public StoreWrapper {
   public:
    using StoreWrapper::StoreWrapper;
    bool fails = true;
    absl::StatusOr<std::vector<Ticket>> FindTickets(std::span<const TicketId> ids) override {
      if (fails) return base::Error(base::Reason::kUnavailable);
      return StoreWrapper::FindTickets(ids);
    }
  };
  Failing failing(store_);
  TicketWatch watch(failing, clock_);
  const auto tickets = QueueFour();
  std::vector<TicketState> seen;
  watch.Watch(Find(tickets[0]), Into(seen));
  ASSERT_THAT(store_.CancelTicket(tickets[0]), IsOk());
  EXPECT_THAT(watch.Poll(), base::FailsWith(base::Reason::kUnavailable));
  EXPECT_THAT(seen, IsEmpty());
  failing.fails = false;
  EXPECT_THAT(watch.Poll(), IsOk());
  EXPECT_THAT(seen, ElementsAre(kCancelled));
}

TEST_F(TicketWatchTest, AWatcherWhoKnowsNewerThingsIsNotToldOlderOnes) {
  // A watcher comes while a poll's query is under way, knowing what the query will not have seen.
  const auto tickets = QueueFour();
  class Slow final : public StoreWrapper {
   public:
    using StoreWrapper::StoreWrapper;
    std::function<void()> meanwhile;
    absl::StatusOr<std::vector<Ticket>> FindTickets(std::span<const TicketId> ids) override {
      auto read = StoreWrapper::FindTickets(ids);
      if (meanwhile) std::exchange(meanwhile, nullptr)();
      return read;
    }
  };
  Slow slow(store_);
  TicketWatch watch(slow, clock_);
  std::vector<TicketState> early;
  std::vector<TicketState> late;
  watch.Watch(Find(tickets[0]), Into(early));
  slow.meanwhile = [&] {
    MatchFour();
    watch.Watch(Find(tickets[0]), Into(late));
  };
  EXPECT_THAT(watch.Poll(), IsOk());
  EXPECT_THAT(watch.Poll(), IsOk());
  EXPECT_THAT(early, ElementsAre(kMatched));
  EXPECT_THAT(late, IsEmpty());
}

TEST_F(TicketWatchTest, ManyTicketsAreAskedForInPortions) {
  class Counting final : public StoreWrapper {
   public:
    using StoreWrapper::StoreWrapper;
    std::vector<std::size_t> sizes;
    absl::StatusOr<std::vector<Ticket>> FindTickets(std::span<const TicketId> ids) override {
      sizes.push_back(ids.size());
      return std::vector<Ticket>();
    }
  };
  Counting counting(store_);
  TicketWatch watch(counting, clock_);
  EXPECT_THAT(watch.Poll(), IsOk());
  EXPECT_THAT(counting.sizes, IsEmpty()) << "nobody watches, nobody is asked";
  for (int i = 0; i < 2'500; ++i) {
    Ticket ticket;
    ticket.id = TicketId("t" + std::to_string(i));
    watch.Watch(ticket, [](const Ticket&) {});
  }
  EXPECT_THAT(watch.Poll(), IsOk());
  EXPECT_THAT(counting.sizes, ElementsAre(1'000u, 1'000u, 500u));
}

}  // namespace
}  // namespace mj::matchmaking
