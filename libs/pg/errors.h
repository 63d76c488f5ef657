// The database's refusals as absl::Status, each with its SQLSTATE.
#pragma once

#include <string>
#include <string_view>

#include "absl/status/status.h"

namespace mj::pg {

// The status of a statement that was refused with `sqlstate`:
//
//   UNAVAILABLE          the connection is lost or cannot be made, the server stops, starts, is read
//                        only, out of a resource, or was kept waiting in a transaction (08, 53, 57P, 58,
//                        25006, 25P03)
//   DEADLINE_EXCEEDED    statement_timeout ended it (57014)
//   ABORTED              it met another transaction (40): to be run again
//   ALREADY_EXISTS       a unique key or an exclusion (23505, 23P01)
//   FAILED_PRECONDITION  another constraint (23)
//   INVALID_ARGUMENT     a value that the type does not take (22)
//   INTERNAL             all else: the statement is wrong, or may not be sent by this role
//
// The first three carry their reason of libs/base.
[[nodiscard]] absl::Status Refused(std::string_view sqlstate, std::string_view message);

// The SQLSTATE that a status of this room carries; empty if it has none.
[[nodiscard]] std::string SqlState(const absl::Status& status);

// The connection is gone or never was. `message` says what is known.
[[nodiscard]] absl::Status Away(std::string_view message);

// Whether `status` says so.
[[nodiscard]] bool IsAway(const absl::Status& status);

}  // namespace mj::pg
