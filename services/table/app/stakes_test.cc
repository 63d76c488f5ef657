// How a table comes to its stakes: every way through GD-90, SG-51 and D-CZ-10, without a process
// around it.
#include "services/table/app/stakes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "libs/base/status_testing.h"
#include "services/table/app/bench_testing.h"

namespace mj::table {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;
using std::chrono::milliseconds;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Kind = StakesAnswer::Kind;

StakesAnswer Accept() { return {Kind::kAccept, 0, {}}; }
StakesAnswer Refuse() { return {Kind::kRefuse, 0, {}}; }
StakesAnswer Propose(Coins base, OptionTexts options = {}) {
  return {Kind::kPropose, base, std::move(options)};
}

// RULEBOOK 7, for whoever has enough for all of them.
const std::vector<Coins> kBases = {10, 20, 50, 100};

// One with a question about the stakes is asked as the table would: nothing is left out.
class Sitting : public Bench {
 public:
  using Bench::Bench;

  void Join(Seat seat) {
    Do(DecideJoin(state, At(seat), seat));
    GoOn();
  }
  void Go(Seat seat, LeaveReason reason = LeaveReason::kLeft) {
    Leave(seat, reason);
    GoOn();
  }
  void Answer(Seat seat, const StakesAnswer& answer) {
    Do(Say(seat, answer));
    GoOn();
  }
  absl::StatusOr<Events> Say(Seat seat, const StakesAnswer& answer) const {
    return DecideStakes(state, At(seat), Pending(seat), answer);
  }
  DecisionRef Pending(Seat seat) const {
    const auto& prompt = state.stakes.prompts[seat];
    return prompt ? StakesRef(prompt->number) : 0;
  }
  void Pass(milliseconds time) {
    Wait(time);
    GoOn();
  }
  // What the table does by itself while no round is played.
  void GoOn() {
    while (true) {
      switch (NextStepOf(state)) {
        case NextStep::kAskForStakes:
          Apply(AskForStakes(state, NextProposer(state, draw), kBases));
          break;
        case NextStep::kAskConsent:
          Apply(AskConsent(state));
          break;
        case NextStep::kAsk:
          Apply(AskToPlayOn(state));
          break;
        default:
          return;
      }
    }
  }
  std::vector<Seat> AskedTo(StakesQuestion about) const {
    std::vector<Seat> asked;
    for (Seat seat : rules::kSeats) {
      const auto& prompt = state.stakes.prompts[seat];
      if (prompt && prompt->about == about) asked.push_back(seat);
    }
    return asked;
  }
  void PlayRound() {
    Begin(0);
    PlayToEnd();
    Score();
    Post();
    GoOn();
  }

