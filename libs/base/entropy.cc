#include "libs/base/entropy.h"

#include <sys/random.h>

#include <cerrno>

#include "libs/base/check.h"

namespace mj::base {

void SystemEntropy::Fill(std::span<std::byte> out) {
  while (!out.empty()) {
    const ssize_t got = getrandom(out.data(), out.size(), 0);
    if (got < 0) {
      MJ_CHECK(errno == EINTR, "getrandom");
      continue;
    }
    out = out.subspan(static_cast<std::size_t>(got));
  }
}

}  // namespace mj::base
