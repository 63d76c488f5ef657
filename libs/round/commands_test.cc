// What is refused, in the order of Rejection; time that runs out; rounds that are given up.
#include <gtest/gtest.h>

#include "libs/round/decide.h"
#include "libs/round/play_testing.h"
#include "libs/round/result.h"
#include "libs/rules/toy_testing.h"
#include "libs/tiles/mpsz.h"

namespace mj::round {
namespace {

Tile T(std::string_view text) { return *tiles::ParseTile(text); }

class CommandsTest : public testing::Test {
 protected:
  // 5m: seat 2 may pung, seat 3 win.
  TestDeal TwoClaims() const {
    return {.game = &toy_,
            .hands = {"", "", "55m147p147s24667z", "46m123p456p789s11z"},
            .draws = "5m9m9p9s2z2z"};
  }
  rules::ToyGame toy_;
};

// D-ROUND-5: the round stands still between a tile that nobody claims and what follows it.
TEST_F(CommandsTest, WhatFollowsAnUnclaimedTileCanBeHeldBack) {
  TestRound round(TwoClaims());
  EXPECT_EQ(round.Send(Proceed{}), Decision(Rejection::kNothingHeldBack));  // a turn
  round.Play("0 discard 5m -> 2: pung, pass; 3: win, pass");
  EXPECT_EQ(round.Send(Proceed{}), Decision(Rejection::kNothingHeldBack));  // somebody may claim
  round.Play("3 pass -> 2: *");
  const auto all = std::get<std::vector<Event>>(
      Decide(round.setup(), round.state(), Act{Seat::k2, 1, Choice::Pass()}));
  ASSERT_EQ(all.size(), 3u);  // the answer, the draw, the question
  EXPECT_FALSE(FollowsUnclaimedTile(all[0]));
  EXPECT_TRUE(FollowsUnclaimedTile(all[1]));
  State held = round.state();
  Apply(round.setup(), held, all[0]);
  EXPECT_TRUE(HoldsBack(held));
  EXPECT_EQ(Decide(round.setup(), held, Act{Seat::k3, 1, Choice::Win()}),
            Decision(Rejection::kAlreadyAnswered));
  EXPECT_EQ(Decide(round.setup(), held, Proceed{}),
            Decision(std::vector<Event>(all.begin() + 1, all.end())));
}

TEST_F(CommandsTest, ARoundBeginsOnce) {
  TestRound round(TwoClaims());
  EXPECT_EQ(round.Send(Begin{}), Decision(Rejection::kAlreadyBegun));

  const State fresh;
  for (const Command& command :
       {Command(Act{Seat::k0, 1, Choice::Discard(T("5m"))}), Command(Timeout{Seat::k0, 1, false}),
        Command(Void{VoidReason::kOperator, std::nullopt}), Command(Proceed{})}) {
    EXPECT_EQ(Decide(round.setup(), fresh, command), Decision(Rejection::kNotBegun));
  }
}

// Each line mends the fault of the one before it.
TEST_F(CommandsTest, RefusalsComeInTheirOrder) {
  TestRound round(TwoClaims());
  round.Play(R"(
    2#1 pung       !! unknown decision
    0#0 discard 5m !! unknown decision
    0#2 discard 5m !! unknown decision
    0 pung         !! not offered
    0 win          !! not offered
    0 pass         !! not offered
    0 discard 9s   !! not offered
    0 discard 5m   -> 2: pung, pass; 3: win, pass
    0 discard 5m   !! repeated
    0 discard 2m   !! already answered
    0 late         !! already answered
    2 discard 5m   !! not offered
    2 win          !! not offered
    2 pung         -> 3: win, pass
    2 pung         !! repeated
    2 pass         !! already answered
    2 late         !! already answered
    3 pass         -> 2: *
    2#1 pung       !! stale decision
    2#1 late       !! stale decision
    2 discard 5m   !! not offered
    2 discard 1p   -> 3: *
    1#1 discard 2m !! unknown decision
  )");
}

TEST_F(CommandsTest, AWindowThatClosedWithoutAnAnswerSaysSo) {
  TestRound round(TwoClaims());
  round.Play(R"(
    0 discard 5m
    3 win  -> win 3
    2 pung !! round over
    3 win  !! repeated
    3 pass !! round over
    3 late !! round over
    0 leave !! round over
    operator !! round over
  )");
  toy_.play_rules.chow = true;
  TestRound chow({.game = &toy_,
                  .hands = {"", "46m369p369s33467z", "55m147p147s24667z", ""},
                  .draws = "5m9m9p9s2z2z"});
  chow.Play(R"(
    0 discard 5m   -> 1: chow 46m, pass; 2: pung, pass
    2 pung         -> 2: *
    1 chow 46m     !! decision closed
    1 late         !! decision closed
  )");
}

// A decision is numbered for its seat alone, so that the number tells nothing about others.
TEST_F(CommandsTest, DecisionsAreNumberedForEachSeatOnItsOwn) {
  TestRound round(TwoClaims());
  round.Play(R"(
    0 discard 5m
    2 pass
    3 pass
    1 discard 9m
  )");
  EXPECT_EQ(round.seat(0).decisions, 1u);
  EXPECT_EQ(round.seat(1).decisions, 1u) << "was not asked about 5m";
  EXPECT_EQ(round.seat(2).decisions, 2u);
  EXPECT_EQ(round.seat(3).decisions, 1u);
}

// ------------------------------------------------------------------------------- time (COM-09)

TEST_F(CommandsTest, WhoIsLateThrowsTheTileJustDrawnAndPassesClaims) {
  TestRound round(TwoClaims());
  round.Play("0 late -> 2: pung, pass; 3: win, pass");
  EXPECT_EQ(round.Last<Discarded>().tile, T("5m"));
  EXPECT_EQ(round.Last<Answered>().by, AnswerBy::kOverrun);
  round.Play(R"(
    3 late -> 2: pung, pass
    2 late -> 1: *
  )");
}

TEST_F(CommandsTest, AutoPlayWinsWheneverItMay) {
  TestRound round(TwoClaims());
  round.Play(R"(
    0 auto
    2 auto -> 3: win, pass
    3 auto -> win 3
  )");
  EXPECT_EQ(round.Last<Answered>().by, AnswerBy::kAutoPlay);
}

TEST_F(CommandsTest, AfterACallTheHighestTileIsThrown) {
  TestRound round(TwoClaims());
  round.Play(R"(
    0 discard 5m
    3 pass
    2 pung
    2 auto
  )");
  EXPECT_EQ(round.Last<Discarded>().tile, T("7z"));
}

// --------------------------------------------------------------------------- given up (COM-10)

TEST_F(CommandsTest, AnEscapeOnATurnIsVoidAtOnce) {
  TestRound round(TwoClaims());
  round.Play("2 leave -> void escape 2");
  EXPECT_EQ(Finished(round.state()), std::nullopt);
  EXPECT_EQ(NextRound(round.setup(), round.state()), std::nullopt);
}

TEST_F(CommandsTest, EveryReasonIsKept) {
  for (const char* line : {"1 lost -> void lost 1", "absent -> void absent",
                           "operator -> void operator", "0 leave -> void escape 0"}) {
    TestRound round(TwoClaims());
    round.Play(line);
  }
}

TEST_F(CommandsTest, AnEscapeNamesItsSeatAndNothingElseDoes) {
  TestRound round(TwoClaims());
  for (const Void& command :
       {Void{VoidReason::kEscape, std::nullopt}, Void{VoidReason::kConnectionLost, std::nullopt},
        Void{VoidReason::kOperator, Seat::k0}, Void{VoidReason::kAllAbsent, Seat::k0}}) {
    EXPECT_EQ(round.Send(command), Decision(Rejection::kSeatNotNamed));
  }
}

// D-COM-12: a win on that tile stands, and there was no escape.
TEST_F(CommandsTest, AnEscapeInAWindowWaitsForIt) {
  TestRound wins(TwoClaims());
  wins.Play(R"(
    0 discard 5m
    0 leave      -> 2: pung, pass; 3: win, pass
    2 leave      !! already leaving
    3 win        -> win 3
  )");
  EXPECT_TRUE(Finished(wins.state()));
  EXPECT_EQ(wins.state().leaving, std::nullopt);

  TestRound passes(TwoClaims());
  passes.Play(R"(
    0 discard 5m
    0 leave
    3 pass       -> void escape 0
  )");

  TestRound calls(TwoClaims());
  calls.Play(R"(
    0 discard 5m
    2 pung
    1 lost       -> 3: win, pass
    3 pass       -> void lost 1
  )");
  EXPECT_TRUE(calls.seat(2).hand.melds.empty()) << "no call is carried out any more";
}

// Its own missing answer is a pass; one that it gave stands.
TEST_F(CommandsTest, TheLeaversOwnClaim) {
  TestRound silent(TwoClaims());
  silent.Play(R"(
    0 discard 5m
    3 leave      -> void escape 3
  )");
  EXPECT_EQ(silent.Last<Answered>().by, AnswerBy::kAbsence);

  TestDeal deal = TwoClaims();
  deal.hands[1] = "46m123p456p789s33z";
  TestRound claimed(deal);
  claimed.Play(R"(
    0 discard 5m
    3 win
    3 leave      -> 1: *
    1 pass       -> win 3
  )");
}

TEST_F(CommandsTest, AnEscapeInARobberyWaitsToo) {
  const TestDeal deal{
      .game = &toy_, .hands = {"1m", "11m", "", "23m456p789s11122z"}, .draws = "9m9p9s9p1m"};
  for (const char* end : {"3 win -> win 3", "3 pass -> void escape 1"}) {
    TestRound round(deal);
    round.Play(R"(
      0 discard 1m
      3 pass
      1 pung
      1 discard 2p
      2 discard 9p
      3 discard 9s
      0 discard 9p
      1 kong added 1m -> 3: win, pass
      1 leave         -> 3: win, pass
    )");
    round.Play(end);
    EXPECT_TRUE(round.state().kongs.empty());
  }
}

TEST_F(CommandsTest, TheOperatorDoesNotWait) {
  TestRound round(TwoClaims());
  round.Play(R"(
    0 discard 5m
    0 leave
    operator     -> void operator
  )");
}

}  // namespace
}  // namespace mj::round
