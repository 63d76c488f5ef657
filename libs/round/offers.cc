#include "libs/round/offers.h"

#include <variant>

#include "libs/rules/score.h"

namespace mj::round::internal {
namespace {

using rules::WinWay;

bool IsWild(const State& state, Tile tile) { return state.deal.wild == tile; }

bool MayWin(const Setup& setup, const State& state, Seat seat) {
  return rules::JudgeClaim(setup.variant(), setup.options(), state.deal,
                           ClaimOf(setup, state, seat))
      .legal();
}

// The sequences that `tile` makes with two tiles of the hand, the lowest first.
void AddChows(const State& state, const TileCounts& hand, Tile tile, Offer& offer) {
  if (tile.is_honour()) return;
  constexpr int kOthers[3][2] = {{-2, -1}, {-1, 1}, {1, 2}};
  for (const auto& others : kOthers) {
    if (tile.rank() + others[0] < 1 || tile.rank() + others[1] > 9) continue;
    const Tile low = Tile::At(tile.index() + others[0]);
    const Tile high = Tile::At(tile.index() + others[1]);
    if (!hand.Has(low) || !hand.Has(high) || IsWild(state, low) || IsWild(state, high)) continue;
    offer.chows.push_back(Offer::Chow{low, high});
  }
}

std::optional<Offer> WindowOffer(const Setup& setup, const State& state, const Window& window,
                                 Seat seat) {
  // A wild tile can be neither called nor won on (D-JY-6, PLAY-11).
  if (seat == window.from || IsWild(state, window.tile)) return std::nullopt;
  const SeatState& claimant = state.seats[seat];
  Offer offer;
  offer.tile = window.tile;
  offer.win = !claimant.lock.Bars(window.tile) && MayWin(setup, state, seat);
  if (state.left > 0) {  // with an empty wall a discard can only be won on (COM-07)
    const TileCounts& hand = claimant.hand.concealed;
    offer.pung = hand.Has(window.tile, 2);
    offer.discard_kong = hand.Has(window.tile, 3);
    if (setup.play().chow && seat == rules::After(window.from)) {
      AddChows(state, hand, window.tile, offer);
    }
  }
  if (!offer.win && !offer.pung && offer.chows.empty()) return std::nullopt;
  offer.pass = true;
  return offer;
}

std::optional<Offer> RobberyOffer(const Setup& setup, const State& state, const Robbery& robbery,
                                  Seat seat) {
  if (seat == robbery.owner || state.seats[seat].lock.Bars(robbery.tile)) return std::nullopt;
  if (setup.play().feeder_may_not_rob) {  // SG-03
    for (const CalledMeld& called : state.seats[robbery.owner].hand.melds) {
      if (called.meld == rules::Meld{MeldKind::kPung, robbery.tile} && called.from == seat) {
        return std::nullopt;
      }
    }
  }
  if (!MayWin(setup, state, seat)) return std::nullopt;
  Offer offer;
  offer.tile = robbery.tile;
  offer.win = true;
  offer.pass = true;
  return offer;
}

}  // namespace

Win ClaimOf(const Setup& setup, const State& state, Seat seat) {
  const SeatState& claimant = state.seats[seat];
  Win win;
  win.seat = seat;
  win.hand = claimant.hand;
  rules::FirstTurnFacts facts;
  bool replacement = false;
  if (const auto* turn = std::get_if<Turn>(&state.phase)) {
    win.way = WinWay::kSelfDraw;
    win.tile = turn->drawn.value_or(Tile{});
    win.hand.concealed.Remove(win.tile);
    win.killed = claimant.killed;
    win.kong_feeder = turn->feeder;
    replacement = turn->replacement;
  } else if (const auto* window = std::get_if<Window>(&state.phase)) {
    win.way = WinWay::kDiscard;
    win.tile = window->tile;
    win.from = window->from;
    facts.previous_seats_first_discard =
        window->from == rules::Before(seat) && state.seats[window->from].thrown == 1;
  } else if (const auto* robbery = std::get_if<Robbery>(&state.phase)) {
    win.way = WinWay::kRobbedKong;
    win.tile = robbery->tile;
    win.from = robbery->owner;
  }
  facts.winner = seat;
  facts.dealer = state.deal.dealer;
  facts.way = win.way;
  facts.winner_draws = claimant.draws;
  facts.winner_called = claimant.called;
  facts.anyone_called = state.anyone_called;
  facts.dealer_second_turn = state.dealer_second_turn;
  win.flags = setup.variant().FirstTurn(facts, setup.options());
  win.flags.kong_replacement = replacement;
  win.flags.last_tile = win.way == WinWay::kSelfDraw && state.left == 0;
  return win;
}

Offer TurnOffer(const Setup& setup, const State& state) {
  const Turn& turn = std::get<Turn>(state.phase);
  const rules::Hand& hand = state.seats[turn.seat].hand;
  Offer offer;
  offer.tile = turn.drawn;
  for (Tile tile : tiles::kAllKinds) {
    if (hand.concealed.Has(tile)) offer.discards.Add(tile);
  }
  if (!turn.drawn) return offer;  // after a chow or pung: only a discard (COM-06)
  offer.win = MayWin(setup, state, turn.seat);
  if (state.left == 0) return offer;  // no replacement, no kong (COM-07)
  for (Tile tile : offer.discards) {
    if (hand.concealed.Has(tile, 4) && !IsWild(state, tile)) offer.concealed_kongs.Add(tile);
  }
  for (const CalledMeld& called : hand.melds) {
    if (called.meld.kind == MeldKind::kPung && hand.concealed.Has(called.meld.tile)) {
      offer.added_kongs.Add(called.meld.tile);
    }
  }
  return offer;
}

std::optional<Offer> ClaimOffer(const Setup& setup, const State& state, Seat seat) {
  if (const auto* window = std::get_if<Window>(&state.phase)) {
    return WindowOffer(setup, state, *window, seat);
  }
  if (const auto* robbery = std::get_if<Robbery>(&state.phase)) {
    return RobberyOffer(setup, state, *robbery, seat);
  }
  return std::nullopt;
}

}  // namespace mj::round::internal
