// What only some games play, as PlayRules says it: dice, wild tiles, kills, horses, barred robbers,
// and the facts of the first turns.
#include <gtest/gtest.h>

#include <array>

#include "libs/round/decide.h"
#include "libs/round/play_testing.h"
#include "libs/round/result.h"
#include "libs/rules/toy_testing.h"
#include "libs/tiles/mpsz.h"

namespace mj::round {
namespace {

Tile T(std::string_view text) { return *tiles::ParseTile(text); }

// --------------------------------------------------------------------------------- dice (COM-02)

TEST(DiceTest, TheSystemRollsWhereTheGameDoesNotAskTheDealer) {
  rules::ToyGame toy;
  TestRound round({.game = &toy, .dealer = Seat::k1, .draws = "9m", .dice = {2, 6}});
  EXPECT_EQ(round.events()[1], Event(DiceRolled{{2, 6}}));
  EXPECT_TRUE(round.Now().starts_with("1: discard"));
}

TEST(DiceTest, TheDealerRollsWhereItIsAskedAndTheSystemWhenItIsLate) {
  rules::ToyGame toy;
  toy.play_rules.dealer_rolls = true;
  const TestDeal deal{.game = &toy, .dealer = Seat::k1, .draws = "9m", .dice = {2, 6}};
  for (const char* how : {"1 roll", "1 late", "1 auto"}) {
    TestRound round(deal);
    EXPECT_EQ(round.Now(), "1: roll");
    EXPECT_EQ(round.state().dice, std::nullopt);
    round.Play("0 roll !! unknown decision");
    round.Play("1 discard 9m !! not offered");
    round.Play(how);
    EXPECT_EQ(round.state().dice, (Dice{2, 6}));
    EXPECT_TRUE(round.Now().starts_with("1: discard"));
    EXPECT_EQ(round.seat(1).decisions, 2u);
  }
}

// -------------------------------------------------------------------------------- winds (GD-70)

TEST(WindsTest, WindsAreAFactOfTheRound) {
  rules::ToyGame toy;
  toy.play_rules.winds = true;
  TestRound round({.game = &toy, .draws = "9m", .round_wind = T("3z")});
  EXPECT_EQ(round.state().deal.round_wind, T("3z"));
  EXPECT_EQ((*round.state().deal.seat_winds)[Seat::k2], tiles::kWest);
}

// --------------------------------------------------------------------- wild tiles (JY-50, D-JY-6)

class WildTest : public testing::Test {
 protected:
  WildTest() {
    toy_.play_rules.wild = rules::WildMode::kFixed;
    toy_.play_rules.fixed_wild = T("5z");
  }
  rules::ToyGame toy_;
};

// PLAY-10: the last tile is turned after the deal, the next in sequence is wild, and the first
// replacement is the tile before it.
TEST_F(WildTest, AFlippedIndicatorComesFromTheBack) {
  toy_.play_rules.wild = rules::WildMode::kFlipped;
  TestRound round({.game = &toy_, .hands = {"1111m"}, .draws = "9m", .back = "9s7z"});
  EXPECT_EQ(round.Last<IndicatorTurned>(), (IndicatorTurned{T("9s"), T("1s")}));
  EXPECT_EQ(round.state().deal.wild, T("1s"));
  EXPECT_EQ(round.state().left, 82);
  round.Play("0 kong concealed 1m");
  EXPECT_EQ(round.Last<Drew>().tile, T("7z"));
}

TEST_F(WildTest, AFixedWildKindIsKnownFromTheStart) {
  TestRound round({.game = &toy_, .draws = "9m"});
  EXPECT_EQ(round.events()[0], Event(RoundBegan{round.setup().deal()}));
  EXPECT_EQ(round.state().deal.wild, T("5z"));
  EXPECT_EQ(round.state().indicator, std::nullopt);
}

// PLAY-11, PLAY-08: nobody is asked about a discarded wild tile, but it is a discard.
TEST_F(WildTest, ADiscardedWildTileCanBeNeitherCalledNorWonOn) {
  TestRound round(
      {.game = &toy_, .hands = {"", "55z147m147p147s24z", "123m456p789s111z5z"}, .draws = "5z9m"});
  round.Play("0 discard 5z -> 1: discard *");
  EXPECT_EQ(round.seat(0).thrown, 1);
}

TEST_F(WildTest, AWildTileStandsInNoKong) {
  TestRound round({.game = &toy_, .hands = {"5555z1111m"}, .draws = "9m"});
  round.Play("0 kong concealed 5z !! not offered");
  EXPECT_TRUE(round.Now().starts_with("0: kong concealed 1m, discard"));
}

TEST_F(WildTest, AWildTileCompletesAHandAndDoesNotHelpAPung) {
  TestRound round({.game = &toy_,
                   .hands = {"", "15z147m147p147s24z", "123m456p789s115z2z"},
                   .draws = "9m1z2z"});
  round.Play(R"(
    0 discard 9m
    1 discard 1z -> 2: win, pung, pass
    2 pass       -> 2: win, discard *
    2 win        -> win 2
  )");
}

TEST_F(WildTest, AWildTileDoesNotHelpAChow) {
  toy_.play_rules.chow = true;
  toy_.play_rules.fixed_wild = T("4m");
  TestRound round({.game = &toy_, .hands = {"", "46m369p369s22347z"}, .draws = "5m"});
  round.Play("0 discard 5m -> 1: discard *");
}

// ------------------------------------------------------------------------------- kills (SG-43)

class KillTest : public testing::Test {
 protected:
  KillTest() { toy_.play_rules.kill = true; }

