// What operators hear of. Nothing in here decides anything; wiring makes metrics and log lines of
// it.
#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>

#include "absl/status/status.h"
#include "services/matchmaking/app/model.h"
#include "services/matchmaking/app/seating.h"

namespace mj::matchmaking {

// Called on whatever thread; must not block. Thread-safe.
class Monitor {
 public:
  virtual ~Monitor() = default;

  // Four were put together.
  virtual void OnMatched(const Match& /*match*/) {}
  // A step of the saga ended: see Seating::Drive.
  virtual void OnSeated(const Match& /*match*/, Seated /*how*/) {}
  // A table turned out to have fewer of our players than we thought.
  virtual void OnSeatsFreed(std::size_t /*seats*/) {}
  // What a feed of the table service told was written down: "rounds", "seats".
  virtual void OnTold(std::string_view /*feed*/, std::size_t /*items*/) {}
  // How long ago what is dealt with now of a feed ("rounds", "seats") was written; nothing while all of it
  // has been, or another replica follows it. While it cannot be followed, for how long.
  virtual void OnLag(std::string_view /*feed*/, std::chrono::milliseconds /*lag*/) {}
  // Tickets ran out.
  virtual void OnExpired(std::size_t /*tickets*/) {}
  // Something that is done again and again failed this time: "match", "seat", "take_over",
  // "refill", "upkeep", "watch", "rounds", "seats".
  virtual void OnFailure(std::string_view /*what*/, const absl::Status& /*status*/) {}
  virtual void OnBacklog(const Backlog& /*backlog*/) {}
};

}  // namespace mj::matchmaking
