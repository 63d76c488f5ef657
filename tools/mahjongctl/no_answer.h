// What tells a service that does not answer from one that refuses.
#pragma once

#include <string_view>

#include "absl/status/status.h"

namespace mj::mahjongctl {

// What to do about it, after the message.
inline constexpr std::string_view kNoAnswerCure =
    "\n  Does it run, and is it there? `./dev up -d` starts a stack, whose addresses `./dev ctl` "
    "knows.";

inline constexpr std::string_view kNoIdentityCure =
    "\n  Who is calling? --ca, --token-file and --signing-key say it; `./dev ctl` does for its "
    "stack.";

// Which of them helps.
inline std::string_view CureOf(const absl::Status& status) {
  const bool identity = status.code() == absl::StatusCode::kUnauthenticated ||
                        status.code() == absl::StatusCode::kPermissionDenied;
  return identity ? kNoIdentityCure : kNoAnswerCure;
}

// Whether asking for anything else would fare no better.
inline bool IsNoAnswer(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kDeadlineExceeded:
    case absl::StatusCode::kUnimplemented:
    case absl::StatusCode::kUnauthenticated:
      return true;
    default:
      return false;
  }
}

}  // namespace mj::mahjongctl
