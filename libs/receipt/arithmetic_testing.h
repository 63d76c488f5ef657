// Works a receipt line's arithmetic out, as a person with the text alone would.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace mj::receipt {

struct WorkedOut {
  std::int64_t base = 0;      // the first figure
  std::int64_t computed = 0;  // what stands before " = ", worked out
  std::int64_t stated = 0;    // what stands behind it
  int arrows = 0;             // figures that count as another
};

// "100 x 2^(1 + 2 + 1 -> 3) x 3 = 2400". Nothing for a text that is no such line, also for a
// division that leaves a rest, and an arrow from a figure to itself.
std::optional<WorkedOut> WorkOut(std::string_view arithmetic);

}  // namespace mj::receipt
