// Values on their way into a statement.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "libs/base/clock.h"

namespace mj::pg {

// Raw bytes, for bytea. Distinct from text: text may not hold a zero byte.
struct Bytes {
  std::string data;

  friend bool operator==(const Bytes&, const Bytes&) = default;
};

// One parameter, $1, $2 … of a statement, made implicitly from what a caller has at hand:
//
//   integers, bool, text (valid UTF-8 without zero bytes, else the statement is refused)
//   Bytes             bytea
//   base::WallTime    timestamptz, whatever the session's time zone
//   std::vector       of int64, text or Bytes: an array, for unnest and = ANY
//   std::optional     of any of these; nullopt is NULL
//   nullptr           NULL
//
// The type that the statement sees is the one it asks for: write $1::bigint[] where it is not plain.
class Param {
 public:
  Param(std::nullptr_t) {}                         // NOLINT: all convert
  Param(bool value) : text_(value ? "t" : "f") {}  // NOLINT
  template <std::integral T>
  Param(T value) : text_(std::to_string(value)) {}              // NOLINT
  Param(std::string text) : text_(std::move(text)) {}           // NOLINT
  Param(std::string_view text) : text_(std::string(text)) {}    // NOLINT
  Param(const char* text) : text_(std::string(text)) {}         // NOLINT
  Param(const Bytes& bytes);                                    // NOLINT
  Param(base::WallTime time) : text_(base::FormatUtc(time)) {}  // NOLINT
  Param(const std::vector<std::int64_t>& values);               // NOLINT
  Param(const std::vector<std::string>& values);                // NOLINT
  Param(const std::vector<Bytes>& values);                      // NOLINT
  template <typename T>
  Param(const std::optional<T>& value) {  // NOLINT
    if (value) *this = Param(*value);
  }

  // PostgreSQL's text form; nullopt is NULL.
  [[nodiscard]] const std::optional<std::string>& text() const { return text_; }

 private:
  std::optional<std::string> text_;
};

}  // namespace mj::pg
