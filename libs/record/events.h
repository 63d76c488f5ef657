// What a table adds to the events of a round's engine: how the round was scored, paid or void, and
// what its players did besides playing. The table service's journal and a round's record share these.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "libs/round/event.h"
#include "libs/rules/seat.h"

namespace mj::record {

using rules::PerSeat;
using rules::Seat;

using Coins = std::int64_t;

enum class Currency : std::uint8_t { kCoin, kPractice };

enum class LeaveReason : std::uint8_t {
  kLeft,            // of the player's own will
  kClientClosed,    // the player closed the client
  kBelowMinimum,    // too few coins for the next round (COM-15)
  kRefused,         // the wallet does not hold a seat for the player: frozen, busy elsewhere…
  kNoAnswer,        // did not answer whether to play on, or about the stakes (COM-14)
  kConnectionLost,  // was away for too long while a round was played (COM-10)
  kDisagreed,       // did not accept the stakes, or did not want to name them (GD-90)
  kOperator,        // an operator removed the player, or closed the table; never an escape
};

enum class VoidReason : std::uint8_t {
  kEscape,          // a player left before it was over (COM-10)
  kConnectionLost,  // a player was away for too long, which is an escape too
  kAllAbsent,       // all four were away; nobody escaped
  kOperator,        // the operator ended it
  kRefused,         // the wallet did not let the round begin; nothing of it was played
};

// Of a round that its engine ended void.
[[nodiscard]] VoidReason ReasonOf(round::VoidReason reason);

// The table itself was held up, and no player: every clock that runs gets its full time again
// (D-COM-10).
struct ClocksRestarted {
  bool operator==(const ClocksRestarted&) const = default;
};

// The system begins to play for a seat, or the player takes over again (COM-09).
struct AutoPlaySet {
  Seat seat = Seat::k0;
  bool on = false;
  bool operator==(const AutoPlaySet&) const = default;
};

struct SeatTransfer {
  Seat from = Seat::k0;
  Seat to = Seat::k0;
  Coins coins = 0;   // more than 0
  std::string rule;  // the rule under which they are owed
  bool operator==(const SeatTransfer&) const = default;
};

// The round's worth is known.
struct RoundScored {
  std::vector<SeatTransfer> transfers;
  std::string score;  // the scorer's whole answer as it came, to be shown unchanged; opaque here
  bool operator==(const RoundScored&) const = default;
};

struct SeatPosted {
  Coins net = 0;  // received minus paid, rake included
  Coins rake = 0;
  Coins balance = 0;  // right after it
  bool operator==(const SeatPosted&) const = default;
};

// A debt that its payer could not cover.
struct Shortfall {
  Seat from = Seat::k0;
  Seat to = Seat::k0;
  Coins coins = 0;  // more than 0
  bool operator==(const Shortfall&) const = default;
};

// The wallet has posted the round.
struct RoundPosted {
  std::string journal_id;  // the wallet's
  PerSeat<SeatPosted> seats;
  std::vector<Shortfall> shortfalls;
  bool operator==(const RoundPosted&) const = default;
};

// What an escape cost (COM-10). Seats other than the escaper's net their shares.
struct PenaltyPosted {
  std::string journal_id;     // the wallet's
  PerSeat<SeatPosted> seats;  // rake is 0
  Coins shortfall = 0;        // what the escaper could not cover
  bool operator==(const PenaltyPosted&) const = default;
};

// The round counts for nothing.
struct RoundVoided {
  VoidReason reason = VoidReason::kRefused;
  std::optional<Seat> escaped;           // kEscape and kConnectionLost
  std::optional<PenaltyPosted> penalty;  // with `escaped`
  bool operator==(const RoundVoided&) const = default;
};

}  // namespace mj::record
