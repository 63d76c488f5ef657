// Tokens checked for every call: a client sends the same one with each, and a signature costs as much
// as a call.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "absl/status/statusor.h"
#include "libs/auth/key_file.h"
#include "libs/auth/token.h"
#include "libs/base/clock.h"
#include "libs/base/mutex.h"

namespace mj::auth {

// Thread-safe.
class Verifier {
 public:
  // `keys` outlives this.
  Verifier(const KeyFile& keys, TokenRules rules) : keys_(keys), rules_(std::move(rules)) {}

  // What CheckToken says at `now` by the file's keys. What was good is remembered until it expires or
  // the keys change; what was not is checked again.
  [[nodiscard]] absl::StatusOr<Caller> Whose(std::string_view token, base::WallTime now);

 private:
  const KeyFile& keys_;
  const TokenRules rules_;
  base::Mutex mutex_;
  std::shared_ptr<const KeySet> known_by_ ABSL_GUARDED_BY(mutex_);
  std::unordered_map<std::string, CheckedToken> known_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mj::auth
