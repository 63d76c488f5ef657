// From what a caller says to a wish that can be compared with others.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "services/matchmaking/app/model.h"

namespace mj::matchmaking {

// A request for a ticket in the caller's words. Ids and the currency were checked at the door.
struct TicketRequest {
  RequestId request;
  PlayerId player;
  std::string variant;
  std::map<std::string, std::string> options;
  std::int64_t asked_base = 0;  // 0: the player's own tier
  std::string currency;
};

// The wish with its options brought to the one form in which they are compared: what equals a
// default is left out, numbers lose leading zeros. The pool's base is still 0. Pure; knows the
// games by the registry. Failures, the first that applies: UNKNOWN_VARIANT, UNKNOWN_OPTION,
// OPTION_OUT_OF_RANGE, BAD_BASE (negative, above kBaseMax, or no multiple of what the game can
// halve); each names its field.
[[nodiscard]] absl::StatusOr<Wish> ReadWish(const TicketRequest& request);

}  // namespace mj::matchmaking
