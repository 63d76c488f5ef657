// A player's wish to play, as far as matching needs it.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace mj::matching {

// Milliseconds since the Unix epoch, by the clock of whoever asks.
using TimeMs = std::int64_t;

// The currency that is worth nothing: who plays for it has nothing to cheat others out of.
inline constexpr std::string_view kUnstaked = "PRACTICE";

// What players see and hear of each other besides the tiles.
enum class Media : std::uint8_t { kNone, kVideo };

// Whether bots may take the seats for which no players are found; only in a pool without stakes.
enum class Bots : std::uint8_t {
  kNone,       // four players, or none
  kAtOnce,     // nobody is waited for: who comes together plays alone against bots
  kAfterWait,  // with others who wait so too, once the first of them has waited bots_after
};

// How well these play, numbered as the table's setting bot_strength. In order: who asks for less gets no
// more.
enum class BotStrength : std::uint8_t { kUsual, kWeak, kMedium, kStrong };

// What has to be alike for two tickets to meet.
struct Pool {
  std::string variant = {};
  std::map<std::string, std::string> options = {};  // only what differs from the game's defaults
  std::int64_t base = 0;                            // coins; stands for the stake tier
  std::string currency = {};
  Media media = Media::kNone;
  std::string room = {};  // a private room's id; empty: open to everybody

  auto operator<=>(const Pool&) const = default;
  bool operator==(const Pool&) const = default;

  [[nodiscard]] bool staked() const { return currency != kUnstaked; }
};

struct Ticket {
  std::string id = {};
  std::string player = {};
  Pool pool = {};
  TimeMs queued_at = 0;   // when it was first taken; never changed, so that waiting is not lost
  TimeMs expires_at = 0;  // from here on it is not matched any more

  // Tickets of friends who want to sit at one table, taken together. They share pool and times.
  std::string party = {};  // empty: alone
  int party_size = 1;      // 1 to 4

  Bots bots = Bots::kNone;  // of a party the same for all
  BotStrength bot_strength =
      BotStrength::kUsual;                  // kUsual: does not care; means nothing without bots
  std::int64_t rating = 0;                  // millionths, in the scale of libs/rating
  std::string device = {};                  // empty: not known
  std::string network = {};                 // NetworkOf the address (network.h); empty: not known
  std::map<std::string, int> latency = {};  // milliseconds to each region; empty: plays anywhere
  std::set<std::string> avoid = {};         // players never to be seated with
  std::set<std::string> met = {};           // players met at a table not long ago

  auto operator<=>(const Ticket&) const = default;
  bool operator==(const Ticket&) const = default;
};

}  // namespace mj::matching
