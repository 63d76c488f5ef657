#include "services/scoring/app/scoring.h"

#include <utility>

#include "libs/base/check.h"
#include "libs/base/reasons.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"
#include "libs/rules/check.h"
#include "libs/tiles/mpsz.h"
#include "services/scoring/app/refusal.h"

namespace mj::scoring {
namespace {

using base::Cat;
using base::Error;
using base::Reason;
using rules::CalledMeld;
using rules::FinishedRound;
using rules::Win;

// The base was checked, so only an amount beyond every limit is left to refuse.
absl::Status RefusedAmount(ledger::Rejection rejection) {
  return Error(Reason::kBadBase, Cat("base: ", ledger::Name(rejection)), {.field = "base"});
}

// The round that `win` alone would end.
FinishedRound RoundOf(const rules::Deal& deal, const Win& win,
                      const rules::InlineVector<rules::Tile, rules::kMaxHorses>& horses) {
  FinishedRound round{
      .deal = deal, .end = rules::RoundEnd::kWin, .wins = {win}, .kongs = {}, .horses = horses};
  for (const CalledMeld& called : win.hand.melds) {
    if (!called.meld.is_kong()) continue;
    const bool given = called.meld.kind == rules::MeldKind::kDiscardKong;
    round.kongs.push_back({.seat = win.seat,
                           .kind = called.meld.kind,
                           .tile = called.meld.tile,
                           .from = given ? called.from : std::nullopt,
                           .paid_by = {}});
  }
  return round;
}

rules::TileCounts TilesOf(const rules::Hand& hand) {
  rules::TileCounts tiles = hand.concealed;
  for (const CalledMeld& called : hand.melds) AddTo(tiles, called.meld);
  return tiles;
}

absl::Status CheckSeen(const rules::PlayRules& play, const rules::TileCounts& held,
                       const rules::TileCounts& seen) {
  for (const rules::Tile tile : tiles::kAllKinds) {
    if (seen[tile] == 0 || held[tile] + seen[tile] <= play.wall[tile]) continue;
    const std::string text = tiles::ToText(tile);
    const bool outside = play.wall[tile] == 0;
    return Error(outside ? Reason::kTileOutsideSet : Reason::kTooManyCopies,
                 Cat("seen: ",
                     outside ? "a tile that this game does not have"
                             : "with the hand, more alike than the wall holds",
                     " (", text, ")"),
                 {.field = "seen", .metadata = {{"tile", text}}});
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<receipt::PricedRound> ScoreRound(const Game& game, std::int64_t base,
                                                const FinishedRound& round) {
  MJ_RETURN_IF_ERROR(CheckBase(game, base));
  if (const auto refusal = rules::CheckRound(*game.variant, game.options, round)) {
    return RefusedRound(*refusal);
  }
  absl::StatusOr<receipt::PricedRound> priced(absl::in_place);  // large: made where it goes
  const auto refused = receipt::PriceRound(*game.variant, game.options, base, round, *priced);
  if (refused) priced = RefusedAmount(*refused);
  return priced;
}

absl::StatusOr<HandVerdict> EvaluateHand(
    const Game& game, std::int64_t base, const rules::Deal& deal, const Win& win,
    const rules::InlineVector<rules::Tile, rules::kMaxHorses>& horses) {
  MJ_RETURN_IF_ERROR(CheckBase(game, base));
  const FinishedRound round = RoundOf(deal, win, horses);
  if (const auto refusal = rules::CheckRound(*game.variant, game.options, round)) {
    const bool around =
        refusal->part == rules::RoundPart::kDeal || refusal->part == rules::RoundPart::kHorses;
    return around ? RefusedRound(*refusal) : base::InField("win", RefusedHand(*refusal));
  }
  auto priced = receipt::PriceRound(*game.variant, game.options, base, round);
  if (!priced.ok()) return RefusedAmount(priced.rejection());
  auto readings = receipt::ReadingsOf(*game.variant, game.options, base, round, 0);
  if (!readings.ok()) return RefusedAmount(readings.rejection());

  HandVerdict verdict{.judgement = priced.value().score.wins[0],
                      .readings = std::move(readings).value(),
                      .lines = {}};
  for (receipt::Line& line : std::move(priced).value().lines) {
    if (!line.is_kong) verdict.lines.push_back(std::move(line));
  }
  return verdict;
}

absl::StatusOr<std::vector<TileWait>> ListWaits(const Game& game, std::int64_t base,
                                                const rules::Deal& deal, rules::Seat seat,
                                                const rules::Hand& hand,
                                                const rules::TileCounts& seen) {
  MJ_RETURN_IF_ERROR(CheckBase(game, base));
  if (const auto refusal = rules::CheckHand(*game.variant, game.options, deal, seat, hand)) {
    return RefusedHand(*refusal);
  }
  const rules::TileCounts held = TilesOf(hand);
  MJ_RETURN_IF_ERROR(CheckSeen(game.variant->play(game.options), held, seen));

  std::vector<TileWait> waits;
  for (const rules::Wait& wait :
       rules::ListWaits(*game.variant, game.options, deal, seat, hand, seen)) {
    TileWait& out =
        waits.emplace_back(TileWait{.tile = wait.tile, .unseen = wait.unseen, .ways = {}});
    for (const rules::WinWay way :
         {rules::WinWay::kSelfDraw, rules::WinWay::kDiscard, rules::WinWay::kRobbedKong}) {
      // The robbed kong's other three tiles lie elsewhere, and none of them is wild.
      const bool robbed = way == rules::WinWay::kRobbedKong;
      if (robbed && (held.Has(wait.tile) || wait.tile == deal.wild)) continue;
      const bool self_draw = way == rules::WinWay::kSelfDraw;
      const Win win{.seat = seat,
                    .hand = hand,
                    .tile = wait.tile,
                    .way = way,
                    .from = self_draw ? std::nullopt : std::optional(rules::Before(seat)),
                    .flags = {},
                    .kong_feeder = {},
                    .killed = {}};
      WaitWay& by = out.ways.emplace_back(
          WaitWay{.win = win,
                  .judgement = rules::JudgeClaim(*game.variant, game.options, deal, win),
                  .coins = {}});
      if (!by.judgement.legal()) continue;
      const rules::WinQuestion question{.win = &win, .deal = &deal, .winners = 1};
      const auto coins =
          receipt::PriceWin(*game.variant, game.options, base, question, by.judgement.worth);
      if (!coins.ok()) return RefusedAmount(coins.rejection());
      by.coins = coins.value();
    }
  }
  return waits;
}

}  // namespace mj::scoring
