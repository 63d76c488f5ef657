// What else happens at a table: a player who falls asleep, one who leaves in the middle of a round,
// and a fifth who watches. One table of its own, with short clocks.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "tools/demo/evening.h"

namespace mj::demo {

struct Incidents {
  absl::Status status;                 // the first failure: seating, play
  std::vector<std::string> tables;     // one, as a rule
  std::vector<std::string> players;    // by table and seat
  std::vector<std::int64_t> balances;  // of each of them at the end
  std::uint32_t settled = 0;           // rounds
  int problems = 0;                    // each is told
};

// Plays both rounds and tells them. Where somebody wins before the one was late twice or the other had
// left, they are played again at another table. The players' ids begin with `prefix`.
Incidents ShowIncidents(const Stubs& stubs, const std::string& prefix, std::uint64_t seed,
                        std::ostream& out);

}  // namespace mj::demo
