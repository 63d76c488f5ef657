#include "services/table/app/orders.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

#include "libs/base/check.h"
#include "libs/base/reasons.h"
#include "services/table/app/plays.h"

namespace mj::table {
namespace {

using base::Error;
using base::Reason;

// Whether the engine takes an operator's end now. Whoever left before the deal was open has escaped first
// (NextStep::kEscape).
bool MayEndNow(const TableState& state) {
  if (state.stage() != TableStage::kPlaying || state.to_draw()) return false;
  // Whoever left while a window is open escapes when it closes (COM-10): no operator's end is a way out.
  if (state.round->play.leaving) return false;
  return !std::holds_alternative<round::NotBegun>(state.round->play.phase);
}

void EndRound(const TableState& state, WallTime now, Events& events) {
  Events played = Command(state, round::Void{round::VoidReason::kOperator, std::nullopt}, now);
  std::move(played.begin(), played.end(), std::back_inserter(events));
}

absl::StatusOr<Events> DecideVoid(const TableState& state, const OperatorActed& order,
                                  WallTime now) {
  if (!state.round || state.round->begun.round != order.round) {
    return Error(Reason::kRoundNotFound, {}, {.field = "round_id"});
  }
  if (!state.round->live() || state.round->scored || state.to_void()) {
    return Error(Reason::kRoundFinished, {}, {.field = "round_id"});
  }
  Events events{order};
  if (MayEndNow(state)) EndRound(state, now, events);
  return events;
}

Events DecideClose(const TableState& state, const OperatorActed& order, WallTime now) {
  Events events{order};
  if (state.stage() == TableStage::kWaiting) {
    Events closed = CloseByOperator(state);
    std::move(closed.begin(), closed.end(), std::back_inserter(events));
  } else if (order.at_once && MayEndNow(state)) {
    EndRound(state, now, events);
  }
  return events;
}

absl::StatusOr<Events> DecideRemove(const TableState& state, const OperatorActed& order) {
  const std::optional<Seat> seat = state.SeatOf(order.player);
  if (!seat) return Error(Reason::kNotSeated, {}, {.field = "player_id"});
  if (state.seats[*seat].bot) {
    return Error(Reason::kNotAPlayerAccount, "player_id: a bot of the house",
                 {.field = "player_id"});
  }
  Events events{order};
  if (state.stage() == TableStage::kPlaying) return events;
  // Of a void round that the wallet has yet to close: it goes then.
  if (state.to_void() && state.leaving[*seat]) return events;
  Events left = LeaveTable(state, *seat, LeaveReason::kOperator);
  std::move(left.begin(), left.end(), std::back_inserter(events));
  return events;
}

}  // namespace

absl::StatusOr<Events> DecideOrder(const TableState& state, const OperatorActed& order,
                                   WallTime now) {
  for (const OperatorActed& given : state.orders.given) {
    if (given.request != order.request) continue;
    if (given == order) return Events{};
    return Error(Reason::kRequestIdReused, {}, {.field = "request_id"});
  }
  if (state.closed) return Error(Reason::kTableClosed);
  switch (order.kind) {
    case OperationKind::kVoidRound:
      return DecideVoid(state, order, now);
    case OperationKind::kCloseTable:
      return DecideClose(state, order, now);
    case OperationKind::kRemovePlayer:
      return DecideRemove(state, order);
    case OperationKind::kStopRounds:
    case OperationKind::kResumeRounds:
      break;
  }
  MJ_CHECK(false, "an operation of no table");
}

bool IsPending(const TableState& state, const OperatorActed& order) {
  switch (order.kind) {
    case OperationKind::kVoidRound:
      return state.round && state.round->live() && state.round->begun.round == order.round;
    case OperationKind::kCloseTable:
      return !state.closed;
    case OperationKind::kRemovePlayer: {
      const std::optional<Seat> seat = state.SeatOf(order.player);
      return seat && state.orders.removes[*seat];
    }
    case OperationKind::kStopRounds:
    case OperationKind::kResumeRounds:
      break;
  }
  return false;
}

bool HasToDismiss(const TableState& state) {
  if (state.stage() != TableStage::kWaiting) return false;
  const Orders& orders = state.orders;
  return orders.closes || std::any_of(orders.removes.begin(), orders.removes.end(),
                                      [](bool removed) { return removed; });
}

Events Dismiss(const TableState& state) {
  MJ_CHECK(HasToDismiss(state));
  if (state.orders.closes) return CloseByOperator(state);
  Events events;
  for (Seat seat : rules::kSeats) {
    if (!state.orders.removes[seat]) continue;
    events.emplace_back(SeatLeft{seat, state.seats[seat].player, LeaveReason::kOperator});
  }
  CloseWithTheLast(state, events);
  return events;
}

Events EndByOperator(const TableState& state, WallTime now) {
  MJ_CHECK(NextStepOf(state) == NextStep::kEndByOperator);
  Events events;
  EndRound(state, now, events);
  return events;
}

Events CloseByOperator(const TableState& state) {
  MJ_CHECK(state.stage() == TableStage::kWaiting);
  Events events;
  for (Seat seat : rules::kSeats) {
    if (state.seats[seat].player.empty()) continue;
    events.emplace_back(SeatLeft{seat, state.seats[seat].player, LeaveReason::kOperator});
  }
  events.emplace_back(TableEnded{});
  return events;
}

std::optional<WallTime> NextStop(const TableState& state) {
  return state.stage() == TableStage::kWaiting ? state.stop_from : std::nullopt;
}

bool StopsNow(const TableState& state, WallTime now) {
  const std::optional<WallTime> stop = NextStop(state);
  return stop && *stop <= now;
}

}  // namespace mj::table
