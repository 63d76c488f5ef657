// Whole rounds of the real games, told from the deal to the end: the rules of play that hang on
// more than one turn (RULEBOOK 1, PLAY-…), each by its id.
#include <gtest/gtest.h>

#include "libs/round/decide.h"
#include "libs/round/play_testing.h"
#include "libs/round/result.h"
#include "libs/tiles/mpsz.h"
#include "libs/variants/registry.h"

namespace mj::round {
namespace {

Tile T(std::string_view text) { return *tiles::ParseTile(text); }

const rules::Variant& Chaozhou() { return *variants::Find("chaozhou"); }
const rules::Variant& Guangdong() { return *variants::Find("guangdong"); }
const rules::Variant& Shaoguan() { return *variants::Find("shaoguan"); }
const rules::Variant& Jieyang() { return *variants::Find("jieyang"); }

// Guangdong's dealer rolls first.
TestRound Rolled(TestDeal deal) {
  deal.game = &Guangdong();
  deal.round_wind = tiles::kEast;
  TestRound round(deal);
  round.Play("0 roll");
  return round;
}

// Anybody's concealed kong, also one that nobody else is asked about, ends it for all.
TEST(PlayRulesTest, PLAY_02_AConcealedKongEndsEarthlyForAll) {
  for (const bool konged : {false, true}) {
    TestRound round({.game = &Chaozhou(),
                     .hands = {"1111m", "23m456p789s11122z"},
                     .draws = "9m4m",
                     .back = "6z"});
    if (konged) round.Play("0 kong concealed 1m");
    round.Play(R"(
      0 discard 9m -> 1: win, discard *
      1 win        -> win 1
    )");
    EXPECT_EQ(round.Last<Won>().wins[0].flags.earthly, !konged);
  }
}

// Seat 2 waits for 1m and 4m, worth winning on a discard in Chaozhou and in Guangdong (a flush of
// characters and honours).
constexpr const char* kWaiting = "23m456m789m11122z";

// GD-80: the same tile alone is barred; a draw does not free it, the own discard does, before its
// own window.
TEST(PlayRulesTest, PLAY_04_GuangdongsLockEndsAtTheOwnDiscard) {
  TestRound round =
      Rolled({.hands = {"11m", "1m", kWaiting, "4m"}, .draws = "9p9s9p9s3z3z6z6z", .back = "6z"});
  round.Play(R"(
    0 discard 1m -> 2: win, pass
    2 pass       -> 1: *
    1 discard 1m -> 2: chow 23m, pass
    2 pass       -> 2: discard *
    2 discard 9p -> 3: discard *
    3 discard 4m -> 2: win, pass
    2 pass       -> 0: *
    0 discard 1m -> 2: win, pass
    2 win        -> win 2
  )");
}

TEST(PlayRulesTest, PLAY_04_ADrawDoesNotEndGuangdongsLock) {
  TestRound round = Rolled({.hands = {"1m", "88p", kWaiting, "8p"}, .draws = "9p9s8p9s3z3z6z6z"});
  round.Play(R"(
    0 discard 1m -> 2: win, pass
    2 pass       -> 1: *
    1 discard 9s -> 2: discard *
  )");
  EXPECT_TRUE(round.seat(2).lock.Bars(T("1m")));
  round.Play("2 discard 8p -> 1: pung, pass");
  EXPECT_FALSE(round.seat(2).lock.Bars(T("1m")));
}

TEST(PlayRulesTest, PLAY_03_DecliningTheOwnDrawLocksNothing) {
  TestRound round({.game = &Chaozhou(), .hands = {"", "", kWaiting, "1m"}, .draws = "9p9s4m3z3z"});
  round.Play(R"(
    0 discard 9p -> 1: *
    1 discard 9s -> 2: win, discard *
    2 discard 4m -> 3: *
    3 discard 1m -> 2: win, pass
    2 win        -> win 2
  )");
}

// Seat 1 asks for a chow instead of winning, and seat 3's pung goes before it: 1m is missed all the
// same, when seat 3 throws its last one. 4m is not.
TEST(PlayRulesTest, PLAY_03_AnyAnswerButTheWinIsAPass) {
  TestRound round = Rolled({.hands = {"14m", kWaiting, "", "111m"}, .draws = "9p3z"});
  round.Play(R"(
    0 discard 1m -> 1: win, chow 23m, pass; 3: kong discard 1m, pung, pass
    1 chow 23m   -> 3: kong discard 1m, pung, pass
    3 pung       -> 3: discard *
    3 discard 1m -> 0: *
    0 discard 4m -> 1: win, *
    1 win        -> win 1
  )");
}

// A robbery that is passed bars 4m too in Chaozhou, and not the own draw.
TEST(PlayRulesTest, PLAY_03_APassedRobberyLocksAsADiscardDoes) {
  TestRound round({.game = &Chaozhou(),
                   .hands = {"1m", "114m", "", kWaiting},
                   .draws = "9p9s9p3z1m3z4m",
                   .back = "6z"});
  round.Play(R"(
    0 discard 1m    -> 1: pung, pass; 3: win, pass
    3 pass          -> 1: pung, pass
    1 pung          -> 1: discard *
    1 discard 2p    -> 2: *
    2 discard 9s    -> 3: discard *
    3 discard 9p    -> 0: *
    0 discard 3z    -> 1: kong added 1m, discard *
    1 kong added 1m -> 3: win, pass
    3 pass          -> 1: discard *
    1 discard 4m    -> 2: *
    2 discard 3z    -> 3: win, discard *
    3 win           -> win 3
  )");
}

// D-CZ-8, 000's own example: 2-3 waits for 1 and 4, and passing one bars both.
TEST(PlayRulesTest, CZ_50_APassLocksEveryTileUntilTheOwnDraw) {
  TestRound round(
      {.game = &Chaozhou(), .hands = {"1m", "4m", kWaiting, "4m"}, .draws = "9p9s9p9s3z3z6z6z"});
  round.Play(R"(
    0 discard 1m -> 2: win, pass
    2 pass       -> 1: *
    1 discard 4m -> 2: discard *
    2 discard 9p -> 3: *
    3 discard 4m -> 2: win, pass
    2 win        -> win 2
  )");
}

TEST(PlayRulesTest, CZ_50_APungEndsTheLock) {
  TestRound round({.game = &Chaozhou(),
                   .hands = {"1m8p", "4m", "23m456m789m111z88p", "4m"},
                   .draws = "9p9s9p9s3z3z6z6z"});
  round.Play(R"(
    0 discard 1m -> 2: win, pass
    2 pass       -> 1: *
    1 discard 9s -> 2: discard *
    2 discard 9p -> 3: *
    3 discard 4m -> 2: win, pass
    2 pass       -> 0: *
    0 discard 8p -> 2: pung, pass
    2 pung       -> 2: discard 23456789m1z
  )");
  EXPECT_EQ(round.seat(2).lock, Lock{});
}

// A hand worth ten may win on a discard in Jieyang: seven pairs of two fours, waiting for 5z; and
// thirteen orphans, waiting for all.
TEST(PlayRulesTest, JY_60_APassLocksThatTileUntilTheOwnDraw) {
  TestRound round({.game = &Jieyang(),
                   .hands = {"199m", "1m1p", "19m19p19s1234567z", "9p"},
                   .draws = "9p9s8p9s3z3z6z6z"});
  round.Play(R"(
    0 discard 1m -> 2: win, pass
    2 pass       -> 1: *
    1 discard 1m -> 2: discard *
  )");
  TestRound other({.game = &Jieyang(),
                   .hands = {"199m", "1m1p", "19m19p19s1234567z", "9p"},
                   .draws = "9p9s8p9s3z3z6z6z"});
  other.Play(R"(
    0 discard 1m -> 2: win, pass
    2 pass       -> 1: *
    1 discard 1p -> 2: win, pass
    2 pass       -> 2: *
    2 discard 8p -> 3: *
    3 discard 9p -> 2: win, pass
    2 win        -> win 2
  )");
  TestRound drawn({.game = &Jieyang(),
                   .hands = {"19m", "2s", "19m19p19s1234567z", "1m"},
                   .draws = "9p3s8p9s3z3z6z6z"});
  drawn.Play(R"(
    0 discard 1m -> 2: win, pass
    2 pass       -> 1: *
    1 discard 2s -> 2: discard *
  )");
  EXPECT_EQ(drawn.seat(2).lock, Lock{}) << "has drawn";
  drawn.Play(R"(
    2 discard 8p -> 3: *
    3 discard 1m -> 2: win, pass
    2 win        -> win 2
  )");
}

// The dealer's next seat need not be the one that is earthly: every seat has its previous one's
// first tile, also one thrown after a call.
TEST(PlayRulesTest, PLAY_08_EarthlyOnThePreviousSeatsFirstTile) {
  TestRound round(
      {.game = &Jieyang(), .hands = {"9m", "99m1m", "23m456p789s11122z"}, .draws = "6z"});
  round.Play(R"(
    0 discard 9m -> 1: pung, pass
    1 pung       -> 1: discard *
    1 discard 1m -> 2: win, pass
    2 win        -> win 2
  )");
  EXPECT_TRUE(round.Last<Won>().wins[0].flags.earthly);
}

// Seat 1 could pung the white dragon or win on it, and may do neither.
TEST(PlayRulesTest, PLAY_11_ADiscardedWildTileIsNobodys) {
  TestRound round({.game = &Jieyang(),
                   .options = {{"wild", "white"}},
                   .hands = {"", "123m456p789s11z55z"},
                   .draws = "5z9m"});
  round.Play(R"(
    0 discard 5z -> 1: win, discard *
    1 win        -> win 1
  )");
}

// The pung's fourth tile is kept for a turn, then added, and robbed.
TEST(PlayRulesTest, PLAY_14_TheFourthTileMayWaitAndBeRobbed) {
  TestRound round({.game = &Shaoguan(),
                   .hands = {"5p", "555p", "", "46p123789p22255s"},
                   .draws = "9s9p9s4z1s1z6z2z"});
  round.Play(R"(
    0 discard 5p     -> 1: kong discard 5p, pung, pass
    1 pung           -> 1: discard *
    1 discard 2p     -> 2: *
    2 discard 9p     -> 3: discard *
    3 discard 9s     -> 0: *
    0 discard 4z     -> 1: kong added 5p, discard *
    1 discard 1s     -> 2: *
    2 discard 1z     -> 3: *
    3 discard 6z     -> 0: *
    0 discard 2z     -> 1: kong added 5p, discard *
    1 kong added 5p  -> 3: win, pass
    3 win            -> win 3
  )");
  EXPECT_TRUE(Finished(round.state())->kongs.empty());
}

// Three on one tile, the dealer among them: all are paid, listed after the discarder.
TEST(PlayRulesTest, CZ_05_ThreeWinOnOneTileAndItsGiverDeals) {
  TestRound round(
      {.game = &Chaozhou(),
       .dealer = Seat::k3,
       .hands = {"46m123p456p789s11z", "46m123p456p789s22z", "5m", "46m123p456p789s33z"},
       .draws = "9m9p9s6z"});
  round.Play(R"(
    3 discard 9m -> 0: *
    0 discard 9p -> 1: *
    1 discard 9s -> 2: *
    2 discard 5m -> 0: win, pass; 1: win, pass; 3: win, pass
    1 win        -> 0: win, pass; 3: win, pass
    0 win        -> 3: win, pass
    3 win        -> win 3 0 1
  )");
  EXPECT_EQ(NextRound(round.setup(), round.state())->dealer, Seat::k2);
}

TEST(PlayRulesTest, GD_61_ThreeWinOnOneTile) {
  TestRound round =
      Rolled({.hands = {"5m", "46m123p456p789s11s", "46m123p456p789s22s", "46m123p456p789s33s"},
              .draws = "9m"});
  round.Play(R"(
    0 discard 5m -> 1: win, chow 46m, pass; 2: win, pass; 3: win, pass
    2 win        -> 1: win, chow 46m, pass; 3: win, pass
    3 win        -> 1: win, chow 46m, pass
    1 win        -> win 1 2 3
  )");
}

// Calls and draws of the others do not end the first lap.
TEST(PlayRulesTest, GD_32_TheFirstLapLastsUntilTheDealersSecondTurn) {
  TestRound round =
      Rolled({.hands = {"9m", "99m8p", "", "23m456m789m11122z"}, .draws = "9p9s9p1m"});
  round.Play(R"(
    0 discard 9m -> 1: pung, pass
    1 pung       -> 1: discard *
    1 discard 8p -> 2: *
    2 discard 9s -> 3: discard *
    3 discard 9p -> 0: *
  )");
  EXPECT_TRUE(round.state().dealer_second_turn);
  TestRound earthly =
      Rolled({.hands = {"9m", "99m8p", "", "23m456m789m11122z"}, .draws = "9p9s1m"});
  earthly.Play(R"(
    0 discard 9m
    1 pung
    1 discard 8p
    2 discard 9s -> 3: win, discard *
    3 win        -> win 3
  )");
  EXPECT_TRUE(earthly.Last<Won>().wins[0].flags.earthly);
}

// Whoever waits for the tile of a discard kong could win on the discard elsewhere; here it may not,
// and does not get the kong's tile either.
TEST(PlayRulesTest, SG_03_ADiscardKongIsNeverRobbed) {
  TestRound round({.game = &Shaoguan(),
                   .hands = {"5p", "555p", "", "46p123789p22255s"},
                   .draws = "9s",
                   .back = "7z"});
  round.Play(R"(
    0 discard 5p      -> 1: kong discard 5p, pung, pass
    1 kong discard 5p -> 1: discard *
  )");
  EXPECT_EQ(round.Last<Drew>().tile, T("7z"));
}

TEST(PlayRulesTest, D_SG_6_HorsesForARobberOnlyByOption) {
  for (const bool option : {false, true}) {
    TestDeal deal{.game = &Shaoguan(),
                  .hands = {"5p", "55p", "", "46p123789p22255s"},
                  .draws = "9s9p9s4z5p1z2z3z4z"};
    if (option) deal.options = {{"horses_on_robbed_kong", "true"}};
    TestRound round(deal);
    round.Play(R"(
      0 discard 5p     -> 1: pung, pass
      1 pung           -> 1: discard *
      1 discard 2p     -> 2: *
      2 discard 9p     -> 3: discard *
      3 discard 9s     -> 0: *
      0 discard 4z     -> 1: kong added 5p, discard *
      1 kong added 5p  -> 3: win, pass
      3 win            -> win 3
    )");
    EXPECT_EQ(round.state().horses.size(), option ? 4u : 0u);
  }
}

}  // namespace
}  // namespace mj::round
