// Bytes to fewer bytes and back: one Zstandard frame (RFC 8878), with its size and a checksum.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace mj::packing {

// Any bytes, none too. The same bytes give the same frame under one version of libzstd. Thread-safe.
[[nodiscard]] std::string Pack(std::string_view bytes);

// What was packed. DATA_LOSS for what is no whole frame, one that was changed, with something behind
// it, or of more than `size_max` bytes. Thread-safe.
[[nodiscard]] absl::StatusOr<std::string> Unpack(std::string_view frame, std::size_t size_max);

}  // namespace mj::packing
