// What tells a service that does not answer from one that refuses.
#pragma once

#include <string_view>

#include "absl/status/status.h"

namespace mj::mahjongctl {

// What to do about it, after the message.
inline constexpr std::string_view kNoAnswerCure =
    "\n  Does it run, and is it there? `./dev up -d` starts a stack, whose addresses `./dev ctl` "
    "knows.";

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
