// Times and durations as messages carry them.
#pragma once

#include <google/protobuf/duration.pb.h>
#include <google/protobuf/timestamp.pb.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "libs/base/clock.h"

namespace mj::rpc {

inline void ToProto(base::WallTime time, google::protobuf::Timestamp& out) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(time);
  out.set_seconds(seconds.time_since_epoch().count());
  out.set_nanos(static_cast<std::int32_t>(std::chrono::nanoseconds(time - seconds).count()));
}

// REQUIRES: not negative.
inline void ToProto(std::chrono::milliseconds duration, google::protobuf::Duration& out) {
  const auto seconds = std::chrono::floor<std::chrono::seconds>(duration);
  out.set_seconds(seconds.count());
  out.set_nanos(static_cast<std::int32_t>(std::chrono::nanoseconds(duration - seconds).count()));
}

// To the microsecond, rounded down. One that is no time (outside the years 1 to 9999, or nanoseconds
// outside a second) is the nearest that is: whoever has to refuse it looks first.
[[nodiscard]] inline base::WallTime FromProto(const google::protobuf::Timestamp& in) {
  constexpr std::int64_t kFirst = -62'135'596'800;
  constexpr std::int64_t kLast = 253'402'300'799;
  return base::WallTime(std::chrono::seconds(std::clamp(in.seconds(), kFirst, kLast)) +
                        std::chrono::microseconds(std::clamp(in.nanos(), 0, 999'999'999) / 1'000));
}

// To the millisecond, rounded down; likewise the nearest between nothing and 10,000 years.
[[nodiscard]] inline std::chrono::milliseconds FromProto(const google::protobuf::Duration& in) {
  constexpr std::int64_t kLongest = 315'576'000'000;
  return std::chrono::seconds(std::clamp(in.seconds(), std::int64_t{0}, kLongest)) +
         std::chrono::milliseconds(std::clamp(in.nanos(), 0, 999'999'999) / 1'000'000);
}

}  // namespace mj::rpc
