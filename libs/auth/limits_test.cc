#include "libs/auth/limits.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "libs/base/reasons.h"
#include "libs/base/status_testing.h"

namespace mj::auth {
namespace {

using base::FailsWith;
using base::IsOk;
using base::MonotonicTime;
using base::Reason;
using std::chrono::milliseconds;

constexpr LimitOptions kTen{.person = {.calls_per_second = 10, .burst = 3, .streams = 2},
                            .other = {.calls_per_second = 0, .burst = 1, .streams = 0}};
const Caller kAnn{Role::kPlayer, "ann", "k"};
const Caller kBob{Role::kPlayer, "bob", "k"};

MonotonicTime At(std::int64_t ms) { return {milliseconds(ms)}; }

TEST(LimitsTest, ABurstThenSoManyASecond) {
  Limits limits(kTen);
  for (int i = 0; i < 3; ++i) EXPECT_THAT(limits.Call(kAnn, At(0)), IsOk());
  const absl::Status refused = limits.Call(kAnn, At(0));
  EXPECT_THAT(refused, FailsWith(Reason::kRateLimited));
  EXPECT_EQ(base::CarriedBy(refused)->details.retry_after, milliseconds(100));
  EXPECT_THAT(limits.Call(kAnn, At(99)), FailsWith(Reason::kRateLimited));
  EXPECT_THAT(limits.Call(kAnn, At(100)), IsOk());
  EXPECT_THAT(limits.Call(kAnn, At(100)), FailsWith(Reason::kRateLimited));
  int taken = 0;
  for (int ms = 101; ms <= 10'100; ++ms) taken += limits.Call(kAnn, At(ms)).ok() ? 1 : 0;
  EXPECT_EQ(taken, 100);
}

TEST(LimitsTest, OneCallerDoesNotPayForAnother) {
  Limits limits(kTen);
  while (limits.Call(kAnn, At(0)).ok()) {
  }
  EXPECT_THAT(limits.Call(kBob, At(0)), IsOk());
  // The same name in another role is another caller, and here without a limit.
  for (int i = 0; i < 100; ++i) {
    EXPECT_THAT(limits.Call({Role::kBackend, "ann", "k"}, At(0)), IsOk());
  }
}

TEST(LimitsTest, SoManyStreamsAtTheSameTime) {
  Limits limits(kTen);
  EXPECT_THAT(limits.Open(kAnn), IsOk());
  EXPECT_THAT(limits.Open(kAnn), IsOk());
  EXPECT_THAT(limits.Open(kAnn), FailsWith(Reason::kTooManyStreams));
  EXPECT_THAT(limits.Open(kBob), IsOk());
  limits.Close(kAnn);
  EXPECT_THAT(limits.Open(kAnn), IsOk());
  EXPECT_THAT(limits.Open(kAnn), FailsWith(Reason::kTooManyStreams));
}

TEST(LimitsTest, WhoHasGoneIsForgotten) {
  Limits limits(kTen);
  ASSERT_THAT(limits.Open(kAnn), IsOk());
  for (int i = 0; i < 100'000; ++i) {
    EXPECT_TRUE(limits.Call({Role::kPlayer, std::to_string(i), "k"}, At(i)).ok());
  }
  EXPECT_LT(limits.known(), 5'000U);
  // Who holds a stream is not.
  EXPECT_THAT(limits.Open(kAnn), IsOk());
  EXPECT_THAT(limits.Open(kAnn), FailsWith(Reason::kTooManyStreams));
}

}  // namespace
}  // namespace mj::auth
