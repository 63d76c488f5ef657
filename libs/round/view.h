// What one viewer may know of a round. The only way out of the round towards a client or a bot.
//
// Hidden are: the wall, others' concealed tiles and draws, who else is asked what and what it
// answered, others' locks, a leave that is only noted. Melds lie open, concealed kongs too. A
// viewer's sequence numbers must count its own events (Filter gives nothing for the others):
// gaps in a common numbering would show that somebody else was asked.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "libs/round/event.h"
#include "libs/round/setup.h"
#include "libs/round/state.h"

namespace mj::round {

// Who looks.
struct Viewer {
  std::optional<Seat> seat;  // whose hand is seen; none: the public view
  bool decides = false;      // sees the decisions of `seat` too: the player itself

  static constexpr Viewer Player(Seat seat) { return {seat, true}; }
  // Watches over a seat's shoulder (COM-13): its hand, not its decisions.
  static constexpr Viewer Watching(Seat seat) { return {seat, false}; }
  static constexpr Viewer Public() { return {std::nullopt, false}; }
  bool operator==(const Viewer&) const = default;
};

// ------------------------------------------------------------------------------------- view

enum class ViewPhase : std::uint8_t {
  kNotBegun,
  kOpening,       // dice and deal to come
  kTurn,          // `actor` has to act
  kThrown,        // `actor` threw `tile`
  kKongDeclared,  // `actor` adds `tile` to its pung
  kKongMade,      // `actor`'s replacement is to come
  kWon,
  kOver,
};

struct PublicSeat {
  std::uint8_t concealed = 0;  // how many tiles
  Melds melds;
  bool operator==(const PublicSeat&) const = default;
};

struct SeatView {
  Viewer viewer;
  ViewPhase phase = ViewPhase::kNotBegun;
  std::optional<Seat> actor;
  std::optional<Tile> tile;  // kThrown, kKongDeclared
  Deal deal;
  std::optional<Dice> dice;
  std::optional<Tile> indicator;
  std::uint8_t left = 0;  // tiles left in the wall
  PerSeat<PublicSeat> seats;
  River river;
  InlineVector<Kong, rules::kMaxKongs> kongs;

  // Of the viewer's seat, when it has one; empty otherwise.
  TileCounts hand;            // concealed, the drawn tile among them
  std::optional<Tile> drawn;  // on its own turn after a draw
  Lock lock;                  // `decides` only
  std::optional<Ask> ask;     // `decides` only: what it may do now

  // After the end.
  Wins wins;
  Horses horses;
  std::optional<RoundEnded> ended;

  bool operator==(const SeatView&) const = default;
};

SeatView Project(const Setup& setup, const State& state, const Viewer& viewer);
inline SeatView Project(const Setup& setup, const State& state, Seat seat) {
  return Project(setup, state, Viewer::Player(seat));
}

// ------------------------------------------------------------------------------------ events

struct HandDealt {
  std::optional<TileCounts> hand;  // the viewer's own thirteen
  bool operator==(const HandDealt&) const = default;
};
struct SeatDrew {
  Seat seat = Seat::k0;
  std::optional<Tile> tile;  // the viewer's own
  DrawKind kind = DrawKind::kWall;
  std::uint8_t left = 0;
  bool operator==(const SeatDrew&) const = default;
};
struct YouAreAsked {
  Ask ask;
  bool operator==(const YouAreAsked&) const = default;
};
struct YouAnswered {
  DecisionId decision = 0;
  Choice choice;
  AnswerBy by = AnswerBy::kPlayer;
  bool operator==(const YouAnswered&) const = default;
};

using SeatEvent = std::variant<RoundBegan, DiceRolled, HandDealt, IndicatorTurned, SeatDrew,
                               YouAreAsked, YouAnswered, Discarded, Called, KongDeclared, KongMade,
                               Won, HorsesTurned, RoundEnded>;

// What `viewer` sees of an event; nothing when it sees nothing.
std::optional<SeatEvent> Filter(const Event& event, const Viewer& viewer);

}  // namespace mj::round
