#include "libs/base/check.h"

#include <gtest/gtest.h>

namespace mj::base {
namespace {

TEST(CheckTest, SaysWhereAndWhatFailed) {
  EXPECT_DEATH(MJ_CHECK(1 + 1 == 3), "check_test.cc:[0-9]+: check failed: 1 \\+ 1 == 3");
}

TEST(CheckTest, SaysTheMessage) {
  EXPECT_DEATH(MJ_CHECK(false, "books do not balance"), "false; books do not balance");
}

TEST(CheckTest, DoesNotEvaluateTheMessageWhenItHolds) {
  int evaluated = 0;
  MJ_CHECK(true, (++evaluated, "never"));
  EXPECT_EQ(evaluated, 0);
}

}  // namespace
}  // namespace mj::base
