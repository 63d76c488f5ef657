// Returning early on a failed absl::Status or absl::StatusOr, which Abseil 20220623 has no macros
// for.
#pragma once

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

// Returns the status of `expression` from the enclosing function unless it is OK.
#define MJ_RETURN_IF_ERROR(expression)                              \
  do {                                                              \
    if (::absl::Status mj_status = (expression); !mj_status.ok()) { \
      return mj_status;                                             \
    }                                                               \
  } while (false)

#define MJ_STATUS_CONCAT_INNER(a, b) a##b
#define MJ_STATUS_CONCAT(a, b) MJ_STATUS_CONCAT_INNER(a, b)

// Declares or assigns `lhs` from the StatusOr that `expression` yields, or returns its status.
//   MJ_ASSIGN_OR_RETURN(const Account account, store.Load(id));
// A type with a comma in it needs an alias. Not for use as the only statement of an `if`.
#define MJ_ASSIGN_OR_RETURN(lhs, expression) \
  MJ_ASSIGN_OR_RETURN_IMPL(MJ_STATUS_CONCAT(mj_status_or_, __LINE__), lhs, expression)

#define MJ_ASSIGN_OR_RETURN_IMPL(temporary, lhs, expression) \
  auto temporary = (expression);                             \
  if (!temporary.ok()) {                                     \
    return std::move(temporary).status();                    \
  }                                                          \
  lhs = std::move(temporary).value()
