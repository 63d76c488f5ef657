#include "services/table/app/presence.h"

#include <algorithm>
#include <chrono>

namespace mj::table {

bool AllAbsent(const Absences& away, const TableSettings& settings, WallTime time) {
  const std::chrono::milliseconds grace(settings.away_ms / 6);
  return std::all_of(away.begin(), away.end(),
                     [&](const auto& since) { return since && *since + grace <= time; });
}

void Presence::Restart(WallTime now) {
  for (Seat seat : rules::kSeats) TakeSeat(seat, now);
}

void Presence::TakeSeat(Seat seat, WallTime now) {
  streams_[seat] = 0;
  away_[seat] = now;
}

void Presence::Connect(Seat seat, WallTime now) {
  ComeBack(now);
  ++streams_[seat];
  away_[seat].reset();
}

void Presence::Disconnect(Seat seat, WallTime now) {
  if (streams_[seat] == 0) return;  // of whoever sat there before
  if (--streams_[seat] == 0) away_[seat] = now;
}

void Presence::Call(Seat seat, WallTime now) {
  ComeBack(now);
  if (away_[seat]) away_[seat] = now;
}

void Presence::Forgive(WallTime now) {
  for (auto& since : away_) {
    if (since) since = now;
  }
}

// What kept all four away was none of their doing: with the first who is back their time begins.
void Presence::ComeBack(WallTime now) {
  if (AllAbsent(away_, settings_, now)) Forgive(now);
}

}  // namespace mj::table
