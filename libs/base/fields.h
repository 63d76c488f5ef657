// The form of ids and texts that come in. Each failure names its field.
#pragma once

#include <cstddef>
#include <string_view>

#include "absl/status/status.h"

namespace mj::base {

// An id of the suite. FIELD_REQUIRED if empty, BAD_ID.
[[nodiscard]] absl::Status CheckId(std::string_view field, std::string_view id);

// As CheckId, but may be empty. BAD_ID.
[[nodiscard]] absl::Status CheckIdIfAny(std::string_view field, std::string_view id);

// Free text, at most `bytes_max` bytes of UTF-8 without a zero byte; may be empty. BAD_TEXT.
[[nodiscard]] absl::Status CheckText(std::string_view field, std::string_view text,
                                     std::size_t bytes_max);

// As CheckText, and not empty. FIELD_REQUIRED, BAD_TEXT.
[[nodiscard]] absl::Status CheckSomeText(std::string_view field, std::string_view text,
                                         std::size_t bytes_max);

// Why something is done, for books and audit trails: at most 200 bytes.
inline constexpr std::size_t kReasonBytesMax = 200;

}  // namespace mj::base
