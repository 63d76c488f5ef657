// The table service, put together.
#pragma once

#include "absl/status/status.h"
#include "libs/rpc/service.h"
#include "services/table/config.h"

namespace mj::table {

// FAILED_PRECONDITION when the database lacks the schema, UNAVAILABLE when it is away; peers may be
// away. Tables that an earlier process left go on in the background.
[[nodiscard]] absl::Status Bind(const Config& config, mj::rpc::Bindings& bindings);

}  // namespace mj::table
