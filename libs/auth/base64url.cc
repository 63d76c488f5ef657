#include "libs/auth/base64url.h"

#include <cstddef>
#include <cstdint>

namespace mj::auth {
namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

}  // namespace

std::string EncodeBase64Url(std::string_view bytes) {
  std::string text;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : bytes) {
    bits = bits << 8 | static_cast<unsigned char>(c);
    for (held += 8; held >= 6; held -= 6) text += kDigits[bits >> (held - 6) & 63];
  }
  if (held > 0) text += kDigits[bits << (6 - held) & 63];
  return text;
}

std::optional<std::string> DecodeBase64Url(std::string_view text) {
  std::string bytes;
  std::uint32_t bits = 0;
  int held = 0;
  for (const char c : text) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(digit);
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes += static_cast<char>(bits >> held & 255);
    }
  }
  // What is left must be less than a digit, and nothing.
  if (held >= 6 || (bits & ((1U << held) - 1)) != 0) return std::nullopt;
  return bytes;
}

}  // namespace mj::auth
