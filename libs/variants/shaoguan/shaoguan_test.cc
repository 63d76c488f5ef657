// What the golden cases and rounds do not show of Shaoguan: its two walls, every horse, seven pairs
// by option, who deals.
#include "libs/variants/shaoguan/shaoguan.h"

#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>

#include "libs/rules/score.h"
#include "libs/tiles/mpsz.h"

namespace mj::variants::shaoguan {
namespace {

using rules::FinishedRound;
using rules::Seat;
using rules::Tile;
using rules::Win;
using rules::WinWay;

rules::Options With(const std::map<std::string, std::string>& texts) {
  return std::get<rules::Options>(rules::ParseOptions(Game().options(), texts));
}

Win SelfDraw(Seat seat, const char* concealed, const char* tile) {
  Win win;
  win.seat = seat;
  win.hand.concealed = *tiles::ParseCounts(concealed);
  win.tile = *tiles::ParseTile(tile);
  return win;
}

// ------------------------------------------------------------------------------------ the round

// SG-01: all of dots, bamboo and honours; of the characters the 1 and 9, or none.
TEST(PlayTest, TheWallsAreOf108And100Tiles) {
  for (const bool characters : {true, false}) {
    const rules::PlayRules play =
        Game().play(characters ? With({}) : With({{"with_characters", "false"}}));
    EXPECT_EQ(play.wall.total(), characters ? 108 : 100);
    for (Tile tile : tiles::kAllKinds) {
      const bool character = tile.suit() == tiles::Suit::kCharacters;
      const bool in_wall = !character || (characters && tile.is_terminal());
      EXPECT_EQ(play.wall[tile], in_wall ? 4 : 0) << tiles::ToText(tile);
    }
  }
}

// SG-01: without characters nobody can have them all.
TEST(PlayTest, ThirteenOrphansNeedCharacters) {
  EXPECT_TRUE(Game().shapes(With({})).thirteen_orphans);
  EXPECT_FALSE(Game().shapes(With({{"with_characters", "false"}})).thirteen_orphans);
}

// SG-02, SG-03, SG-20, SG-43; no missed win (002 4).
TEST(PlayTest, WhatTheGameAsksOfTheRound) {
  const rules::PlayRules play = Game().play(With({}));
  EXPECT_FALSE(play.chow);
  EXPECT_FALSE(play.winds);
  EXPECT_FALSE(play.dealer_rolls);
  EXPECT_TRUE(play.feeder_may_not_rob);
  EXPECT_TRUE(play.kill);
  EXPECT_EQ(play.missed_win, rules::MissedWin::kNoLock);
  EXPECT_EQ(play.horses, 4);
  EXPECT_FALSE(play.horses_on_robbed_kong);
  EXPECT_EQ(Game().play(With({{"horses", "0"}})).horses, 0);
  EXPECT_TRUE(Game().play(With({{"horses_on_robbed_kong", "true"}})).horses_on_robbed_kong);
}

// ------------------------------------------------------------------------------- horses (SG-20)

struct Position {
  int turns;  // from the dealer
  const char* tiles;
};
constexpr Position kPositions[] = {
    {0, "159m159p159s1z7z"}, {1, "26m26p26s2z6z"}, {2, "37m37p37s3z5z"}, {3, "48m48p48s4z"}};

// Each kind is one position's and no other's, whoever deals.
TEST(HorsesTest, EveryTileHitsItsPositionAlone) {
  for (const auto& [turns, own] : kPositions) {
    const tiles::TileCounts counts = *tiles::ParseCounts(own);
    for (Tile tile : tiles::kAllKinds) {
      for (const Seat dealer : rules::kSeats) {
        FinishedRound round;
        round.deal.dealer = dealer;
        round.wins.push_back(SelfDraw(rules::After(dealer, turns), "22299p345p45678s", "3s"));
        round.horses.push_back(tile);
        const auto score = rules::ScoreRound(Game(), With({}), round);
        EXPECT_EQ(score.wins[0].worth.horses_hit, counts.Has(tile) ? 1 : 0) << tiles::ToText(tile);
        EXPECT_EQ(score.wins[0].worth.share, counts.Has(tile) ? 8 : 4);
      }
    }
  }
}

TEST(HorsesTest, EachHitAddsTheWinOnceMore) {
  FinishedRound round;
  round.wins.push_back(SelfDraw(Seat::k0, "22299p345p45678s", "3s"));
  for (int hits = 1; hits <= 4; ++hits) {
    round.horses.push_back(tiles::kRed);
    EXPECT_EQ(rules::ScoreRound(Game(), With({}), round).wins[0].worth.share, 4 * (1 + hits));
  }
}

// ------------------------------------------------------------------------------------- patterns

struct PatternRow {
  const char* name;
  const char* seven_pairs;
  const char* concealed;
  const char* tile;
  const char* pattern;  // "": no win
  int value;
};
class PatternTest : public testing::TestWithParam<PatternRow> {};

TEST_P(PatternTest, Counts) {
  const PatternRow& row = GetParam();
  const Win win = SelfDraw(Seat::k1, row.concealed, row.tile);
  const auto judgement =
      rules::JudgeClaim(Game(), With({{"seven_pairs", row.seven_pairs}}), {}, win);
  ASSERT_EQ(judgement.legal(), *row.pattern != '\0');
  if (!judgement.legal()) return;
  ASSERT_EQ(judgement.worth.patterns.size(), 1u) << "SG-10: one row";
  EXPECT_EQ(judgement.worth.patterns[0], row.pattern);
  EXPECT_EQ(judgement.worth.multiplier, 2 * row.value);
}

INSTANTIATE_TEST_SUITE_P(
    Rules, PatternTest,
    testing::Values(
        PatternRow{"SG_04_PureIsOneSuit", "pure", "1122334455668p", "8p", "SG-16", 16},
        PatternRow{"SG_04_PureWithHonoursIsNone", "pure", "112233446688p5z", "5z", "", 0},
        PatternRow{"SG_04_OffIsNone", "off", "1133557799p22p4p", "4p", "", 0},
        PatternRow{"SG_04_AllTwoSuits", "all", "1133p2244s5566z7z", "7z", "SG-12", 2},
        PatternRow{"SG_04_AllOneSuitAndHonours", "all", "11335577p5566z7z", "7z", "SG-15", 8},
        PatternRow{"SG_04_AllHonours", "all", "1122334455667z", "7z", "SG-18", 32},
        PatternRow{"SG_04_NeverTerminals", "all", "1199p1199s2233z4z", "4z", "SG-12", 2},
        PatternRow{"SG_11_ThreeKinds", "pure", "123p456s789s222z1p", "1p", "SG-11", 2},
        PatternRow{"SG_13_WithASequence", "pure", "123456p222z333z9p", "9p", "SG-13", 4},
        PatternRow{"SG_14_WithASequence", "pure", "1112345556789p", "9p", "SG-14", 8},
        PatternRow{"SG_17_WithASequenceIsNone", "pure", "123p999p111s222z9s", "9s", "SG-11", 2},
        PatternRow{"SG_17_AMiddlePungIsNone", "pure", "555p999p111s222z9s", "9s", "SG-12", 2},
        PatternRow{"SG_18_IsNotSG_17", "pure", "111222333444z5z", "5z", "SG-18", 32}),
    [](const auto& row) { return std::string(row.param.name); });

// SG-02, SG-41.
TEST(WinsTest, OnADiscardNeverOnARobbedKongAlways) {
  Win win = SelfDraw(Seat::k1, "19m19p19s1234567z", "7z");
  win.from = Seat::k0;
  win.way = WinWay::kDiscard;
  EXPECT_EQ(rules::JudgeClaim(Game(), With({}), {}, win).worth.no_win,
            rules::NoWin::kDiscardWinNotAllowed);
  win.way = WinWay::kRobbedKong;
  EXPECT_EQ(rules::JudgeClaim(Game(), With({}), {}, win).worth.multiplier, 64);
}

// ----------------------------------------------------------------------------------- who deals

FinishedRound WonBy(std::initializer_list<Seat> winners, std::optional<Seat> from) {
  FinishedRound round;
  round.deal.dealer = Seat::k2;
  for (const Seat seat : winners) {
    Win win;
    win.seat = seat;
    win.from = from;
    win.way = from ? WinWay::kRobbedKong : WinWay::kSelfDraw;
    round.wins.push_back(win);
  }
  return round;
}

TEST(NextDealerTest, TheWinnerDeals) {
  for (const Seat seat : rules::kSeats) {
    EXPECT_EQ(Game().Next(WonBy({seat}, {})).dealer, seat);
  }
}

TEST(NextDealerTest, AnExhaustedWallKeepsTheDealer) {
  FinishedRound round = WonBy({}, {});
  round.end = rules::RoundEnd::kExhausted;
  EXPECT_EQ(Game().Next(round).dealer, Seat::k2);
}

// D-SG-1, however they are listed.
TEST(NextDealerTest, OfTwoRobbersTheFirstAfterTheKongsOwner) {
  EXPECT_EQ(Game().Next(WonBy({Seat::k0, Seat::k1}, Seat::k3)).dealer, Seat::k0);
  EXPECT_EQ(Game().Next(WonBy({Seat::k1, Seat::k0}, Seat::k3)).dealer, Seat::k0);
  EXPECT_EQ(Game().Next(WonBy({Seat::k0, Seat::k3}, Seat::k1)).dealer, Seat::k3);
}

// COM-16: only the texts 000 and 003 speak of 大牌.
TEST(TablesTest, NoPatternIsCalledBig) {
  for (const rules::Pattern& pattern : Game().patterns()) EXPECT_FALSE(pattern.big) << pattern.id;
}

}  // namespace
}  // namespace mj::variants::shaoguan
