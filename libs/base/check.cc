#include "libs/base/check.h"

#include <cstdio>
#include <cstdlib>

namespace mj::base {

void CheckFailed(const char* file, int line, const char* expression, std::string_view message) {
  std::fprintf(stderr, "%s:%d: check failed: %s%s%.*s\n", file, line, expression,
               message.empty() ? "" : "; ", static_cast<int>(message.size()), message.data());
  std::fflush(stderr);
  std::abort();
}

}  // namespace mj::base
