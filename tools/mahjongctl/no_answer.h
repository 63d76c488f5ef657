// What tells a service that does not answer from one that refuses.
#pragma once

#include "absl/status/status.h"

namespace mj::mahjongctl {

// Whether asking for anything else would fare no better.
inline bool IsNoAnswer(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kDeadlineExceeded:
    case absl::StatusCode::kUnimplemented:
      return true;
    default:
      return false;
  }
}

}  // namespace mj::mahjongctl
