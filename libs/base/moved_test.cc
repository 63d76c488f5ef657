#include "libs/base/moved.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "libs/base/reasons.h"
#include "libs/base/status_testing.h"

namespace mj::base {
namespace {

TEST(MovedTest, SaysWhere) {
  EXPECT_THAT(Moved("a:1"), FailsWith(Reason::kTableMoved));
  EXPECT_EQ(MovedTo(Moved("a:1")), "a:1");
  EXPECT_EQ(MovedTo(Moved("")), "");
  EXPECT_EQ(MovedTo(Error(Reason::kUnavailable)), std::nullopt);
  EXPECT_EQ(MovedTo(absl::OkStatus()), std::nullopt);
}

}  // namespace
}  // namespace mj::base