  // Seat 1 makes four pungs out of what 0 throws, ending on a single 9p.
  TestDeal FourPungs() const {
    return {.game = &toy_,
            .hands = {"1234m", "11223344m99p147s", "", ""},
            .draws = "9s9s1p4s9s7p7p6z6z6z4z2z1z4m",
            .back = "9p"};
  }
  static constexpr const char* kThreePungs = R"(
    0 discard 1m    -> 1: pung, pass
    1 pung
    1 discard 1s
    2 late
    3 late
    0 discard 2m
    1 pung
    1 discard 4s
    2 late
    3 late
    0 discard 3m
    1 pung
  )";
  static constexpr const char* kFourthPung = R"(
    1 discard 7s
    2 late
    3 late
    0 discard 4m
    1 pung          -> 1: discard 9p
  )";
  rules::ToyGame toy_;
};

TEST_F(KillTest, APungOnFourConcealedTilesKillsTheDiscarder) {
  TestRound round(FourPungs());
  round.Play(kThreePungs);
  EXPECT_FALSE(round.Last<Called>().kills) << "seven concealed tiles are too many";
  EXPECT_EQ(round.seat(1).killed, std::nullopt);
  round.Play(kFourthPung);
  EXPECT_TRUE(round.Last<Called>().kills);
  EXPECT_EQ(round.seat(1).killed, Seat::k0);
}

// SG-43: the killed alone pays the later own kongs and the self-drawn win.
TEST_F(KillTest, TheKilledPaysForLaterOwnKongsAndTheWin) {
  TestRound round(FourPungs());
  round.Play(kThreePungs);
  round.Play(kFourthPung);
  round.Play(R"(
    1 discard 9p
    2 late
    3 late
    0 late          -> 1: kong added 4m, discard 4m9p
    1 kong added 4m -> 1: win, discard 9p
    1 win           -> win 1
  )");
  EXPECT_EQ(round.state().kongs[0].paid_by, Seat::k0);
  EXPECT_EQ(round.Last<Won>().wins[0].killed, Seat::k0);
  EXPECT_EQ(round.Last<Won>().wins[0].kong_feeder, std::nullopt);
}

TEST_F(KillTest, OnlyWhereTheGameKnowsIt) {
  toy_.play_rules.kill = false;
  TestRound round(FourPungs());
  round.Play(kThreePungs);
  round.Play(kFourthPung);
  EXPECT_FALSE(round.Last<Called>().kills);
  EXPECT_EQ(round.seat(1).killed, std::nullopt);
}

// PLAY-07: a pung, not a discard kong.
TEST_F(KillTest, ADiscardKongKillsNobody) {
  TestDeal deal = FourPungs();
  deal.hands[1] = "112233444m9p147s";
  deal.draws = "9s9s1p4s9s7p7p6z6z6z4z2z1z";
  TestRound round(deal);
  round.Play(kThreePungs);
  round.Play(R"(
    1 discard 7s
    2 late
    3 late
    0 discard 4m      -> 1: kong discard 4m, pung, pass
    1 kong discard 4m -> 1: win, discard 9p
    1 win
  )");
  EXPECT_EQ(round.state().kongs[0].paid_by, std::nullopt);
  EXPECT_EQ(round.Last<Won>().wins[0].killed, std::nullopt);
  EXPECT_EQ(round.Last<Won>().wins[0].kong_feeder, Seat::k0);
}

// ------------------------------------------------------------------- who may not rob (SG-03)

