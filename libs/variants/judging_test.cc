// Judging and waits of every game against the textbook's readings.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "libs/rules/claims_testing.h"
#include "libs/rules/plain_testing.h"
#include "libs/rules/score.h"
#include "libs/rules/waits.h"
#include "libs/tiles/mpsz.h"
#include "libs/variants/registry.h"
#include "tests/support/counts.h"
#include "tests/support/random.h"

namespace mj::variants {
namespace {

using rules::CalledMeld;
using rules::FinishedRound;
using rules::Judgement;
using rules::Melds;
using rules::Options;
using rules::Tile;
using rules::TileCounts;
using rules::Variant;
using rules::Win;
using rules::WinQuestion;
using rules::WinWay;
using rules::Worth;

// The figures by which a win is paid and named.
auto Figures(const Worth& worth) {
  return std::tuple(worth.no_win, std::vector(worth.patterns.begin(), worth.patterns.end()),
                    worth.chicken, worth.fan, worth.multiplier, worth.before_limit,
                    worth.horses_hit, worth.share);
}

// A game with options.
struct Table {
  const Variant* game;
  Options options;
  rules::PlayRules play;
};

std::vector<Table> Tables() {
  std::vector<Table> tables;
  for (const Variant* game : All()) {
    tables.push_back({game, rules::DefaultOptions(game->options()), {}});
    // Every choice of an option besides.
    for (const rules::OptionDef& def : game->options()) {
      const std::int64_t last = def.type == rules::OptionType::kChoice
                                    ? static_cast<std::int64_t>(def.choices.size()) - 1
                                    : def.max;
      for (std::int64_t value = def.min; value <= std::min(last, def.min + 4); ++value) {
        const auto parsed = rules::ParseOptions(
            game->options(), {{std::string(def.name), rules::OptionText(def, value)}});
        tables.push_back({game, std::get<Options>(parsed), {}});
      }
    }
  }
  for (Table& table : tables) table.play = table.game->play(table.options);
  return tables;
}

// Claims with melds, wins or nearly so, and whatever may be said of them.
class RandomClaims {
 public:
  RandomClaims(std::uint64_t seed, const Table& table)
      : random_(seed),
        table_(table),
        maker_(seed, table.play.wall, table.game->shapes(table.options)) {}

  // A round with one claim, and the question about it in `question`.
  FinishedRound Next() {
    FinishedRound round;
    if (table_.play.winds) {
      round.deal.round_wind = Tile::At(27 + random_.Below(4));
      round.deal.seat_winds =
          rules::PerSeat<Tile>({tiles::kEast, tiles::kSouth, tiles::kWest, tiles::kNorth});
    }
    if (table_.play.wild == rules::WildMode::kFixed) round.deal.wild = table_.play.fixed_wild;
    if (table_.play.wild == rules::WildMode::kFlipped) round.deal.wild = AnyTile();
    Win win;
    win.seat = rules::kSeats[static_cast<std::size_t>(random_.Below(4))];
    const int melds = random_.OneIn(2) ? 0 : random_.Below(5);
    for (int i = 0; i < melds; ++i) win.hand.melds.push_back(AnyMeld());
    TileCounts tiles = random_.OneIn(4) ? maker_.NearMiss(melds) : maker_.Winning(melds);
    if (round.deal.wild) {
      // The textbook tries every kind for each: a third makes it 7,140 tries, a fourth 66,045.
      int made_wild = random_.Below(random_.OneIn(50) ? 5 : 3);
      for (; made_wild > 0 && tiles[*round.deal.wild] < tiles::kCopies; --made_wild) {
        tiles.Remove(AnyOf(tiles));
        tiles.Add(*round.deal.wild);
      }
    }
    win.tile = AnyOf(tiles);
    tiles.Remove(win.tile);
    win.hand.concealed = tiles;
    win.way = static_cast<WinWay>(random_.Below(3));
    if (win.way != WinWay::kSelfDraw) win.from = rules::Before(win.seat);
    win.flags = {.last_tile = random_.OneIn(8),
                 .kong_replacement = random_.OneIn(8),
                 .heavenly = random_.OneIn(8),
                 .earthly = random_.OneIn(8)};
    for (int i = random_.Below(table_.play.horses + 1); i > 0; --i) {
      round.horses.push_back(AnyTile());
    }
    round.wins.push_back(win);
    return round;
  }

