#include "services/table/app/plays.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <variant>

#include "libs/base/check.h"
#include "libs/round/decide.h"

namespace mj::table {
namespace {

using Leaving = PerSeat<std::optional<LeaveReason>>;

// Whether the pause after a discard lasts: one that is thrown right now, too.
bool Pauses(const TableState& state, const round::Event& before, WallTime now) {
  if (state.spec.settings.claim_pause_ms == 0) return false;
  if (std::holds_alternative<round::Discarded>(before) ||
      std::holds_alternative<round::KongDeclared>(before)) {
    return true;
  }
  return now < state.round->clocks.pause_until;
}

void HoldBack(const TableState& state, std::vector<round::Event>& events, WallTime now) {
  for (std::size_t i = 1; i < events.size(); ++i) {
    if (!round::FollowsUnclaimedTile(events[i]) || !Pauses(state, events[i - 1], now)) continue;
    events.resize(i);
    return;
  }
}

Events Tell(const TableState& state, const Leaving& leaving, std::vector<round::Event> engine,
            WallTime now) {
  HoldBack(state, engine, now);
  Events events;
  events.reserve(engine.size());
  for (round::Event& event : engine) events.emplace_back(RoundPlayed{std::move(event)});
  const auto& last = std::get<RoundPlayed>(events.back()).event;
  const auto* ended = std::get_if<round::RoundEnded>(&last);
  if (ended == nullptr || ended->outcome == round::Outcome::kVoid) return events;
  for (Seat seat : rules::kSeats) {
    if (leaving[seat]) {
      events.emplace_back(SeatLeft{seat, state.seats[seat].player, *leaving[seat]});
    }
  }
  return events;
}

std::vector<round::Event> Accepted(const TableState& state, const round::Command& command) {
  round::Decision decided = round::Decide(*state.round->setup, state.round->play, command);
  MJ_CHECK(std::holds_alternative<std::vector<round::Event>>(decided));
  return std::get<std::vector<round::Event>>(std::move(decided));
}

}  // namespace

Events Command(const TableState& state, const round::Command& command, WallTime now) {
  return Tell(state, state.leaving, Accepted(state, command), now);
}

Events Played(const TableState& state, std::vector<round::Event> events, WallTime now) {
  return Tell(state, state.leaving, std::move(events), now);
}

Events Depart(const TableState& state, Seat seat, LeaveReason reason, WallTime now) {
  if (state.leaving[seat]) return {};
  Events events{SeatLeaving{seat, state.seats[seat].player, reason}};
  // One who leaves before the deal has escaped once it is dealt; see NextStep::kEscape.
  const bool dealt = !std::holds_alternative<round::NotBegun>(state.round->play.phase);
  if (state.round->play.leaving || !dealt) return events;
  Leaving leaving = state.leaving;
  leaving[seat] = reason;
  const auto why = reason == LeaveReason::kConnectionLost ? round::VoidReason::kConnectionLost
                                                          : round::VoidReason::kEscape;
  Events played = Tell(state, leaving, Accepted(state, round::Void{why, seat}), now);
  std::move(played.begin(), played.end(), std::back_inserter(events));
  return events;
}

bool EndsPlay(const TableEvent& event) {
  const auto* played = std::get_if<RoundPlayed>(&event);
  return played != nullptr && std::holds_alternative<round::RoundEnded>(played->event);
}

}  // namespace mj::table
