#include "services/table/app/clocks.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "libs/base/status_testing.h"
#include "libs/round/result.h"
#include "services/table/app/bench_testing.h"
#include "services/table/app/history.h"
#include "tests/support/counts.h"
#include "tests/support/random.h"

namespace mj::table {
namespace {

using base::FailsWith;
using base::IsOkAndHolds;
using base::Reason;
using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class ClocksTest : public ::testing::Test {
 protected:
  void Open(void (*change)(TableSettings&)) {
    TableSpec spec = Spec();
    change(spec.settings);
    bench_ = Bench(spec);
  }
  round::Answered LastAnswer() const {
    const auto answers = bench_.Told<round::Answered>();
    EXPECT_FALSE(answers.empty());
    return answers.empty() ? round::Answered{} : answers.back();
  }
  std::size_t Discards() const { return bench_.Told<round::Discarded>().size(); }

  Bench bench_;
};

// ----------------------------------------------------------------------- what a player owes

TEST_F(ClocksTest, APlayerIsWaitedForToAnswerAndNobodyElse) {
  bench_.Begin();
  const Seat dealer = bench_.Asked().front();
  for (const Seat seat : rules::kSeats) {
    EXPECT_EQ(OwedBy(bench_.state, seat),
              seat == dealer ? std::optional(bench_.now + milliseconds(20'000)) : std::nullopt);
  }
  bench_.Leave(dealer);
  EXPECT_EQ(OwedBy(bench_.state, dealer), std::nullopt);
}

TEST_F(ClocksTest, APlayerIsWaitedForToSayWhetherItPlaysOn) {
  bench_.Apply(AskToPlayOn(bench_.state));
  const WallTime due = bench_.now + milliseconds(20'000);
  EXPECT_EQ(OwedBy(bench_.state, Seat::k0), due);
  bench_.Do(DecideReady(bench_.state, PlayerId("p0"), 1));
  EXPECT_EQ(OwedBy(bench_.state, Seat::k0), std::nullopt) << "it has said so";
  EXPECT_EQ(OwedBy(bench_.state, Seat::k1), due);
  bench_.now += milliseconds(5'000);
  bench_.Apply({ClocksRestarted{}});
  EXPECT_EQ(OwedBy(bench_.state, Seat::k1), bench_.now + milliseconds(20'000));
  bench_.Leave(Seat::k1);
  EXPECT_EQ(OwedBy(bench_.state, Seat::k1), std::nullopt) << "nobody sits there";
}

TEST_F(ClocksTest, APlayerIsWaitedForToRevealItsNonce) {
  Bench::Nonces nonces;
  nonces[Seat::k2] = fairness::Bytes(32, 7);
  bench_.ReadyAll(nonces);
  bench_.Apply(BeginRound(bench_.state, RoundId("r1"), {}));
  EXPECT_EQ(OwedBy(bench_.state, Seat::k2), bench_.now + milliseconds(2'000));
  EXPECT_EQ(OwedBy(bench_.state, Seat::k1), std::nullopt) << "has none";
  bench_.Apply(DecideReveal(bench_.state, PlayerId("p2"), 1, *nonces[Seat::k2]).events);
  EXPECT_EQ(OwedBy(bench_.state, Seat::k2), std::nullopt);
}

TEST_F(ClocksTest, APlayerIsWaitedForToNameTheStakes) {
  TableSpec spec = Spec({});
  spec.variant = "guangdong";
  spec.base = 0;
  bench_ = Bench(spec);
  bench_.Do(DecideJoin(bench_.state, PlayerId("p0"), Seat::k0));
  EXPECT_EQ(OwedBy(bench_.state, Seat::k0), std::nullopt);
  bench_.Apply(AskForStakes(bench_.state, Seat::k0, {10, 20}));
  ASSERT_TRUE(bench_.state.stakes.prompts[Seat::k0]);
  EXPECT_EQ(OwedBy(bench_.state, Seat::k0), bench_.state.stakes.prompts[Seat::k0]->due);
}

// ------------------------------------------------------------------------------------ overruns

TEST_F(ClocksTest, ATurnLastsTwentySecondsAndNotLonger) {
  bench_.Begin();
  const Seat dealer = bench_.Asked().front();
  const WallTime due = bench_.now + milliseconds(20'000);
  EXPECT_EQ(AnswerDue(bench_.state, dealer), due);
  EXPECT_EQ(NextDue(bench_.state), due);
  EXPECT_THAT(DecideDue(bench_.state, due - std::chrono::microseconds(1)), IsEmpty());
  bench_.Wait(milliseconds(19'999));
  EXPECT_THAT(bench_.Asked(), ElementsAre(dealer));
  const auto* turn = std::get_if<round::Turn>(&bench_.state.round->play.phase);
  ASSERT_NE(turn, nullptr);
  const Tile drawn = *turn->drawn;
  bench_.Wait(milliseconds(1));
  EXPECT_EQ(LastAnswer(),
            (round::Answered{dealer, 1, round::Choice::Discard(drawn), round::AnswerBy::kOverrun}));
  EXPECT_EQ(bench_.state.round->overruns[dealer], 1);
  EXPECT_FALSE(bench_.state.seats[dealer].auto_play);
}

TEST_F(ClocksTest, AtTheSecondOverrunTheSystemPlaysForTheSeat) {
  bench_.Begin();
  while (bench_.All<AutoPlaySet>().empty()) {
    const std::size_t before = bench_.journal.size();
    bench_.Wait(*NextDue(bench_.state) > bench_.now
                    ? std::chrono::duration_cast<milliseconds>(*NextDue(bench_.state) - bench_.now)
                    : milliseconds(0));
    ASSERT_GT(bench_.journal.size(), before);
    ASSERT_FALSE(bench_.state.round->play.over());
  }
  const Seat late = bench_.All<AutoPlaySet>().front().seat;
  EXPECT_EQ(bench_.state.round->overruns[late], 2);
  // Right behind its answer, before what that leads to.
  for (std::size_t i = 0; i < bench_.journal.size(); ++i) {
    if (!std::holds_alternative<AutoPlaySet>(bench_.journal[i].event)) continue;
    const auto& before = std::get<RoundPlayed>(bench_.journal[i - 1].event).event;
    EXPECT_EQ(std::get<round::Answered>(before).by, round::AnswerBy::kOverrun);
    const auto& after = std::get<RoundPlayed>(bench_.journal[i + 1].event).event;
    EXPECT_TRUE(std::holds_alternative<round::Discarded>(after));
  }
  // From now on it waits a second only, and is not late any more.
  while (bench_.Asked() != std::vector<Seat>{late}) {
    ASSERT_FALSE(bench_.state.round->play.over());
    const Seat other = bench_.Asked().front();
    bench_.Act(other, bench_.Some(other));
  }
  EXPECT_EQ(AnswerDue(bench_.state, late), bench_.now + milliseconds(1'000));
  bench_.Wait(milliseconds(1'000));
  EXPECT_EQ(LastAnswer().by, round::AnswerBy::kAutoPlay);
  EXPECT_EQ(bench_.state.round->overruns[late], 2);
}

// D-COM-6: they add up over the round, in time or not between them, and end with it.
TEST_F(ClocksTest, OverrunsAddUpWithinTheRoundAndEndWithIt) {
  bench_.Begin();
  const Seat seat = bench_.Asked().front();
  int turns = 0;
  while (!bench_.state.seats[seat].auto_play) {
    ASSERT_FALSE(bench_.state.round->play.over());
    const Seat asked = bench_.Asked().front();
    const bool turn = std::holds_alternative<round::Turn>(bench_.state.round->play.phase);
    if (asked == seat && turn && turns++ % 3 == 0) {
      bench_.Wait(milliseconds(20'000));
    } else {
      bench_.Act(asked, bench_.Some(asked));
    }
  }
  EXPECT_EQ(turns, 4);
  while (!bench_.state.round->play.over()) {  // without its taking over
    const Seat asked = bench_.Asked().front();
    if (asked == seat) {
      bench_.Wait(milliseconds(1'000));
    } else {
      bench_.Act(asked, bench_.Some(asked));
    }
  }
  EXPECT_FALSE(bench_.state.seats[seat].auto_play);
  bench_.Score();
  bench_.Post();
  bench_.Begin(2);
  EXPECT_EQ(bench_.state.round->overruns[seat], 0);
}

TEST_F(ClocksTest, HowManyOverrunsIsASetting) {
  for (const int allowed : {1, 3}) {
    TableSpec spec = Spec();
    spec.settings.overruns = allowed;
    Bench bench(spec);
    bench.Begin();
    while (bench.All<AutoPlaySet>().empty()) bench.Wait(milliseconds(1'000));
    EXPECT_EQ(bench.state.round->overruns[bench.All<AutoPlaySet>().front().seat], allowed);
  }
}

TEST_F(ClocksTest, LateAtAClaimIsAPassAndNoOverrun) {
  bench_.BeginAs(TwoClaims());
  bench_.Act(Seat::k0, round::Choice::Discard(T("5m")));
  ASSERT_THAT(bench_.Asked(), ElementsAre(Seat::k2, Seat::k3));
  ASSERT_TRUE(bench_.state.round->play.seats[Seat::k3].open->win);
  EXPECT_EQ(AnswerDue(bench_.state, Seat::k2), bench_.now + milliseconds(10'000));
  EXPECT_EQ(AnswerDue(bench_.state, Seat::k3), bench_.now + milliseconds(10'000));
  bench_.Wait(milliseconds(9'999));
  EXPECT_THAT(bench_.Asked(), SizeIs(2));
  bench_.Wait(milliseconds(1));
  EXPECT_THAT(bench_.Asked(), ElementsAre(Seat::k1)) << "the next seat's turn";
  for (const round::Answered& answered : bench_.Told<round::Answered>()) {
    if (answered.by == round::AnswerBy::kPlayer) continue;
    EXPECT_EQ(answered.by, round::AnswerBy::kOverrun);
    EXPECT_EQ(answered.choice, round::Choice::Pass()) << "a win is not taken for one who is late";
  }
  for (Seat seat : rules::kSeats) EXPECT_EQ(bench_.state.round->overruns[seat], 0);
}

TEST_F(ClocksTest, TheSystemWinsWhenItMayAndPassesEveryOtherClaim) {
  Open([](TableSettings& s) { s.claim_pause_ms = 500; });
  bench_.BeginAs(TwoClaims());
  bench_.Apply({AutoPlaySet{Seat::k2, true}, AutoPlaySet{Seat::k3, true}});
  bench_.Act(Seat::k0, round::Choice::Discard(T("5m")));
  EXPECT_EQ(AnswerDue(bench_.state, Seat::k3), bench_.now + milliseconds(500));
  bench_.Wait(milliseconds(500));
  const auto answers = bench_.Told<round::Answered>();
  const auto won = bench_.Told<round::Won>();
  ASSERT_THAT(won, SizeIs(1));
  EXPECT_EQ(won[0].wins[0].seat, Seat::k3);
  for (const round::Answered& answered : answers) {
    if (answered.seat == Seat::k2) {
      EXPECT_EQ(answered.choice, round::Choice::Pass());
    }
  }
}

// COM-02: the system's roll for a dealer who is late is no overrun.
TEST_F(ClocksTest, LateAtTheDiceIsNoOverrun) {
  TableSpec spec = Spec();
  spec.variant = "guangdong";
  spec.settings.overruns = 1;
  Bench bench(spec);
  bench.Begin();
  const Seat dealer = bench.Asked().front();
  ASSERT_TRUE(bench.state.round->play.seats[dealer].open->roll);
  EXPECT_EQ(AnswerDue(bench.state, dealer), bench.now + milliseconds(20'000));
  bench.Wait(milliseconds(20'000));
  EXPECT_THAT(bench.Told<round::DiceRolled>(), SizeIs(1));
  EXPECT_EQ(bench.state.round->overruns[dealer], 0);
  EXPECT_FALSE(bench.state.seats[dealer].auto_play);
}

// ------------------------------------------------------------------------------- taking over

TEST_F(ClocksTest, ActingTakesOverAgain) {
  bench_.Begin();
  const Seat dealer = bench_.Asked().front();
  bench_.Apply({AutoPlaySet{dealer, true}});
  bench_.Act(dealer, bench_.Some(dealer));
  EXPECT_FALSE(bench_.state.seats[dealer].auto_play);
  EXPECT_EQ(LastAnswer().by, round::AnswerBy::kPlayer);
}

TEST_F(ClocksTest, TakingOverGivesAnOpenDecisionItsFullTime) {
  bench_.Begin();
  const Seat dealer = bench_.Asked().front();
  bench_.Apply({AutoPlaySet{dealer, true}});
  bench_.Wait(milliseconds(400));
  bench_.Do(DecideTakeOver(bench_.state, Bench::At(dealer)));
  EXPECT_FALSE(bench_.state.seats[dealer].auto_play);
  EXPECT_EQ(AnswerDue(bench_.state, dealer), bench_.now + milliseconds(20'000));
  EXPECT_THAT(DecideTakeOver(bench_.state, Bench::At(dealer)), IsOkAndHolds(IsEmpty()));
}

// It is told the new time: the old one was the system's.
TEST_F(ClocksTest, WhoTakesOverIsToldUntilWhen) {
  bench_.Begin();
  const Seat dealer = bench_.Asked().front();
  bench_.Apply({AutoPlaySet{dealer, true}});
  bench_.Wait(milliseconds(400));
  bench_.Do(DecideTakeOver(bench_.state, Bench::At(dealer)));
  Fold fold;
  std::vector<Showing> last;
  for (const LogEntry& entry : bench_.journal) last = *fold.Apply(entry);
  ASSERT_THAT(last, SizeIs(4));
  for (const Showing& showing : last) {
    const auto& changed = std::get<AutoPlayChanged>(*showing.shown.event);
    EXPECT_EQ(changed.seat, dealer);
    EXPECT_FALSE(changed.on);
    EXPECT_EQ(changed.due, showing.seat == dealer ? std::optional(bench_.now + milliseconds(20'000))
                                                  : std::nullopt);
  }
}

TEST_F(ClocksTest, AnAnswerThatTheSystemGaveBeforeIsKnown) {
  bench_.Begin();
  const Seat dealer = bench_.Asked().front();
  const DecisionRef decision = bench_.Pending(dealer);
  bench_.Wait(milliseconds(20'000));
  const round::Choice given = LastAnswer().choice;
  const PlayerId player = Bench::At(dealer);
  while (bench_.Pending(dealer) == decision) {
    const Seat asked = bench_.Asked().front();
    EXPECT_THAT(DecideAct(bench_.state, player, decision, given, bench_.now),
                IsOkAndHolds(IsEmpty()));
    EXPECT_THAT(DecideAct(bench_.state, player, decision, round::Choice::Win(), bench_.now),
                FailsWith(Reason::kDecisionStale));
    bench_.Act(asked, bench_.Some(asked));
  }
  // And still later.
  EXPECT_THAT(DecideAct(bench_.state, player, decision, given, bench_.now),
              IsOkAndHolds(IsEmpty()));
}

// -------------------------------------------------------------------------- the pause (COM-05)

TEST_F(ClocksTest, ADiscardThatNobodyMayClaimWaitsThePauseToo) {
  Open([](TableSettings& s) { s.claim_pause_ms = 500; });
  bench_.BeginAs({.hands = {"1m"}, .draws = "9m9p9s8s"});
  bench_.Act(Seat::k0, round::Choice::Discard(T("9m")));
  ASSERT_EQ(Discards(), 1U);
  EXPECT_THAT(bench_.Asked(), IsEmpty());
  EXPECT_EQ(NextDue(bench_.state), bench_.now + milliseconds(500));
  bench_.Wait(milliseconds(499));
  EXPECT_THAT(bench_.Told<round::Drew>(), SizeIs(1)) << "the dealer's fourteenth alone";
  bench_.Wait(milliseconds(1));
  EXPECT_THAT(bench_.Told<round::Drew>(), SizeIs(2));
  EXPECT_THAT(bench_.Asked(), ElementsAre(Seat::k1));
}

// What is drawn next comes as late after a discard that the system passes as after one that nobody
// may claim: the others cannot tell that there was a claim.
TEST_F(ClocksTest, TheSystemPassesWhenThePauseEnds) {
  Open([](TableSettings& s) {
    s.claim_pause_ms = 500;
    s.auto_play_ms = 2'000;
  });
  bench_.BeginAs({.hands = {"1m9m", "99m"}, .draws = "9p9s8s"});
  bench_.Apply({AutoPlaySet{Seat::k1, true}});
  bench_.Act(Seat::k0, round::Choice::Discard(T("9m")));
  ASSERT_THAT(bench_.Asked(), ElementsAre(Seat::k1));
  bench_.Wait(milliseconds(499));
  EXPECT_THAT(bench_.Told<round::Drew>(), SizeIs(1));
  bench_.Wait(milliseconds(1));
  EXPECT_THAT(bench_.Told<round::Drew>(), SizeIs(2));
}

TEST_F(ClocksTest, APassThatIsGivenAtOnceDoesNotShortenThePause) {
  Open([](TableSettings& s) { s.claim_pause_ms = 500; });
  bench_.BeginAs(TwoClaims());
  bench_.Act(Seat::k0, round::Choice::Discard(T("5m")));
  bench_.Wait(milliseconds(100));
  bench_.Act(Seat::k3, round::Choice::Pass());
  bench_.Act(Seat::k2, round::Choice::Pass());
  EXPECT_THAT(bench_.Told<round::Drew>(), SizeIs(1));
  bench_.Wait(milliseconds(399));
  EXPECT_THAT(bench_.Told<round::Drew>(), SizeIs(1));
  bench_.Wait(milliseconds(1));
  EXPECT_THAT(bench_.Told<round::Drew>(), SizeIs(2));
}

TEST_F(ClocksTest, AClaimDoesNotWaitAndALatePassEither) {
  Open([](TableSettings& s) { s.claim_pause_ms = 500; });
  bench_.BeginAs(TwoClaims());
  bench_.Act(Seat::k0, round::Choice::Discard(T("5m")));
  bench_.Act(Seat::k3, round::Choice::Pass());
  bench_.Wait(milliseconds(600));
  const Bench before = bench_;
  bench_.Act(Seat::k2, round::Choice::Pass());
  EXPECT_THAT(bench_.Told<round::Drew>(), SizeIs(2)) << "the pause is over";
  bench_ = before;
  bench_.Act(Seat::k2, round::Choice::Pung());
  EXPECT_THAT(bench_.Told<round::Called>(), SizeIs(1));
}

// -------------------------------------------------------------------------------- two claims

// PLAY-12 at a table: whoever is faster, the win stands.
TEST_F(ClocksTest, TwoClaimsComeToTheSameInEitherOrder) {
  bench_.BeginAs(TwoClaims());
  bench_.Act(Seat::k0, round::Choice::Discard(T("5m")));
  Bench other = bench_;
  bench_.Act(Seat::k2, round::Choice::Pung());
  EXPECT_FALSE(bench_.state.round->play.over());
  bench_.Act(Seat::k3, round::Choice::Win());
  other.Act(Seat::k3, round::Choice::Win());
  // The pung cannot count any more, and is too late by then.
  if (!other.state.round->play.over()) other.Act(Seat::k2, round::Choice::Pung());
  EXPECT_TRUE(bench_.state.round->play.over());
  EXPECT_TRUE(other.state.round->play.over());
  EXPECT_EQ(bench_.Told<round::Won>(), other.Told<round::Won>());
  EXPECT_EQ(round::Finished(bench_.state.round->play), round::Finished(other.state.round->play));
}

// ---------------------------------------------------------------------------- held-up clocks

TEST_F(ClocksTest, ARestartGivesEveryOpenDecisionItsFullTime) {
  bench_.BeginAs(TwoClaims());
  bench_.Act(Seat::k0, round::Choice::Discard(T("5m")));
  bench_.Wait(milliseconds(9'000));
  bench_.Apply({ClocksRestarted{}});
  EXPECT_EQ(AnswerDue(bench_.state, Seat::k2), bench_.now + milliseconds(10'000));
  EXPECT_EQ(AnswerDue(bench_.state, Seat::k3), bench_.now + milliseconds(10'000));
  EXPECT_EQ(AnswerDue(bench_.state, Seat::k0), std::nullopt);
}

TEST_F(ClocksTest, AReplayHasTheSameDeadlines) {
  testing::Random random(5);
  for (int step = 0; step < 60; ++step) {
    if (!bench_.state.round || !bench_.state.round->live()) bench_.Begin();
    bench_.Wait(milliseconds(random.Below(15'000)));
    if (bench_.state.round->play.over()) break;
    if (const auto asked = bench_.Asked(); !asked.empty()) {
      bench_.Act(asked.back(), bench_.Some(asked.back()));
    }
    TableState replayed;
    for (const LogEntry& entry : bench_.journal) {
      ASSERT_TRUE(table::Apply(replayed, entry).ok());
    }
    EXPECT_EQ(NextDue(replayed), NextDue(bench_.state));
    for (Seat seat : rules::kSeats) {
      EXPECT_EQ(AnswerDue(replayed, seat), AnswerDue(bench_.state, seat));
    }
  }
}

// -------------------------------------------------------------------------- every decision

// Whoever answers first, and however late the others come: one answer for each decision.
TEST_F(ClocksTest, EveryDecisionIsAnsweredAtMostOnceAndNoneStaysOpen) {
  std::set<round::AnswerBy> seen;
  const std::int64_t rounds = testing::Count(20'000);
  for (std::int64_t r = 0; r < rounds; ++r) {
    testing::Random random(static_cast<std::uint64_t>(r) + 1);
    Bench bench;
    fairness::Seed seed{};
    for (auto& byte : seed) byte = static_cast<std::uint8_t>(random.Below(256));
    bench.ReadyAll();
    bench.Apply(BeginRound(bench.state, RoundId("r"), seed));
    bench.Apply(DrawDeal(bench.state));
    bench.Apply(OpenPlay(bench.state));
    while (!bench.state.round->play.over()) {
      const auto asked = bench.Asked();
      const Seat seat =
          asked[static_cast<std::size_t>(random.Below(static_cast<int>(asked.size())))];
      const int dice = random.Below(100);
      if (dice < 60) {
        bench.Act(seat, bench.Some(seat));
      } else if (dice < 95 || std::holds_alternative<round::Turn>(bench.state.round->play.phase)) {
        bench.Wait(milliseconds(random.Below(21'000)));
      } else {
        bench.Leave(seat);
      }
    }
    std::map<std::pair<Seat, round::DecisionId>, int> answers;
    for (const round::Answered& answered : bench.Told<round::Answered>()) {
      seen.insert(answered.by);
      EXPECT_EQ(++answers[std::make_pair(answered.seat, answered.decision)], 1);
    }
    for (Seat seat : rules::kSeats) {
      EXPECT_FALSE(AnswerDue(bench.state, seat));
    }
  }
  EXPECT_THAT(seen, SizeIs(4)) << "player, overrun, auto-play, absence";
}

// ------------------------------------------------------------------- whether to play on (COM-14)

TEST_F(ClocksTest, WhoDoesNotSayWhetherToPlayOnLeavesWithoutPenalty) {
  bench_.Apply(AskToPlayOn(bench_.state));
  EXPECT_EQ(NextDue(bench_.state), bench_.now + milliseconds(20'000));
  bench_.Do(DecideReady(bench_.state, Bench::At(Seat::k1), 0));
  bench_.Wait(milliseconds(19'999));
  EXPECT_TRUE(bench_.state.all_seated());
  bench_.Wait(milliseconds(1));
  EXPECT_THAT(bench_.All<SeatLeft>(), SizeIs(3));
  for (const SeatLeft& left : bench_.All<SeatLeft>()) {
    EXPECT_EQ(left.reason, LeaveReason::kNoAnswer);
  }
  EXPECT_EQ(bench_.state.stage(), TableStage::kWaiting);
  EXPECT_FALSE(NextDue(bench_.state)) << "nobody is asked while seats are free";
}

TEST_F(ClocksTest, WhenNobodySaysSoTheTableCloses) {
  bench_.Apply(AskToPlayOn(bench_.state));
  bench_.Wait(milliseconds(20'000));
  EXPECT_EQ(bench_.state.stage(), TableStage::kClosed);
}

TEST_F(ClocksTest, TheQuestionIsOverWhenAllHaveSaidSo) {
  bench_.Apply(AskToPlayOn(bench_.state));
  bench_.ReadyAll();
  EXPECT_FALSE(NextDue(bench_.state)) << "whatever the wallet takes to begin the round";
  EXPECT_EQ(NextStepOf(bench_.state), NextStep::kBeginRound);
}

TEST_F(ClocksTest, NoClockRunsBetweenAnEndAndItsCoins) {
  bench_.Begin();
  bench_.PlayToEnd();
  EXPECT_FALSE(NextDue(bench_.state));
  bench_.Score();
  EXPECT_FALSE(NextDue(bench_.state));
  bench_.Post();
  EXPECT_FALSE(NextDue(bench_.state)) << "they are asked once their seats are held";
}

}  // namespace
}  // namespace mj::table
