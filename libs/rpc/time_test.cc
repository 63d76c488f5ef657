#include "libs/rpc/time.h"

#include <gtest/gtest.h>

#include <limits>

namespace mj::rpc {
namespace {

using base::WallTime;
using std::chrono::microseconds;
using std::chrono::milliseconds;

google::protobuf::Timestamp Timestamp(std::int64_t seconds, std::int32_t nanos) {
  google::protobuf::Timestamp time;
  time.set_seconds(seconds);
  time.set_nanos(nanos);
  return time;
}

google::protobuf::Duration Duration(std::int64_t seconds, std::int32_t nanos) {
  google::protobuf::Duration duration;
  duration.set_seconds(seconds);
  duration.set_nanos(nanos);
  return duration;
}

TEST(TimeTest, ComesBackAsItWas) {
  for (const std::int64_t us : {0LL, 1LL, 999'999LL, 1'000'000LL, 1'782'812'345'678'901LL, -1LL,
                                -1'000'000LL, -1'000'001LL}) {
    const WallTime time{microseconds(us)};
    google::protobuf::Timestamp sent;
    ToProto(time, sent);
    EXPECT_GE(sent.nanos(), 0) << us;
    EXPECT_EQ(FromProto(sent), time) << us;
  }
  for (const std::int64_t ms : {0LL, 1LL, 999LL, 1'000LL, 86'400'001LL}) {
    google::protobuf::Duration sent;
    ToProto(milliseconds(ms), sent);
    EXPECT_EQ(FromProto(sent), milliseconds(ms));
  }
}

TEST(TimeTest, CountsSecondsFrom1970AndRoundsDown) {
  google::protobuf::Timestamp sent;
  ToProto(WallTime{microseconds(-1)}, sent);
  EXPECT_EQ(sent.seconds(), -1);
  EXPECT_EQ(sent.nanos(), 999'999'000);
  EXPECT_EQ(FromProto(Timestamp(2, 1'999)), WallTime{microseconds(2'000'001)});
  EXPECT_EQ(FromProto(Duration(2, 1'999'999)), milliseconds(2'001));
}

TEST(TimeTest, WhatIsNoTimeIsTheNearestThatIs) {
  constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
  constexpr auto kLeast = std::numeric_limits<std::int64_t>::min();
  EXPECT_EQ(FromProto(Timestamp(kMost, 5)), FromProto(Timestamp(253'402'300'799, 5)));
  EXPECT_EQ(FromProto(Timestamp(kLeast, 5)), FromProto(Timestamp(-62'135'596'800, 5)));
  EXPECT_EQ(FromProto(Timestamp(0, -7)), WallTime{});
  EXPECT_EQ(FromProto(Timestamp(0, 2'000'000'000)), WallTime{microseconds(999'999)});
  EXPECT_EQ(FromProto(Duration(-1, -1)), milliseconds(0));
  EXPECT_EQ(FromProto(Duration(kMost, 0)), FromProto(Duration(315'576'000'000, 0)));
}

}  // namespace
}  // namespace mj::rpc
