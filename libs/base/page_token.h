// Page tokens: where a list goes on, bound to what it lists. Opaque to clients and not a secret: a token
// is no permission, it only must not be mixed up.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace mj::base {

// The token of a list of `kind` (letters and digits), filtered by `filter`, that goes on at `position`.
[[nodiscard]] std::string MakePageToken(std::string_view kind,
                                        std::initializer_list<std::string_view> filter,
                                        std::string_view position);

// The position in it; nullopt for text that is no token, or one of another kind or filter.
[[nodiscard]] std::optional<std::string> ReadPageToken(
    std::string_view kind, std::initializer_list<std::string_view> filter, std::string_view token);

}  // namespace mj::base
