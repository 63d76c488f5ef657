// What operators hear of. Nothing in here decides anything; wiring makes metrics and log lines of
// it.
#pragma once

#include <cstddef>
#include <string_view>

#include "absl/status/status.h"
#include "services/table/app/model.h"

namespace mj::table {

// Called on whatever thread; must not block. Thread-safe.
class Monitor {
 public:
  virtual ~Monitor() = default;

  // A group of appends became durable: how many events of how many tables.
  virtual void OnJournalled(std::size_t /*tables*/, std::size_t /*events*/) {}
  // The journal could not be written; it is tried again. `waiting`: tables that stand still until
  // then.
  virtual void OnJournalAway(const absl::Status& /*status*/, std::size_t /*waiting*/) {}
  // This process stopped holding a table that it could not go on with.
  virtual void OnTableLost(const TableId& /*table*/, std::string_view /*why*/) {}
  // A journal could not be read or replayed.
  virtual void OnReplayFailed(const TableId& /*table*/, const absl::Status& /*status*/) {}

  // A round began, was paid, counts for nothing.
  virtual void OnRoundBegun(std::string_view /*variant*/) {}
  virtual void OnRoundPaid(std::string_view /*variant*/) {}
  virtual void OnRoundVoided(std::string_view /*variant*/) {}
  // Scoring ("scoring") or the wallet ("wallet") could not finish a round; it is asked again. With
  // `needs_person` asking again will not help by itself: an alert.
  virtual void OnPeerFailed(std::string_view /*peer*/, const RoundId& /*round*/,
                            const absl::Status& /*status*/, bool /*needs_person*/) {}

  // A subscriber did not read and was cut off.
  virtual void OnSlowSubscriber(const TableId& /*table*/) {}
  // This process's lease could not be prolonged, or its tables not be taken or given; it is tried
  // again.
  virtual void OnLeaseFailed(const absl::Status& /*status*/) {}
  // The lease had run out before it was prolonged: the process stood still, or the store was away.
  virtual void OnLeaseLapsed() {}
  // Tables of other processes, or nobody's, were taken; tables were given to others.
  virtual void OnTablesTaken(std::size_t /*tables*/) {}
  virtual void OnTablesGiven(std::size_t /*tables*/) {}
  // How many tables this process holds.
  virtual void OnTablesHeld(std::size_t /*tables*/) {}
};

}  // namespace mj::table
