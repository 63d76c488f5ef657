#include "libs/base/status.h"

#include <gtest/gtest.h>

#include <memory>

#include "libs/base/status_testing.h"

namespace mj::base {
namespace {

absl::StatusOr<int> Half(int n) {
  if (n % 2 != 0) {
    return Error(Reason::kBadAmount, "n: got odd", {.field = "n"});
  }
  return n / 2;
}

absl::StatusOr<int> Quarter(int n) {
  MJ_ASSIGN_OR_RETURN(const int half, Half(n));
  MJ_ASSIGN_OR_RETURN(int quarter, Half(half));
  return quarter;
}

absl::Status Both(int a, int b) {
  MJ_RETURN_IF_ERROR(Half(a).status());
  MJ_RETURN_IF_ERROR(Half(b).status());
  return absl::OkStatus();
}

TEST(StatusTest, AssignsOrReturnsTheFirstFailure) {
  EXPECT_THAT(Quarter(8), IsOkAndHolds(2));
  EXPECT_THAT(Quarter(6), FailsWith(Reason::kBadAmount, "n"));
  EXPECT_THAT(Both(2, 4), IsOk());
  EXPECT_THAT(Both(2, 3), HasCode(absl::StatusCode::kInvalidArgument));
}

absl::StatusOr<std::unique_ptr<int>> Make() { return std::make_unique<int>(7); }

TEST(StatusTest, AssignsWhatCanOnlyBeMoved) {
  const auto value = []() -> absl::StatusOr<int> {
    MJ_ASSIGN_OR_RETURN(const auto made, Make());
    return *made;
  }();
  EXPECT_THAT(value, IsOkAndHolds(7));
}

}  // namespace
}  // namespace mj::base
