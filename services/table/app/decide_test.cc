#include "services/table/app/decide.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "libs/audit/digest.h"
#include "libs/base/status_testing.h"
#include "libs/round/decide.h"
#include "libs/variants/registry.h"
#include "services/table/app/bench_testing.h"

namespace mj::table {
namespace {

using base::FailsWith;
using base::IsOk;
using base::IsOkAndHolds;
using base::Reason;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::VariantWith;

// ----------------------------------------------------------------------------------------- spec

TEST(CheckSpecTest, FillsInWhatHasItsDefault) {
  const auto spec = CheckSpec(Spec());
  ASSERT_THAT(spec, IsOk());
  EXPECT_EQ(spec->options, (OptionTexts{{"max_multiplier", "10"}}));
}

TEST(CheckSpecTest, RefusesTheFirstFault) {
  TableSpec spec = Spec({});
  spec.variant = "bridge";
  spec.options = {{"colour", "red"}};
  spec.base = 0;
  EXPECT_THAT(CheckSpec(spec), FailsWith(Reason::kUnknownVariant, "variant"));
  spec.variant = "chaozhou";
  EXPECT_THAT(CheckSpec(spec), FailsWith(Reason::kUnknownOption, "options"));
  spec.options = {{"max_multiplier", "-1"}};
  EXPECT_THAT(CheckSpec(spec), FailsWith(Reason::kOptionOutOfRange, "options"));
  spec.options = {{"max_multiplier", "many"}};
  EXPECT_THAT(CheckSpec(spec), FailsWith(Reason::kOptionOutOfRange, "options"));
  spec.options = {};
  spec.players = Spec({"a", "b", "a"}).players;
  for (Coins base : {Coins{0}, Coins{-100}, Coins{10'001}, Coins{1} << 60}) {
    spec.base = base;
    EXPECT_THAT(CheckSpec(spec), FailsWith(Reason::kBadBase, "base")) << base;
  }
  spec.base = 10'000;
  EXPECT_THAT(CheckSpec(spec), FailsWith(Reason::kDuplicatePlayer, "player_ids"));
  spec.players = Spec({"a"}).players;
  EXPECT_THAT(CheckSpec(spec), IsOk());
}

TEST(CheckSpecTest, AnEmptyTableHasNoBaseButARoomWhereTheCoinsDecide) {
  for (const rules::Variant* variant : variants::All()) {
    TableSpec spec = Spec({});
    spec.variant = std::string(variant->info().id);
    spec.base = 0;
    EXPECT_THAT(CheckSpec(spec), IsOk());
    spec.base = 100;
    const bool coins = variant->info().base_from == rules::BaseFrom::kCoins;
    EXPECT_EQ(CheckSpec(spec).ok(), coins) << spec.variant;
    for (Coins base : {Coins{-100}, Coins{10'001}}) {
      spec.base = base;
      EXPECT_THAT(CheckSpec(spec), FailsWith(Reason::kBadBase, "base")) << base;
    }
  }
}

// D-JY-5: where the text pays half bases, bases are even.
TEST(CheckSpecTest, ABaseIsPayableInWholeCoins) {
  for (const rules::Variant* variant : variants::All()) {
    TableSpec spec = Spec();
    spec.variant = std::string(variant->info().id);
    spec.base = 101;
    const bool whole = variant->info().units_per_base == 1;
    EXPECT_EQ(CheckSpec(spec).ok(), whole) << spec.variant;
  }
}

// ------------------------------------------------------------------------------------- joining

TEST(DecideJoinTest, TakesTheFirstFreeSeatOrTheOneAskedFor) {
  Bench bench(Spec({"a", "", "c"}));
  EXPECT_THAT(
      DecideJoin(bench.state, PlayerId("b"), std::nullopt),
      IsOkAndHolds(ElementsAre(VariantWith<SeatTaken>(SeatTaken{Seat::k1, PlayerId("b")}))));
  EXPECT_THAT(
      DecideJoin(bench.state, PlayerId("b"), Seat::k3),
      IsOkAndHolds(ElementsAre(VariantWith<SeatTaken>(SeatTaken{Seat::k3, PlayerId("b")}))));
  EXPECT_THAT(DecideJoin(bench.state, PlayerId("b"), Seat::k2), FailsWith(Reason::kSeatTaken));
}

TEST(DecideJoinTest, WhoSitsAlreadyHasJoined) {
  Bench bench(Spec({"a", "", "c"}));
  EXPECT_THAT(DecideJoin(bench.state, PlayerId("c"), std::nullopt), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(DecideJoin(bench.state, PlayerId("c"), Seat::k2), IsOkAndHolds(IsEmpty()));
  EXPECT_THAT(DecideJoin(bench.state, PlayerId("c"), Seat::k1), FailsWith(Reason::kSeatTaken));
}

TEST(DecideJoinTest, AHashComesWithTheSeat) {
  Bench bench(Spec({"a", "", "c"}));
  const audit::Digest hash = audit::Sha256("token");
  bench.Do(DecideJoin(bench.state, PlayerId("b"), Seat::k1, hash));
  EXPECT_THAT(OpenSeat(bench.state, {PlayerId("b"), "token"}), IsOkAndHolds(Seat::k1));
  EXPECT_THAT(OpenSeat(bench.state, {PlayerId("b"), ""}),
              FailsWith(Reason::kBadJoinToken, "join_token"));
  EXPECT_THAT(OpenSeat(bench.state, {PlayerId("a"), ""}), IsOkAndHolds(Seat::k0));
  // Whoever sits there already cannot be shut out by another hash.
  EXPECT_THAT(DecideJoin(bench.state, PlayerId("b"), Seat::k1, audit::Sha256("another")),
              IsOkAndHolds(IsEmpty()));
}

// ---------------------------------------------------------------------------------- join tokens

TEST(OpenSeatTest, OpensToTheSeatsOwnTokenAlone) {
  TableSpec spec = Spec();
  spec.token_hashes[Seat::k1] = audit::Sha256("one");
  spec.token_hashes[Seat::k2] = audit::Sha256("two");
  Bench bench(spec);
  EXPECT_THAT(OpenSeat(bench.state, {PlayerId("p1"), "one"}), IsOkAndHolds(Seat::k1));
  for (const char* wrong : {"", "two", "One", "one ", "on"}) {
    EXPECT_THAT(OpenSeat(bench.state, {PlayerId("p1"), wrong}), FailsWith(Reason::kBadJoinToken))
        << wrong;
  }
  EXPECT_THAT(OpenSeat(bench.state, {PlayerId("p0"), "whatever"}), IsOkAndHolds(Seat::k0))
      << "needs none";
  EXPECT_THAT(OpenSeat(bench.state, {PlayerId("x"), "one"}), FailsWith(Reason::kNotSeated));
  EXPECT_THAT(OpenSeat(bench.state, {PlayerId(), ""}), FailsWith(Reason::kNotSeated));
}

TEST(OpenSeatTest, WhoComesNextHasNothingOfWhoLeft) {
  TableSpec spec = Spec();
  spec.token_hashes[Seat::k1] = audit::Sha256("one");
  Bench bench(spec);
  bench.Leave(Seat::k1);
  EXPECT_THAT(OpenSeat(bench.state, {PlayerId("p1"), "one"}), FailsWith(Reason::kNotSeated));
  bench.Do(DecideJoin(bench.state, PlayerId("new"), Seat::k1));
  EXPECT_THAT(OpenSeat(bench.state, {PlayerId("new"), ""}), IsOkAndHolds(Seat::k1));
}

// --------------------------------------------------------------------------------------- ready

TEST(DecideReadyTest, SayingItAgainChangesNothing) {
  Bench bench;
  EXPECT_THAT(DecideReady(bench.state, PlayerId("p0"), 1), IsOkAndHolds(SizeIs(1)));
  bench.Do(DecideReady(bench.state, PlayerId("p0"), 1));
  EXPECT_THAT(DecideReady(bench.state, PlayerId("p0"), 1), IsOkAndHolds(IsEmpty()));
}

TEST(DecideReadyTest, ALateRepetitionDoesNotSpeakForALaterRound) {
  Bench bench;
  bench.Begin();
  bench.PlayToEnd();
  bench.Score();
  bench.Post();
  EXPECT_THAT(DecideReady(bench.state, PlayerId("p0"), 1), IsOkAndHolds(IsEmpty()));
  EXPECT_FALSE(bench.state.seats[Seat::k0].ready);
}

TEST(DecideReadyTest, ARoundNeedsFour) {
  Bench bench(Spec({"p0", "p1", "p2"}));
  for (const char* player : {"p0", "p1", "p2"}) {
    bench.Do(DecideReady(bench.state, PlayerId(player), 0));
  }
  EXPECT_EQ(NextStepOf(bench.state), NextStep::kNothing);
  bench.Do(DecideJoin(bench.state, PlayerId("p3"), std::nullopt));
  EXPECT_EQ(NextStepOf(bench.state), NextStep::kAsk);
  bench.Do(DecideReady(bench.state, PlayerId("p3"), 0));
  EXPECT_EQ(NextStepOf(bench.state), NextStep::kBeginRound);
}

// ------------------------------------------------------------------------------------------ act

TEST(DecideActTest, TheSameAnswerAgainIsDoneOnce) {
  Bench bench;
  bench.Begin();
  struct Answer {
    Seat seat;
    DecisionRef decision;
    round::Choice choice;
  };
  std::vector<Answer> answers;
  while (!bench.state.round->play.over()) {
    const Seat seat = bench.Asked().front();
    answers.push_back({seat, bench.Pending(seat), bench.Some(seat)});
    bench.Do(DecideAct(bench.state, Bench::At(seat), answers.back().decision, answers.back().choice,
                       WallTime{}));
    // This one and all before it.
    for (const Answer& answer : answers) {
      EXPECT_THAT(DecideAct(bench.state, Bench::At(answer.seat), answer.decision, answer.choice,
                            WallTime{}),
                  IsOkAndHolds(IsEmpty()));
    }
    const Answer& first = answers.front();
    EXPECT_FALSE(DecideAct(bench.state, Bench::At(first.seat), first.decision,
                           round::Choice::Pung(), WallTime{})
                     .ok());
  }
}

TEST(DecideActTest, TheAnswerThatEndedTheRoundMayBeRepeated) {
  Bench bench;
  bench.Begin();
  Seat seat = Seat::k0;
  DecisionRef decision = 0;
  round::Choice choice;
  while (!bench.state.round->play.over()) {
    seat = bench.Asked().front();
    decision = bench.Pending(seat);
    choice = bench.Some(seat);
    bench.Do(DecideAct(bench.state, Bench::At(seat), decision, choice, WallTime{}));
  }
  EXPECT_THAT(DecideAct(bench.state, Bench::At(seat), decision, choice, WallTime{}),
              IsOkAndHolds(IsEmpty()));
  bench.Score();
  bench.Post();
  EXPECT_THAT(DecideAct(bench.state, Bench::At(seat), decision, choice, WallTime{}),
              IsOkAndHolds(IsEmpty()));
}

TEST(DecideActTest, AnsweredOtherwiseIsStale) {
  Bench bench;
  bench.Begin();
  const Seat dealer = bench.Asked().front();
  const round::Offer offer = *bench.state.round->play.seats[dealer].open;
  auto tile = offer.discards.begin();
  const round::Choice first = round::Choice::Discard(*tile);
  ++tile;
  const round::Choice second = round::Choice::Discard(*tile);
  const DecisionRef decision = bench.Pending(dealer);
  bench.Do(DecideAct(bench.state, Bench::At(dealer), decision, first, WallTime{}));
  EXPECT_THAT(DecideAct(bench.state, Bench::At(dealer), decision, second, WallTime{}),
              FailsWith(Reason::kDecisionStale, "decision_id"));
}

TEST(DecideActTest, OnlyWhatWasOffered) {
  Bench bench;
  bench.Begin();
  const Seat dealer = bench.Asked().front();
  const PlayerId player = Bench::At(dealer);
  const DecisionRef decision = bench.Pending(dealer);
  const tiles::TileCounts& hand = bench.state.round->play.seats[dealer].hand.concealed;
  Tile absent;
  Tile held;
  for (Tile tile : tiles::kAllKinds) {
    if (hand.Has(tile)) held = tile;
    if (!hand.Has(tile)) absent = tile;
  }
  EXPECT_THAT(DecideAct(bench.state, player, decision, round::Choice::Discard(absent), WallTime{}),
              FailsWith(Reason::kTileNotHeld, "choice"));
  EXPECT_THAT(
      DecideAct(bench.state, player, decision, round::Choice::ConcealedKong(absent), WallTime{}),
      FailsWith(Reason::kTileNotHeld));
  EXPECT_THAT(DecideAct(bench.state, player, decision, round::Choice::AddedKong(held), WallTime{}),
              FailsWith(Reason::kChoiceNotOffered));
  EXPECT_THAT(
      DecideAct(bench.state, player, decision, round::Choice::Chow(absent, held), WallTime{}),
      FailsWith(Reason::kTileNotHeld));
  EXPECT_THAT(
      DecideAct(bench.state, player, decision, round::Choice::Chow(held, absent), WallTime{}),
      FailsWith(Reason::kTileNotHeld));
  EXPECT_THAT(DecideAct(bench.state, player, decision, round::Choice::Pung(), WallTime{}),
              FailsWith(Reason::kChoiceNotOffered));
  EXPECT_THAT(DecideAct(bench.state, player, decision, round::Choice::Pass(), WallTime{}),
              FailsWith(Reason::kChoiceNotOffered));
}

TEST(DecideActTest, OutOfTurnAndMadeUp) {
  Bench bench;
  bench.Begin();
  const Seat dealer = bench.Asked().front();
  const DecisionRef decision = bench.Pending(dealer);
  const Seat other = rules::After(dealer);
  EXPECT_THAT(DecideAct(bench.state, Bench::At(other), decision, bench.Some(dealer), WallTime{}),
              FailsWith(Reason::kDecisionNotOffered));
  for (DecisionRef made_up :
       {DecisionRef{0}, DecisionRef{1}, decision + 1, RefOf(2, 1), ~DecisionRef{0}}) {
    EXPECT_THAT(DecideAct(bench.state, Bench::At(dealer), made_up, bench.Some(dealer), WallTime{}),
                FailsWith(Reason::kDecisionNotOffered))
        << made_up;
  }
}

TEST(DecideActTest, AnEarlierRoundsDecisionIsStale) {
  Bench bench;
  bench.Begin();
  const Seat dealer = bench.Asked().front();
  const DecisionRef decision = bench.Pending(dealer);
  const round::Choice choice = bench.Some(dealer);
  bench.PlayToEnd();
  bench.Score();
  bench.Post();
  bench.Begin(2);
  EXPECT_THAT(DecideAct(bench.state, Bench::At(dealer), decision, choice, WallTime{}),
              FailsWith(Reason::kDecisionStale));
}

TEST(DecideActTest, WhoCameAfterTheRoundHasNoPartInIt) {
  Bench bench;
  bench.Begin();
  const Seat seat = bench.Asked().front();
  const DecisionRef decision = bench.Pending(seat);
  const round::Choice choice = bench.Some(seat);
  bench.PlayToEnd();
  bench.Do(DecideLeave(bench.state, Bench::At(seat), LeaveReason::kLeft, WallTime{}));
  bench.Do(DecideJoin(bench.state, PlayerId("new"), seat));
  EXPECT_THAT(
      DecideAct(bench.state, PlayerId("new"), RefOf(1, 1), round::Choice::Pass(), WallTime{}),
      FailsWith(Reason::kRoundNotInProgress));
  // Not even by its predecessor's answer.
  EXPECT_THAT(DecideAct(bench.state, PlayerId("new"), decision, choice, WallTime{}),
              FailsWith(Reason::kRoundNotInProgress));
}

// --------------------------------------------------------------------------------------- rounds

TEST(BeginRoundTest, EverythingComesFromTheSeed) {
  Bench a, b, c;
  a.Begin(1);
  b.Begin(1);
  c.Begin(2);
  EXPECT_EQ(a.state.round->begun, b.state.round->begun);
  EXPECT_EQ(a.state.round->deal, b.state.round->deal);
  EXPECT_EQ(a.state.round->play, b.state.round->play);
  EXPECT_NE(a.state.round->deal->wall, c.state.round->deal->wall);
}

TEST(BeginRoundTest, TheFirstDealerIsDrawnAndThenFollowsTheRules) {
  std::array<int, 4> dealt{};
  for (int seed = 0; seed < 64; ++seed) {
    Bench bench;
    bench.Begin(static_cast<std::uint8_t>(seed));
    ++dealt[static_cast<std::size_t>(rules::IndexOf(bench.state.round->deal->dealer))];
  }
  for (int n : dealt) EXPECT_GT(n, 4);

  Bench bench;
  bench.Begin();
  const Seat first = bench.state.round->deal->dealer;
  bench.PlayToEnd();
  const auto won = bench.state.round->play.wins;
  bench.Score();
  bench.Post();
  const bool stays = won.empty() || won[0].seat == first;
  ASSERT_LT(won.size(), 3U);
  EXPECT_EQ(bench.state.next->dealer, stays ? first : rules::After(first));
  bench.Begin(2);
  EXPECT_EQ(bench.state.round->deal->dealer,
            bench.state.round->begun.number == 2 ? (stays ? first : rules::After(first)) : first);
}

// GD-70 and the first dealer of the others: whoever leaves, dealer and winds are drawn anew.
TEST(BeginRoundTest, ALeaveEndsTheSitting) {
  Bench bench;
  bench.Begin();
  bench.PlayToEnd();
  bench.Score();
  bench.Post();
  ASSERT_TRUE(bench.state.next);
  bench.Do(DecideLeave(bench.state, PlayerId("p2"), LeaveReason::kLeft, WallTime{}));
  EXPECT_FALSE(bench.state.next);
  EXPECT_FALSE(bench.state.info().dealer);
}

TEST(BeginRoundTest, EveryGameCanBeDealt) {
  for (const rules::Variant* variant : variants::All()) {
    TableSpec spec = Spec();
    spec.variant = std::string(variant->info().id);
    Bench bench(spec);
    bench.Begin();
    const Round& round = *bench.state.round;
    EXPECT_EQ(round.deal->seat_winds.has_value(), variant->play(bench.state.options).winds);
    EXPECT_EQ(round.begun.rulebook_version, rules::RulebookVersion(*variant));
    EXPECT_FALSE(bench.Asked().empty());
    if (round.deal->seat_winds) {
      EXPECT_EQ((*round.deal->seat_winds)[round.deal->dealer], tiles::kEast);
    }
  }
}

TEST(LeaveTest, TheLastToGoClosesTheTable) {
  Bench bench;
  for (Seat seat : {Seat::k0, Seat::k1, Seat::k2}) {
    bench.Do(DecideLeave(bench.state, Bench::At(seat), LeaveReason::kLeft, WallTime{}));
    EXPECT_EQ(bench.state.stage(), TableStage::kWaiting);
  }
  bench.Do(DecideLeave(bench.state, PlayerId("p3"), LeaveReason::kClientClosed, WallTime{}));
  EXPECT_EQ(bench.state.stage(), TableStage::kClosed);
}

TEST(LeaveTest, ARoundThatIsOverIsStillPaidWhenAllHaveGone) {
  Bench bench;
  bench.Begin();
  bench.PlayToEnd();
  for (Seat seat : rules::kSeats) {
    bench.Do(DecideLeave(bench.state, Bench::At(seat), LeaveReason::kLeft, WallTime{}));
  }
  EXPECT_EQ(bench.state.stage(), TableStage::kSettling);
  EXPECT_EQ(NextStepOf(bench.state), NextStep::kScore);
  bench.Score();
  EXPECT_EQ(SettlementOf(bench.state).players[Seat::k2], PlayerId("p2"));
  bench.Post();
  EXPECT_EQ(bench.state.stage(), TableStage::kClosed);
}

// ---------------------------------------------------------------------------------------- state

TEST(ApplyTest, RefusesAJournalThatCannotBe) {
  Bench bench;
  const std::vector<LogEntry> unfit = {
      {3, {}, SeatReadied{Seat::k0, 1, {}}},  // a gap
      {1, {}, SeatReadied{Seat::k0, 1, {}}},  // again
      {2, {}, TableCreated{TableId("t"), RequestId("m"), bench.state.spec}},
      {2, {}, SeatTaken{Seat::k0, PlayerId("x")}},     // taken
      {2, {}, SeatLeft{Seat::k0, PlayerId("x"), {}}},  // by another
      {2, {}, RoundPlayed{round::Discarded{}}},        // without a round
      {2, {}, RoundScored{}},
      {2, {}, RoundPosted{}},
      {2, {}, RoundBegun{}},  // before they are ready
      {2, {}, DealDrawn{}},   // without a round
      {2, {}, NonceRevealed{}},
  };
  for (const LogEntry& entry : unfit) {
    TableState state = bench.state;
    EXPECT_EQ(Apply(state, entry).code(), absl::StatusCode::kDataLoss)
        << entry.seq << " " << entry.event.index();
  }
  TableState none;
  EXPECT_EQ(Apply(none, {1, {}, TableEnded{}}).code(), absl::StatusCode::kDataLoss);
  TableSpec unknown = Spec();
  unknown.variant = "bridge";
  EXPECT_EQ(Apply(none, {1, {}, TableCreated{TableId("t"), RequestId("m"), unknown}}).code(),
            absl::StatusCode::kDataLoss);
}

}  // namespace
}  // namespace mj::table
