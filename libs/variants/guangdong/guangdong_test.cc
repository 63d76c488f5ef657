// What the golden cases and rounds do not show of Guangdong: near misses of its patterns, first
// turns, winds, what it asks of the round, its greatest hand.
#include "libs/variants/guangdong/guangdong.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "libs/rules/score.h"
#include "libs/tiles/mpsz.h"

namespace mj::variants::guangdong {
namespace {

using rules::FinishedRound;
using rules::FirstTurnFacts;
using rules::Judgement;
using rules::MeldKind;
using rules::NextDeal;
using rules::Seat;
using rules::Tile;
using rules::Win;
using rules::WinFlags;
using rules::WinWay;

rules::Options Defaults() { return rules::DefaultOptions(Game().options()); }

// Seat 0 is East and deals in the East round.
rules::Deal EastRound() {
  rules::Deal deal;
  deal.round_wind = tiles::kEast;
  deal.seat_winds.emplace(std::array{tiles::kEast, tiles::kSouth, tiles::kWest, tiles::kNorth});
  return deal;
}

struct Meld {
  MeldKind kind;
  const char* tiles;
};

Win SelfDraw(Seat seat, const std::vector<Meld>& melds, const char* concealed, const char* tile) {
  Win win;
  win.seat = seat;
  for (const auto& [kind, text] : melds) {
    rules::CalledMeld called;
    called.meld = *tiles::ParseMeld(kind, text);
    if (kind != MeldKind::kConcealedKong) called.from = rules::Before(seat);
    win.hand.melds.push_back(called);
  }
  win.hand.concealed = *tiles::ParseCounts(concealed);
  win.tile = *tiles::ParseTile(tile);
  return win;
}

std::string Patterns(const Judgement& judgement) {
  std::string text;
  for (rules::RuleId id : judgement.worth.patterns)
    text += (text.empty() ? "" : " ") + std::string(id);
  return text;
}

// ------------------------------------------------------------------------------------ patterns

struct PatternRow {
  const char* name;
  std::vector<Meld> melds;
  const char* concealed;
  const char* tile;
  const char* patterns;
  int fan;
};
constexpr MeldKind kPung = MeldKind::kPung;
constexpr MeldKind kOwnKong = MeldKind::kConcealedKong;

// Self-drawn by South in the East round.
class PatternTest : public testing::TestWithParam<PatternRow> {};

TEST_P(PatternTest, Counts) {
  const PatternRow& row = GetParam();
  const Win win = SelfDraw(Seat::k1, row.melds, row.concealed, row.tile);
  const Judgement judgement = rules::JudgeClaim(Game(), Defaults(), EastRound(), win);
  EXPECT_EQ(Patterns(judgement), row.patterns);
  EXPECT_EQ(judgement.worth.fan, row.fan);
  EXPECT_EQ(judgement.worth.share, row.fan == 0 ? 0 : rules::Units{1} << row.fan);
}

INSTANTIATE_TEST_SUITE_P(
    Rules, PatternTest,
    testing::Values(
        PatternRow{"GD_11_OnePungIsAChicken", {}, "123m456p555z7778s", "9s", "GD-10 GD-42", 1},
        PatternRow{"GD_11_APairOfHonours", {}, "123m456p789p789s2z", "2z", "GD-11", 1},
        PatternRow{"GD_12_TwoSuitsAreNoHalfFlush", {}, "123m123p222z5559p", "9p", "GD-10 GD-41", 1},
        PatternRow{"GD_13_AKongIsAPung", {{kOwnKong, "3333m"}}, "555p777s88m99p", "9p", "GD-13", 2},
        PatternRow{"GD_20_AnHonourPairIsAHalfFlush", {}, "123456789m222m4z", "4z", "GD-12", 2},
        PatternRow{
            "GD_21_AMiddlePungSpoilsIt", {{kPung, "111m"}}, "555p333z444z1s", "1s", "GD-13", 2},
        PatternRow{
            "GD_21_WithoutHonoursIsGD_26", {{kPung, "111m"}}, "999m111p999p1s", "1s", "GD-26", 6},
        PatternRow{"GD_21_WithoutTerminalsIsGD_25",
                   {{kPung, "333z"}},
                   "444z555z666z1z",
                   "1z",
                   "GD-25 GD-42",
                   8},
        PatternRow{"GD_23_OnAnyTileOfTheSuit", {}, "1112345678999s", "9s", "GD-23", 6},
        PatternRow{
            "GD_24_AChowMakesItAFlush", {{kPung, "111m"}}, "333m555m789m9m", "9m", "GD-20", 3},
        PatternRow{"GD_27_TheWholeHandIsBig",
                   {{kPung, "555z"}, {kPung, "666z"}},
                   "777z1299m",
                   "3m",
                   "GD-27",
                   6},
        PatternRow{"GD_28_NeedsTheThirdAsThePair",
                   {{kPung, "555z"}, {kPung, "666z"}},
                   "123m7899p",
                   "9p",
                   "GD-10 GD-42",
                   2},
        PatternRow{"GD_30_AnyFourthSet",
                   {{kPung, "111z"}, {kPung, "222z"}},
                   "333z44z12m",
                   "3m",
                   "GD-30",
                   3},
        PatternRow{"GD_40_AnothersWindIsNoBonus",
                   {{kPung, "333z"}},
                   "555m777m111m9m",
                   "9m",
                   "GD-12 GD-13",
                   3}),
    [](const auto& row) { return std::string(row.param.name); });

// GD-41: each seat's own wind, whoever deals.
TEST(BonusTest, GD_41_TheWindIsTheWinners) {
  for (const Seat seat : rules::kSeats) {
    for (const Tile wind : {tiles::kSouth, tiles::kWest, tiles::kNorth}) {
      const std::string pung(3, static_cast<char>('0' + wind.rank()));
      const Win win = SelfDraw(seat, {{kPung, (pung + "z").c_str()}}, "123m456p7899s", "9s");
      const bool own = (*EastRound().seat_winds)[seat] == wind;
      EXPECT_EQ(rules::JudgeClaim(Game(), Defaults(), EastRound(), win).legal(), own)
          << "a chicken needs the bonus";
    }
  }
}

// ---------------------------------------------------------------------------------- first turns

WinFlags FirstTurn(const FirstTurnFacts& facts) { return Game().FirstTurn(facts, Defaults()); }

FirstTurnFacts Facts(Seat winner, WinWay way, int draws) {
  FirstTurnFacts facts;
  facts.winner = winner;
  facts.way = way;
  facts.winner_draws = draws;
  return facts;
}

// GD-31, PLAY-02.
TEST(FirstTurnTest, TheDealerIsHeavenlyWithTheDealtFourteenAlone) {
  FirstTurnFacts facts = Facts(Seat::k0, WinWay::kSelfDraw, 1);
  EXPECT_TRUE(FirstTurn(facts).heavenly);
  EXPECT_FALSE(FirstTurn(facts).earthly);
  facts.anyone_called = true;
  EXPECT_FALSE(FirstTurn(facts).heavenly) << "its own concealed kong";
  EXPECT_FALSE(FirstTurn(Facts(Seat::k0, WinWay::kSelfDraw, 2)).heavenly);
  EXPECT_FALSE(FirstTurn(Facts(Seat::k0, WinWay::kDiscard, 1)).heavenly);
  EXPECT_FALSE(FirstTurn(Facts(Seat::k0, WinWay::kDiscard, 1)).earthly) << "the dealer never is";
}

// GD-32, D-GD-2, PLAY-05: however it is won, called or not, until the dealer's second turn.
TEST(FirstTurnTest, AnotherIsEarthlyUntilTheDealersSecondTurn) {
  for (const WinWay way : {WinWay::kSelfDraw, WinWay::kDiscard, WinWay::kRobbedKong}) {
    for (const int draws : {0, 1, 2}) {
      FirstTurnFacts facts = Facts(Seat::k2, way, draws);
      facts.anyone_called = facts.winner_called = draws > 0;
      EXPECT_TRUE(FirstTurn(facts).earthly);
      facts.dealer_second_turn = true;
      EXPECT_FALSE(FirstTurn(facts).earthly);
    }
  }
}

// ------------------------------------------------------------------------------------ the round

// COM-01, D-COM-11: the text's "eight flowers" are not among its own 136 tiles.
TEST(PlayTest, TheWallHasFourOfEachKindAndNoFlowers) {
  const rules::PlayRules play = Game().play(Defaults());
  EXPECT_EQ(play.wall.total(), 136);
  for (Tile tile : tiles::kAllKinds) EXPECT_EQ(play.wall[tile], 4);
}

TEST(PlayTest, TheDealerIsAskedToRoll) { EXPECT_TRUE(Game().play(Defaults()).dealer_rolls); }

TEST(PlayTest, WindsAreDealt) { EXPECT_TRUE(Game().play(Defaults()).winds); }

TEST(PlayTest, ChowsYesHorsesKillsAndWildTilesNo) {
  const rules::PlayRules play = Game().play(Defaults());
  EXPECT_TRUE(play.chow);
  EXPECT_EQ(play.horses, 0);
  EXPECT_FALSE(play.kill);
  EXPECT_FALSE(play.feeder_may_not_rob);
  EXPECT_EQ(play.wild, rules::WildMode::kNone);
}

// -------------------------------------------------------------------------------- the next deal

FinishedRound Round(Seat dealer, std::optional<Seat> winner, Tile round_wind) {
  FinishedRound round;
  round.deal = EastRound();
  round.deal.dealer = dealer;
  round.deal.round_wind = round_wind;
  round.end = winner ? rules::RoundEnd::kWin : rules::RoundEnd::kExhausted;
  if (winner) {
    Win win;
    win.seat = *winner;
    round.wins.push_back(win);
  }
  return round;
}

NextDeal Next(Seat dealer, std::optional<Seat> winner, Tile round_wind = tiles::kSouth) {
  return Game().Next(Round(dealer, winner, round_wind));
}

TEST(NextDealTest, TheDealStaysWithAWinningDealerAndAnExhaustedWall) {
  EXPECT_EQ(Next(Seat::k2, Seat::k2), (NextDeal{Seat::k2, tiles::kSouth}));
  EXPECT_EQ(Next(Seat::k2, std::nullopt), (NextDeal{Seat::k2, tiles::kSouth}));
}

TEST(NextDealTest, ItPassesToTheNextSeatWhoeverElseWins) {
  for (const Seat winner : {Seat::k0, Seat::k1, Seat::k3}) {
    EXPECT_EQ(Next(Seat::k2, winner), (NextDeal{Seat::k3, tiles::kSouth}));
  }
}

// GD-70, PLAY-15: E, S, W, N, E, exactly when the deal passes to East from another seat.
TEST(NextDealTest, TheWindMovesWhenTheDealPassesToEast) {
  EXPECT_EQ(Next(Seat::k3, Seat::k1, tiles::kEast), (NextDeal{Seat::k0, tiles::kSouth}));
  EXPECT_EQ(Next(Seat::k3, Seat::k1, tiles::kNorth), (NextDeal{Seat::k0, tiles::kEast}));
  EXPECT_EQ(Next(Seat::k0, Seat::k0), (NextDeal{Seat::k0, tiles::kSouth})) << "stays with East";
  EXPECT_EQ(Next(Seat::k0, std::nullopt), (NextDeal{Seat::k0, tiles::kSouth}));
  EXPECT_EQ(Next(Seat::k0, Seat::k2), (NextDeal{Seat::k1, tiles::kSouth}));
}

// D-GD-9: East is a player, whichever seat it has.
TEST(NextDealTest, EastMaySitAnywhere) {
  FinishedRound round = Round(Seat::k1, Seat::k3, tiles::kEast);
  round.deal.seat_winds.emplace(
      std::array{tiles::kWest, tiles::kNorth, tiles::kEast, tiles::kSouth});
  EXPECT_EQ(Game().Next(round), (NextDeal{Seat::k2, tiles::kSouth}));
}

// ---------------------------------------------------------------------------- the greatest hand

// Every hand of triplets of these kinds and one sequence, and every pair: with the honours, both
// terminals of a suit, a middle tile and a second suit, all that fan can hang on.
class Greatest {
 public:
  std::int64_t Find() {
    Extend(0, 0);
    return greatest_;
  }

