// MJ_CHECK: what must be true unless this program is wrong. Always on, in every build; never for
// input, which is refused with a reason instead.
#pragma once

#include <string_view>

namespace mj::base {

// Writes "file:line: check failed: expression; message" to stderr and aborts the process.
[[noreturn]] void CheckFailed(const char* file, int line, const char* expression,
                              std::string_view message);

}  // namespace mj::base

// Aborts unless `condition` holds. The message, if any, is evaluated only then.
#define MJ_CHECK(condition, ...)                                                                \
  do {                                                                                          \
    if (!(condition)) [[unlikely]] {                                                            \
      ::mj::base::CheckFailed(__FILE__, __LINE__, #condition, ::std::string_view{__VA_ARGS__}); \
    }                                                                                           \
  } while (false)
