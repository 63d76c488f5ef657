// Where a round stands.
//
// A plain value of about two kilobytes without pointers: copying it is cheap, comparing it is
// exact, and State{} is a round that has not begun. Only Apply (decide.h) writes it.
//
// Invariants, held after every event and checked by CheckInvariants (invariants.h):
//   1. every tile of the wall is in exactly one place: still in the wall, in a hand, in a meld, in
//      the river and not taken, turned as the indicator or a horse, or robbed;
//   2. every hand has 13 − 3 × melds concealed tiles, one more on the turn of its seat and while it
//      waits whether its added kong is robbed; at the end the last turn's seat may keep one more;
//   3. only seats that the phase lets decide are asked, and nobody once the round is over;
//   4. `completing` is what follows from the hand.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "libs/round/event.h"

namespace mj::round {

// ------------------------------------------------------------------------------------ phases

struct NotBegun {
  bool operator==(const NotBegun&) const = default;
};
// Begun; dice and deal to come.
struct Opening {
  bool operator==(const Opening&) const = default;
};
// `seat` has to act: win, kong or discard after a draw, discard after a chow or pung.
struct Turn {
  Seat seat = Seat::k0;
  std::optional<Tile> drawn;   // none after a chow or pung
  bool replacement = false;    // `drawn` replaces a kong's tile
  std::optional<Seat> feeder;  // …of a discard kong: who threw that tile
  bool operator==(const Turn&) const = default;
};
// `from` threw `tile`; who may claim it has been asked.
struct Window {
  Seat from = Seat::k0;
  Tile tile;
  bool operator==(const Window&) const = default;
};
// `owner` adds `tile` to its pung; who may rob it has been asked.
struct Robbery {
  Seat owner = Seat::k0;
  Tile tile;
  bool operator==(const Robbery&) const = default;
};
// A kong is made, its replacement not yet drawn. Never between two commands.
struct Replacing {
  Seat seat = Seat::k0;
  std::optional<Seat> feeder;
  bool operator==(const Replacing&) const = default;
};
// Won; horses may be turned. Never between two commands.
struct Decided {
  bool operator==(const Decided&) const = default;
};
struct Over {
  Outcome outcome = Outcome::kExhausted;
  std::optional<VoidReason> reason;
  std::optional<Seat> seat;
  bool operator==(const Over&) const = default;
};

using Phase = std::variant<NotBegun, Opening, Turn, Window, Robbery, Replacing, Decided, Over>;

// ------------------------------------------------------------------------------------- parts

// One tile that was thrown.
struct Thrown {
  Seat seat = Seat::k0;
  Tile tile;
  std::optional<Seat> taken_by;  // called into a meld; a tile won on stays in the river
  bool operator==(const Thrown&) const = default;
};
// All discards of the round, in order.
using River = InlineVector<Thrown, tiles::kKindCount * tiles::kCopies>;

// Which wins on another's tile a seat has locked itself out of (COM-12).
struct Lock {
  bool every = false;  // every tile (CZ-50)
  TileSet kinds;       // these (GD-80, JY-60)
  bool Bars(Tile tile) const { return every || kinds.Has(tile); }
  bool operator==(const Lock&) const = default;
};

struct SeatState {
  rules::Hand hand;  // on the seat's own turn the drawn tile is among the concealed
  // Outside of these no tile completes the hand as it last rested (rules/completing.h): follows from
  // `hand`, and is kept because every draw and every discard asks for it.
  TileSet completing;
  Lock lock;
  std::optional<Seat> killed;    // SG-43: who alone pays this seat
  std::uint8_t draws = 0;        // the dealer's fourteenth tile is one
  std::uint8_t thrown = 0;       // tiles thrown, taken ones too
  bool called = false;           // has called or konged
  DecisionId decisions = 0;      // asked so far; the latest one's id
  std::optional<Offer> open;     // what the latest decision offers, while it waits for the answer
  std::optional<Choice> answer;  // the answer to the latest decision, once given
  bool operator==(const SeatState&) const = default;
};

struct Leave {
  Seat seat = Seat::k0;
  VoidReason reason = VoidReason::kEscape;
  bool operator==(const Leave&) const = default;
};

// ------------------------------------------------------------------------------------- state

struct State {
  Phase phase;
  Deal deal;
  std::optional<Dice> dice;
  std::optional<Tile> indicator;
  std::uint8_t front = 0;  // tiles taken from the wall's front, horses included
  std::uint8_t back = 0;   // …and from its back
  std::uint8_t left = 0;   // tiles left in the wall
  PerSeat<SeatState> seats;
  River river;
  InlineVector<Kong, rules::kMaxKongs> kongs;  // completed, in order
  bool anyone_called = false;                  // or konged
  bool dealer_second_turn = false;             // PLAY-05
  std::optional<Leave> leaving;                // noted, until the window closes
  Wins wins;
  Horses horses;

  bool over() const { return std::holds_alternative<Over>(phase); }
  bool operator==(const State&) const = default;
};

}  // namespace mj::round
