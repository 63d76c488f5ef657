// The few things done with files outside the database.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace mj::base {

// The whole content. NOT_FOUND, PERMISSION_DENIED or UNAVAILABLE with the path in the message.
[[nodiscard]] absl::StatusOr<std::string> ReadFile(const std::string& path);

// Replaces `path` by `content` in one step: whoever reads it sees the old or the new, never a part.
// The folder must exist. UNAVAILABLE with the path in the message; then `path` is as it was.
[[nodiscard]] absl::Status WriteFileAtomically(const std::string& path, std::string_view content);
// The same for what is its owner's alone (mode 600), from its first byte on.
[[nodiscard]] absl::Status WriteSecretAtomically(const std::string& path, std::string_view content);

}  // namespace mj::base