 private:
  Tile AnyTile() { return Tile::At(random_.Below(tiles::kKindCount)); }
  Tile AnyOf(const TileCounts& tiles) {
    for (;;) {
      const Tile tile = AnyTile();
      if (tiles.Has(tile)) return tile;
    }
  }
  CalledMeld AnyMeld() {
    const auto kind = static_cast<rules::MeldKind>(random_.Below(5));
    const Tile tile = random_.OneIn(2) ? Tile::At(27 + random_.Below(7)) : AnyTile();
    const bool chow = kind == rules::MeldKind::kChow && tile.starts_chow();
    CalledMeld called{.meld = {chow ? kind : rules::MeldKind::kPung, tile}, .from = {}};
    if (!chow && kind != rules::MeldKind::kChow) called.meld.kind = kind;
    if (called.meld.kind != rules::MeldKind::kConcealedKong) called.from = rules::Seat::k1;
    return called;
  }

  testing::Random random_;
  const Table& table_;
  rules::HandMaker maker_;
};

std::vector<rules::Reading> PlainReadings(const Table& table, const FinishedRound& round) {
  const Win& win = round.wins[0];
  TileCounts naturals = win.hand.concealed;
  naturals.Add(win.tile);
  int wild = 0;
  if (round.deal.wild) {
    wild = naturals[*round.deal.wild];
    naturals.Remove(*round.deal.wild, wild);
  }
  return rules::plain::Readings(naturals, wild, win.hand.melds, table.game->shapes(table.options));
}

TEST(JudgingTest, TheBestOfTheTextbooksReadingsCounts) {
  std::uint64_t seed = 1;
  for (const Table& table : Tables()) {
    RandomClaims claims(++seed, table);
    const auto count = testing::Count(table.play.wild == rules::WildMode::kNone ? 50'000 : 2'000);
    for (std::int64_t i = 0; i < count; ++i) {
      const FinishedRound round = claims.Next();
      const WinQuestion question{
          .win = round.wins.begin(), .deal = &round.deal, .winners = 1 + static_cast<int>(i % 3)};
      const auto readings = PlainReadings(table, round);
      const Judgement judged = rules::Judge(*table.game, table.options, round, question);
      const Worth expected =
          rules::plain::BestOf(readings, *table.game, table.options, round, question);
      ASSERT_EQ(Figures(judged.worth), Figures(expected))
          << table.game->info().id << " " << tiles::ToText(round.wins[0].hand.concealed) << " "
          << tiles::ToText(round.wins[0].tile);
      if (!judged.legal()) continue;
      ASSERT_NE(std::find(readings.begin(), readings.end(), judged.reading), readings.end());
      ASSERT_EQ(Figures(table.game->Appraise(question, judged.reading, round, table.options)),
                Figures(expected));
    }
  }
}

TEST(JudgingTest, WaitsAreWhatEachTileWouldBeJudged) {
  std::uint64_t seed = 1000;
  for (const Table& table : Tables()) {
    RandomClaims claims(++seed, table);
    const auto count = testing::Count(table.play.wild == rules::WildMode::kNone ? 5'000 : 500);
    for (std::int64_t i = 0; i < count; ++i) {
      FinishedRound round = claims.Next();
      round.horses.clear();
      Win& win = round.wins[0];
      win.flags = {};
      std::map<int, rules::Wait> waits;
      rules::WaitFinder(*table.game, table.options, round.deal)
          .ForEach(win.seat, win.hand, {}, [&](const rules::Wait& wait) {
            EXPECT_TRUE(waits.emplace(wait.tile.index(), wait).second);
          });
      TileCounts held = win.hand.concealed;
      for (const CalledMeld& called : win.hand.melds) AddTo(held, called.meld);
      for (Tile tile : tiles::kAllKinds) {
        const bool there = held[tile] < table.play.wall[tile];
        win.tile = tile;
        const bool waited = there && !PlainReadings(table, round).empty();
        ASSERT_EQ(waits.contains(tile.index()), waited)
            << tiles::ToText(win.hand.concealed) << " " << tiles::ToText(tile);
        if (!waited) continue;
        const rules::Wait& wait = waits.at(tile.index());
        EXPECT_EQ(wait.unseen, table.play.wall[tile] - held[tile]);
        // A kong takes all four, and wild tiles never make one.
        const bool may_rob = held[tile] == 0 && tile != round.deal.wild;
        const auto expect = [&](WinWay way, const std::optional<Judgement>& found) {
          win.way = way;
          win.from =
              way == WinWay::kSelfDraw ? std::nullopt : std::optional(rules::Before(win.seat));
          const Judgement judged = rules::JudgeClaim(*table.game, table.options, round.deal, win);
          const bool can_be = way != WinWay::kRobbedKong || may_rob;
          ASSERT_EQ(found.has_value(), can_be && judged.legal());
          if (!found) return;
          EXPECT_EQ(Figures(found->worth), Figures(judged.worth));
          EXPECT_EQ(found->reading, judged.reading);
        };
        expect(WinWay::kSelfDraw, wait.by_self_draw);
        expect(WinWay::kDiscard, wait.by_discard);
        expect(WinWay::kRobbedKong, wait.by_robbed_kong);
      }
    }
  }
}

}  // namespace
}  // namespace mj::variants
