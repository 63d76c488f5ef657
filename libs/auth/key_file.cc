#include "libs/auth/key_file.h"

#include <utility>

#include "libs/base/files.h"
#include "libs/base/status.h"
#include "libs/base/strings.h"

namespace mj::auth {

absl::StatusOr<bool> KeyFile::Load() {
  MJ_ASSIGN_OR_RETURN(const std::string text, base::ReadFile(path_));
  absl::StatusOr<KeySet> read = ParseJwks(text);
  if (!read.ok()) {
    return absl::Status(read.status().code(),
                        base::ToAbsl(base::Cat(path_, ": ", base::ToStd(read.status().message()))));
  }
  base::MutexLock lock(mutex_);
  if (*read == *keys_) return false;
  keys_ = std::make_shared<const KeySet>(*std::move(read));
  return true;
}

std::shared_ptr<const KeySet> KeyFile::keys() const {
  base::MutexLock lock(mutex_);
  return keys_;
}

}  // namespace mj::auth
