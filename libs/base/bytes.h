// Bytes as messages and rows carry them.
#pragma once

#include <string>

namespace mj::base {

// A container of bytes, as the text that has the same ones.
template <typename Bytes>
[[nodiscard]] std::string TextOf(const Bytes& bytes) {
  return {bytes.begin(), bytes.end()};
}

}  // namespace mj::base
