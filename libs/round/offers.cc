#include "libs/round/offers.h"

#include <algorithm>
#include <cstdint>
#include <variant>

#include "libs/rules/reading.h"
#include "libs/rules/score.h"

namespace mj::round::internal {
namespace {

using rules::WinWay;
using Chows = InlineVector<Offer::Chow, 3>;

TileCounts With(TileCounts counts, Tile tile) {
  counts.Add(tile);
  return counts;
}

bool IsWild(const State& state, Tile tile) { return state.deal.wild == tile; }

bool MayWin(const Setup& setup, const State& state, Seat seat) {
  return rules::JudgeClaim(setup.variant(), setup.options(), state.deal,
                           ClaimOf(setup, state, seat))
      .legal();
}

// Whether `tile`, drawn or another's, makes the hand of `seat` a win; `whole` is that hand with it.
bool MayWinBy(Tile tile, const TileCounts& whole, const Setup& setup, const State& state,
              Seat seat) {
  const SeatState& held = state.seats[seat];
  return held.completing.Has(tile) &&
         rules::IsWin(whole, held.hand.melds, state.deal.wild, setup.shapes()) &&
         MayWin(setup, state, seat);
}

bool MayWinByAnothers(Tile tile, const Setup& setup, const State& state, Seat seat) {
  const SeatState& held = state.seats[seat];
  return held.completing.Has(tile) && !held.lock.Bars(tile) &&
         MayWinBy(tile, With(held.hand.concealed, tile), setup, state, seat);
}

// Which tiles of a hand stand beside `tile` in its suit: a bit each for the two kinds below it and
// the two above.
class Neighbours {
 public:
  Neighbours() = default;
  Neighbours(const State& state, const TileCounts& hand, Tile tile) : tile_(tile) {
    if (tile.is_honour()) return;
    const int lowest = tile.index() - 2;  // may be no kind at all
    const int first = std::max(lowest, 0);
    std::uint64_t held = TileSet::HeldOfEight(hand, static_cast<std::size_t>(first), 1);
    if (state.deal.wild) {
      const int wild = state.deal.wild->index() - first;
      if (wild >= 0 && wild < 8) held &= ~(std::uint64_t{1} << wild);
    }
    const unsigned in_suit = (0x1FFu << 2) >> (tile.rank() - 1);
    bits_ = static_cast<unsigned>(held << (first - lowest)) & in_suit & 0x1F;
  }

  // Whether any two of them make a sequence with the tile.
  bool any() const { return (bits_ & (bits_ >> 1) & 0x9) != 0 || (bits_ & kAround) == kAround; }

  // The sequences, the lowest first.
  Chows chows() const {
    Chows chows;
    const auto add = [&](unsigned both, int low, int high) {
      if ((bits_ & both) != both) return;
      chows.push_back(Offer::Chow{Tile::At(tile_.index() + low), Tile::At(tile_.index() + high)});
    };
    add(0x03, -2, -1);
    add(kAround, -1, 1);
    add(0x18, 1, 2);
    return chows;
  }

 private:
  static constexpr unsigned kAround = 0x0A;

  Tile tile_;
  unsigned bits_ = 0;
};

// The offer of a further decision of `seat`.
Offer& AskFor(Seat seat, const State& state, Asked& asked) {
  Ask& ask = asked.asks[seat].emplace();
  ask.decision = state.seats[seat].decisions + 1;
  return ask.offer;
}

bool AskInWindow(const Setup& setup, const State& state, const Window& window, Asked& asked) {
  const Tile tile = window.tile;
  // A wild tile can be neither called nor won on (D-JY-6, PLAY-11).
  if (IsWild(state, tile)) return false;
  const bool callable = state.left > 0;  // else it can only be won on (COM-07)
  const Seat next = rules::After(window.from);
  const Neighbours neighbours = callable && setup.play().chow
                                    ? Neighbours(state, state.seats[next].hand.concealed, tile)
                                    : Neighbours();
  // Whoever might have a claim, at a glance: mostly nobody.
  PerSeat<bool> may;
  bool any_may = false;
  for (Seat seat : rules::kSeats) {
    const SeatState& held = state.seats[seat];
    const bool pung = callable & held.hand.concealed.Has(tile, 2);
    const bool chow = (seat == next) & neighbours.any();
    may[seat] = (seat != window.from) & (held.completing.Has(tile) | pung | chow);
    any_may |= may[seat];
  }
  if (!any_may) return false;
  bool any = false;
  for (Seat seat : rules::kSeats) {
    if (!may[seat]) continue;
    const TileCounts& hand = state.seats[seat].hand.concealed;
    const bool win = MayWinByAnothers(tile, setup, state, seat);
    const bool pung = callable && hand.Has(tile, 2);
    const bool chow = seat == next && neighbours.any();
    if (!win && !pung && !chow) continue;
    Offer& offer = AskFor(seat, state, asked);
    offer.tile = tile;
    offer.win = win;
    offer.pass = true;
    offer.pung = pung;
    offer.discard_kong = callable && hand.Has(tile, 3);
    if (chow) offer.chows = neighbours.chows();
    any = true;
  }
  return any;
}

// SG-03: not by the one whose discard made that pung.
bool MayRob(const Setup& setup, const State& state, const Robbery& robbery, Seat seat) {
  if (!setup.play().feeder_may_not_rob) return true;
  for (const CalledMeld& called : state.seats[robbery.owner].hand.melds) {
    if (called.meld == rules::Meld{MeldKind::kPung, robbery.tile} && called.from == seat) {
      return false;
    }
  }
  return true;
}

bool AskRobbers(const Setup& setup, const State& state, const Robbery& robbery, Asked& asked) {
  bool any = false;
  for (Seat seat : rules::kSeats) {
    if (seat == robbery.owner || !MayRob(setup, state, robbery, seat)) continue;
    if (!MayWinByAnothers(robbery.tile, setup, state, seat)) continue;
    Offer& offer = AskFor(seat, state, asked);
    offer.tile = robbery.tile;
    offer.win = true;
    offer.pass = true;
    any = true;
  }
  return any;
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

void AskRoll(const State& state, Asked& asked) {
  AskFor(state.deal.dealer, state, asked).roll = true;
}

void AskTurn(const Setup& setup, const State& state, Asked& asked) {
  const Turn& turn = std::get<Turn>(state.phase);
  const rules::Hand& hand = state.seats[turn.seat].hand;
  Offer& offer = AskFor(turn.seat, state, asked);
  offer.tile = turn.drawn;
  offer.discards = TileSet::Held(hand.concealed, 1);
  if (!turn.drawn) return;  // after a chow or pung: only a discard (COM-06)
  offer.win = MayWinBy(*turn.drawn, hand.concealed, setup, state, turn.seat);
  if (state.left == 0) return;  // no replacement, no kong (COM-07)
  offer.concealed_kongs = TileSet::Held(hand.concealed, 4);
  if (state.deal.wild) offer.concealed_kongs.Remove(*state.deal.wild);
  for (const CalledMeld& called : hand.melds) {
    if (called.meld.kind == MeldKind::kPung && hand.concealed.Has(called.meld.tile)) {
      offer.added_kongs.Add(called.meld.tile);
    }
  }
}

bool AskClaims(const Setup& setup, const State& state, Asked& asked) {
  if (const auto* window = std::get_if<Window>(&state.phase)) {
    return AskInWindow(setup, state, *window, asked);
  }
  const auto* robbery = std::get_if<Robbery>(&state.phase);
  return robbery != nullptr && AskRobbers(setup, state, *robbery, asked);
}

}  // namespace mj::round::internal
