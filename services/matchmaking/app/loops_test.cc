#include "services/matchmaking/app/loops.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "libs/base/manual_runner_testing.h"
#include "libs/base/reasons.h"
#include "services/matchmaking/app/app_testing.h"
#include "services/matchmaking/app/store_wrapper_testing.h"

namespace mj::matchmaking {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using enum TicketState;

class Heard final : public Monitor {
 public:
  void OnMatched(const Match&) override { lines.push_back("matched"); }
  void OnSeated(const Match&, Seated how) override {
    lines.push_back("seated " + std::to_string(static_cast<int>(how)));
  }
  void OnSeatsFreed(std::size_t seats) override {
    lines.push_back("freed " + std::to_string(seats));
  }
  void OnExpired(std::size_t tickets) override {
    lines.push_back("expired " + std::to_string(tickets));
  }
  void OnFailure(std::string_view what, const absl::Status&) override {
    lines.push_back("failure: " + std::string(what));
  }
  void OnBacklog(const Backlog& b) override { backlog = b; }

  std::vector<std::string> Take() { return std::exchange(lines, {}); }
  std::vector<std::string> lines;
  std::optional<Backlog> backlog;
};

class AwayStore final : public StoreWrapper {
 public:
  using StoreWrapper::StoreWrapper;
  bool away = false;
  absl::StatusOr<std::vector<matching::Pool>> FullPools() override {
    if (away) return base::Error(base::Reason::kUnavailable);
    return StoreWrapper::FullPools();
  }
  absl::StatusOr<std::vector<Match>> ClaimDueMatches(std::size_t limit, Millis lease) override {
    if (away) return base::Error(base::Reason::kUnavailable);
    return StoreWrapper::ClaimDueMatches(limit, lease);
  }
  absl::StatusOr<std::size_t> ExpireTickets(std::size_t limit) override {
    if (away) return base::Error(base::Reason::kUnavailable);
    return StoreWrapper::ExpireTickets(limit);
  }
  absl::StatusOr<std::vector<Ticket>> FindTickets(std::span<const TicketId> ids) override {
    if (away) return base::Error(base::Reason::kUnavailable);
    return StoreWrapper::FindTickets(ids);
  }
};

class LoopsTest : public AppTest {
 protected:
  LoopsTest() { loops_.Start(); }
  ~LoopsTest() override { loops_.Stop(); }

  void Pass(Millis time) {
    for (Millis passed{0}; passed < time; passed += Millis(50)) {
      clock_.Advance(Millis(50));
      while (beats_.RunAll() + seater_.RunAll() > 0) {
      }
    }
  }

  AwayStore away_{store_};
  Heard heard_;
  base::ManualRunner beats_;
  base::ManualRunner seater_{2};
  Seating seating_{away_, tables_, {.check_seats_after = Millis(5'000)}};
  SeatKeeper seats_{away_, tables_, {.check_interval = Millis(5'000)}};
  TicketWatch watch_{away_, clock_};
  LoopParts parts_{clock_, ids_, away_, seating_, seats_, watch_, heard_, beats_, seater_};
  Loops loops_{parts_, {.match = {.queue = {.lease = Millis(2'000)}}}};
};

TEST_F(LoopsTest, FourInTheQueueAreSeatedAndTheirWatchersTold) {
  const auto tickets = QueueFour();
  std::vector<TicketState> seen;
  watch_.Watch(Find(tickets[0]), [&](const Ticket& ticket) { seen.push_back(ticket.state); });
  Pass(Millis(200));
  EXPECT_THAT(heard_.Take(), ElementsAre("matched", "seated 0"));
  EXPECT_EQ(States(tickets), std::vector<TicketState>(4, kAssigned));
  EXPECT_THAT(seen, ElementsAre(kAssigned));
}

TEST_F(LoopsTest, WhatANeighbourLeftUnfinishedIsTakenOver) {
  const auto tickets = QueueFour();
  ASSERT_THAT(MatchPools(store_, ids_, {.queue = {.lease = Millis(2'000)}}),
              base::IsOk());  // and died
  Pass(Millis(1'900));
  EXPECT_EQ(Find(tickets[0]).state, kMatched);
  Pass(Millis(400));
  EXPECT_EQ(Find(tickets[0]).state, kAssigned);
}

TEST_F(LoopsTest, AMatchForWhichThereIsNoRoomComesLater) {
  for (const char* prefix : {"a", "b", "c"}) QueueFour(prefix);
  clock_.Advance(Millis(50));
  beats_.RunAll();
  EXPECT_THAT(heard_.Take(), ElementsAre("matched", "matched", "matched", "failure: seat"));
  Pass(Millis(3'000));
  EXPECT_THAT(heard_.Take(), ElementsAre("seated 0", "seated 0", "seated 0"));
}

TEST_F(LoopsTest, ALongQueueIsMatchedWithoutAPause) {
  loops_.Stop();
  base::ManualRunner beats;
  base::ManualRunner seater;
  LoopParts parts{clock_, ids_, away_, seating_, seats_, watch_, heard_, beats, seater};
  Loops loops(parts, {.match = {.queue = {.limit = 8}}, .seating_max = 4});
  loops.Start();
  for (const char* prefix : {"a", "b", "c", "d", "e", "f", "g"}) QueueFour(prefix);
  clock_.Advance(Millis(50));
  beats.RunAll();
  EXPECT_THAT(heard_.Take(), ElementsAre("matched", "matched", "matched", "matched"))
      << "two at once, but no more than are seated soon";
  clock_.Advance(Millis(50));
  beats.RunAll();
  EXPECT_THAT(heard_.Take(), IsEmpty()) << "there is no room yet";
  while (seater.RunAll() + beats.RunAll() > 0) {
  }
  EXPECT_THAT(heard_.Take(), ::testing::SizeIs(4 + 2 * 3)) << "seven seated, and nobody waited";
}

TEST_F(LoopsTest, UpkeepExpiresTicketsFreesSeatsAndCounts) {
  const auto tickets = QueueFour();
  Pass(Millis(100));
  tables_.Leave(tables_.Seated().at(PlayerId("p0")), PlayerId("p0"));
  Wish wish = ReadWishes(Asked("short")).value().front();
  wish.pool.base = 100;
  ASSERT_THAT(store_.TakeTickets({TicketId("short")}, {wish}, Millis(3'000)), base::IsOk());
  heard_.Take();
  Pass(Millis(7'000));
  EXPECT_THAT(heard_.Take(), ElementsAre("expired 1", "freed 1"));
  EXPECT_EQ(heard_.backlog, (Backlog{.seats = 3}));
}

TEST_F(LoopsTest, AStoreThatIsAwayIsToldAndTriedAgain) {
  const auto tickets = QueueFour();
  watch_.Watch(Find(tickets[0]), [](const Ticket&) {});
  away_.away = true;
  Pass(Millis(1'050));
  const auto lines = heard_.Take();
  for (const char* what : {"match", "take_over", "upkeep", "watch"}) {
    EXPECT_THAT(lines, ::testing::Contains("failure: " + std::string(what)));
  }
  away_.away = false;
  Pass(Millis(200));
  EXPECT_EQ(Find(tickets[0]).state, kAssigned);
}

TEST_F(LoopsTest, NothingBeginsAfterStop) {
  loops_.Stop();
  QueueFour();
  Pass(Millis(5'000));
  EXPECT_THAT(heard_.Take(), IsEmpty());
}

}  // namespace
}  // namespace mj::matchmaking
