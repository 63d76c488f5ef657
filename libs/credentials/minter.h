// Tokens as a backend makes them: one for itself, one for each player that it has logged in.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <unordered_map>

#include "libs/base/clock.h"
#include "libs/base/mutex.h"
#include "libs/issuer/signing_key.h"

namespace mj::credentials {

struct MinterOptions {
  std::string name;              // its own tokens' subject
  std::string role = "backend";  // its own tokens' role
  std::chrono::seconds life{600};
  std::string issuer = "mahjong";
  std::string audience = "mahjong";
};

// Thread-safe.
class Minter {
 public:
  // `clock` outlives this.
  Minter(issuer::SigningKey key, MinterOptions options, const base::Clock& clock);

  // A token of this player, or of who signs for ""; one that lives on for half its life.
  [[nodiscard]] std::string TokenFor(std::string_view player);

 private:
  struct Minted {
    std::string token;
    base::WallTime renew;
  };
  const issuer::SigningKey key_;
  const MinterOptions options_;
  const base::Clock& clock_;
  base::Mutex mutex_;
  std::unordered_map<std::string, Minted> minted_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mj::credentials
