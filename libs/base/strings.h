// Text helpers. Debian's absl::string_view is not std::string_view: rooms use the std one and
// convert here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/string_view.h"

namespace mj::base {

[[nodiscard]] inline absl::string_view ToAbsl(std::string_view s) { return {s.data(), s.size()}; }
[[nodiscard]] inline std::string_view ToStd(absl::string_view s) { return {s.data(), s.size()}; }

// The pieces concatenated: Cat("seat: got ", "7"). Numbers by std::to_string.
template <typename... Pieces>
[[nodiscard]] std::string Cat(const Pieces&... pieces) {
  std::string out;
  out.reserve((std::string_view(pieces).size() + ... + 0));
  (out.append(std::string_view(pieces)), ...);
  return out;
}

[[nodiscard]] std::string Join(std::span<const std::string> parts, std::string_view separator);

// Never empty: "" splits into one empty part. The parts point into `text`.
[[nodiscard]] std::vector<std::string_view> Split(std::string_view text, char separator);

// Without the ASCII white space at both ends.
[[nodiscard]] std::string_view Trim(std::string_view text);

// ASCII letters in lower case, the rest untouched.
[[nodiscard]] std::string ToLowerAscii(std::string_view text);

// Text from outside, as a failure's message may show it: in quotes, or told by its size when it is
// longer than 40 bytes.
[[nodiscard]] std::string Quoted(std::string_view text);

// All of `text` as a decimal integer with an optional '-'; nullopt otherwise or out of range.
[[nodiscard]] std::optional<std::int64_t> ParseInt64(std::string_view text);

// Lower-case hexadecimal, two digits a byte.
[[nodiscard]] std::string ToHex(std::span<const std::byte> bytes);

// Whether `text` can be an id of the suite: 1 to 64 characters of [A-Za-z0-9_-].
[[nodiscard]] bool IsId(std::string_view text);

// Whether `text` is well-formed UTF-8 (no surrogates, no overlong forms).
[[nodiscard]] bool IsUtf8(std::string_view text);

}  // namespace mj::base
