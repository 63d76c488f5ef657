// Who at a table has a connection: an open stream, or has called a moment ago. Known to the process
// that holds the table, and to nobody after it: a table that is loaded knows everybody as away since
// then (D-COM-10).
#pragma once

#include <optional>

#include "services/table/app/model.h"

namespace mj::table {

// Since when each seat has had neither a stream nor made a call; nothing while it has a stream.
using Absences = PerSeat<std::optional<WallTime>>;

// Whether all four are absent at `time`: without a stream, and without a call for a sixth of
// away_ms.
[[nodiscard]] bool AllAbsent(const Absences& away, const TableSettings& settings, WallTime time);

// Not thread-safe.
class Presence {
 public:
  explicit Presence(const TableSettings& settings) : settings_(settings) {}

  // Nobody has a stream.
  void Restart(WallTime now);
  // Somebody has taken the seat, and has no stream yet.
  void TakeSeat(Seat seat, WallTime now);
  void Connect(Seat seat, WallTime now);
  void Disconnect(Seat seat, WallTime now);
  void Call(Seat seat, WallTime now);
  // The table was held up itself: whoever is away is so only since now.
  void Forgive(WallTime now);

  [[nodiscard]] const Absences& away() const { return away_; }

 private:
  void ComeBack(WallTime now);

  const TableSettings settings_;
  PerSeat<int> streams_;
  Absences away_;
};

}  // namespace mj::table
