#include "libs/matching/window.h"

#include <gtest/gtest.h>

namespace mj::matching {
namespace {

constexpr Windows kWindows{.rating_first = 4'000,
                           .rating_per_second = 500,
                           .latency_first = 80,
                           .latency_per_second = 10,
                           .open_after = 30'000};

TEST(WindowTest, WidensWithWaitingAndOpensAtLast) {
  EXPECT_EQ(RatingWindow(kWindows, 0), 4'000);
  EXPECT_EQ(RatingWindow(kWindows, 999), 4'499);
  EXPECT_EQ(RatingWindow(kWindows, 10'000), 9'000);
  EXPECT_EQ(RatingWindow(kWindows, 29'999), 18'999);
  EXPECT_EQ(RatingWindow(kWindows, 30'000), kAnyRating);
  EXPECT_EQ(LatencyWindow(kWindows, 0), 80);
  EXPECT_EQ(LatencyWindow(kWindows, 1'500), 95);
  EXPECT_EQ(LatencyWindow(kWindows, 30'000), kAnyLatency);
}

TEST(WindowTest, WhoComesFromTheFutureHasNotWaited) {
  EXPECT_EQ(RatingWindow(kWindows, -5'000), 4'000);
  EXPECT_EQ(LatencyWindow(kWindows, -5'000), 80);
}

TEST(WindowTest, NeverNarrows) {
  for (TimeMs waited = -10; waited < 31'000; ++waited) {
    ASSERT_LE(RatingWindow(kWindows, waited), RatingWindow(kWindows, waited + 1)) << waited;
    ASSERT_LE(LatencyWindow(kWindows, waited), LatencyWindow(kWindows, waited + 1)) << waited;
  }
}

}  // namespace
}  // namespace mj::matching
