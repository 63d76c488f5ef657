// That what tickets tell of a person goes: device, network, latencies, whom a player avoids.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "absl/status/statusor.h"
#include "services/matchmaking/app/model.h"
#include "services/matchmaking/app/ports.h"

namespace mj::matchmaking {

// An operator has a player's tickets emptied.
struct ErasureOrder {
  RequestId request;
  std::string who;
  std::string reason;
  PlayerId player;
};
struct Erased {
  std::int64_t tickets = 0;  // that had something to erase
  bool operator==(const Erased&) const = default;
};
enum class NotErased : std::uint8_t {
  kRequestReused,  // its request id was used for something else
  kWaits,          // the player waits for a seat, or has one: what its ticket tells is of use
};
using Erasure = std::variant<Erased, NotErased>;

// How long what was told is kept once a ticket has ended.
struct KeepOptions {
  Millis unseated{3'600'000};  // of a ticket that led to no seat: a late repetition is known again
  Millis seated{30LL *
                86'400'000};  // of one that did: the report on collusion compares who was seated
};

// The port to where tickets are kept. Calls block. Thread-safe. Failures are as Store's.
class Erasures {
 public:
  virtual ~Erasures() = default;
  // Writes it into the audit trail with its effect, once.
  virtual absl::StatusOr<Erasure> Erase(const ErasureOrder& order) = 0;
  // Empties tickets that have ended long enough ago, at most `limit`; how many.
  virtual absl::StatusOr<std::int64_t> EraseEnded(const KeepOptions& keep, std::int64_t limit) = 0;
};

}  // namespace mj::matchmaking
