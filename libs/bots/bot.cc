#include "libs/bots/bot.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "libs/bots/mix.h"
#include "libs/rules/score.h"

namespace mj::bots {
namespace {

using round::Choice;
using round::Offer;
using round::SeatView;
using round::TileSet;
using rules::CalledMeld;
using rules::Hand;
using rules::MeldKind;
using rules::Seat;
using rules::WinWay;
using tiles::Tile;
using tiles::TileCounts;

TileCounts Seen(const SeatView& view) {
  TileCounts seen = view.hand;
  for (const round::PublicSeat& seat : view.seats) {
    for (const CalledMeld& called : seat.melds) tiles::AddTo(seen, called.meld);
  }
  for (const round::Thrown& thrown : view.river) {
    if (!thrown.taken_by) seen.Add(thrown.tile);
  }
  if (view.indicator) seen.Add(*view.indicator);
  if (view.phase == round::ViewPhase::kKongDeclared && view.tile) seen.Add(*view.tile);
  return seen;
}

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

Hand Without(const Hand& hand, Tile tile, int n = 1) {
  Hand rest = hand;
  rest.concealed.Remove(tile, n);
  return rest;
}

Hand WithMeld(const Hand& hand, MeldKind kind, Tile tile, Seat from) {
  Hand melded = hand;
  melded.melds.push_back(CalledMeld{{kind, tile}, from});
  return melded;
}

}  // namespace

struct Bot::Scene {
  const SeatView& view;
  const Offer& offer;
  Seat seat;
  Hand hand;
  TileCounts unseen;
};

Bot::Bot(const rules::Variant& game, const rules::Options& options, std::uint64_t seed,
         Distances& distances)
    : game_(game),
      options_(options),
      play_(game.play(options)),
      shapes_(game.shapes(options)),
      seed_(seed),
      distances_(distances) {
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
  Scene scene{view, offer, view.viewer.seat.value_or(Seat::k0), {}, play_.wall};
  scene.hand.concealed = view.hand;
  scene.hand.melds = view.seats[scene.seat].melds;
  const TileCounts seen = Seen(view);
  for (Tile tile : tiles::kAllKinds) scene.unseen.Remove(tile, seen[tile]);
  return offer.pass ? OnClaim(scene) : OnTurn(scene);
}

Choice Bot::OnTurn(const Scene& scene) {
  const auto [discard, after] = BestDiscard(scene, scene.hand, scene.offer.discards);
  const auto near_enough = [&, missing = after.missing](const Hand& resting) {
    return Judge(scene, resting).missing <= missing;
  };
  for (Tile tile : scene.offer.concealed_kongs) {
    const Hand konged =
        WithMeld(Without(scene.hand, tile, 4), MeldKind::kConcealedKong, tile, scene.seat);
    if (near_enough(konged)) return Choice::ConcealedKong(tile);
  }
  for (Tile tile : scene.offer.added_kongs) {
    if (near_enough(Without(scene.hand, tile))) return Choice::AddedKong(tile);
  }
  return Choice::Discard(discard);
}

Choice Bot::OnClaim(const Scene& scene) {
  if (!scene.offer.tile) return Choice::Pass();
  const Tile tile = *scene.offer.tile;
  const Seat from = scene.view.actor.value_or(scene.seat);
  const Value now = Judge(scene, scene.hand);
  if (scene.offer.discard_kong) {
    const Hand konged = WithMeld(Without(scene.hand, tile, 3), MeldKind::kDiscardKong, tile, from);
    if (Judge(scene, konged).missing <= now.missing) {
      return Choice::DiscardKong(tile);
    }
  }
  Choice best = Choice::Pass();
  Value best_value = now;
  const auto consider = [&](const Choice& choice, const Hand& called) {
    TileSet discards;
    for (Tile held : tiles::kAllKinds) {
      if (called.concealed.Has(held)) discards.Add(held);
    }
    const Value value = BestDiscard(scene, called, discards).second;
    if (value.missing >= now.missing || !value.Beats(best_value)) return;
    best = choice;
    best_value = value;
  };
  if (scene.offer.pung) {
    consider(Choice::Pung(), WithMeld(Without(scene.hand, tile, 2), MeldKind::kPung, tile, from));
  }
  for (const Offer::Chow& chow : scene.offer.chows) {
    const Hand rest = Without(Without(scene.hand, chow.low), chow.high);
    consider(Choice::Chow(chow.low, chow.high),
             WithMeld(rest, MeldKind::kChow, std::min(tile, chow.low), from));
  }
  return best;
}

std::pair<Tile, Bot::Value> Bot::BestDiscard(const Scene& scene, const Hand& hand,
                                             TileSet discards) {
  const Nearby whole = Look(scene, hand);
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
      const Value value = Judge(scene, Without(hand, tile));
      const std::uint64_t mix =
          Mix(seed_ ^ Mix(scene.view.ask->decision * 64u + static_cast<unsigned>(tile.index())));
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

Nearby Bot::Look(const Scene& scene, const Hand& hand) {
  return Nearby(distances_, hand.concealed, static_cast<int>(hand.melds.size()),
                scene.view.deal.wild, shapes_);
}

Bot::Value Bot::Judge(const Scene& scene, const Hand& resting) {
  const Nearby around = Look(scene, resting);
  Value value{around.Missing(), 0};
  for (Tile tile : tiles::kAllKinds) {
    if (!scene.unseen.Has(tile)) continue;
    if (around.With(tile) >= value.missing) continue;
    int ways = 1;
    if (value.missing == 1) {
      ways = (MayWin(scene, resting, tile, WinWay::kSelfDraw) ? 1 : 0) +
             (MayWin(scene, resting, tile, WinWay::kDiscard) ? 3 : 0);
    }
    value.useful += ways * scene.unseen[tile];
  }
  if (value.missing == 1 && value.useful == 0) value.missing = 2;
  return value;
}

bool Bot::MayWin(const Scene& scene, const Hand& waiting, Tile tile, WinWay way) const {
  rules::Win win;
  win.seat = scene.seat;
  win.hand = waiting;
  win.tile = tile;
  win.way = way;
  if (way == WinWay::kDiscard) win.from = rules::Before(scene.seat);
  return rules::JudgeClaim(game_, options_, scene.view.deal, win).legal();
}

}  // namespace mj::bots
