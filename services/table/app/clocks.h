// What runs out at a table, and what happens then. Pure: a moment is handed in.
//
// When something is due follows from the journal alone, so a table that is replayed has the same
// deadlines. What stands still with the table itself is started anew by ClocksRestarted.
#pragma once

#include <optional>

#include "services/table/app/decide.h"
#include "services/table/app/presence.h"
#include "services/table/app/state.h"

namespace mj::table {

// `entry` has happened: sets and clears what is due. Part of Apply.
void RunClocks(TableState& state, const LogEntry& entry);

// When something is due next: an answer, the end of a pause, nonces, the question whether to play on,
// one about the stakes.
// Nothing while no clock runs.
[[nodiscard]] std::optional<WallTime> NextDue(const TableState& state);

// What follows from whatever is due at `now`, the earliest first; one thing at a time. No events:
// nothing is due.
[[nodiscard]] Events DecideDue(const TableState& state, WallTime now);

// Until when `seat` has time for its open decision. Nothing when it has none.
[[nodiscard]] std::optional<WallTime> AnswerDue(const TableState& state, Seat seat);

// Until when whoever sits at `seat` has time for what the table waits for it to do: its open decision, to
// reveal its nonce, to name or to accept the stakes, to say whether it plays on. Nothing when that is
// nothing, or no clock runs.
[[nodiscard]] std::optional<WallTime> OwedBy(const TableState& state, Seat seat);

// When somebody will have been away for too long, if nobody comes back (COM-10). Nothing while no
// round is played or nobody is away.
[[nodiscard]] std::optional<WallTime> NextAbsence(const TableState& state, const Absences& away);

// What follows from that at `now`: whoever has been away for away_ms has escaped, the longest
// first; where the others were away too by then nobody has, and the round is void after all_away_ms
// (D-COM-10).
[[nodiscard]] Events DecideAbsence(const TableState& state, const Absences& away, WallTime now);

}  // namespace mj::table
