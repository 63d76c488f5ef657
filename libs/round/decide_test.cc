// The round's skeleton: deal, turns, draws, kongs, the end. Claims are in claims_test.cc, what only
// some games play in games_test.cc.
#include "libs/round/decide.h"

#include <gtest/gtest.h>

#include "libs/round/play_testing.h"
#include "libs/round/result.h"
#include "libs/rules/toy_testing.h"
#include "libs/tiles/mpsz.h"

namespace mj::round {
namespace {

Tile T(std::string_view text) { return *tiles::ParseTile(text); }

class DecideTest : public testing::Test {
 protected:
  rules::ToyGame toy_;
};

// A wall of just these tiles: for what happens when it runs out.
void ShrinkWall(rules::ToyGame& toy, std::initializer_list<std::string_view> texts) {
  toy.play_rules.wall = TileCounts();
  for (std::string_view text : texts) toy.play_rules.wall += *tiles::ParseCounts(text);
}

// PLAY-01, PLAY-02, COM-03.
TEST_F(DecideTest, DealsFourTilesThreeTimesThenOneThenOneMoreToTheDealer) {
  SetupInput input;
  input.variant = &toy_;
  input.dealer = Seat::k2;
  for (int copy = 0; copy < tiles::kCopies; ++copy) {
    input.wall.insert(input.wall.end(), tiles::kAllKinds.begin(), tiles::kAllKinds.end());
  }
  const round::Setup setup = std::get<round::Setup>(MakeSetup(input));
  State state;
  const auto decision = Decide(setup, state, Begin{});
  for (const Event& event : std::get<std::vector<Event>>(decision)) Apply(setup, state, event);

  // The wall is 1m…9m 1p…9p 1s…9s 1z…7z, again and again. Seat 3 is second: tiles 5-8, 21-24,
  // 37-40 and 50.
  EXPECT_EQ(tiles::ToText(state.seats[Seat::k3].hand.concealed), "34556678m7p3456s");
  // The dealer's fourteenth is tile 53, the 19th of the second time around: 1s.
  const Turn turn = std::get<Turn>(state.phase);
  EXPECT_EQ(turn.seat, Seat::k2);
  EXPECT_EQ(turn.drawn, T("1s"));
  EXPECT_EQ(state.seats[Seat::k2].hand.concealed.total(), 14);
  EXPECT_EQ(state.seats[Seat::k2].draws, 1);
  EXPECT_EQ(state.left, 136 - 53);
  EXPECT_EQ(state.dice, (Dice{1, 1}));
}

// COM-04: draws from the front, replacements from the back.
TEST_F(DecideTest, DrawsFromTheFrontAndReplacesFromTheBack) {
  TestRound round({.game = &toy_, .hands = {"1111m"}, .draws = "9m9p9s", .back = "6z7z"});
  round.Play(R"(
    0 kong concealed 1m
    0 discard 9m
  )");
  EXPECT_EQ(round.Last<Drew>(), (Drew{Seat::k1, T("9p"), DrawKind::kWall, 81}));
  EXPECT_TRUE(round.seat(0).hand.concealed.Has(T("6z")));
  EXPECT_EQ(round.state().left, 81);
  EXPECT_EQ(round.state().back, 1);
}

// COM-03, COM-05: counter-clockwise; nobody is asked when nobody can claim.
TEST_F(DecideTest, TurnsGoCounterClockwise) {
  TestRound round({.game = &toy_, .dealer = Seat::k3, .draws = "9m9p9s4z2z"});
  round.Play(R"(
    3 discard 9m -> 0: discard 258m2589p258s1357z
    0 discard 9p -> 1: discard 258m258p2589s1357z
    1 discard 9s -> 2: discard 258m258p258s13457z
    2 discard 4z -> 3: *
  )");
}

// COM-06, D-COM-4, PLAY-09: only a discard after a pung, the kind just called too.
TEST_F(DecideTest, AfterAPungOnlyADiscardIsOffered) {
  TestRound round(
      {.game = &toy_, .hands = {"", "555m111m2222p99s4z"}, .draws = "5m", .back = "6z"});
  round.Play(R"(
    0 discard 5m -> 1: kong discard 5m, pung, pass
    1 pung       -> 1: discard 15m2p9s4z
  )");
  EXPECT_EQ(round.seat(1).hand.melds.back(), (CalledMeld{{MeldKind::kPung, T("5m")}, Seat::k0}));
  EXPECT_EQ(round.state().river.back().taken_by, Seat::k1);
  round.Play("1 discard 5m -> 2: *");
}

// COM-06: a hand that a called tile completes has not won by it.
TEST_F(DecideTest, APungThatCompletesTheHandIsNoSelfDraw) {
  toy_.discard_refusal = rules::NoWin::kDiscardWinNotAllowed;
  TestRound round({.game = &toy_, .hands = {"", "55m123456789p11s"}, .draws = "5m"});
  round.Play(R"(
    0 discard 5m -> 1: pung, pass
    1 pung       -> 1: discard 123456789p1s
  )");
}

// COM-07, PLAY-14: an added or concealed kong in any later turn after a draw.
TEST_F(DecideTest, AKongMayWaitForALaterTurn) {
  TestRound round(
      {.game = &toy_, .hands = {"5m", "555m111m1m"}, .draws = "9m9p9s4z2z4z", .back = "6z7z"});
  round.Play(R"(
    0 discard 5m   -> 1: kong discard 5m, pung, pass
    1 pung         -> 1: discard *
    1 discard 2p
    2 discard 9p
    3 discard 9s
    0 discard 4z   -> 1: kong added 5m, kong concealed 1m, discard *
    1 kong concealed 1m -> 1: kong added 5m, discard *
    1 kong added 5m     -> 1: discard *
    1 discard 7z
  )");
  EXPECT_EQ(round.state().kongs.size(), 2u);
  EXPECT_EQ(round.seat(1).hand.melds[0], (CalledMeld{{MeldKind::kAddedKong, T("5m")}, Seat::k0}))
      << "keeps its place and its giver";
}

TEST_F(DecideTest, ADiscardKongTakesItsReplacementAtOnce) {
  TestRound round({.game = &toy_, .hands = {"", "", "555m"}, .draws = "5m", .back = "6z"});
  round.Play(R"(
    0 discard 5m      -> 2: kong discard 5m, pung, pass
    2 kong discard 5m -> 2: discard 28m*
  )");
  EXPECT_EQ(round.Last<Drew>(), (Drew{Seat::k2, T("6z"), DrawKind::kReplacement, 82}));
  const Turn turn = std::get<Turn>(round.state().phase);
  EXPECT_TRUE(turn.replacement);
  EXPECT_EQ(turn.feeder, Seat::k0);
}

// GD-63, SG-42, D-GD-5: who fed the kong whose replacement wins; of consecutive kongs the last.
TEST_F(DecideTest, TheReplacementOfADiscardKongNamesItsFeeder) {
  const TestDeal deal{
      .game = &toy_, .hands = {"", "", "555m1111p123s11z2z"}, .draws = "5m", .back = "2z3z"};
  TestRound fed(deal);
  fed.Play(R"(
    0 discard 5m
    2 kong discard 5m   -> 2: kong concealed 1p, discard 1p123s12z
  )");
  EXPECT_EQ(std::get<Turn>(fed.state().phase).feeder, Seat::k0);
  fed.Play("2 kong concealed 1p -> 2: discard 123s123z");
  EXPECT_EQ(std::get<Turn>(fed.state().phase).feeder, std::nullopt);

  TestDeal wins = deal;
  wins.hands[2] = "555m111p123s1122z";
  TestRound won(wins);
  won.Play(R"(
    0 discard 5m
    2 kong discard 5m -> 2: win, discard 1p123s12z
    2 win             -> win 2
  )");
  const Win win = won.Last<Won>().wins[0];
  EXPECT_EQ(win.kong_feeder, Seat::k0);
  EXPECT_TRUE(win.flags.kong_replacement);
  EXPECT_EQ(win.tile, T("2z"));
  EXPECT_EQ(tiles::ToText(win.hand.concealed), "111p123s1122z");
  EXPECT_EQ(win.way, rules::WinWay::kSelfDraw);
  EXPECT_EQ(win.from, std::nullopt);
}

// COM-08: robbed, the kong never happened.
TEST_F(DecideTest, ARobbedKongNeverHappened) {
  TestRound round(
      {.game = &toy_, .hands = {"5m", "55m", "", "46m123456789p11s"}, .draws = "9m9p9s4z5m"});
  round.Play(R"(
    0 discard 5m      -> 1: pung, pass; 3: win, pass
    1 pung
    3 pass
    1 discard 2s
    2 discard 9p
    3 discard 9s
    0 discard 4z
    1 kong added 5m   -> 3: win, pass
    3 win             -> win 3
  )");
  const Win win = round.Last<Won>().wins[0];
  EXPECT_EQ(win.way, rules::WinWay::kRobbedKong);
  EXPECT_EQ(win.from, Seat::k1);
  EXPECT_EQ(round.seat(1).hand.melds[0].meld.kind, MeldKind::kPung);
  EXPECT_FALSE(round.seat(1).hand.concealed.Has(T("5m")));
  const auto finished = Finished(round.state());
  ASSERT_TRUE(finished);
  EXPECT_TRUE(finished->kongs.empty());
}

TEST_F(DecideTest, ANotRobbedKongStands) {
  TestRound round({.game = &toy_,
                   .hands = {"5m", "55m", "", "46m123456789p11s"},
                   .draws = "9m9p9s4z5m",
                   .back = "6z"});
  round.Play(R"(
    0 discard 5m
    1 pung
    3 pass
    1 discard 2s
    2 discard 9p
    3 discard 9s
    0 discard 4z
    1 kong added 5m
    3 pass            -> 1: discard *
  )");
  EXPECT_EQ(round.state().kongs[0],
            (Kong{Seat::k1, MeldKind::kAddedKong, T("5m"), std::nullopt, std::nullopt}));
  EXPECT_EQ(round.Last<Drew>().tile, T("6z"));
}

// COM-08: not even by thirteen orphans.
TEST_F(DecideTest, AConcealedKongIsNeverRobbed) {
  TestRound round({.game = &toy_, .hands = {"1111z", "19m19p19s2345677z"}, .back = "6z"});
  round.Play("0 kong concealed 1z -> 0: discard *");
}

// PLAY-13, COM-07, D-COM-5: on the last tile no kong, on its discard only a win.
TEST_F(DecideTest, TheLastDrawerMayWinOrDiscardAndOnlyAWinIsOfferedOnThat) {
  const std::string_view hands[] = {"258m258p258s1357z", "147m369p147s2466z", "369m147p369s2466z",
                                    "5555s55z123456p7m"};
  ShrinkWall(toy_, {hands[0], hands[1], hands[2], hands[3], "4z9m2s6s5z"});
  TestRound round({.game = &toy_,
                   .hands = {"258m258p258s1357z", "147m369p147s2466z", "369m147p369s2466z",
                             "5555s55z123456p7m"},
                   .draws = "4z9m2s6s5z"});
  round.Play(R"(
    0 discard 4z
    1 discard 9m
    2 discard 2s
    3 discard 7m  -> 0: discard *
  )");
  EXPECT_EQ(round.state().left, 0);
  round.Play(R"(
    0 discard 5z  -> exhausted
  )");
  const auto finished = Finished(round.state());
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->end, rules::RoundEnd::kExhausted);
  EXPECT_EQ(NextRound(round.setup(), round.state())->dealer, Seat::k0);
}

TEST_F(DecideTest, TheLastTileSelfDrawnIsFlagged) {
  ShrinkWall(toy_, {"258m258p258s1357z", "147m369p147s2466z", "369m147p369s2466z",
                    "123456789m1122z", "4z9m2s6s4z1z"});
  TestRound round(
      {.game = &toy_,
       .dealer = Seat::k2,
       .hands = {"258m258p258s1357z", "147m369p147s2466z", "369m147p369s2466z", "123456789m1122z"},
       .draws = "4z1z"});
  EXPECT_EQ(round.state().left, 5);
  round.Play("2 discard 4z -> 3: win, discard *");
  EXPECT_FALSE(round.state().left == 0);

  ShrinkWall(toy_, {"258m258p258s1357z", "147m369p147s2466z", "369m147p369s2466z",
                    "123456789m1122z", "4z1z"});
  TestRound last(
      {.game = &toy_,
       .dealer = Seat::k2,
       .hands = {"258m258p258s1357z", "147m369p147s2466z", "369m147p369s2466z", "123456789m1122z"},
       .draws = "4z1z"});
  last.Play(R"(
    2 discard 4z -> 3: win, discard *
    3 win        -> win 3
  )");
  EXPECT_TRUE(last.Last<Won>().wins[0].flags.last_tile);
}

// PLAY-13: no kong for the last drawer; the kong's last replacement ends the wall as well.
TEST_F(DecideTest, WithAnEmptyWallThereIsNoKong) {
  ShrinkWall(toy_, {"258m258p258s1357z", "147m369p147s2466z", "369m147p369s2466z",
                    "1111m5555s69p124z", "4z5z6z"});
  TestRound round({.game = &toy_,
                   .dealer = Seat::k2,
                   .hands = {"258m258p258s1357z", "147m369p147s2466z", "369m147p369s2466z",
                             "1111m5555s69p124z"},
                   .draws = "4z5z",
                   .back = "6z"});
  round.Play(R"(
    2 discard 4z         -> 3: kong concealed 1m, kong concealed 5s, discard *
    3 kong concealed 1m  -> 3: discard 69p5s12456z
    3 discard 1z         -> exhausted
  )");
}

// PLAY-02, CZ-33: with the fourteen dealt.
TEST_F(DecideTest, HeavenlyIsTheDealersFirstTurnBeforeAnyKong) {
  TestRound round({.game = &toy_, .hands = {"123456789m1122z"}, .draws = "1z"});
  round.Play("0 win -> win 0");
  const Win win = round.Last<Won>().wins[0];
  EXPECT_TRUE(win.flags.heavenly);
  EXPECT_EQ(win.tile, T("1z")) << "the fourteenth tile dealt";

  TestRound konged({.game = &toy_, .hands = {"456789m1112222z"}, .draws = "3m", .back = "3m"});
  konged.Play(R"(
    0 kong concealed 2z -> 0: win, discard 3456789m1z
    0 win               -> win 0
  )");
  EXPECT_FALSE(konged.Last<Won>().wins[0].flags.heavenly);
}

TEST_F(DecideTest, EarthlyNeedsThatNobodyHasCalled) {
  const TestDeal deal{.game = &toy_, .hands = {"", "123456789m1122z", "99s"}, .draws = "9p1z"};
  TestRound quiet(deal);
  quiet.Play(R"(
    0 discard 9p
    1 win -> win 1
  )");
  EXPECT_TRUE(quiet.Last<Won>().wins[0].flags.earthly);

  TestDeal called_first = deal;
  called_first.draws = "9s1z9p9p1z";
  TestRound called(called_first);
  called.Play(R"(
    0 discard 9s
    2 pung
    2 discard 8s
    3 discard 1z -> 1: win, pung, pass
    1 win        -> win 1
  )");
  EXPECT_FALSE(called.Last<Won>().wins[0].flags.earthly);
}

// Replaying the events of a round gives the same state.
TEST_F(DecideTest, ReplayIsAFoldOfApply) {
  TestRound round(
      {.game = &toy_, .hands = {"5m", "55m", "", "46m123456789p11s"}, .draws = "9m9p9s4z5m"});
  round.Play(R"(
    0 discard 5m
    3 pass
    1 pung
    1 discard 2s
    2 discard 9p
    3 discard 9s
    0 discard 4z
    1 kong added 5m
    3 win
  )");
  State replayed;
  for (const Event& event : round.events()) Apply(round.setup(), replayed, event);
  EXPECT_EQ(replayed, round.state());
}

}  // namespace
}  // namespace mj::round
