// From what a caller says to wishes that can be compared with others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "services/matchmaking/app/model.h"

namespace mj::matchmaking {

inline constexpr std::size_t kAvoidMax = 100;
inline constexpr std::size_t kRegionsMax = 32;
inline constexpr std::int64_t kLatencyMax = 10'000;  // milliseconds

// What is told of a player besides the id. Ids and region names were checked at the door.
struct Details {
  std::string device = {};                           // empty: not told
  std::string address = {};                          // as it was written; empty: not told
  std::map<std::string, std::int64_t> latency = {};  // milliseconds to each region
  std::set<PlayerId> avoid = {};
};

struct Friend {
  PlayerId player;
  Details details;
};

// A request for a ticket, or for those of friends, in the caller's words. Ids, currency and media
// were checked at the door.
struct TicketRequest {
  RequestId request;
  PlayerId player;
  std::string variant;
  std::map<std::string, std::string> options;
  std::int64_t asked_base = 0;  // 0: the players' own tier
  std::string currency;
  matching::Media media = matching::Media::kNone;
  Details details = {};
  std::vector<Friend> friends = {};
  matching::Bots bots = matching::Bots::kNone;
  matching::BotStrength bot_strength = matching::BotStrength::kUsual;
};

// A request to enter a private room.
struct EntryRequest {
  RequestId request;
  PlayerId player;
  std::string code;
  Details details = {};
};

// The wishes of the player and the friends, in that order, with options brought to the one form in
// which they are compared: what equals a default is left out, numbers lose leading zeros. The pool's
// base is still 0. Pure; knows the games by the registry. Failures, the first that applies:
// UNKNOWN_VARIANT, UNKNOWN_OPTION, OPTION_OUT_OF_RANGE, BAD_BASE (negative, above kBaseMax, or no
// multiple of what the game can halve), BOTS_FOR_PRACTICE_ONLY (for a stake); for each player BATCH_TOO_LARGE (more than kRegionsMax
// regions, kAvoidMax avoided, three friends), BAD_LATENCY (outside 0…kLatencyMax), BAD_ADDRESS;
// DUPLICATE_PLAYER; for a stake SHARED_DEVICE and SHARED_NETWORK (metadata: player_id). Each names
// its field.
[[nodiscard]] absl::StatusOr<std::vector<Wish>> ReadWishes(const TicketRequest& request);

// The wish of who enters a room: its pool is the room's, which is still to be found. Failures: those
// of ReadWishes for a player.
[[nodiscard]] absl::StatusOr<Wish> ReadEntry(const EntryRequest& request);

// The wish as matching sees it, by the player's id instead of a ticket's; without times.
[[nodiscard]] matching::Ticket ForMatching(const Wish& wish);

// Why these two cannot share a table: SHARED_DEVICE or SHARED_NETWORK, naming `there` in the
// metadata; OK if they can.
[[nodiscard]] absl::Status RefuseSharing(const matching::Ticket& comes,
                                         const matching::Ticket& there, std::string_view field);

}  // namespace mj::matchmaking