  int draw = 0;
};

// Made with its players; a spec of which nobody is seated is an empty table.
Sitting Made(const std::string& variant) {
  TableSpec spec = Spec();
  spec.variant = variant;
  return Sitting(spec);
}
Sitting Empty(const std::string& variant) {
  TableSpec spec = Spec({});
  spec.variant = variant;
  spec.base = 0;
  return Sitting(spec);
}

// Four at a Guangdong table, on the base of the first.
Sitting Agreed() {
  Sitting table = Empty("guangdong");
  table.Join(Seat::k0);
  table.Answer(Seat::k0, Propose(50));
  for (Seat seat : {Seat::k1, Seat::k2, Seat::k3}) {
    table.Join(seat);
    table.Answer(seat, Accept());
  }
  return table;
}

// ------------------------------------------------------------------------------ agreement (GD-90)

TEST(AgreementTest, TheFirstAtAnEmptyTableIsAskedToPropose) {
  Sitting table = Empty("guangdong");
  EXPECT_EQ(NextStepOf(table.state), NextStep::kNothing);
  table.Join(Seat::k2);
  EXPECT_THAT(table.AskedTo(StakesQuestion::kPropose), ElementsAre(Seat::k2));
  // Whoever comes meanwhile waits for it.
  table.Join(Seat::k0);
  EXPECT_THAT(table.AskedTo(StakesQuestion::kPropose), ElementsAre(Seat::k2));
  EXPECT_THAT(table.AskedTo(StakesQuestion::kAccept), IsEmpty());
  table.Answer(Seat::k2, Propose(50));
  EXPECT_EQ(table.state.base, 50);
  EXPECT_EQ(table.state.stakes.proposer, Seat::k2);
  EXPECT_THAT(table.AskedTo(StakesQuestion::kAccept), ElementsAre(Seat::k0));
  // And whoever comes later is asked then.
  table.Join(Seat::k3);
  EXPECT_THAT(table.AskedTo(StakesQuestion::kAccept), ElementsAre(Seat::k0, Seat::k3));
}

TEST(AgreementTest, TheFirstIsAskedEvenIfOthersCameBeforeItWas) {
  Sitting table = Empty("guangdong");
  table.draw = 0;
  for (Seat seat : {Seat::k2, Seat::k0, Seat::k1}) {
    table.Do(DecideJoin(table.state, Bench::At(seat), seat));
  }
  table.GoOn();
  EXPECT_THAT(table.AskedTo(StakesQuestion::kPropose), ElementsAre(Seat::k2));
}

// GD-91: before the first round, too, each is asked whether it plays.
TEST(AgreementTest, WhenAllAcceptTheyAreAskedToPlay) {
  Sitting table = Agreed();
  EXPECT_TRUE(StakesSettled(table.state));
  EXPECT_TRUE(table.state.question_due);
  for (const SeatInfo& seat : PerSeat<SeatInfo>(table.state.seats)) EXPECT_FALSE(seat.ready);
  table.Begin(0);
  EXPECT_EQ(table.state.round->begun.base, 50);
}

TEST(AgreementTest, NothingStartsBeforeTheLastAccepts) {
  Sitting table = Empty("guangdong");
  table.Join(Seat::k0);
  table.Answer(Seat::k0, Propose(50));
  for (Seat seat : {Seat::k1, Seat::k2, Seat::k3}) table.Join(seat);
  table.Answer(Seat::k1, Accept());
  table.Answer(Seat::k3, Accept());
  for (Seat seat : rules::kSeats) table.Do(DecideReady(table.state, Bench::At(seat), 0));
  EXPECT_TRUE(table.state.all_ready());
  EXPECT_EQ(NextStepOf(table.state), NextStep::kNothing);
  table.Answer(Seat::k2, Accept());
  EXPECT_EQ(NextStepOf(table.state), NextStep::kBeginRound);
}

TEST(AgreementTest, OnceAcceptedItStaysForTheRoundsThatFollow) {
  Sitting table = Agreed();
  table.PlayRound();
  EXPECT_EQ(table.state.base, 50);
  EXPECT_EQ(table.state.stakes.proposer, Seat::k0);
  EXPECT_TRUE(table.state.question_due) << "whether to play on, and nothing else (COM-14)";
  EXPECT_THAT(table.AskedTo(StakesQuestion::kAccept), IsEmpty());
  table.ReadyAll();
  table.Begin(0);
  EXPECT_EQ(table.state.round->begun.base, 50);
}

TEST(AgreementTest, AProposerWhoLeavesBeforeProposingIsFollowedByOneWhoIsDrawn) {
  std::set<Seat> drawn;
  for (int draw = 0; draw < kDraws; ++draw) {
    Sitting table = Empty("guangdong");
    table.draw = draw;
    table.Join(Seat::k1);
    table.Join(Seat::k0);
    table.Join(Seat::k3);
    table.Go(Seat::k1);
    const std::vector<Seat> asked = table.AskedTo(StakesQuestion::kPropose);
    ASSERT_THAT(asked, SizeIs(1));
    drawn.insert(asked.front());
    table.Answer(asked.front(), Propose(20));
    EXPECT_EQ(table.state.base, 20);
  }
  EXPECT_THAT(drawn, ElementsAre(Seat::k0, Seat::k3)) << "whoever is left, and nobody else";
}

TEST(AgreementTest, EachDrawIsAsLikely) {
  Sitting table = Made("guangdong");
  for (const std::size_t left : {4U, 3U, 2U, 1U}) {
    std::vector<int> times(rules::kSeatCount);
    for (int draw = 0; draw < kDraws; ++draw) {
      ++times[static_cast<std::size_t>(rules::IndexOf(NextProposer(table.state, draw)))];
    }
    for (Seat seat : rules::kSeats) {
      const bool sits = !table.state.seats[seat].player.empty();
      EXPECT_EQ(times[static_cast<std::size_t>(rules::IndexOf(seat))],
                sits ? kDraws / static_cast<int>(left) : 0);
    }
    if (left > 1) table.Leave(static_cast<Seat>(left - 1));
  }
}

TEST(AgreementTest, AProposerWhoLeavesLaterTakesTheBaseAlongAndAllAcceptAnew) {
  Sitting table = Agreed();
  table.PlayRound();
  for (Seat seat : {Seat::k1, Seat::k2}) {
    table.Do(DecideReady(table.state, Bench::At(seat), 0));
  }
  table.draw = 1;
  table.Go(Seat::k0);
  EXPECT_EQ(table.state.base, 0);
  EXPECT_THAT(table.AskedTo(StakesQuestion::kPropose), ElementsAre(Seat::k2));
  EXPECT_FALSE(table.state.seats[Seat::k1].ready) << "that was said for another base";
  table.Answer(Seat::k2, Propose(10));
  EXPECT_THAT(table.AskedTo(StakesQuestion::kAccept), ElementsAre(Seat::k1, Seat::k3));
  table.Join(Seat::k0);
  for (Seat seat : {Seat::k0, Seat::k1, Seat::k3}) table.Answer(seat, Accept());
  EXPECT_TRUE(table.state.question_due);
  table.Begin(0);
  EXPECT_EQ(table.state.round->begun.base, 10);
}

TEST(AgreementTest, AProposerWhoEscapesTakesTheBaseAlongToo) {
  Sitting table = Agreed();
  table.Begin(0);
  table.Act(table.Asked().front(), table.Some(table.Asked().front()));  // the dice
  table.Leave(Seat::k0);
  while (NextStepOf(table.state) != NextStep::kVoid) {
    table.Act(table.Asked().front(), table.Some(table.Asked().front()));
  }
  EXPECT_EQ(table.state.base, 50) << "the round is not closed yet";
  table.Apply(VoidRound(table.state, PenaltyPosted{}));
  EXPECT_EQ(table.state.base, 0);
  EXPECT_EQ(NextStepOf(table.state), NextStep::kAskForStakes);
}

TEST(AgreementTest, AProposerWhoGoesWhileOthersAreAskedEndsTheirQuestions) {
  Sitting table = Empty("guangdong");
  table.Join(Seat::k0);
  table.Answer(Seat::k0, Propose(50));
  table.Join(Seat::k1);
  const DecisionRef before = table.Pending(Seat::k1);
  table.Go(Seat::k0);
  EXPECT_THAT(table.AskedTo(StakesQuestion::kPropose), ElementsAre(Seat::k1));
  EXPECT_THAT(DecideStakes(table.state, Bench::At(Seat::k1), before, Accept()),
              FailsWith(Reason::kDecisionStale, "decision_id"));
}

TEST(AgreementTest, WhoRefusesLeavesAndTheOthersStay) {
  Sitting table = Empty("guangdong");
  table.Join(Seat::k0);
  table.Answer(Seat::k0, Propose(50));
  table.Join(Seat::k1);
  table.Join(Seat::k2);
  table.Answer(Seat::k1, Refuse());
  ASSERT_THAT(table.All<SeatLeft>(), SizeIs(1));
  EXPECT_THAT(table.All<SeatLeft>(),
              Contains(SeatLeft{Seat::k1, PlayerId("p1"), LeaveReason::kDisagreed}));
  EXPECT_EQ(table.state.base, 50);
  EXPECT_THAT(table.AskedTo(StakesQuestion::kAccept), ElementsAre(Seat::k2));
}

TEST(AgreementTest, WhoDoesNotWantToProposeLeavesAndAnotherIsAsked) {
  Sitting table = Empty("guangdong");
  table.Join(Seat::k0);
  table.Join(Seat::k3);
  table.Answer(Seat::k0, Refuse());
  EXPECT_THAT(table.All<SeatLeft>(), Contains(Field(&SeatLeft::reason, LeaveReason::kDisagreed)));
  EXPECT_THAT(table.AskedTo(StakesQuestion::kPropose), ElementsAre(Seat::k3));
  table.Answer(Seat::k3, Refuse());
  EXPECT_EQ(table.state.stage(), TableStage::kClosed);
}

// COM-14: the same time holds for proposal and consent.
TEST(AgreementTest, WhoDoesNotProposeInTimeLeavesAndAnotherIsAsked) {
  Sitting table = Empty("guangdong");
  table.Join(Seat::k0);
  table.Join(Seat::k1);
  table.Pass(milliseconds(19'999));
  EXPECT_THAT(table.AskedTo(StakesQuestion::kPropose), ElementsAre(Seat::k0));
  table.Pass(milliseconds(1));
  EXPECT_THAT(table.All<SeatLeft>(),
              Contains(SeatLeft{Seat::k0, PlayerId("p0"), LeaveReason::kNoAnswer}));
  EXPECT_THAT(table.AskedTo(StakesQuestion::kPropose), ElementsAre(Seat::k1));
  table.Pass(milliseconds(20'000));
  EXPECT_EQ(table.state.stage(), TableStage::kClosed) << "nobody is left";
}

TEST(AgreementTest, WhoDoesNotAcceptInTimeLeavesAndTheBaseStays) {
  Sitting table = Empty("guangdong");
  table.Join(Seat::k0);
  table.Answer(Seat::k0, Propose(50));
  table.Join(Seat::k1);
  table.Wait(milliseconds(5'000));
  table.Join(Seat::k2);
  table.Pass(milliseconds(15'000));
  EXPECT_THAT(table.All<SeatLeft>(),
              Contains(SeatLeft{Seat::k1, PlayerId("p1"), LeaveReason::kNoAnswer}));
  EXPECT_THAT(table.AskedTo(StakesQuestion::kAccept), ElementsAre(Seat::k2)) << "its own 20 s";
  table.Answer(Seat::k2, Accept());
  EXPECT_FALSE(NextDue(table.state));
  EXPECT_EQ(table.state.base, 50);
}

TEST(AgreementTest, AHeldUpTableGivesEachQuestionItsFullTimeAgain) {
  Sitting table = Empty("guangdong");
  table.Join(Seat::k0);
  table.Wait(milliseconds(19'000));
  table.Apply({ClocksRestarted{}});
  table.Pass(milliseconds(19'999));
  EXPECT_TRUE(table.state.anyone_seated());
  table.Pass(milliseconds(1));
  EXPECT_FALSE(table.state.anyone_seated());
}

TEST(AgreementTest, ATicketIsTheConsentAndTheFirstToBeSeatedIsTheProposer) {
  Sitting table = Made("guangdong");
  EXPECT_TRUE(StakesSettled(table.state));
  EXPECT_EQ(table.state.base, 100);
  EXPECT_EQ(table.state.stakes.proposer, Seat::k0);
  EXPECT_EQ(NextStepOf(table.state), NextStep::kAsk);
  table.GoOn();
  // Another one leaves: the base stays, and whoever comes is asked.
  table.Go(Seat::k2);
  EXPECT_EQ(table.state.base, 100);
  table.Join(Seat::k2);
  EXPECT_THAT(table.AskedTo(StakesQuestion::kAccept), ElementsAre(Seat::k2));
  table.Answer(Seat::k2, Accept());
  // The proposer leaves: somebody who is left proposes anew.
  table.draw = 2;
  table.Go(Seat::k0);
  EXPECT_THAT(table.AskedTo(StakesQuestion::kPropose), ElementsAre(Seat::k3));
}

TEST(AgreementTest, OnlyWhatIsOfferedIsAccepted) {
  Sitting table = Empty("guangdong");
  table.Join(Seat::k0);
  table.Join(Seat::k1);
  for (Coins base : {Coins{0}, Coins{-10}, Coins{11}, Coins{200}, Coins{1} << 60}) {
    EXPECT_THAT(table.Say(Seat::k0, Propose(base)),
                FailsWith(Reason::kChoiceNotOffered, "choice.propose.base"))
        << base;
  }
  EXPECT_THAT(table.Say(Seat::k0, Propose(50, {{"allow_chicken", "false"}})),
              FailsWith(Reason::kChoiceNotOffered, "choice.propose.options"));
  EXPECT_THAT(table.Say(Seat::k0, Accept()), FailsWith(Reason::kChoiceNotOffered, "choice"));
  // Who is not asked, or does not sit there.
  const DecisionRef asked = table.Pending(Seat::k0);
  EXPECT_THAT(DecideStakes(table.state, PlayerId("p1"), asked, Propose(50)),
              FailsWith(Reason::kDecisionNotOffered, "decision_id"));
  EXPECT_THAT(DecideStakes(table.state, PlayerId("x"), asked, Propose(50)),
              FailsWith(Reason::kNotSeated));
  EXPECT_THAT(DecideStakes(table.state, PlayerId("p0"), asked + 1, Propose(50)),
              FailsWith(Reason::kDecisionNotOffered, "decision_id"));
  EXPECT_THAT(DecideStakes(table.state, PlayerId("p0"), 0, Propose(50)),
              FailsWith(Reason::kDecisionNotOffered, "decision_id"));
  // Nor is a tile an answer.
  EXPECT_THAT(DecideAct(table.state, PlayerId("p0"), asked, round::Choice::Pass(), table.now),
              FailsWith(Reason::kChoiceNotOffered, "choice"));
  table.Answer(Seat::k0, Propose(50));
  EXPECT_THAT(table.Say(Seat::k1, Propose(20)), FailsWith(Reason::kChoiceNotOffered, "choice"));
  EXPECT_THAT(DecideAct(table.state, PlayerId("p0"), asked, round::Choice::Pass(), table.now),
              FailsWith(Reason::kDecisionStale, "decision_id"));
}

TEST(AgreementTest, TheSameAnswerAgainIsFineAndAnotherOneIsLate) {
  Sitting table = Empty("guangdong");
  table.Join(Seat::k0);
  table.Join(Seat::k1);
  const DecisionRef first = table.Pending(Seat::k0);
  table.Answer(Seat::k0, Propose(50));
  const auto again = [&](const char* player, DecisionRef decision, const StakesAnswer& answer) {
    return DecideStakes(table.state, PlayerId(player), decision, answer);
  };
  EXPECT_THAT(again("p0", first, Propose(50)), base::IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(again("p0", first, Propose(20)), FailsWith(Reason::kDecisionStale, "decision_id"));
  EXPECT_THAT(again("p0", first, Refuse()), FailsWith(Reason::kDecisionStale, "decision_id"));
  const DecisionRef second = table.Pending(Seat::k1);
  EXPECT_NE(first, second);
  table.Answer(Seat::k1, Accept());
  EXPECT_THAT(again("p1", second, Accept()), base::IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(again("p1", second, Refuse()), FailsWith(Reason::kDecisionStale, "decision_id"));
  // However much later; but not for one who has left meanwhile.
  table.Join(Seat::k2);
  table.Answer(Seat::k2, Accept());
  table.Join(Seat::k3);
  table.Answer(Seat::k3, Accept());
  table.Begin(0);
  EXPECT_THAT(again("p0", first, Propose(50)), base::IsOkAndHolds(IsEmpty()));
  Sitting other = Empty("guangdong");
  other.Join(Seat::k0);
  other.Join(Seat::k1);
  other.Go(Seat::k0);
  other.Join(Seat::k0);
  EXPECT_THAT(DecideStakes(other.state, PlayerId("p0"), first, Propose(50)),
              FailsWith(Reason::kDecisionNotOffered, "decision_id"));
}

TEST(AgreementTest, SomebodyWhoComesWhileARoundIsPaidIsAskedOnceItIs) {
  Sitting table = Agreed();
  table.Begin(0);
  table.PlayToEnd();
  table.Leave(Seat::k3);
  table.Do(DecideJoin(table.state, PlayerId("x"), Seat::k3));
  EXPECT_EQ(NextStepOf(table.state), NextStep::kScore);
  table.Score();
  table.Post();
  table.GoOn();
  EXPECT_THAT(table.AskedTo(StakesQuestion::kAccept), ElementsAre(Seat::k3));
}

TEST(AgreementTest, ASeatIsHeldForTheBaseOnceItsPlayerHasAgreed) {
  Sitting table = Empty("guangdong");
  EXPECT_EQ(JoinBaseOf(table.state), 0);
  table.Join(Seat::k0);
  EXPECT_EQ(HoldBaseOf(table.state, Seat::k0), 0);
  table.Answer(Seat::k0, Propose(50));
  EXPECT_EQ(HoldBaseOf(table.state, Seat::k0), 50);
  EXPECT_EQ(JoinBaseOf(table.state), 50);
  table.Join(Seat::k1);
  EXPECT_EQ(HoldBaseOf(table.state, Seat::k1), 0);
  table.Answer(Seat::k1, Accept());
  EXPECT_EQ(HoldBaseOf(table.state, Seat::k1), 50);
}

TEST(AgreementTest, AnEmptyTableToWhichNobodyComesCloses) {
  Sitting table = Empty("guangdong");
  table.Pass(milliseconds(599'999));
  EXPECT_EQ(table.state.stage(), TableStage::kWaiting);
  Sitting other = table;
  other.Join(Seat::k0);
  other.Answer(Seat::k0, Propose(10));
  EXPECT_FALSE(NextDue(other.state)) << "once somebody has come it stays";
  table.Pass(milliseconds(1));
  EXPECT_EQ(table.state.stage(), TableStage::kClosed);
  EXPECT_THAT(table.All<TableEnded>(), SizeIs(1));
}

TEST(AgreementTest, AReplayHasTheSameQuestionsAndDeadlines) {
  Sitting table = Empty("guangdong");
  table.Join(Seat::k0);
  table.Wait(milliseconds(3'000));
  table.Answer(Seat::k0, Propose(50));
  table.Join(Seat::k1);
  TableState replayed;
  for (const LogEntry& entry : table.journal) ASSERT_THAT(Apply(replayed, entry), IsOk());
  EXPECT_EQ(replayed.stakes.prompts, table.state.stakes.prompts);
  EXPECT_EQ(NextDue(replayed), NextDue(table.state));
  EXPECT_EQ(replayed.info(), table.state.info());
}

// -------------------------------------------------------------------------- first player (SG-51)

TEST(FirstPlayerTest, ChoosesBaseAndCharactersAndNobodyIsAskedToAccept) {
  Sitting table = Empty("shaoguan");
  table.Join(Seat::k1);
  ASSERT_THAT(table.AskedTo(StakesQuestion::kPropose), ElementsAre(Seat::k1));
  EXPECT_THAT(FirstPlayersChoices(table.state),
              ElementsAre(OptionChoice{"with_characters", {"false", "true"}, "true"}));
  table.Answer(Seat::k1, Propose(100, {{"with_characters", "false"}}));
  EXPECT_EQ(table.state.base, 100);
  EXPECT_EQ(table.state.info().options, (OptionTexts{{"with_characters", "false"}}));
  for (Seat seat : {Seat::k0, Seat::k2, Seat::k3}) table.Join(seat);
  EXPECT_FALSE(FirstPrompt(table.state));
  EXPECT_TRUE(table.state.question_due) << "who does not like it does not play on";
  table.ReadyAll();
  table.Begin(0);
  EXPECT_EQ(table.state.round->deal->wall.size(), 100U) << "SG-01: without characters";
  EXPECT_EQ(table.state.round->begun.base, 100);
}

TEST(FirstPlayerTest, WhatItChoseIsFixedWhileItStays) {
  Sitting table = Empty("shaoguan");
  table.Join(Seat::k1);
  table.Answer(Seat::k1, Propose(100, {{"with_characters", "false"}}));
  for (Seat seat : {Seat::k0, Seat::k2, Seat::k3}) table.Join(seat);
  table.ReadyAll();
  table.PlayRound();
  EXPECT_EQ(table.state.base, 100);
  table.Go(Seat::k0);
  EXPECT_EQ(table.state.base, 100);
  table.draw = 1;
  table.Go(Seat::k1);
  EXPECT_EQ(table.state.base, 0);
  EXPECT_THAT(table.AskedTo(StakesQuestion::kPropose), ElementsAre(Seat::k3));
  table.Answer(Seat::k3, Propose(10));
  EXPECT_EQ(table.state.info().options, (OptionTexts{{"with_characters", "false"}}))
      << "what is not named stays";
}

TEST(FirstPlayerTest, ChoosesOnlyWhatIsItsToChoose) {
  Sitting table = Empty("shaoguan");
  table.Join(Seat::k1);
  for (const OptionTexts& options :
       {OptionTexts{{"horses", "0"}}, OptionTexts{{"with_characters", "maybe"}},
        OptionTexts{{"colour", "red"}}}) {
    EXPECT_THAT(table.Say(Seat::k1, Propose(100, options)),
                FailsWith(Reason::kChoiceNotOffered, "choice.propose.options"));
  }
  EXPECT_THAT(table.Say(Seat::k1, Propose(600)),
              FailsWith(Reason::kChoiceNotOffered, "choice.propose.base"))
      << "it has not enough for that room";
}

TEST(FirstPlayerTest, BasesAreThoseForWhichItHasEnough) {
  const std::vector<Room> rooms = {{600, 38'400, 250, 0}, {10, 640, 4, 0}, {100, 6'400, 40, 0}};
  EXPECT_THAT(BasesFor(639, rooms), IsEmpty());
  EXPECT_THAT(BasesFor(640, rooms), ElementsAre(10));
  EXPECT_THAT(BasesFor(38'399, rooms), ElementsAre(10, 100));
  EXPECT_THAT(BasesFor(38'400, rooms), ElementsAre(10, 100, 600));
  EXPECT_EQ(LeastRoom(rooms)->base, 10);
  EXPECT_EQ(LeastRoom({}), nullptr);
}

}  // namespace
}  // namespace mj::table
