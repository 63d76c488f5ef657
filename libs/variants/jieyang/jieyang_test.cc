// What the golden cases and rounds do not show of Jieyang: first turns, which patterns win on a
// discard, wild tiles by option, who deals.
#include "libs/variants/jieyang/jieyang.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "libs/rules/check.h"
#include "libs/rules/score.h"
#include "libs/tiles/mpsz.h"

namespace mj::variants::jieyang {
namespace {

using rules::FirstTurnFacts;
using rules::MeldKind;
using rules::Seat;
using rules::Tile;
using rules::Win;
using rules::WinFlags;
using rules::WinWay;

rules::Options With(const std::map<std::string, std::string>& texts) {
  return std::get<rules::Options>(rules::ParseOptions(Game().options(), texts));
}

// ---------------------------------------------------------------------------------- first turns

WinFlags FirstTurn(const FirstTurnFacts& facts) { return Game().FirstTurn(facts, With({})); }

FirstTurnFacts Facts(Seat winner, WinWay way, int draws) {
  FirstTurnFacts facts;
  facts.winner = winner;
  facts.way = way;
  facts.winner_draws = draws;
  return facts;
}

// JY-32, PLAY-02.
TEST(FirstTurnTest, TheDealerIsHeavenlyWithTheDealtFourteenAlone) {
  FirstTurnFacts facts = Facts(Seat::k0, WinWay::kSelfDraw, 1);
  EXPECT_TRUE(FirstTurn(facts).heavenly);
  facts.anyone_called = true;
  EXPECT_FALSE(FirstTurn(facts).heavenly) << "its own concealed kong";
  EXPECT_FALSE(FirstTurn(Facts(Seat::k0, WinWay::kSelfDraw, 2)).heavenly);
  EXPECT_FALSE(FirstTurn(Facts(Seat::k0, WinWay::kRobbedKong, 1)).heavenly);
}

// JY-33, PLAY-08.
TEST(FirstTurnTest, EarthlyOnThePreviousSeatsFirstTile) {
  FirstTurnFacts good = Facts(Seat::k2, WinWay::kDiscard, 0);
  good.previous_seats_first_discard = true;
  EXPECT_TRUE(FirstTurn(good).earthly);
  good.anyone_called = good.dealer_second_turn = true;
  EXPECT_TRUE(FirstTurn(good).earthly) << "what others did is no matter";

  FirstTurnFacts bad = good;
  bad.previous_seats_first_discard = false;
  EXPECT_FALSE(FirstTurn(bad).earthly);
  bad = good;
  bad.winner_draws = 1;
  EXPECT_FALSE(FirstTurn(bad).earthly) << "has drawn";
  bad = good;
  bad.winner_called = true;
  EXPECT_FALSE(FirstTurn(bad).earthly) << "has called";
  bad = good;
  bad.way = WinWay::kRobbedKong;
  EXPECT_FALSE(FirstTurn(bad).earthly);
  bad = good;
  bad.winner = Seat::k0;
  EXPECT_FALSE(FirstTurn(bad).earthly) << "the dealer";
  EXPECT_FALSE(FirstTurn(Facts(Seat::k2, WinWay::kSelfDraw, 1)).earthly);
}

// ------------------------------------------------------------------------------ wins on a discard

struct DiscardRow {
  const char* name;
  std::vector<const char*> kongs;
  const char* concealed;
  const char* tile;
  bool earthly;
  bool legal;
};
class DiscardTest : public testing::TestWithParam<DiscardRow> {};

// JY-01, JY-02, D-JY-1.
TEST_P(DiscardTest, NeedsAPatternWorthTen) {
  const DiscardRow& row = GetParam();
  Win win;
  win.seat = Seat::k1;
  win.way = WinWay::kDiscard;
  win.from = Seat::k0;
  win.flags.earthly = row.earthly;
  for (const char* kong : row.kongs) {
    win.hand.melds.push_back({*tiles::ParseMeld(MeldKind::kConcealedKong, kong), std::nullopt});
  }
  win.hand.concealed = *tiles::ParseCounts(row.concealed);
  win.tile = *tiles::ParseTile(row.tile);
  const rules::Judgement judgement = rules::JudgeClaim(Game(), With({}), {}, win);
  EXPECT_EQ(judgement.legal(), row.legal);
  if (!row.legal) {
    EXPECT_EQ(judgement.worth.no_win, rules::NoWin::kDiscardWinNotAllowed);
  }
  win.way = WinWay::kRobbedKong;
  EXPECT_TRUE(rules::JudgeClaim(Game(), With({}), {}, win).legal()) << "JY-03: any hand may rob";
}

INSTANTIATE_TEST_SUITE_P(
    Rules, DiscardTest,
    testing::Values(
        DiscardRow{"JY_23_FullFlush", {}, "1112345678899s", "9s", false, false},
        DiscardRow{"JY_26_BigWinds", {"1111z", "2222z"}, "5p333z444z", "5p", false, false},
        DiscardRow{"JY_28_Luxury", {}, "1111m2244p6688s5z", "5z", false, false},
        DiscardRow{"JY_29_DoubleLuxury", {}, "1111m2222p6688s5z", "5z", false, true},
        DiscardRow{"JY_29_ThreeFours", {}, "1111m2222p3333s5z", "5z", false, true},
        DiscardRow{"JY_30_Orphans", {}, "19m19p19s1234567z", "9s", false, true},
        DiscardRow{"JY_31_Arhats", {"1111m", "2222p", "3333s", "4444s"}, "5z", "5z", false, true},
        DiscardRow{"JY_33_Earthly", {}, "22299m345678p45s", "6s", true, true}),
    [](const auto& row) { return std::string(row.param.name); });

// --------------------------------------------------------------------------------------- patterns

TEST(PatternTest, JY_31_ThreeKongsAndAPungAreNoArhats) {
  Win win;
  for (const char* kong : {"1111m", "2222p", "3333s"}) {
    win.hand.melds.push_back({*tiles::ParseMeld(MeldKind::kConcealedKong, kong), std::nullopt});
  }
  win.hand.concealed = *tiles::ParseCounts("4445s");
  win.tile = *tiles::ParseTile("5s");
  EXPECT_EQ(rules::JudgeClaim(Game(), With({}), {}, win).worth.multiplier, 2) << "all pungs";
}

// JY-34: without wild tiles in play there is nothing to be without.
TEST(PatternTest, JY_34_OnlyWhereTheyAreInPlay) {
  Win win;
  win.hand.concealed = *tiles::ParseCounts("22299m345678p45s");
  win.tile = *tiles::ParseTile("6s");
  EXPECT_EQ(rules::JudgeClaim(Game(), With({}), {}, win).worth.multiplier, 1);
  rules::Deal deal;
  deal.wild = tiles::kWhite;
  EXPECT_EQ(rules::JudgeClaim(Game(), With({{"wild", "white"}}), deal, win).worth.multiplier, 2);
}

// D-JY-10.
TEST(PatternTest, TheProductIsLimitedByTheOption) {
  Win win;
  win.hand.concealed = *tiles::ParseCounts("1112345678899s");
  win.tile = *tiles::ParseTile("9s");
  win.flags.heavenly = true;
  for (const auto& [cap, multiplier] :
       std::map<std::string, int>{{"0", 50}, {"1", 1}, {"13", 13}, {"49", 49}, {"1000", 50}}) {
    const auto judgement = rules::JudgeClaim(Game(), With({{"max_multiplier", cap}}), {}, win);
    EXPECT_EQ(judgement.worth.multiplier, multiplier) << cap;
    EXPECT_EQ(judgement.worth.share, 2 * multiplier) << "in half bases";
  }
}

// Limited to 13 both, 18 by three patterns or 30 by two: the three are named. The drawn 1s is wild,
// and so are the two in the hand: 222p and the pair 11p, or the fourth of each dragon.
TEST(PatternTest, D_COM_2_MorePatternsBeforeMoreWorth) {
  rules::Deal deal;
  deal.wild = *tiles::ParseTile("1s");
  Win win;
  win.hand.concealed = *tiles::ParseCounts("11p11s555666777z");
  win.tile = *tiles::ParseTile("1s");
  const auto worth = rules::JudgeClaim(Game(), With({{"wild", "flipped"}}), deal, win).worth;
  EXPECT_EQ(worth.multiplier, 13);
  EXPECT_EQ(worth.before_limit, 18);
  const std::vector<rules::RuleId> named(worth.patterns.begin(), worth.patterns.end());
  EXPECT_EQ(named, (std::vector<rules::RuleId>{"JY-21", "JY-22", "JY-24"}));
}

struct WildRow {
  const char* name;
  std::vector<const char*> pungs;
  const char* concealed;
  const char* tile;
  std::int64_t multiplier;
  std::vector<rules::RuleId> patterns;
};
class WildPatternTest : public testing::TestWithParam<WildRow> {};

// 003 note 2: one pung of each of 中发白, of 东南西北 each one or three and a pair of the fourth.
// A wild tile can repeat a kind, which makes none of them.
TEST_P(WildPatternTest, EachKindOnce) {
  const WildRow& row = GetParam();
  rules::Deal deal;
  deal.wild = tiles::kWhite;
  Win win;
  for (const char* pung : row.pungs) {
    win.hand.melds.push_back({*tiles::ParseMeld(MeldKind::kPung, pung), Seat::k1});
  }
  win.hand.concealed = *tiles::ParseCounts(row.concealed);
  win.tile = *tiles::ParseTile(row.tile);
  const auto worth = rules::JudgeClaim(Game(), With({{"wild", "white"}}), deal, win).worth;
  EXPECT_EQ(worth.multiplier, row.multiplier);
  EXPECT_EQ(std::vector<rules::RuleId>(worth.patterns.begin(), worth.patterns.end()), row.patterns);
}

INSTANTIATE_TEST_SUITE_P(
    Rules, WildPatternTest,
    testing::Values(
        WildRow{"JY_24_NoWhite", {"777z", "666z"}, "234m99p7z5z", "5z", 1, {}},
        WildRow{
            "JY_25_TheFourthWindIsMissing", {"111z", "222z", "333z"}, "777z1z", "5z", 2, {"JY-21"}},
        WildRow{"JY_24_GreenTwice", {"777z"}, "2226666z55z1p", "1p", 6, {"JY-21", "JY-22"}},
        WildRow{"JY_25_SouthTwice", {"333z"}, "1122224555z", "4z", 6, {"JY-21", "JY-25"}},
        WildRow{"JY_22_NoPairOfNorth", {"111z", "222z", "333z"}, "234m1z", "5z", 3, {"JY-22"}}),
    [](const auto& row) { return std::string(row.param.name); });

// ------------------------------------------------------------------------------------ the round

// JY-33: what a finished round shows against an earthly win.
TEST(CheckTest, AnEarthlyWinIsOnThePreviousSeatsDiscard) {
  rules::FinishedRound round;
  round.end = rules::RoundEnd::kWin;
  round.deal.dealer = Seat::k1;
  Win win;
  win.seat = Seat::k0;
  win.way = WinWay::kDiscard;
  win.from = Seat::k3;
  win.hand.concealed = *tiles::ParseCounts("22299m345678p45s");
  win.tile = *tiles::ParseTile("6s");
  win.flags.earthly = true;
  round.wins.push_back(win);
  const auto fault = [&round]() -> std::optional<rules::RoundFault> {
    const auto refusal = rules::CheckRound(Game(), With({}), round);
    return refusal ? std::optional(refusal->fault) : std::nullopt;
  };
  EXPECT_EQ(fault(), std::nullopt);
  round.wins[0].from = Seat::k2;
  EXPECT_EQ(fault(), rules::RoundFault::kFlagContradicts) << "not the previous seat's";
  round.wins[0].from.reset();
  round.wins[0].way = WinWay::kSelfDraw;
  EXPECT_EQ(fault(), rules::RoundFault::kFlagContradicts) << "self-drawn";
  round.wins[0] = win;
  round.wins[0].hand.concealed.Remove(*tiles::ParseTile("2m"), 3);
  round.wins[0].hand.melds.push_back({*tiles::ParseMeld(MeldKind::kPung, "222m"), Seat::k1});
  EXPECT_EQ(fault(), rules::RoundFault::kFlagContradicts) << "has called";
}

TEST(PlayTest, TheWallHasFourOfEachKind) {
  const rules::PlayRules play = Game().play(With({}));
  EXPECT_EQ(play.wall.total(), 136);
  for (Tile tile : tiles::kAllKinds) EXPECT_EQ(play.wall[tile], 4);
}

// JY-50.
TEST(PlayTest, WildTilesByOption) {
  EXPECT_EQ(Game().play(With({})).wild, rules::WildMode::kNone);
  EXPECT_EQ(Game().play(With({{"wild", "none"}})).wild, rules::WildMode::kNone);
  EXPECT_EQ(Game().play(With({{"wild", "white"}})).wild, rules::WildMode::kFixed);
  EXPECT_EQ(Game().play(With({{"wild", "white"}})).fixed_wild, tiles::kWhite);
  EXPECT_EQ(Game().play(With({{"wild", "flipped"}})).wild, rules::WildMode::kFlipped);
}

// 9s was turned, so 1s is wild, and of 9s there are three.
TEST(PlayTest, JY_50_TheTurnedTileIsOutOfPlay) {
  rules::Deal deal;
  deal.wild = *tiles::ParseTile("1s");
  Win win;
  win.hand.concealed = *tiles::ParseCounts("123456m789p9999s");
  win.tile = *tiles::ParseTile("8s");
  const auto refusal = rules::CheckWin(Game(), With({{"wild", "flipped"}}), deal, win);
  ASSERT_TRUE(refusal);
  EXPECT_EQ(refusal->fault, rules::RoundFault::kTooManyAlike);
  EXPECT_EQ(refusal->tile, *tiles::ParseTile("9s"));
  win.hand.concealed = *tiles::ParseCounts("123456m789p9998s");
  EXPECT_EQ(rules::CheckWin(Game(), With({{"wild", "flipped"}}), deal, win), std::nullopt);
}

TEST(PlayTest, JY_50_AWildTileStandsInNoPungOrKong) {
  rules::Deal deal;
  deal.wild = tiles::kWhite;
  for (const auto& [kind, text] :
       {std::pair(MeldKind::kPung, "555z"), std::pair(MeldKind::kDiscardKong, "5555z"),
        std::pair(MeldKind::kConcealedKong, "5555z")}) {
    Win win;
    win.hand.melds.push_back({*tiles::ParseMeld(kind, text), std::nullopt});
    if (kind != MeldKind::kConcealedKong) win.hand.melds[0].from = Seat::k1;
    win.hand.concealed = *tiles::ParseCounts("123456m789p1s");
    win.tile = *tiles::ParseTile("1s");
    const auto refusal = rules::CheckWin(Game(), With({{"wild", "white"}}), deal, win);
    ASSERT_TRUE(refusal);
    EXPECT_EQ(refusal->fault, rules::RoundFault::kBadMeld);
    EXPECT_EQ(refusal->tile, tiles::kWhite);
  }
}

TEST(PlayTest, NoChowsHorsesKillsOrWinds) {
  const rules::PlayRules play = Game().play(With({}));
  EXPECT_FALSE(play.chow);
  EXPECT_FALSE(play.kill);
  EXPECT_FALSE(play.winds);
  EXPECT_FALSE(play.dealer_rolls);
  EXPECT_EQ(play.horses, 0);
}

TEST(NextDealerTest, AWinningDealerAndAnExhaustedWallKeepTheDeal) {
  rules::FinishedRound round;
  round.deal.dealer = Seat::k3;
  round.end = rules::RoundEnd::kExhausted;
  EXPECT_EQ(Game().Next(round).dealer, Seat::k3);
  round.end = rules::RoundEnd::kWin;
  Win win;
  win.seat = Seat::k1;
  round.wins.push_back(win);
  EXPECT_EQ(Game().Next(round).dealer, Seat::k0);
  win.seat = Seat::k3;
  round.wins.push_back(win);
  EXPECT_EQ(Game().Next(round).dealer, Seat::k3) << "among several";
}

}  // namespace
}  // namespace mj::variants::jieyang
