// TABLE_MOVED, the failure that says where to call instead.
#pragma once

#include <optional>
#include <string>

#include "absl/status/status.h"

namespace mj::base {

// Another process holds the table, reached under `address` (host:port); empty: not known.
[[nodiscard]] absl::Status Moved(const std::string& address);

// Where the table is that such a failure is about, empty: not known; nothing for any other status.
[[nodiscard]] std::optional<std::string> MovedTo(const absl::Status& status);

}  // namespace mj::base