 private:
  void Extend(std::size_t from, int sets) {
    if (sets == 4) return TryPairs();
    for (std::size_t i = from; i < kKinds.size(); ++i) {
      if (counts_.Has(kKinds[i])) continue;
      counts_.Add(kKinds[i], 3);
      Extend(i + 1, sets + 1);
      counts_.Remove(kKinds[i], 3);
    }
  }

  void TryPairs() {
    for (Tile pair : kKinds) {
      if (counts_.Has(pair)) continue;
      Win win;
      win.hand.concealed = counts_;
      win.hand.concealed.Add(pair);
      win.tile = pair;
      win.flags.heavenly = true;
      Judge(win);
      win.seat = Seat::k1;
      win.flags = {};
      win.flags.earthly = true;
      Judge(win);
    }
  }

  void Judge(const Win& win) {
    const Judgement judgement = rules::JudgeClaim(Game(), options_, deal_, win);
    greatest_ = std::max(greatest_, judgement.worth.fan);
  }

  inline static const std::vector<Tile> kKinds = *tiles::ParseTiles("159m19p1234567z");
  const rules::Options options_ = Defaults();
  const rules::Deal deal_ = EastRound();
  tiles::TileCounts counts_;
  std::int64_t greatest_ = 0;
};

// D-SET-3: far below the 30 fan at which 10,000 × 2^fan × 3 would be near the limit of coins. It is
// heavenly: three dragons (6), all honours (6), East's own pung in the East round (2).
TEST(GreatestTest, NoHandReachesThirtyFan) { EXPECT_EQ(Greatest().Find(), 6 + 6 + 6 + 2); }

}  // namespace
}  // namespace mj::variants::guangdong
