// What the golden cases and rounds do not show of Chaozhou: first turns, who deals, the tables.
#include "libs/variants/chaozhou/chaozhou.h"

#include <gtest/gtest.h>

#include "libs/rules/check.h"
#include "libs/rules/score.h"
#include "libs/tiles/mpsz.h"
#include "libs/variants/chaozhou/tables.h"

namespace mj::variants::chaozhou {
namespace {

using rules::FinishedRound;
using rules::FirstTurnFacts;
using rules::Seat;
using rules::Win;
using rules::WinFlags;
using rules::WinWay;

const rules::Options kDefaults = rules::DefaultOptions(kOptions);

WinFlags FirstTurn(const FirstTurnFacts& facts) { return Game().FirstTurn(facts, kDefaults); }

FirstTurnFacts Facts(Seat winner, WinWay way, int draws) {
  FirstTurnFacts facts;
  facts.winner = winner;
  facts.dealer = Seat::k0;
  facts.way = way;
  facts.winner_draws = draws;
  return facts;
}

// CZ-33, PLAY-02: with the dealt fourteen.
TEST(FirstTurnTest, TheDealerIsHeavenlyWithTheDealtFourteenAlone) {
  FirstTurnFacts facts = Facts(Seat::k0, WinWay::kSelfDraw, 1);
  EXPECT_TRUE(FirstTurn(facts).heavenly);
  EXPECT_FALSE(FirstTurn(facts).earthly);
  facts.anyone_called = true;  // its own concealed kong before
  EXPECT_FALSE(FirstTurn(facts).heavenly);
  EXPECT_FALSE(FirstTurn(Facts(Seat::k0, WinWay::kSelfDraw, 2)).heavenly);
  EXPECT_FALSE(FirstTurn(Facts(Seat::k0, WinWay::kDiscard, 1)).heavenly);
}

// CZ-34, D-CZ-6, PLAY-02: any concealed kong of anyone ends it for all.
TEST(FirstTurnTest, AnotherIsEarthlyOnItsFirstDrawOrBefore) {
  EXPECT_TRUE(FirstTurn(Facts(Seat::k2, WinWay::kSelfDraw, 1)).earthly);
  EXPECT_TRUE(FirstTurn(Facts(Seat::k2, WinWay::kDiscard, 0)).earthly);
  EXPECT_FALSE(FirstTurn(Facts(Seat::k2, WinWay::kSelfDraw, 2)).earthly);
  EXPECT_FALSE(FirstTurn(Facts(Seat::k2, WinWay::kDiscard, 1)).earthly);
  FirstTurnFacts facts = Facts(Seat::k2, WinWay::kSelfDraw, 1);
  facts.anyone_called = true;
  EXPECT_FALSE(FirstTurn(facts).earthly);
}

// CZ-33, CZ-34: what a finished round shows against a first-turn win.
TEST(CheckTest, NobodyHasCalledBeforeAFirstTurnWin) {
  FinishedRound round;
  round.end = rules::RoundEnd::kWin;
  round.deal.dealer = Seat::k1;
  Win earthly;
  earthly.seat = Seat::k0;
  earthly.hand.concealed = *tiles::ParseCounts("22299m345678p45s");
  earthly.tile = *tiles::ParseTile("6s");
  earthly.flags.earthly = true;
  round.wins.push_back(earthly);
  const auto fault = [&round]() -> std::optional<rules::RoundFault> {
    const auto refusal = rules::CheckRound(Game(), kDefaults, round);
    return refusal ? std::optional(refusal->fault) : std::nullopt;
  };
  EXPECT_EQ(fault(), std::nullopt);
  round.kongs.push_back({Seat::k2, rules::MeldKind::kConcealedKong, tiles::kWhite, {}, {}});
  EXPECT_EQ(fault(), rules::RoundFault::kFlagContradicts) << "another's concealed kong";
  round.kongs.clear();
  round.wins[0].way = WinWay::kRobbedKong;
  round.wins[0].from = Seat::k2;
  EXPECT_EQ(fault(), rules::RoundFault::kFlagContradicts) << "a kong that is robbed was a pung";
  round.wins[0] = earthly;
  round.wins[0].flags.last_tile = true;
  EXPECT_EQ(fault(), rules::RoundFault::kFlagContradicts) << "the last tile";
  round.wins[0].flags = {};
  round.wins[0].flags.heavenly = true;
  round.deal.dealer = Seat::k0;
  EXPECT_EQ(fault(), std::nullopt);
  round.kongs.push_back({Seat::k2, rules::MeldKind::kConcealedKong, tiles::kWhite, {}, {}});
  EXPECT_EQ(fault(), rules::RoundFault::kFlagContradicts) << "heavenly after a kong";
}

FinishedRound WonBy(std::initializer_list<Seat> winners, std::optional<Seat> from) {
  FinishedRound round;
  round.deal.dealer = Seat::k1;
  for (Seat seat : winners) {
    Win win;
    win.seat = seat;
    win.from = from;
    win.way = from ? WinWay::kDiscard : WinWay::kSelfDraw;
    round.wins.push_back(win);
  }
  return round;
}

Seat NextDealer(const FinishedRound& round) { return Game().Next(round).dealer; }

TEST(NextDealerTest, TheDealStaysWithADealerWhoWinsAloneOrAmongTwo) {
  EXPECT_EQ(NextDealer(WonBy({Seat::k1}, {})), Seat::k1);
  EXPECT_EQ(NextDealer(WonBy({Seat::k0, Seat::k1}, Seat::k3)), Seat::k1);
}

TEST(NextDealerTest, ItPassesToTheNextSeatWhenAnotherWins) {
  EXPECT_EQ(NextDealer(WonBy({Seat::k0}, {})), Seat::k2);
  EXPECT_EQ(NextDealer(WonBy({Seat::k2, Seat::k3}, Seat::k1)), Seat::k2);
}

TEST(NextDealerTest, ItStaysWhenTheWallIsExhausted) {
  FinishedRound round = WonBy({}, {});
  round.end = rules::RoundEnd::kExhausted;
  EXPECT_EQ(NextDealer(round), Seat::k1);
}

// 000 2.4 note 2; D-CZ-1: also when the dealer is among the three, and for a robbed kong.
TEST(NextDealerTest, WithThreeWinnersTheOneWhoGaveTheTileDeals) {
  EXPECT_EQ(NextDealer(WonBy({Seat::k0, Seat::k1, Seat::k2}, Seat::k3)), Seat::k3);
  FinishedRound robbed = WonBy({Seat::k1, Seat::k2, Seat::k3}, Seat::k0);
  for (Win& win : robbed.wins) win.way = WinWay::kRobbedKong;
  EXPECT_EQ(NextDealer(robbed), Seat::k0);
}

// RULEBOOK 2 CZ-01: 136 tiles, no flowers.
TEST(TablesTest, TheWallHasFourOfEachKind) {
  const rules::PlayRules play = Game().play(kDefaults);
  EXPECT_EQ(play.wall.total(), 136);
  EXPECT_FALSE(play.chow);
  EXPECT_EQ(play.horses, 0);
}

// COM-16: 大牌 are the patterns that 000 2.4 note 3 names, with the seven pairs' richer forms;
// 门前清, 海底捞月, 杠上开花 and the first-turn wins (2.5 alone) are none.
TEST(TablesTest, PlainBonusesAreNoBigPatterns) {
  for (const Pattern& pattern : kPatterns) {
    const bool plain = pattern.id == "CZ-12" || pattern.id == "CZ-20" || pattern.id == "CZ-21" ||
                       pattern.id == "CZ-33" || pattern.id == "CZ-34";
    EXPECT_EQ(pattern.big, !plain) << pattern.id;
  }
}

}  // namespace
}  // namespace mj::variants::chaozhou