TEST(BarredRobberTest, TheOneWhoseDiscardMadeThePungMayNotRobIt) {
  rules::ToyGame toy;
  const TestDeal deal{.game = &toy,
                      .hands = {"23m456p789s11122z", "11m", "", "23m456p789s33344z"},
                      .draws = "1m9p9s9p1m"};
  constexpr const char* kPlay = R"(
    0 discard 1m     -> 1: pung, pass; 3: win, pass
    3 pass
    1 pung
    1 discard 2p
    2 discard 9p
    3 discard 9s
    0 discard 9p
  )";
  TestRound free(deal);
  free.Play(kPlay);
  free.Play("1 kong added 1m -> 0: win, pass; 3: win, pass");

  toy.play_rules.feeder_may_not_rob = true;
  TestRound barred(deal);
  barred.Play(kPlay);
  barred.Play("1 kong added 1m -> 3: win, pass");
}

// ----------------------------------------------------------------------------- horses (SG-20)

class HorsesTest : public testing::Test {
 protected:
  HorsesTest() { toy_.play_rules.horses = 4; }
  rules::ToyGame toy_;
};

TEST_F(HorsesTest, TheNextTilesFromTheFrontAfterASelfDraw) {
  TestRound round({.game = &toy_, .hands = {"123456789m1122z"}, .draws = "1z9p7s5z3m2m"});
  round.Play("0 win -> win 0");
  EXPECT_EQ(round.Last<HorsesTurned>(), (HorsesTurned{{T("9p"), T("7s"), T("5z"), T("3m")}}));
  EXPECT_EQ(round.state().left, 79);
  EXPECT_EQ(Finished(round.state())->horses.size(), 4u);
}

TEST_F(HorsesTest, FromTheFrontAfterAReplacementToo) {
  TestRound round(
      {.game = &toy_, .hands = {"456789m1112222z"}, .draws = "3m9p7s5z1p", .back = "3m"});
  round.Play(R"(
    0 kong concealed 2z
    0 win
  )");
  EXPECT_EQ(round.Last<HorsesTurned>(), (HorsesTurned{{T("9p"), T("7s"), T("5z"), T("1p")}}));
}

TEST_F(HorsesTest, FewerWhenFewerAreLeftAndNoneWhenNoneAre) {
  for (std::string_view left : {"", "4z", "4z5z6z"}) {
    toy_.play_rules.wall = TileCounts();
    for (std::string_view tiles :
         {"123456789m1122z1z", "258m258p258s1357z", "147m369p147s2466z", "369m147p369s2467z"}) {
      toy_.play_rules.wall += *tiles::ParseCounts(tiles);
    }
    toy_.play_rules.wall += *tiles::ParseCounts(left);
    TestRound round({.game = &toy_,
                     .hands = {"123456789m1122z", "258m258p258s1357z", "147m369p147s2466z",
                               "369m147p369s2467z"},
                     .draws = "1z"});
    round.Play("0 win -> win 0");
    EXPECT_EQ(round.state().horses.size(), left.size() / 2);
    EXPECT_EQ(round.state().left, 0);
  }
}

TEST_F(HorsesTest, NoneAfterADiscardAndAfterARobbedKongOnlyByOption) {
  TestRound discard({.game = &toy_, .hands = {"", "23m456p789s11122z"}, .draws = "1m9m"});
  discard.Play(R"(
    0 discard 1m
    1 win -> win 1
  )");
  EXPECT_TRUE(discard.state().horses.empty());

  for (const bool on_robbed : {false, true}) {
    toy_.play_rules.horses_on_robbed_kong = on_robbed;
    TestRound robbed(
        {.game = &toy_, .hands = {"1m", "11m", "", "23m456p789s11122z"}, .draws = "9m9p9s9p1m"});
    robbed.Play(R"(
      0 discard 1m
      3 pass
      1 pung
      1 discard 2p
      2 discard 9p
      3 discard 9s
      0 discard 9p
      1 kong added 1m
      3 win -> win 3
    )");
    EXPECT_EQ(robbed.state().horses.size(), on_robbed ? 4u : 0u);
  }
}

TEST_F(HorsesTest, NoneWhenTheWallRunsOut) {
  toy_.play_rules.wall = TileCounts();
  for (std::string_view tiles :
       {"258m258p258s1357z", "147m369p147s2466z", "369m147p369s2466z", "258m258p258s1357z", "4z"}) {
    toy_.play_rules.wall += *tiles::ParseCounts(tiles);
  }
  TestRound round({.game = &toy_,
                   .hands = {"258m258p258s1357z", "147m369p147s2466z", "369m147p369s2466z",
                             "258m258p258s1357z"},
                   .draws = "4z"});
  round.Play("0 discard 4z -> exhausted");
  EXPECT_TRUE(round.state().horses.empty());
}

