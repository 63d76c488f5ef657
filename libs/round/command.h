// What can be asked of a round, and why it may be refused.
#pragma once

#include <cstdint>
#include <optional>
#include <variant>

#include "libs/round/event.h"

namespace mj::round {

// Opens the round: the first command, once.
struct Begin {
  bool operator==(const Begin&) const = default;
};

// A seat answers a decision that it was offered.
struct Act {
  Seat seat = Seat::k0;
  DecisionId decision = 0;
  Choice choice;
  bool operator==(const Act&) const = default;
};

// A seat's time for a decision is over, or the system plays for it: SystemChoice answers.
struct Timeout {
  Seat seat = Seat::k0;
  DecisionId decision = 0;
  bool auto_play = false;
  bool operator==(const Timeout&) const = default;
};

// The round is not to be played on. An escape or lost connection of one seat while a claim or
// robbery window is open is noted, the seat's own missing answer is a pass, and the round is void
// when the window closes without a win (COM-10). Everything else takes effect at once.
struct Void {
  VoidReason reason = VoidReason::kOperator;
  std::optional<Seat> seat;  // who left; kEscape and kConnectionLost only
  bool operator==(const Void&) const = default;
};

// What follows from a tile that nobody claims, where the caller held it back (FollowsUnclaimedTile).
struct Proceed {
  bool operator==(const Proceed&) const = default;
};

using Command = std::variant<Begin, Act, Timeout, Void, Proceed>;

// Why a command is refused; nothing has changed then. The first that holds, in this order.
enum class Rejection : std::uint8_t {
  kAlreadyBegun,     // Begin a second time
  kNotBegun,         // anything else before Begin
  kRepeatedAnswer,   // Act: word for word the seat's answer to its latest decision. Safe to
                     // treat as done: this is how a double tap looks
  kRoundOver,        // won, exhausted or void already
  kSeatNotNamed,     // Void: an escape without the seat that escaped, or a seat where none belongs
  kAlreadyLeaving,   // Void: an escape while another's is noted; only the first is one (COM-10)
  kUnknownDecision,  // never offered to this seat: out of turn, made up
  kStaleDecision,    // an earlier decision of this seat
  kAlreadyAnswered,  // the seat's latest decision, answered differently before
  kNothingHeldBack,  // Proceed: no tile lies unclaimed, or somebody may still claim it
  kDecisionClosed,   // the seat's latest decision; the window closed without its answer
  kNotOffered,       // the decision is open, but this is none of its choices
};

}  // namespace mj::round
