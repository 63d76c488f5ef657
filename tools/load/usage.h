// What a process of this machine has used, by /proc.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"

namespace mj::load {

struct Usage {
  std::chrono::milliseconds processor{0};  // user and system, of all its threads
  std::int64_t resident_kib = 0;
};

// NOT_FOUND when there is no such process.
[[nodiscard]] absl::StatusOr<Usage> UsageOf(int pid);

// The same of the text of /proc/PID/stat and /proc/PID/statm. INVALID_ARGUMENT for what is neither.
[[nodiscard]] absl::StatusOr<Usage> UsageFrom(const std::string& stat, const std::string& statm,
                                              std::int64_t ticks_per_second,
                                              std::int64_t page_bytes);

}  // namespace mj::load