// ------------------------------------------------------- what the first turns are judged by

// Remembers the facts of the last question, which is asked of complete hands alone.
class CuriousGame : public rules::ToyGame {
 public:
  rules::WinFlags FirstTurn(const rules::FirstTurnFacts& asked,
                            const rules::Options&) const override {
    facts[static_cast<std::size_t>(asked.winner)] = asked;
    return {};
  }
  const rules::FirstTurnFacts& Of(int seat) const { return facts[static_cast<std::size_t>(seat)]; }

 private:
  mutable std::array<rules::FirstTurnFacts, 4> facts;
};

// PLAY-02: the fourteenth tile is a draw; PLAY-04: a replacement is one too.
TEST(FirstTurnFactsTest, DrawsAreCounted) {
  CuriousGame game;
  TestRound round({.game = &game,
                   .hands = {"111123m456p789s1z", "234567m567p678s5z"},
                   .draws = "1z5z",
                   .back = "4m"});
  EXPECT_EQ(game.Of(0).winner_draws, 1);
  round.Play("0 kong concealed 1m -> 0: win, *");
  EXPECT_EQ(game.Of(0).winner_draws, 2);
  EXPECT_TRUE(game.Of(0).anyone_called);
  EXPECT_TRUE(game.Of(0).winner_called);
  round.Play("0 discard 4m -> 1: win, *");
  EXPECT_EQ(game.Of(1).winner_draws, 1);
  EXPECT_FALSE(game.Of(1).winner_called);
  EXPECT_TRUE(game.Of(1).anyone_called);
}

// PLAY-08: the first tile that the previous seat throws in the round, and no other.
TEST(FirstTurnFactsTest, ThePreviousSeatsFirstDiscard) {
  CuriousGame game;
  const TestDeal deal{.game = &game,
                      .hands = {"14m", "23m456p789s11122z", "23m456p789s33344z", ""},
                      .draws = "9m9p9s9p9s7z"};
  TestRound first(deal);
  first.Play("0 discard 1m -> 1: win, pass; 2: win, pass");
  EXPECT_TRUE(game.Of(1).previous_seats_first_discard);
  EXPECT_FALSE(game.Of(2).previous_seats_first_discard) << "not thrown by its previous seat";
  EXPECT_EQ(game.Of(1).winner_draws, 0);

  TestRound second(deal);
  second.Play(R"(
    0 discard 9m
    1 discard 9p
    2 discard 9s
    3 discard 9p
    0 discard 1m -> 1: win, pass; 2: win, pass
  )");
  EXPECT_FALSE(game.Of(1).previous_seats_first_discard);
  EXPECT_EQ(game.Of(1).winner_draws, 1);
}

// PLAY-05, D-GD-2: a replacement in the first turn is no second turn; a draw or a call is.
TEST(FirstTurnFactsTest, TheDealersSecondTurn) {
  CuriousGame game;
  TestRound drawn({.game = &game, .hands = {"1111m"}, .draws = "9m9p9s4z2z4z", .back = "6z"});
  drawn.Play(R"(
    0 kong concealed 1m
    0 discard 9m
    1 discard 9p
    2 discard 9s
  )");
  EXPECT_FALSE(drawn.state().dealer_second_turn);
  drawn.Play("3 discard 4z -> 0: *");
  EXPECT_TRUE(drawn.state().dealer_second_turn);

  TestRound called({.game = &game, .hands = {"99p"}, .draws = "9m9p9s4z2z4z"});
  called.Play(R"(
    0 discard 9m
    1 discard 9p -> 0: pung, pass
  )");
  EXPECT_FALSE(called.state().dealer_second_turn) << "asked for is not carried out";
  called.Play("0 pung");
  EXPECT_TRUE(called.state().dealer_second_turn);

  TestRound konged({.game = &game, .hands = {"999p"}, .draws = "9m9p9s4z2z4z"});
  konged.Play(R"(
    0 discard 9m
    1 discard 9p
    0 kong discard 9p
  )");
  EXPECT_TRUE(konged.state().dealer_second_turn);

  TestRound others({.game = &game, .hands = {"", "", "99p"}, .draws = "9m9p9s4z2z4z"});
  others.Play(R"(
    0 discard 9m
    1 discard 9p
    2 pung
  )");
  EXPECT_FALSE(others.state().dealer_second_turn);
}

}  // namespace
}  // namespace mj::round
