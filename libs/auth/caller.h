// Who calls, as far as it was proved.
#pragma once

#include <string>

#include "libs/auth/role.h"

namespace mj::auth {

struct Caller {
  Role role = Role::kPlayer;
  // A player's id, a backend's or a person's name; of a service its name.
  std::string subject = {};
  // The key that signed its token; empty: a certificate.
  std::string key_id = {};

  friend bool operator==(const Caller&, const Caller&) = default;
};

// "player/ann": what limits and logs know a caller by.
[[nodiscard]] inline std::string NameOf(const Caller& caller) {
  return std::string(RoleName(caller.role)) + "/" + caller.subject;
}

}  // namespace mj::auth
