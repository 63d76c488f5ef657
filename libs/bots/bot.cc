#include "libs/bots/bot.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "libs/bots/beginner.h"
#include "libs/bots/mix.h"
#include "libs/rules/score.h"

namespace mj::bots {
namespace {

using round::Choice;
using round::Offer;
using round::SeatView;
using round::TileSet;
using rules::Hand;
using rules::MeldKind;
using rules::Seat;
using rules::WinWay;
using tiles::Tile;
using tiles::TileCounts;

// Seven pairs of more than one suit, as far apart as the wall has them.
Hand MixedPairs(const TileCounts& wall) {
  std::vector<Tile> kinds;
  for (Tile tile : tiles::kAllKinds) {
    if (wall.Has(tile, 2)) kinds.push_back(tile);
  }
  Hand hand;
  for (std::size_t i = 0; i < 7 && !kinds.empty(); ++i) {
    hand.concealed.Add(kinds[i * (kinds.size() - 1) / 6], 2);
  }
  return hand;
}

}  // namespace

Bot::Bot(const rules::Variant& game, const rules::Options& options, std::uint64_t seed,
         Distances& distances, Strength strength)
    : game_(game),
      options_(options),
      play_(game.play(options)),
      shapes_(game.shapes(options)),
      seed_(seed),
      distances_(distances),
      strength_(strength) {
  if (strength_ == Strength::kStrong) expert_.emplace(game, options, seed, distances);
  if (!shapes_.seven_pairs) return;
  // A game may allow seven pairs of some sorts only: then they are no aim.
  Hand pairs = MixedPairs(play_.wall);
  if (pairs.concealed.total() != 14) return;
  rules::Win win;
  for (Tile tile : tiles::kAllKinds) {
    if (pairs.concealed.Has(tile)) win.tile = tile;
  }
  win.hand = Without(pairs, win.tile);
  rules::Deal deal;
  if (play_.winds) {
    deal.round_wind = tiles::kEast;
    deal.seat_winds.emplace(std::array{tiles::kEast, tiles::kSouth, tiles::kWest, tiles::kNorth});
  }
  shapes_.seven_pairs = rules::JudgeClaim(game_, options_, deal, win).legal();
}

Choice Bot::Choose(const SeatView& view) {
  const Offer& offer = view.ask->offer;
  if (offer.win) return Choice::Win();
  if (offer.roll) return Choice::Roll();
  const Sight sight = Look(view, play_.wall);
  if (strength_ == Strength::kWeak) return BeginnersChoice(sight, seed_);
  if (expert_) return expert_->Choose(sight);
  return offer.pass ? OnClaim(sight) : OnTurn(sight);
}

Choice Bot::OnTurn(const Sight& sight) {
  const auto [discard, after] = BestDiscard(sight, sight.hand, sight.offer.discards);
  const auto near_enough = [&, missing = after.missing](const Hand& resting) {
    return Judge(sight, resting).missing <= missing;
  };
  for (Tile tile : sight.offer.concealed_kongs) {
    const Hand konged =
        WithMeld(Without(sight.hand, tile, 4), MeldKind::kConcealedKong, tile, sight.seat);
    if (near_enough(konged)) return Choice::ConcealedKong(tile);
  }
  for (Tile tile : sight.offer.added_kongs) {
    if (near_enough(Without(sight.hand, tile))) return Choice::AddedKong(tile);
  }
  return Choice::Discard(discard);
}

Choice Bot::OnClaim(const Sight& sight) {
  if (!sight.offer.tile) return Choice::Pass();
  const Tile tile = *sight.offer.tile;
  const Seat from = sight.view.actor.value_or(sight.seat);
  const Value now = Judge(sight, sight.hand);
  if (sight.offer.discard_kong) {
    const Hand konged = WithMeld(Without(sight.hand, tile, 3), MeldKind::kDiscardKong, tile, from);
    if (Judge(sight, konged).missing <= now.missing) {
      return Choice::DiscardKong(tile);
    }
  }
  Choice best = Choice::Pass();
  Value best_value = now;
  const auto consider = [&](const Choice& choice, const Hand& called) {
    const Value value = BestDiscard(sight, called, KindsOf(called)).second;
    if (value.missing >= now.missing || !value.Beats(best_value)) return;
    best = choice;
    best_value = value;
  };
  if (sight.offer.pung) {
    consider(Choice::Pung(), WithMeld(Without(sight.hand, tile, 2), MeldKind::kPung, tile, from));
  }
  for (const Offer::Chow& chow : sight.offer.chows) {
    const Hand rest = Without(Without(sight.hand, chow.low), chow.high);
    consider(Choice::Chow(chow.low, chow.high),
             WithMeld(rest, MeldKind::kChow, std::min(tile, chow.low), from));
  }
  return best;
}

std::pair<Tile, Bot::Value> Bot::BestDiscard(const Sight& sight, const Hand& hand,
                                             TileSet discards) {
  const Nearby whole = Around(sight, hand);
  std::array<int, tiles::kKindCount> missing{};
  int least = 99;
  for (Tile tile : discards) {
    int& after = missing[static_cast<std::size_t>(tile.index())];
    after = whole.Without(tile);
    least = std::min(least, after);
  }
  Tile best;
  Value best_value;
  std::uint64_t best_mix = 0;
  // A wait on which no win is allowed is worth less than what it is counted: look one further.
  for (int looked = least; looked <= least + 1; ++looked) {
    for (Tile tile : discards) {
      if (missing[static_cast<std::size_t>(tile.index())] != looked) continue;
      const Value value = Judge(sight, Without(hand, tile));
      const std::uint64_t mix =
          Mix(seed_ ^ Mix(sight.view.ask->decision * 64u + static_cast<unsigned>(tile.index())));
      if (value.Beats(best_value) || (value == best_value && mix > best_mix)) {
        best = tile;
        best_value = value;
        best_mix = mix;
      }
    }
    if (best_value.missing <= looked) break;
  }
  return {best, best_value};
}

Nearby Bot::Around(const Sight& sight, const Hand& hand) {
  return Nearby(distances_, hand.concealed, static_cast<int>(hand.melds.size()),
                sight.view.deal.wild, shapes_);
}

Bot::Value Bot::Judge(const Sight& sight, const Hand& resting) {
  const Nearby around = Around(sight, resting);
  Value value{around.Missing(), 0};
  for (Tile tile : tiles::kAllKinds) {
    if (!sight.unseen.Has(tile)) continue;
    if (around.With(tile) >= value.missing) continue;
    int ways = 1;
    if (value.missing == 1) {
      ways = (MayWin(sight, resting, tile, WinWay::kSelfDraw) ? 1 : 0) +
             (MayWin(sight, resting, tile, WinWay::kDiscard) ? 3 : 0);
    }
    value.useful += ways * sight.unseen[tile];
  }
  if (value.missing == 1 && value.useful == 0) value.missing = 2;
  return value;
}

bool Bot::MayWin(const Sight& sight, const Hand& waiting, Tile tile, WinWay way) const {
  rules::Win win;
  win.seat = sight.seat;
  win.hand = waiting;
  win.tile = tile;
  win.way = way;
  if (way == WinWay::kDiscard) win.from = rules::Before(sight.seat);
  return rules::JudgeClaim(game_, options_, sight.view.deal, win).legal();
}

}  // namespace mj::bots
