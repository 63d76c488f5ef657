#include "libs/packing/packing.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "libs/base/status_testing.h"
#include "tests/support/random.h"

namespace mj::packing {
namespace {

using base::HasCode;
using base::IsOkAndHolds;

constexpr std::size_t kMax = 1 << 20;

TEST(PackingTest, AnyBytesComeBack) {
  testing::Random random(7);
  for (const std::size_t size : {0U, 1U, 2U, 100U, 5'000U, 300'000U}) {
    std::string bytes;
    for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(random.Below(4));
    const std::string frame = Pack(bytes);
    EXPECT_EQ(Pack(bytes), frame);
    EXPECT_THAT(Unpack(frame, kMax), IsOkAndHolds(bytes)) << size;
    if (size > 1'000) {
      EXPECT_LT(frame.size(), bytes.size() / 2);
    }
  }
}

TEST(PackingTest, WhatIsTooLargeIsRefused) {
  EXPECT_THAT(Unpack(Pack(std::string(101, 'x')), 100), HasCode(absl::StatusCode::kDataLoss));
  EXPECT_TRUE(Unpack(Pack(std::string(100, 'x')), 100).ok());
}

TEST(PackingTest, NoFrameIsTakenForOne) {
  const std::string frame = Pack("what was kept, and kept, and kept");
  EXPECT_THAT(Unpack("", kMax), HasCode(absl::StatusCode::kDataLoss));
  EXPECT_THAT(Unpack("no frame", kMax), HasCode(absl::StatusCode::kDataLoss));
  EXPECT_THAT(Unpack(frame + frame, kMax), HasCode(absl::StatusCode::kDataLoss));
  EXPECT_THAT(Unpack(frame + "x", kMax), HasCode(absl::StatusCode::kDataLoss));
  for (std::size_t size = 0; size < frame.size(); ++size) {
    EXPECT_THAT(Unpack(frame.substr(0, size), kMax), HasCode(absl::StatusCode::kDataLoss)) << size;
  }
}

TEST(PackingTest, AChangedFrameDoesNotComeBackAsSomethingElse) {
  std::string bytes;
  testing::Random random(3);
  for (int i = 0; i < 500; ++i) bytes += static_cast<char>('a' + random.Below(6));
  const std::string frame = Pack(bytes);
  for (std::size_t at = 0; at < frame.size(); ++at) {
    std::string changed = frame;
    changed[at] = static_cast<char>(changed[at] ^ 0x10);
    const auto read = Unpack(changed, kMax);
    EXPECT_TRUE(!read.ok() || *read == bytes) << at;
  }
}

}  // namespace
}  // namespace mj::packing
