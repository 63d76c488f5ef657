#include "tools/load/histogram.h"

#include <gtest/gtest.h>

namespace mj::load {
namespace {

using std::chrono::microseconds;

TEST(HistogramTest, OfNothingIsNothing) {
  const Histogram none;
  EXPECT_EQ(none.count(), 0U);
  EXPECT_EQ(none.Percentile(99).count(), 0);
}

TEST(HistogramTest, KeepsSizesToOnePartInThirtyTwo) {
  for (std::int64_t size : {0, 1, 31, 32, 63, 64, 65, 100, 1'000, 12'345, 999'999, 3'000'000}) {
    Histogram one;
    one.Add(microseconds(size));
    Histogram two;
    two.Add(microseconds(size));
    two.Add(microseconds(size * 4));
    EXPECT_EQ(one.Percentile(50).count(), size) << "no larger than the largest";
    EXPECT_GE(two.Percentile(50).count(), size);
    EXPECT_LE(two.Percentile(50).count(), size + size / 32);
  }
}

TEST(HistogramTest, TellsPercentiles) {
  Histogram times;
  for (int i = 1; i <= 1'000; ++i) times.Add(microseconds(i));
  EXPECT_EQ(times.count(), 1'000U);
  EXPECT_NEAR(static_cast<double>(times.Percentile(50).count()), 500, 16);
  EXPECT_NEAR(static_cast<double>(times.Percentile(99).count()), 990, 16);
  EXPECT_EQ(times.Percentile(100).count(), 1'000);
  EXPECT_EQ(times.max().count(), 1'000);
  times.Clear();
  EXPECT_EQ(times.count(), 0U);
}

TEST(HistogramTest, LongerThanAnHourIsAnHour) {
  Histogram times;
  times.Add(std::chrono::hours(30));
  times.Add(microseconds(-5));
  EXPECT_EQ(times.max(), std::chrono::hours(1));
  EXPECT_EQ(times.Percentile(1).count(), 0);
}

}  // namespace
}  // namespace mj::load
