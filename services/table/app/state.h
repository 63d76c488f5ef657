// Where a table stands: a fold over its journal, and nothing else. A live table, a replay and a
// recovery are the same code.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "libs/fairness/commitment.h"
#include "libs/round/setup.h"
#include "libs/round/state.h"
#include "libs/rules/variant.h"
#include "services/table/app/events.h"
#include "services/table/app/model.h"
#include "services/table/app/stakes.h"

namespace mj::table {

// When what is waited for in a round is over.
struct RoundClocks {
  PerSeat<std::optional<WallTime>> answer_due;  // of the seat's open decision
  PerSeat<round::DecisionId> decision;          // …which is this one
  WallTime pause_until{};                       // before which nothing follows an unclaimed tile
  std::optional<WallTime> reveal_due;           // until when nonces are waited for
};

// The present round or, between rounds, the latest.
struct Round {
  RoundBegun begun;
  PerSeat<std::optional<fairness::Bytes>> reveals;  // nonces that came in time, counting or not
  std::optional<DealDrawn> deal;
  std::optional<round::Setup> setup;  // with `deal`
  round::State play;
  std::optional<RoundScored> scored;
  std::optional<RoundPosted> posted;
  bool voided = false;
  RoundClocks clocks;
  PerSeat<int> overruns;  // of this round that count (D-COM-6)
  // What each seat's decisions were answered with, whoever did, the first at 0: an answer that comes
  // again is known.
  PerSeat<std::vector<std::optional<round::Choice>>> answers;

  // The seat's nonce as far as it has come.
  [[nodiscard]] fairness::NonceRecord nonce(Seat seat) const;
  // Whether this is the answer that `seat`'s decision was given.
  [[nodiscard]] bool Answered(Seat seat, round::DecisionId decision,
                              const round::Choice& choice) const;
  // Begun, and neither paid nor void.
  [[nodiscard]] bool live() const { return !posted.has_value() && !voided; }
};

// How the next round is dealt when the same four go on. Without it everything is drawn anew.
struct NextDeal {
  Seat dealer = Seat::k0;
  std::optional<Tile> round_wind;
  std::optional<PerSeat<Tile>> seat_winds;
  bool operator==(const NextDeal&) const = default;
};

// What operators have asked for at the table.
struct Orders {
  bool voids = false;                // the present round is to be void, and is not yet
  bool closes = false;               // the table is to close once no round is live
  PerSeat<bool> removes;             // whoever sits there is to go once no round is live
  std::vector<OperatorActed> given;  // all, the oldest first: each is known again
};

// A plain value; TableState{} is a table that has not been made. Written by Apply only.
struct TableState {
  TableId id;
  RequestId request;
  TableSpec spec;
  const rules::Variant* variant = nullptr;  // of the registry
  rules::Options options;                   // at first those of spec, parsed
  Coins base = 0;                           // at first that of spec; 0: not found yet
  Stakes stakes;
  WallTime created_at{};
  bool closed = false;
  PerSeat<SeatInfo> seats;
  PerSeat<std::optional<audit::Digest>> token_hashes;  // as in TableSpec, of whoever sits there
  // That came with the latest ready of each seat; it stands while the seat is ready.
  PerSeat<std::optional<fairness::Digest>> nonce_hashes;
  int rounds_begun = 0;
  std::optional<Round> round;
  std::optional<NextDeal> next;
  std::optional<WallTime> question_due;         // COM-14; none while nobody is asked
  std::optional<WallTime> empty_due;            // when a table at which nobody has sat yet closes
  PerSeat<std::optional<LeaveReason>> leaving;  // said so in the present round
  // The event since which whoever watches from this seat may see its hand (COM-13).
  PerSeat<std::optional<std::int64_t>> hand_shown;
  Orders orders;
  std::optional<WallTime> stop_from;  // no round begins from then on
  std::int64_t last_seq = 0;          // of the latest event

  [[nodiscard]] TableStage stage() const;
  [[nodiscard]] std::optional<Seat> SeatOf(const PlayerId& player) const;
  [[nodiscard]] int seated() const;
  [[nodiscard]] bool anyone_seated() const { return seated() > 0; }
  [[nodiscard]] int bots() const;  // of these, bots of the house
  [[nodiscard]] bool all_seated() const;
  [[nodiscard]] bool all_ready() const;  // four, each of them
  // Whether a round has begun whose deal is not drawn yet.
  [[nodiscard]] bool to_draw() const;
  // …and the seat has yet to reveal a nonce that counts, and can.
  [[nodiscard]] bool WaitsForNonce(Seat seat) const;
  // Why the round is void, whose close the wallet has yet to make: its engine ended it so, or an operator
  // what was over and not scored yet.
  struct VoidCause {
    VoidReason reason = VoidReason::kOperator;
    std::optional<Seat> escaped;
  };
  [[nodiscard]] std::optional<VoidCause> to_void() const;
  [[nodiscard]] TableInfo info() const;
};

// `entry` happens. DATA_LOSS, and `state` is not to be used any more, when it cannot follow on
// `state`: a number that is not the next, a game that this program does not have, an event out of
// place. What the functions of decide.h give always can.
[[nodiscard]] absl::Status Apply(TableState& state, const LogEntry& entry);

}  // namespace mj::table
