// A player's wish to play, as far as matching needs it.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>

namespace mj::matching {

// Milliseconds since the Unix epoch, by the clock of whoever asks.
using TimeMs = std::int64_t;

// What has to be alike for two tickets to meet.
struct Pool {
  std::string variant;
  std::map<std::string, std::string> options;  // only what differs from the game's defaults
  std::int64_t base = 0;                       // coins; stands for the stake tier
  std::string currency;

  auto operator<=>(const Pool&) const = default;
  bool operator==(const Pool&) const = default;
};

struct Ticket {
  std::string id;
  std::string player;
  Pool pool;
  TimeMs queued_at = 0;   // when it was first taken; never changed, so that waiting is not lost
  TimeMs expires_at = 0;  // from here on it is not matched any more

  auto operator<=>(const Ticket&) const = default;
  bool operator==(const Ticket&) const = default;
};

}  // namespace mj::matching
