// Who comes to the queue, and what has to hold of the seats that they were given. No clock, no network.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mj::mahjongctl {

// Players who ask for seats together; most come alone.
struct Party {
  std::vector<std::string> players;    // 1, 2 or 4
  std::chrono::milliseconds comes{0};  // after the beginning
  // It takes its ticket back this long after it came, once, and comes again. Nothing: it stays.
  std::optional<std::chrono::milliseconds> changes_its_mind;
};

// `players` of them, whose ids are `prefix`-1 and so on, spread over `within`: one in eight comes with
// friends, one party in eight changes its mind. No party of three, for whom a fourth might be missing in
// the end: whichever of the others are matched first, the rest can be matched too. The same seed, the same
// crowd. REQUIRES: players is a multiple of 4, 4 or more; within is positive.
[[nodiscard]] std::vector<Party> DrawCrowd(int players, std::chrono::milliseconds within,
                                           const std::string& prefix, std::uint64_t seed);

// A seat that somebody was given.
struct GivenSeat {
  std::string player;
  std::string table;
  std::uint32_t seat = 0;
};

// What is wrong with them, a line each; nothing: everybody of the crowd has one seat, four different
// players sit at each table, each on a seat of its own, and friends sit together.
[[nodiscard]] std::vector<std::string> FaultsOf(const std::vector<Party>& crowd,
                                                const std::vector<GivenSeat>& seats);

// What `percent` of the times did not exceed, 0 to 100; 0 of none.
[[nodiscard]] std::chrono::milliseconds Percentile(std::vector<std::chrono::milliseconds> times,
                                                   int percent);

}  // namespace mj::mahjongctl
