#pragma once

// How often a test repeats what it does.

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace mj::testing {

// The long run takes the full count, the short run a hundredth of it.
inline constexpr std::int64_t kShortRunDivisor = 100;

// True when the tests run with their large counts: `./dev test --long`, which sets MJ_TEST_LONG=1.
// Reads the environment at each call; not to be mixed with a setenv in another thread.
[[nodiscard]] inline bool LongRun() {
  const char* value = std::getenv("MJ_TEST_LONG");
  return value != nullptr && !std::string_view(value).empty() && std::string_view(value) != "0";
}

// How many repetitions to do now.
//
//   long_count   the count of `./dev test --long`, ≥ 1 (less counts as 1).
//
// The short run gets a hundredth, never less than one. A test that needs a smaller part than that
// has a count that is too large: make the single step cheaper instead.
[[nodiscard]] inline std::int64_t Count(std::int64_t long_count) {
  const std::int64_t count = LongRun() ? long_count : long_count / kShortRunDivisor;
  return count < 1 ? 1 : count;
}

}  // namespace mj::testing
