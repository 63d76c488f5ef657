// Leaving while a round is played (COM-10, D-COM-12).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string_view>
#include <vector>

#include "libs/base/status_testing.h"
#include "services/table/app/bench_testing.h"

namespace mj::table {
namespace {

using base::FailsWith;
using base::IsOkAndHolds;
using base::Reason;
using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class LeavingTest : public ::testing::Test {
 protected:
  // 0 has thrown 5m, which 2 may pung and 3 may win on.
  void OpenWindow() {
    bench_.BeginAs(TwoClaims());
    bench_.Act(Seat::k0, round::Choice::Discard(T("5m")));
  }
  // In each phase of the window: nobody has answered, 2 has passed, 2 has called.
  std::vector<std::function<void()>> Phases() {
    return {[] {}, [this] { bench_.Act(Seat::k2, round::Choice::Pass()); },
            [this] { bench_.Act(Seat::k2, round::Choice::Pung()); }};
  }
  Bench bench_;
};

TEST_F(LeavingTest, OnATurnEndsTheRoundAndFreesTheSeatOnceTheWalletHasClosedIt) {
  bench_.Begin();
  bench_.Leave(Seat::k2, LeaveReason::kClientClosed);
  ASSERT_EQ(NextStepOf(bench_.state), NextStep::kVoid);
  EXPECT_EQ(VoidingOf(bench_.state).reason, VoidReason::kEscape);
  EXPECT_EQ(VoidingOf(bench_.state).escaped, Seat::k2);
  EXPECT_THAT(bench_.All<SeatLeft>(), IsEmpty());
  EXPECT_THAT(DecideLeave(bench_.state, PlayerId("p2"), LeaveReason::kLeft, bench_.now),
              IsOkAndHolds(IsEmpty()));
  bench_.Apply(VoidRound(bench_.state, PenaltyPosted{}));
  EXPECT_THAT(bench_.All<SeatLeft>(),
              ElementsAre(SeatLeft{Seat::k2, PlayerId("p2"), LeaveReason::kClientClosed}));
  EXPECT_EQ(bench_.state.stage(), TableStage::kWaiting);
  EXPECT_FALSE(bench_.state.next) << "dealer and winds are drawn anew";
}

TEST_F(LeavingTest, AWindowThatAnotherSeatWinsStandsAndNobodyEscaped) {
  for (std::size_t phase = 0; phase < Phases().size(); ++phase) {
    for (const Seat leaver : {Seat::k0, Seat::k1, Seat::k2}) {
      bench_ = Bench();
      OpenWindow();
      Phases()[phase]();
      bench_.Leave(leaver);
      EXPECT_EQ(bench_.state.stage(), TableStage::kPlaying) << "the window decides";
      EXPECT_THAT(DecideAct(bench_.state, Bench::At(leaver), bench_.Pending(leaver),
                            round::Choice::Pass(), bench_.now),
                  FailsWith(Reason::kNotSeated));
      bench_.Act(Seat::k3, round::Choice::Win());
      EXPECT_EQ(NextStepOf(bench_.state), NextStep::kScore);
      EXPECT_FALSE(bench_.state.to_void());
      EXPECT_THAT(bench_.All<SeatLeft>(),
                  ElementsAre(SeatLeft{leaver, Bench::At(leaver), LeaveReason::kLeft}));
    }
  }
}

TEST_F(LeavingTest, AWindowThatNobodyWinsIsVoidAndTheLeaverHasEscaped) {
  for (std::size_t phase = 0; phase < Phases().size(); ++phase) {
    for (const Seat leaver : rules::kSeats) {
      bench_ = Bench();
      OpenWindow();
      Phases()[phase]();
      bench_.Leave(leaver);
      while (!bench_.state.round->play.over()) {
        const auto asked = bench_.Asked();
        ASSERT_FALSE(asked.empty());
        bench_.Act(asked.front(), round::Choice::Pass());
      }
      ASSERT_EQ(NextStepOf(bench_.state), NextStep::kVoid) << phase;
      EXPECT_EQ(VoidingOf(bench_.state).escaped, leaver);
      EXPECT_THAT(bench_.Told<round::Called>(), IsEmpty());
    }
  }
}

TEST_F(LeavingTest, OnlyTheFirstEscapeIsOne) {
  OpenWindow();
  bench_.Leave(Seat::k1);
  bench_.Leave(Seat::k0);
  bench_.Act(Seat::k3, round::Choice::Pass());
  if (!bench_.state.round->play.over()) bench_.Act(Seat::k2, round::Choice::Pass());
  ASSERT_EQ(NextStepOf(bench_.state), NextStep::kVoid);
  EXPECT_EQ(VoidingOf(bench_.state).escaped, Seat::k1);
  bench_.Apply(VoidRound(bench_.state, PenaltyPosted{}));
  EXPECT_THAT(bench_.All<SeatLeft>(), SizeIs(2));
}

TEST_F(LeavingTest, BetweenOutcomeAndCoinsIsNoEscape) {
  for (const bool scored : {false, true}) {
    bench_ = Bench();
    bench_.Begin();
    bench_.PlayToEnd();
    if (scored) bench_.Score();
    bench_.Leave(Seat::k1);
    EXPECT_FALSE(bench_.state.to_void());
    if (!scored) bench_.Score();
    EXPECT_EQ(NextStepOf(bench_.state), NextStep::kSettle);
    bench_.Post();
    EXPECT_EQ(bench_.state.stage(), TableStage::kWaiting);
  }
}

// Else a leave would tell whether somebody holds a claim.
TEST_F(LeavingTest, InAPauseTakesEffectAtItsEndWhetherAnybodyMayClaimOrNot) {
  TableSpec spec = Spec();
  spec.settings.claim_pause_ms = 500;
  const round::TestDeal unclaimed{.hands = {"1m"}, .draws = "9m9p9s8s"};
  for (const bool claimed : {false, true}) {
    bench_ = Bench(spec);
    bench_.BeginAs(claimed ? TwoClaims() : unclaimed);
    bench_.Act(Seat::k0, round::Choice::Discard(T(claimed ? "5m" : "9m")));
    bench_.Wait(milliseconds(100));
    bench_.Leave(Seat::k1);
    if (claimed) {
      bench_.Act(Seat::k2, round::Choice::Pass());
      bench_.Act(Seat::k3, round::Choice::Pass());
    }
    bench_.Wait(milliseconds(399));
    EXPECT_EQ(bench_.state.stage(), TableStage::kPlaying) << claimed;
    bench_.Wait(milliseconds(1));
    ASSERT_EQ(NextStepOf(bench_.state), NextStep::kVoid) << claimed;
    EXPECT_EQ(VoidingOf(bench_.state).escaped, Seat::k1);
    EXPECT_FALSE(NextDue(bench_.state));
  }
}

TEST_F(LeavingTest, WhoeverIsLeavingHasNoSeatToJoin) {
  OpenWindow();
  bench_.Leave(Seat::k1);
  EXPECT_THAT(DecideJoin(bench_.state, PlayerId("p1"), {}), FailsWith(Reason::kTableFull));
  EXPECT_THAT(DecideTakeOver(bench_.state, PlayerId("p1")), FailsWith(Reason::kNotSeated));
  EXPECT_THAT(DecideReady(bench_.state, PlayerId("p1"), 0), FailsWith(Reason::kNotSeated));
}

}  // namespace
}  // namespace mj::table
