#include "libs/rules/score.h"

#include <gtest/gtest.h>

#include <string>

#include "libs/rules/toy_testing.h"
#include "libs/tiles/mpsz.h"

namespace mj::rules {
namespace {

Win SelfDraw(Seat seat, const std::string& concealed, const std::string& tile) {
  Win win;
  win.seat = seat;
  win.hand.concealed = *tiles::ParseCounts(concealed);
  win.tile = *tiles::ParseTile(tile);
  return win;
}

Win OnDiscard(Seat seat, Seat from, const std::string& concealed, const std::string& tile) {
  Win win = SelfDraw(seat, concealed, tile);
  win.way = WinWay::kDiscard;
  win.from = from;
  return win;
}

class ScoreTest : public ::testing::Test {
 protected:
  Judgement Judge(const Win& win) { return JudgeClaim(game_, options_, {}, win); }

  ToyGame game_;
  Options options_ = DefaultOptions(game_.options());
};

TEST_F(ScoreTest, TheReadingThatPaysMostCounts) {
  // 111222333: three triplets (with 444 all triplets, 4) or three sequences (no pattern but flush).
  const Judgement judgement = Judge(SelfDraw(Seat::k0, "1112223334445m", "5m"));
  ASSERT_TRUE(judgement.legal());
  ASSERT_EQ(judgement.worth.patterns.size(), 1u);
  EXPECT_EQ(judgement.worth.patterns[0], "TOY-1") << "and TOY-2, implied, is not listed";
  EXPECT_EQ(judgement.worth.share, 4);
}

TEST_F(ScoreTest, TilesThatMakeNoShapeAreNoWin) {
  EXPECT_FALSE(Judge(SelfDraw(Seat::k0, "1112223334445m", "9m")).legal());
  EXPECT_EQ(*Judge(SelfDraw(Seat::k0, "1112223334445m", "6z")).worth.no_win,
            NoWin::kNotAWinningShape);
}

TEST_F(ScoreTest, ARefusalIsThatOfTheReadingThatCameFurthest) {
  game_.discard_refusal = NoWin::kDiscardWinNotAllowed;
  EXPECT_EQ(*Judge(OnDiscard(Seat::k0, Seat::k1, "1112223334445m", "5m")).worth.no_win,
            NoWin::kDiscardWinNotAllowed);
  EXPECT_EQ(*Judge(OnDiscard(Seat::k0, Seat::k1, "1112223334445m", "1z")).worth.no_win,
            NoWin::kNotAWinningShape);
}

TEST_F(ScoreTest, AnIllegalClaimIsAsIfNotClaimed) {
  FinishedRound round;
  round.wins.push_back(OnDiscard(Seat::k1, Seat::k0, "123456m789p1199s", "1s"));
  round.wins.push_back(OnDiscard(Seat::k2, Seat::k0, "123456m789p11z26s", "1s"));
  const RoundScore score = ScoreRound(game_, options_, round);
  ASSERT_EQ(score.wins.size(), 2u);
  EXPECT_TRUE(score.wins[0].legal());
  EXPECT_FALSE(score.wins[1].legal());
  ASSERT_EQ(score.transfers.size(), 1u);
  EXPECT_EQ(score.transfers[0], (Transfer{Seat::k0, Seat::k1, 1, "TOY-5"}));
  EXPECT_EQ(NextAfter(game_, options_, round).dealer, Seat::k1);
}

TEST_F(ScoreTest, WithoutALegalWinNothingIsPaid) {
  FinishedRound round;
  round.wins.push_back(SelfDraw(Seat::k1, "123456m789p11z26s", "1s"));
  round.kongs.push_back({.seat = Seat::k2,
                         .kind = MeldKind::kConcealedKong,
                         .tile = tiles::kRed,
                         .from = {},
                         .paid_by = {}});
  EXPECT_TRUE(ScoreRound(game_, options_, round).transfers.empty());
  round.wins.clear();
  round.end = RoundEnd::kExhausted;
  EXPECT_EQ(ScoreRound(game_, options_, round).transfers.size(), 3u) << "this game pays them then";
}

TEST_F(ScoreTest, NetSumsToZero) {
  FinishedRound round;
  round.wins.push_back(SelfDraw(Seat::k3, "1112223334445m", "5m"));
  round.kongs.push_back({.seat = Seat::k1,
                         .kind = MeldKind::kDiscardKong,
                         .tile = tiles::kRed,
                         .from = Seat::k3,
                         .paid_by = {}});
  const RoundScore score = ScoreRound(game_, options_, round);
  EXPECT_EQ(score.net[Seat::k3], 3 * 4 - 3);
  EXPECT_EQ(score.net[Seat::k1], 3 - 4);
  Units sum = 0;
  for (Units units : score.net) sum += units;
  EXPECT_EQ(sum, 0);
}

TEST_F(ScoreTest, WaitsNameEveryTileWithWhatItIsWorthAndHowManyAreLeft) {
  const Hand hand = {.concealed = *tiles::ParseCounts("23m456p789s11222z"), .melds = {}};
  TileCounts seen;
  seen.Add(*tiles::ParseTile("1m"), 3);
  game_.discard_refusal = NoWin::kDiscardWinNotAllowed;
  const auto waits = ListWaits(game_, options_, {}, Seat::k0, hand, seen);
  ASSERT_EQ(waits.size(), 2u);
  EXPECT_EQ(tiles::ToText(waits[0].tile), "1m");
  EXPECT_EQ(waits[0].unseen, 1);
  EXPECT_EQ(tiles::ToText(waits[1].tile), "4m");
  EXPECT_EQ(waits[1].unseen, 4);
  EXPECT_TRUE(waits[1].by_self_draw);
  EXPECT_FALSE(waits[1].by_discard);
  EXPECT_TRUE(waits[1].by_robbed_kong);
}

TEST_F(ScoreTest, ATileOfWhichAllAreHeldIsNotWaitedFor) {
  // 1111m in the hand: a fifth cannot come.
  const Hand hand = {.concealed = *tiles::ParseCounts("1111m456p789s222z"), .melds = {}};
  EXPECT_TRUE(ListWaits(game_, options_, {}, Seat::k0, hand, {}).empty());
}

TEST_F(ScoreTest, EveryReadingIsExplainedAndOneCounts) {
  const Win win = SelfDraw(Seat::k0, "1112223334445m", "5m");
  const auto verdicts = ExplainReadings(game_, options_, {}, win, 1);
  EXPECT_GE(verdicts.size(), 2u);
  int counted = 0;
  for (const ReadingVerdict& verdict : verdicts) counted += verdict.counted;
  EXPECT_EQ(counted, 1);
}

TEST(OptionsTest, TextsAreReadAndWritten) {
  const ToyGame game;
  const auto parsed = ParseOptions(game.options(), {{"flag", "false"}, {"number", "-2"}});
  ASSERT_TRUE(std::holds_alternative<Options>(parsed));
  const Options options = std::get<Options>(parsed);
  EXPECT_EQ(options[0], 0);
  EXPECT_EQ(options[1], -2);
  EXPECT_EQ(std::get<Options>(ParseOptions(game.options(), ToTexts(game.options(), options, true))),
            options);
  EXPECT_TRUE(ToTexts(game.options(), DefaultOptions(game.options()), false).empty());
}

TEST(OptionsTest, WhatIsNoOptionIsRefusedByName) {
  const ToyGame game;
  const auto refused = [&](const char* name, const char* text) {
    return std::get<OptionRefusal>(ParseOptions(game.options(), {{name, text}}));
  };
  EXPECT_EQ(refused("none", "1"), (OptionRefusal{OptionFault::kUnknown, "none"}));
  EXPECT_EQ(refused("flag", "1"), (OptionRefusal{OptionFault::kNotAValue, "flag"}));
  EXPECT_EQ(refused("number", "4 "), (OptionRefusal{OptionFault::kNotAValue, "number"}));
  EXPECT_EQ(refused("number", ""), (OptionRefusal{OptionFault::kNotAValue, "number"}));
  EXPECT_EQ(refused("number", "99999999999999999999"),
            (OptionRefusal{OptionFault::kNotAValue, "number"}));
  EXPECT_EQ(refused("number", "10"), (OptionRefusal{OptionFault::kOutOfRange, "number"}));
}

}  // namespace
}  // namespace mj::rules
