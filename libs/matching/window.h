// How far players who are matched may be apart: the longer somebody waits, the farther.
#pragma once

#include <cstdint>
#include <limits>

#include "libs/matching/ticket.h"

namespace mj::matching {

struct Windows {
  std::int64_t rating_first = 4'000'000;     // millionths; half a newcomer's spread
  std::int64_t rating_per_second = 500'000;  // by which it widens
  int latency_first = 80;                    // milliseconds
  int latency_per_second = 10;               // by which it widens
  TimeMs open_after = 30'000;                // from here on neither rating nor latency keeps apart
  TimeMs meet_again_after = 10'000;          // from here on those may meet again who just met
  TimeMs bots_after = 30'000;                // from here on bots sit down with who wants them then
};

inline constexpr std::int64_t kAnyRating = std::numeric_limits<std::int64_t>::max();
inline constexpr int kAnyLatency = std::numeric_limits<int>::max();

// How far another's rating may be from that of somebody who has waited for `waited` milliseconds;
// negative counts as 0. kAnyRating once open. Never narrows with time.
[[nodiscard]] std::int64_t RatingWindow(const Windows& windows, TimeMs waited);

// The longest way to a table's region that is accepted after `waited` milliseconds. kAnyLatency once
// open. Never narrows with time.
[[nodiscard]] int LatencyWindow(const Windows& windows, TimeMs waited);

}  // namespace mj::matching
