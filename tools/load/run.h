// One load run: tables are made, warm up, are measured, and told.
#pragma once

#include <chrono>
#include <ostream>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "libs/base/clock.h"
#include "tools/load/hall.h"

namespace mj::load {

struct RunOptions {
  HallOptions hall;
  std::chrono::seconds warm_up{10};
  std::chrono::seconds measured{30};
  std::vector<std::string> processes;  // "NAME=PID"
  bool json = false;
};

// Blocks. INVALID_ARGUMENT for processes that are not written so, NOT_FOUND for those that are not
// there; UNKNOWN when more than one call of a hundred failed, after it was told; otherwise the failure
// of the call that could not be made.
[[nodiscard]] absl::Status Run(const RunOptions& options, base::Clock& clock, std::ostream& out);

}  // namespace mj::load
