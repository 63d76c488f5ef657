#include "libs/base/uuid.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>

#include "libs/base/simulated_clock_testing.h"
#include "libs/base/strings.h"

namespace mj::base {
namespace {

// All bytes of one value.
class FixedEntropy final : public Entropy {
 public:
  explicit FixedEntropy(unsigned char value) : value_{value} {}
  void Fill(std::span<std::byte> out) override { std::ranges::fill(out, value_); }

 private:
  std::byte value_;
};

TEST(UuidGeneratorTest, IsVersion7OfTheClocksMillisecond) {
  SimulatedClock clock;
  FixedEntropy zeros(0x00);
  FixedEntropy ones(0xFF);
  // 2026-01-01T00:00:00Z is 1767225600000 ms = 0x19b76daa800.
  EXPECT_EQ(UuidGenerator(clock, zeros).Next(), "019b76da-a800-7000-8000-000000000000");
  EXPECT_EQ(UuidGenerator(clock, ones).Next(), "019b76da-a800-77ff-bfff-ffffffffffff");
}

TEST(UuidGeneratorTest, RisesStrictlyWhateverTheClockDoes) {
  SimulatedClock clock;
  SystemEntropy entropy;
  UuidGenerator generator(clock, entropy);
  std::string last;
  for (int i = 0; i < 20'000; ++i) {
    if (i % 3000 == 0) {
      clock.JumpWallClock(std::chrono::milliseconds(i % 2 == 0 ? -500 : 3));
    }
    const std::string next = generator.Next();
    ASSERT_LT(last, next);
    ASSERT_TRUE(IsId(next));
    last = next;
  }
}

TEST(UuidGeneratorTest, ASecretIsAllOfTheEntropy) {
  SimulatedClock clock;
  FixedEntropy some(0x5c);
  EXPECT_EQ(UuidGenerator(clock, some).Secret(), "5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c5c");
  SystemEntropy entropy;
  UuidGenerator generator(clock, entropy);
  EXPECT_NE(generator.Secret(), generator.Secret());
  EXPECT_TRUE(std::regex_match(generator.Secret(), std::regex("[0-9a-f]{32}")));
}

TEST(UuidGeneratorTest, LooksLikeOne) {
  SystemClock clock;
  SystemEntropy entropy;
  UuidGenerator generator(clock, entropy);
  EXPECT_TRUE(std::regex_match(
      generator.Next(),
      std::regex("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")));
}

}  // namespace
}  // namespace mj::base
