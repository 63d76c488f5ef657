// Whose addresses are one household's, as far as an address tells.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mj::matching {

// What two addresses have to have in common to count as the same: an IPv4 address whole
// ("203.0.113.7"), of an IPv6 address its first 64 bits ("2001:db8:0:12"), for a subscriber is given
// all that follows. IPv4 inside IPv6 (::ffff:203.0.113.7) counts as IPv4. nullopt for what is no
// address: zones (%eth0), ports and prefixes are none.
[[nodiscard]] std::optional<std::string> NetworkOf(std::string_view address);

}  // namespace mj::matching
