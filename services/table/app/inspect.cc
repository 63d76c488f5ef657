#include "services/table/app/inspect.h"

#include <variant>

#include "services/table/app/clocks.h"

namespace mj::table {
namespace {

RoundStep StepOf(const TableState& state) {
  const Round& round = *state.round;
  if (round.voided) return RoundStep::kVoid;
  if (round.posted) return RoundStep::kPaid;
  if (state.to_void()) return RoundStep::kVoiding;
  if (round.scored) return RoundStep::kUnpaid;
  if (round.play.over()) return RoundStep::kUnscored;
  if (!round.deal) return RoundStep::kNonces;
  return std::holds_alternative<round::NotBegun>(round.play.phase) ? RoundStep::kDealing
                                                                   : RoundStep::kPlaying;
}

InspectedRound RoundOf(const TableState& state) {
  const Round& round = *state.round;
  InspectedRound seen;
  seen.round = round.begun.round;
  seen.number = round.begun.number;
  seen.rulebook_version = round.begun.rulebook_version;
  seen.base = round.begun.base;
  seen.step = StepOf(state);
  if (seen.step == RoundStep::kPlaying) seen.wall_left = round.play.left;
  seen.seed_hash = SeedHash(round.begun);
  seen.voiding = round.live() && state.orders.voids;
  return seen;
}

// What lies on the table before everybody.
void SeeTiles(const round::State& play, Seat seat, InspectedSeat& seen) {
  const rules::Hand& hand = play.seats[seat].hand;
  seen.concealed = hand.concealed.total();
  for (const rules::CalledMeld& called : hand.melds) seen.melds.push_back(called.meld);
  for (const round::Thrown& thrown : play.river) {
    if (thrown.seat == seat && !thrown.taken_by) seen.discards.push_back(thrown.tile);
  }
}

}  // namespace

Inspection InspectionOf(const TableState& state, const std::optional<Absences>& away) {
  Inspection seen;
  seen.info = state.info();
  if (state.round) seen.round = RoundOf(state);
  const bool played = seen.round && seen.round->step == RoundStep::kPlaying;
  const bool claims = played && !std::holds_alternative<round::Turn>(state.round->play.phase) &&
                      !std::holds_alternative<round::Opening>(state.round->play.phase);
  for (Seat seat : rules::kSeats) {
    InspectedSeat& one = seen.seats[seat];
    one.player = state.seats[seat].player;
    if (played) SeeTiles(state.round->play, seat, one);
    // Who has a claim to answer is hidden from all others.
    if (!claims) one.deadline = OwedBy(state, seat);
    one.auto_play = state.seats[seat].auto_play;
    one.leaving = state.leaving[seat].has_value();
    one.removing = state.orders.removes[seat];
    one.connected = away && !one.player.empty() && !(*away)[seat];
  }
  seen.events = state.last_seq;
  seen.closing = state.orders.closes && !state.closed;
  seen.stop_from = state.stop_from;
  return seen;
}

}  // namespace mj::table
