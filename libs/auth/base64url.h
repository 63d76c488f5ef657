// Base64 as tokens write it (RFC 4648, 5: "-" and "_", no padding).
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mj::auth {

[[nodiscard]] std::string EncodeBase64Url(std::string_view bytes);

// The one way to write these bytes; nullopt for every other.
[[nodiscard]] std::optional<std::string> DecodeBase64Url(std::string_view text);

}  // namespace mj::auth
