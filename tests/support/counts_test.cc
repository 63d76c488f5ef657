#include "tests/support/counts.h"

#include <cstdlib>

#include <gtest/gtest.h>

namespace mj::testing {
namespace {

class CountTest : public ::testing::Test {
 protected:
  ~CountTest() override { unsetenv("MJ_TEST_LONG"); }
};

TEST_F(CountTest, ShortRunTakesAHundredth) {
  unsetenv("MJ_TEST_LONG");
  EXPECT_FALSE(LongRun());
  EXPECT_EQ(Count(100'000), 1'000);
  EXPECT_EQ(Count(199), 1);
}

TEST_F(CountTest, LongRunTakesItAll) {
  setenv("MJ_TEST_LONG", "1", 1);
  EXPECT_TRUE(LongRun());
  EXPECT_EQ(Count(100'000), 100'000);
}

TEST_F(CountTest, ZeroAndEmptyMeanShort) {
  setenv("MJ_TEST_LONG", "0", 1);
  EXPECT_FALSE(LongRun());
  setenv("MJ_TEST_LONG", "", 1);
  EXPECT_FALSE(LongRun());
}

TEST_F(CountTest, NeverBelowOne) {
  unsetenv("MJ_TEST_LONG");
  EXPECT_EQ(Count(50), 1);
  EXPECT_EQ(Count(0), 1);
  setenv("MJ_TEST_LONG", "1", 1);
  EXPECT_EQ(Count(-5), 1);
}

}  // namespace
}  // namespace mj::testing
