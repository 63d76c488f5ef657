#include "libs/player/halt.h"

#include <gtest/gtest.h>

#include "libs/base/reasons.h"

namespace mj::player {
namespace {

using base::Error;
using base::Reason;

TEST(IsResumableTest, WhereAnotherProcessMayAnswer) {
  EXPECT_TRUE(IsResumable(Error(Reason::kShuttingDown)));
  EXPECT_TRUE(IsResumable(Error(Reason::kUnavailable)));
  EXPECT_TRUE(IsResumable(Error(Reason::kStreamTooSlow)));
  EXPECT_TRUE(IsResumable(Error(Reason::kOverloaded)));
  // As gRPC ends a call that a server which shuts down has not begun on.
  EXPECT_TRUE(IsResumable(absl::CancelledError("CANCELLED")));
}

TEST(IsResumableTest, NotWhereTheAnswerWillBeTheSame) {
  EXPECT_FALSE(IsResumable(absl::OkStatus()));
  EXPECT_FALSE(IsResumable(Error(Reason::kNotSeated)));
  EXPECT_FALSE(IsResumable(Error(Reason::kTableClosed)));
  EXPECT_FALSE(IsResumable(Error(Reason::kSequenceAhead)));
}

}  // namespace
}  // namespace mj::player
