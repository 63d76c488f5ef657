// What operators ask of one table, and what follows. Pure, as decide.h.
#pragma once

#include <optional>

#include "absl/status/statusor.h"
#include "services/table/app/decide.h"
#include "services/table/app/state.h"

namespace mj::table {

// Grants what an operator asks for: the order itself, and behind it whatever can be done at once. Nothing
// to do for an order that was given before; another one under its request id is REQUEST_ID_REUSED,
// before TABLE_CLOSED. Then
//   kVoidRound     ROUND_NOT_FOUND (not the table's latest), ROUND_FINISHED (scored, paid or void);
//   kRemovePlayer  NOT_SEATED, NOT_A_PLAYER_ACCOUNT (a bot).
// REQUIRES: one of a table.
[[nodiscard]] absl::StatusOr<Events> DecideOrder(const TableState& state,
                                                 const OperatorActed& order, WallTime now);

// Whether an order that was granted has yet to take effect.
[[nodiscard]] bool IsPending(const TableState& state, const OperatorActed& order);

// Whether no round is live, and somebody, or everybody, has to go.
[[nodiscard]] bool HasToDismiss(const TableState& state);
// REQUIRES: NextStepOf is kDismiss.
[[nodiscard]] Events Dismiss(const TableState& state);

// REQUIRES: NextStepOf is kEndByOperator.
[[nodiscard]] Events EndByOperator(const TableState& state, WallTime now);

// Everybody leaves, and the table closes. REQUIRES: no round is live, and it is not closed.
[[nodiscard]] Events CloseByOperator(const TableState& state);

// When the table has to close since no round begins any more. Nothing while a round is live: it is played
// to its end.
[[nodiscard]] std::optional<WallTime> NextStop(const TableState& state);
// That has come.
[[nodiscard]] bool StopsNow(const TableState& state, WallTime now);

}  // namespace mj::table
