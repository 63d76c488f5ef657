// A Guangdong table that is formed in the lobby: nobody sits there, the first who comes proposes the
// base, the others accept it, and a round is played for it (GD-90).
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "tools/demo/evening.h"

namespace mj::demo {

struct Agreement {
  absl::Status status;  // the first failure
  std::string table;
  std::vector<std::string> players;    // by seat
  std::vector<std::int64_t> balances;  // of each of them at the end
  std::uint32_t settled = 0;           // rounds
  int problems = 0;                    // each is told
};

// Plays it and tells it. The players' ids begin with `prefix`.
Agreement ShowAgreement(const Stubs& stubs, const std::string& prefix, std::uint64_t seed,
                        std::ostream& out);

}  // namespace mj::demo
