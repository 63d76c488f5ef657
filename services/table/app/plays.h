// What commands to the round's engine come to at a table: pauses that tell nothing, and leaves that
// are escapes or are not.
#pragma once

#include "libs/round/command.h"
#include "services/table/app/decide.h"
#include "services/table/app/state.h"

namespace mj::table {

// What `command` leads to now. What follows a tile that nobody claims is left out while the pause
// after it lasts (D-ROUND-5); round::Proceed asks for it. Whoever said in the round that it leaves
// goes with the round's end, unless it is void, which the wallet has to close first.
// REQUIRES: a round is played, and its engine accepts the command.
[[nodiscard]] Events Command(const TableState& state, const round::Command& command, WallTime now);

// The same of what the engine has given already.
[[nodiscard]] Events Played(const TableState& state, std::vector<round::Event> events,
                            WallTime now);

// A player leaves while a round is played: an escape, unless somebody's before it is one already, or
// a claim window is open that ends in a win (COM-10, D-COM-12); it waits for the end of the pause
// like everything else that follows a discard. Nothing to do for one who leaves
// already. REQUIRES: somebody sits there.
[[nodiscard]] Events Depart(const TableState& state, Seat seat, LeaveReason reason, WallTime now);

// The round is over with it.
[[nodiscard]] bool EndsPlay(const TableEvent& event);

}  // namespace mj::table
