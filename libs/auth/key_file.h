// The file of the keys that sign tokens. Keys are changed by changing the file: the new key is added,
// tokens are signed with it, and the old one is taken out when its last token has expired.
#pragma once

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "libs/auth/keys.h"
#include "libs/base/mutex.h"

namespace mj::auth {

// Thread-safe.
class KeyFile {
 public:
  explicit KeyFile(std::string path) : path_(std::move(path)) {}

  // Reads the file. True: there are other keys now. When it cannot be read, or is no JWKS with a key,
  // the failure says why, and the keys are as they were.
  absl::StatusOr<bool> Load();

  // Never null; empty before the first Load that succeeded.
  [[nodiscard]] std::shared_ptr<const KeySet> keys() const;

 private:
  const std::string path_;
  mutable base::Mutex mutex_;
  std::shared_ptr<const KeySet> keys_ ABSL_GUARDED_BY(mutex_) = std::make_shared<const KeySet>();
};

}  // namespace mj::auth
