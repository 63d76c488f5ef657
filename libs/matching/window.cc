#include "libs/matching/window.h"

#include <algorithm>

namespace mj::matching {
namespace {

// What is added after so long, in whole steps of a millisecond; within what an int64 holds, since
// nobody waits longer than `open_after` here.
std::int64_t Widened(std::int64_t per_second, TimeMs waited) {
  return per_second * std::max<TimeMs>(waited, 0) / 1'000;
}

}  // namespace

std::int64_t RatingWindow(const Windows& windows, TimeMs waited) {
  if (waited >= windows.open_after) return kAnyRating;
  return windows.rating_first + Widened(windows.rating_per_second, waited);
}

int LatencyWindow(const Windows& windows, TimeMs waited) {
  if (waited >= windows.open_after) return kAnyLatency;
  return static_cast<int>(std::min<std::int64_t>(
      windows.latency_first + Widened(windows.latency_per_second, waited), kAnyLatency));
}

}  // namespace mj::matching
