#include "tools/load/usage.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace mj::load {
namespace {

TEST(UsageTest, ReadsWhatTheKernelWrites) {
  const auto usage =
      UsageFrom("17 (a (b) c) S 1 17 17 0 -1 4194560 9 0 0 0 250 50 0 0 20 0 3 0 999 1000 200",
                "900 300 1", 100, 4'096);
  ASSERT_TRUE(usage.ok());
  EXPECT_EQ(usage->processor.count(), 3'000);
  EXPECT_EQ(usage->resident_kib, 1'200);
}

TEST(UsageTest, RefusesWhatIsNoProcess) {
  EXPECT_FALSE(UsageFrom("", "", 100, 4'096).ok());
  EXPECT_FALSE(UsageFrom("17 (a) S 1", "1 1", 100, 4'096).ok());
  EXPECT_FALSE(UsageFrom("17 (a) S 1 2 3 4 5 6 7 8 9 10 x y 13", "1 1", 100, 4'096).ok());
  EXPECT_FALSE(UsageOf(-1).ok());
}

TEST(UsageTest, ThisProcessHasUsedSomething) {
  const auto usage = UsageOf(getpid());
  ASSERT_TRUE(usage.ok());
  EXPECT_GT(usage->resident_kib, 0);
}

}  // namespace
}  // namespace mj::load
