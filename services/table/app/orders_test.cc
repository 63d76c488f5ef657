#include "services/table/app/orders.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "libs/base/status_testing.h"
#include "services/table/app/bench_testing.h"
#include "services/table/app/inspect.h"
#include "services/table/app/world_testing.h"

namespace mj::table {
namespace {

using base::FailsWith;
using base::IsOk;
using base::IsOkAndHolds;
using base::Reason;
using std::chrono::hours;
using std::chrono::seconds;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::SizeIs;

OperatorActed Void(const std::string& request, const std::string& round) {
  return {OperationKind::kVoidRound, RequestId(request), "eve", "a stuck round", RoundId(round)};
}
OperatorActed Close(const std::string& request, bool at_once = false) {
  return {OperationKind::kCloseTable, RequestId(request), "eve", "a broken table", {}, {}, at_once};
}
OperatorActed Remove(const std::string& request, const std::string& player) {
  return {OperationKind::kRemovePlayer, RequestId(request), "eve", "swears", {}, PlayerId(player)};
}

class OrdersTest : public ::testing::Test {
 protected:
  void Order(const OperatorActed& order) {
    bench_.Do(DecideOrder(bench_.state, order, bench_.now));
  }
  absl::StatusOr<Events> Decide(const OperatorActed& order) {
    return DecideOrder(bench_.state, order, bench_.now);
  }
  // What the table does by itself, without its peers.
  void GoOn() {
    while (true) {
      const NextStep step = NextStepOf(bench_.state);
      if (step == NextStep::kDismiss) {
        bench_.Apply(Dismiss(bench_.state));
      } else if (step == NextStep::kEndByOperator) {
        bench_.Apply(EndByOperator(bench_.state, bench_.now));
      } else {
        return;
      }
    }
  }
  Bench bench_;
};

// ------------------------------------------------------------------------------------ void rounds

TEST_F(OrdersTest, ARoundInPlayEndsAtOnceAndIsTheWalletsToClose) {
  bench_.Begin();
  Order(Void("v", "r1"));
  ASSERT_EQ(NextStepOf(bench_.state), NextStep::kVoid);
  EXPECT_EQ(VoidingOf(bench_.state).reason, VoidReason::kOperator);
  EXPECT_FALSE(VoidingOf(bench_.state).escaped);
  EXPECT_TRUE(IsPending(bench_.state, Void("v", "r1")));
  bench_.Apply(VoidRound(bench_.state, std::nullopt));
  EXPECT_FALSE(IsPending(bench_.state, Void("v", "r1")));
  EXPECT_EQ(bench_.state.stage(), TableStage::kWaiting);
  EXPECT_EQ(bench_.state.seated(), 4) << "nobody is sent away";
  EXPECT_FALSE(bench_.state.next) << "dealer and winds are drawn anew";
  EXPECT_FALSE(bench_.state.orders.voids);
}

TEST_F(OrdersTest, InAnOpenWindowToo) {
  bench_.BeginAs(TwoClaims());
  bench_.Act(Seat::k0, round::Choice::Discard(T("5m")));
  const Inspection seen = InspectionOf(bench_.state, {});
  for (Seat seat : rules::kSeats) {
    EXPECT_FALSE(seen.seats[seat].deadline) << "who could claim is nobody's to see";
  }
  Order(Void("v", "r1"));
  ASSERT_EQ(NextStepOf(bench_.state), NextStep::kVoid);
  EXPECT_FALSE(VoidingOf(bench_.state).escaped);
}

TEST_F(OrdersTest, WhoLeftWhileAWindowIsOpenEscapesAllTheSame) {
  bench_.BeginAs(TwoClaims());
  bench_.Act(Seat::k0, round::Choice::Discard(T("5m")));
  bench_.Leave(Seat::k1);
  Order(Void("v", "r1"));
  ASSERT_EQ(bench_.state.stage(), TableStage::kPlaying) << "the window decides";
  bench_.Act(Seat::k2, round::Choice::Pass());
  bench_.Act(Seat::k3, round::Choice::Pass());
  bench_.Wait(std::chrono::milliseconds(500));
  ASSERT_EQ(NextStepOf(bench_.state), NextStep::kVoid);
  EXPECT_EQ(VoidingOf(bench_.state).reason, VoidReason::kEscape);
  EXPECT_EQ(VoidingOf(bench_.state).escaped, Seat::k1);
}

TEST_F(OrdersTest, BeforeTheDealItWaitsForIt) {
  bench_.ReadyAll();
  bench_.Apply(BeginRound(bench_.state, RoundId("r1"), {}));
  Order(Void("v", "r1"));
  EXPECT_EQ(NextStepOf(bench_.state), NextStep::kDrawDeal);
  bench_.Apply(DrawDeal(bench_.state));
  EXPECT_EQ(NextStepOf(bench_.state), NextStep::kOpenPlay);
  EXPECT_EQ(InspectionOf(bench_.state, {}).round->step, RoundStep::kDealing);
  bench_.Apply(OpenPlay(bench_.state));
  EXPECT_EQ(NextStepOf(bench_.state), NextStep::kEndByOperator);
  GoOn();
  EXPECT_EQ(NextStepOf(bench_.state), NextStep::kVoid);
  bench_.Apply(VoidRound(bench_.state, std::nullopt));
  EXPECT_EQ(bench_.All<RoundVoided>().front().reason, VoidReason::kOperator);
}

TEST_F(OrdersTest, WhoLeftBeforeTheDealHasEscapedAllTheSame) {
  bench_.ReadyAll();
  bench_.Apply(BeginRound(bench_.state, RoundId("r1"), {}));
  bench_.Leave(Seat::k2);
  Order(Void("v", "r1"));
  bench_.Apply(DrawDeal(bench_.state));
  bench_.Apply(OpenPlay(bench_.state));
  ASSERT_EQ(NextStepOf(bench_.state), NextStep::kEscape);
  bench_.Apply(LeaveNow(bench_.state, bench_.now));
  EXPECT_EQ(VoidingOf(bench_.state).escaped, Seat::k2);
}

TEST_F(OrdersTest, ARoundThatTheWalletDoesNotLetBeginIsNoLongerToBeVoid) {
  bench_.ReadyAll();
  bench_.Apply(BeginRound(bench_.state, RoundId("r1"), {}));
  Order(Void("v", "r1"));
  bench_.Apply(DrawDeal(bench_.state));
  bench_.Apply(DropRound(bench_.state));
  EXPECT_FALSE(bench_.state.orders.voids);
  bench_.Begin();
  EXPECT_EQ(NextStepOf(bench_.state), NextStep::kNothing);
}

TEST_F(OrdersTest, WhatIsOverAndCannotBeScoredCanBeVoid) {
  bench_.Begin();
  bench_.PlayToEnd();
  ASSERT_EQ(NextStepOf(bench_.state), NextStep::kScore);
  EXPECT_EQ(InspectionOf(bench_.state, {}).round->step, RoundStep::kUnscored);
  Order(Void("v", "r1"));
  ASSERT_EQ(NextStepOf(bench_.state), NextStep::kVoid);
  EXPECT_EQ(InspectionOf(bench_.state, {}).round->step, RoundStep::kVoiding);
  // A score that comes now is too late.
  EXPECT_FALSE(Apply(bench_.state, {bench_.state.last_seq + 1, {}, RoundScored{{}, "s"}}).ok());
}

TEST_F(OrdersTest, WhatIsScoredIsTheWalletsToPay) {
  EXPECT_THAT(Decide(Void("v", "r1")), FailsWith(Reason::kRoundNotFound)) << "there is no round";
  bench_.Begin();
  EXPECT_THAT(Decide(Void("v", "r2")), FailsWith(Reason::kRoundNotFound));
  bench_.PlayToEnd();
  bench_.Score();
  EXPECT_THAT(Decide(Void("v", "r1")), FailsWith(Reason::kRoundFinished));
  EXPECT_EQ(InspectionOf(bench_.state, {}).round->step, RoundStep::kUnpaid);
  bench_.Post();
  EXPECT_THAT(Decide(Void("v", "r1")), FailsWith(Reason::kRoundFinished));
  bench_.Begin();
  Order(Void("w", "r2"));
  EXPECT_THAT(Decide(Void("v", "r2")), FailsWith(Reason::kRoundFinished)) << "void already";
  EXPECT_THAT(Decide(Void("v", "r1")), FailsWith(Reason::kRoundNotFound));
}

// ------------------------------------------------------------------------------------- once

TEST_F(OrdersTest, AnOrderIsGivenOnce) {
  bench_.Begin();
  Order(Void("v", "r1"));
  EXPECT_THAT(Decide(Void("v", "r1")), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(Decide(Void("v", "r2")), FailsWith(Reason::kRequestIdReused));
  EXPECT_THAT(Decide(Close("v")), FailsWith(Reason::kRequestIdReused));
  OperatorActed other = Void("v", "r1");
  other.who = "mallory";
  EXPECT_THAT(Decide(other), FailsWith(Reason::kRequestIdReused));
  bench_.Apply(VoidRound(bench_.state, std::nullopt));
  EXPECT_THAT(Decide(Void("v", "r1")), IsOkAndHolds(IsEmpty())) << "however late";
  Order(Close("c"));
  ASSERT_TRUE(bench_.state.closed);
  EXPECT_THAT(Decide(Close("c")), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(Decide(Close("d")), FailsWith(Reason::kTableClosed));
  EXPECT_THAT(Decide(Remove("e", "p0")), FailsWith(Reason::kTableClosed));
}

// --------------------------------------------------------------------------------- close, remove

TEST_F(OrdersTest, BetweenRoundsATableClosesAtOnce) {
  Order(Close("c"));
  EXPECT_TRUE(bench_.state.closed);
  EXPECT_THAT(bench_.All<SeatLeft>(),
              ::testing::AllOf(SizeIs(4), Each(Field(&SeatLeft::reason, LeaveReason::kOperator))));
  EXPECT_FALSE(IsPending(bench_.state, Close("c")));
}

TEST_F(OrdersTest, OneAtWhichNobodySitsToo) {
  TableSpec spec;
  spec.variant = "guangdong";
  bench_ = Bench(spec);
  Order(Close("c"));
  EXPECT_TRUE(bench_.state.closed);
}

TEST_F(OrdersTest, ARoundIsPlayedAndPaidBeforeItsTableCloses) {
  bench_.Begin();
  Order(Close("c"));
  EXPECT_EQ(NextStepOf(bench_.state), NextStep::kNothing) << "it is played on";
  EXPECT_TRUE(IsPending(bench_.state, Close("c")));
  EXPECT_THAT(DecideJoin(bench_.state, PlayerId("x"), {}), FailsWith(Reason::kTableClosed));
  bench_.PlayToEnd();
  bench_.Score();
  EXPECT_EQ(NextStepOf(bench_.state), NextStep::kSettle);
  bench_.Post();
  EXPECT_EQ(NextStepOf(bench_.state), NextStep::kDismiss);
  GoOn();
  EXPECT_TRUE(bench_.state.closed);
  EXPECT_THAT(bench_.All<RoundPosted>(), SizeIs(1));
}

TEST_F(OrdersTest, AtOnceMakesTheRoundVoidUnlessItIsScored) {
  bench_.Begin();
  Order(Close("c", true));
  ASSERT_EQ(NextStepOf(bench_.state), NextStep::kVoid);
  bench_.Apply(VoidRound(bench_.state, std::nullopt));
  GoOn();
  EXPECT_TRUE(bench_.state.closed);

  bench_ = Bench();
  bench_.Begin();
  bench_.PlayToEnd();
  bench_.Score();
  Order(Close("c", true));
  EXPECT_EQ(NextStepOf(bench_.state), NextStep::kSettle);
  bench_.Post();
  GoOn();
  EXPECT_TRUE(bench_.state.closed);
  EXPECT_THAT(bench_.All<RoundVoided>(), IsEmpty());
}

TEST_F(OrdersTest, APlayerGoesAtOnceBetweenRoundsElseWithTheRoundsEnd) {
  EXPECT_THAT(Decide(Remove("q", "nobody")), FailsWith(Reason::kNotSeated));
  Order(Remove("q", "p1"));
  EXPECT_THAT(bench_.All<SeatLeft>(),
              ElementsAre(SeatLeft{Seat::k1, PlayerId("p1"), LeaveReason::kOperator}));
  EXPECT_FALSE(bench_.state.closed);

  bench_ = Bench();
  bench_.Begin();
  Order(Remove("r", "p2"));
  EXPECT_EQ(NextStepOf(bench_.state), NextStep::kNothing) << "no escape";
  EXPECT_TRUE(IsPending(bench_.state, Remove("r", "p2")));
  EXPECT_TRUE(InspectionOf(bench_.state, {}).seats[Seat::k2].removing);
  bench_.PlayToEnd();
  bench_.Score();
  bench_.Post();
  GoOn();
  EXPECT_THAT(bench_.All<SeatLeft>(),
              ElementsAre(SeatLeft{Seat::k2, PlayerId("p2"), LeaveReason::kOperator}));
  EXPECT_FALSE(IsPending(bench_.state, Remove("r", "p2")));
  EXPECT_EQ(bench_.state.stage(), TableStage::kWaiting);

  // While it is scored and paid: as one that leaves of itself.
  bench_ = Bench();
  bench_.Begin();
  bench_.PlayToEnd();
  Order(Remove("r", "p2"));
  EXPECT_THAT(bench_.All<SeatLeft>(), SizeIs(1));
  EXPECT_FALSE(IsPending(bench_.state, Remove("r", "p2")));
}

TEST_F(OrdersTest, AnEscapeOfOneWhoIsToBeRemovedIsAnEscape) {
  bench_.Begin();
  Order(Remove("r", "p2"));
  bench_.Leave(Seat::k2);
  ASSERT_EQ(NextStepOf(bench_.state), NextStep::kVoid);
  EXPECT_EQ(VoidingOf(bench_.state).escaped, Seat::k2);
  bench_.Apply(VoidRound(bench_.state, PenaltyPosted{}));
  GoOn();
  EXPECT_THAT(bench_.All<SeatLeft>(),
              ElementsAre(SeatLeft{Seat::k2, PlayerId("p2"), LeaveReason::kLeft}));
}

TEST_F(OrdersTest, TheLastPlayersRemovalClosesTheTable) {
  bench_ = Bench(Spec({"p0"}));
  Order(Remove("r", "p0"));
  EXPECT_TRUE(bench_.state.closed);
}

TEST_F(OrdersTest, ABotStays) {
  TableSpec spec = Spec({"p0"});
  spec.currency = Currency::kPractice;
  for (Seat seat : {Seat::k1, Seat::k2, Seat::k3}) spec.bots[seat] = true;
  SeatBots(TableId("t"), spec);
  bench_ = Bench(spec);
  EXPECT_THAT(Decide(Remove("r", bench_.state.seats[Seat::k1].player.value())),
              FailsWith(Reason::kNotAPlayerAccount));
  Order(Remove("r", "p0"));
  EXPECT_TRUE(bench_.state.closed) << "bots do not stay by themselves";
}

// --------------------------------------------------------------------------------------- inspect

TEST_F(OrdersTest, AnInspectionHasWhatLiesOnTheTableAndNoMore) {
  bench_.BeginAs(TwoClaims());
  bench_.Act(Seat::k0, round::Choice::Discard(T("5m")));
  bench_.Act(Seat::k3, round::Choice::Pass());
  bench_.Act(Seat::k2, round::Choice::Pung());
  Absences away;
  away[Seat::k1] = bench_.now;
  const Inspection seen = InspectionOf(bench_.state, away);
  ASSERT_TRUE(seen.round);
  EXPECT_EQ(seen.round->step, RoundStep::kPlaying);
  EXPECT_EQ(seen.round->wall_left, bench_.state.round->play.left);
  EXPECT_EQ(seen.round->seed_hash, SeedHash(bench_.state.round->begun));
  EXPECT_THAT(seen.seats[Seat::k0].discards, IsEmpty()) << "it was called";
  ASSERT_THAT(seen.seats[Seat::k2].melds, SizeIs(1));
  EXPECT_EQ(seen.seats[Seat::k2].concealed, 11);
  EXPECT_TRUE(seen.seats[Seat::k2].deadline);
  EXPECT_FALSE(seen.seats[Seat::k1].connected);
  EXPECT_TRUE(seen.seats[Seat::k2].connected);
  EXPECT_EQ(seen.events, bench_.state.last_seq);
  EXPECT_FALSE(InspectionOf(bench_.state, std::nullopt).seats[Seat::k2].connected);
  bench_.PlayToEnd();
  EXPECT_EQ(InspectionOf(bench_.state, away).seats[Seat::k2].concealed, 0);
}

// ------------------------------------------------------------------------- a table that is alive

class LiveOrdersTest : public ::testing::Test {
 protected:
  LiveOrdersTest() : table_(world_.MakeTable()), company_(world_, table_) {}

  absl::StatusOr<bool> Order(const OperatorActed& order) { return OrderAt(table_, order); }
  absl::StatusOr<bool> OrderAt(const TableId& table, const OperatorActed& order) {
    return world_.Call<bool>(
        [&](Done<bool> done) { world_.tables->Order(table, order, std::move(done)); });
  }
  absl::StatusOr<Inspection> Inspect() {
    return world_.Call<Inspection>(
        [&](Done<Inspection> done) { world_.tables->Inspect(table_, std::move(done)); });
  }
  std::string Round() { return world_.Get(table_)->round.value(); }
  template <typename E>
  std::vector<E> Happened() const {
    std::vector<E> found;
    for (const LogEntry& entry : world_.memory.All(table_)) {
      if (const auto* event = std::get_if<E>(&entry.event)) found.push_back(*event);
    }
    return found;
  }
  template <typename E>
  std::vector<E> Shown() {
    company_.Listen();
    std::vector<E> found;
    for (const table::Shown& shown : company_.player(Seat::k0).seen()) {
      if (const auto* event = std::get_if<E>(shown.event.get())) found.push_back(*event);
    }
    return found;
  }
  void Stop(std::optional<WallTime> from) {
    world_.tables->SetStop({from});
    world_.Run();
  }

  World world_;
  TableId table_;
  Company company_;
};

TEST_F(LiveOrdersTest, AVoidRoundIsClosedByTheWalletOnceAndTold) {
  company_.ReadyAll();
  const std::string round = Round();
  EXPECT_THAT(Order(Void("v", round)), IsOkAndHolds(true)) << "journalled, and the wallet is asked";
  EXPECT_EQ(world_.wallet.voided(RoundId(round)), VoidReason::kOperator);
  EXPECT_EQ(world_.wallet.open_rounds(), 0U);
  ASSERT_THAT(Shown<RoundDropped>(), SizeIs(1));
  EXPECT_EQ(Shown<RoundDropped>().front().reason, VoidReason::kOperator);
  EXPECT_THAT(Order(Void("v", round)), IsOkAndHolds(false));
  EXPECT_THAT(Happened<OperatorActed>(), SizeIs(1));
  EXPECT_THAT(Happened<RoundVoided>(), SizeIs(1));
  // They play on.
  company_.PlayRound();
  EXPECT_EQ(world_.wallet.rounds(), 1U);
}

TEST_F(LiveOrdersTest, AStuckRoundIsFreed) {
  world_.scorer.FailWith(
      std::vector<absl::Status>(1'000, base::Error(Reason::kRulebookVersionUnknown)));
  company_.ReadyAll();
  company_.PlayOn();
  const std::string round = Round();
  ASSERT_EQ(world_.Get(table_)->stage, TableStage::kSettling);
  EXPECT_EQ(Inspect()->round->step, RoundStep::kUnscored);
  EXPECT_THAT(Order(Void("v", round)), IsOkAndHolds(true));
  world_.Advance(seconds(11));  // until the scorer would have been asked again
  EXPECT_EQ(world_.wallet.voided(RoundId(round)), VoidReason::kOperator);
  EXPECT_EQ(world_.Get(table_)->stage, TableStage::kWaiting);
  EXPECT_THAT(Happened<RoundScored>(), IsEmpty());
}

TEST_F(LiveOrdersTest, AnotherProcessCarriesOutWhatWasGranted) {
  company_.ReadyAll();
  EXPECT_THAT(Order(Close("c")), IsOkAndHolds(true));
  EXPECT_THAT(Order(Remove("r", "p1")), IsOkAndHolds(true));
  world_.Restart();
  EXPECT_TRUE(Inspect()->closing);
  company_.Resubscribe();
  company_.PlayOn();
  EXPECT_EQ(world_.wallet.rounds(), 1U);
  EXPECT_EQ(world_.Get(table_)->stage, TableStage::kClosed);
  EXPECT_THAT(Order(Close("c")), IsOkAndHolds(false)) << "the first answer's word holds";
  for (const char* player : {"p0", "p1", "p2", "p3"}) {
    EXPECT_TRUE(world_.wallet.held_at(PlayerId(player)).empty()) << player;
  }
}

TEST_F(LiveOrdersTest, ARequestIdIsOneOperationWhateverTableItIsOf) {
  TableSpec spec = World::Spec();
  for (Seat seat : rules::kSeats) {
    spec.players[seat] = PlayerId("q" + std::to_string(rules::IndexOf(seat)));
  }
  const auto other = world_.Create("other", spec);
  ASSERT_THAT(other, IsOk());
  EXPECT_THAT(Order(Remove("r", "p0")), IsOkAndHolds(false));
  EXPECT_THAT(OrderAt(other->id, Remove("r", "q0")), FailsWith(Reason::kRequestIdReused));
  EXPECT_THAT(OrderAt(other->id, Close("r")), FailsWith(Reason::kRequestIdReused));
  EXPECT_EQ(world_.Get(other->id)->stage, TableStage::kWaiting) << "and it goes on";
  EXPECT_THAT(OrderAt(other->id, Remove("s", "q0")), IsOkAndHolds(false));
}

TEST_F(LiveOrdersTest, TheSeatsAreToldFromWhenNoRoundBeginsAndOfItsEnd) {
  const WallTime from = world_.clock.Now() + hours(1);
  Stop(from);
  Stop(from);
  EXPECT_THAT(Shown<RoundsStopping>(), ElementsAre(RoundsStopping{from}));
  company_.PlayRound();
  EXPECT_EQ(world_.wallet.rounds(), 1U) << "until then rounds begin";
  Stop(std::nullopt);
  EXPECT_THAT(Shown<RoundsStopping>(), ElementsAre(RoundsStopping{from}, RoundsStopping{}));
  world_.Advance(hours(2));
  EXPECT_TRUE(Happened<RoundsStopped>().back() == RoundsStopped{});
}

TEST_F(LiveOrdersTest, ATableBetweenRoundsClosesWhenThatTimeComes) {
  Stop(world_.clock.Now() + seconds(5));
  world_.Advance(seconds(4));
  EXPECT_EQ(world_.Get(table_)->stage, TableStage::kWaiting);
  world_.Advance(seconds(1));
  EXPECT_EQ(world_.Get(table_)->stage, TableStage::kClosed);
  EXPECT_THAT(Happened<SeatLeft>(),
              ::testing::AllOf(SizeIs(4), Each(Field(&SeatLeft::reason, LeaveReason::kOperator))));
}

TEST_F(LiveOrdersTest, ARoundIsPlayedToItsEndAndPaid) {
  company_.ReadyAll();
  Stop(world_.clock.Now());
  EXPECT_EQ(world_.Get(table_)->stage, TableStage::kPlaying);
  company_.PlayOn();
  EXPECT_EQ(world_.wallet.rounds(), 1U);
  EXPECT_EQ(world_.Get(table_)->stage, TableStage::kClosed);
  EXPECT_THAT(Happened<RoundBegun>(), SizeIs(1));
}

TEST_F(LiveOrdersTest, NoTableIsMadeMeanwhile) {
  Stop(world_.clock.Now() + seconds(1));
  EXPECT_THAT(world_.Create("early", World::EmptySpec("guangdong")), IsOk());
  world_.Advance(seconds(2));
  EXPECT_THAT(world_.Create("late", World::EmptySpec("guangdong")),
              FailsWith(Reason::kRoundsStopped));
  Stop(std::nullopt);
  EXPECT_THAT(world_.Create("later", World::EmptySpec("guangdong")), IsOk());
}

TEST_F(LiveOrdersTest, AStopOutlivesItsProcess) {
  Stop(world_.clock.Now() + seconds(30));
  world_.Restart();
  // This one has not looked yet: what the journal says holds.
  EXPECT_TRUE(Inspect()->stop_from);
  world_.Advance(seconds(31));
  EXPECT_EQ(world_.Get(table_)->stage, TableStage::kClosed);
}

}  // namespace
}  // namespace mj::table
