#include "libs/collusion/tails.h"

#include <gtest/gtest.h>

namespace mj::collusion {
namespace {

TEST(TailsTest, PoissonAgainstTables) {
  EXPECT_DOUBLE_EQ(PoissonTail(0, 3), 1);
  EXPECT_DOUBLE_EQ(PoissonTail(1, 0), 0);
  EXPECT_NEAR(PoissonTail(1, 1), 0.6321205588, 1e-9);
  EXPECT_NEAR(PoissonTail(5, 1), 0.0036598468, 1e-9);
  EXPECT_NEAR(PoissonTail(20, 10), 0.0034543420, 1e-9);
  EXPECT_NEAR(PoissonTail(30, 100), 1, 1e-9);
}

TEST(TailsTest, BinomialAgainstTables) {
  EXPECT_DOUBLE_EQ(BinomialTail(0, 10, 0.5), 1);
  EXPECT_DOUBLE_EQ(BinomialTail(11, 10, 0.5), 0);
  EXPECT_DOUBLE_EQ(BinomialTail(3, 10, 0), 0);
  EXPECT_DOUBLE_EQ(BinomialTail(3, 10, 1), 1);
  EXPECT_NEAR(BinomialTail(10, 10, 0.5), 1.0 / 1024, 1e-12);
  EXPECT_NEAR(BinomialTail(8, 10, 0.5), 56.0 / 1024, 1e-12);
  EXPECT_NEAR(BinomialTail(20, 30, 1.0 / 3), 1.9375930e-4, 1e-9);
  EXPECT_GT(BinomialTail(90, 100, 0.1), 0) << "far out, and not lost";
}

}  // namespace
}  // namespace mj::collusion
