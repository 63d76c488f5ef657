#include "libs/base/uuid.h"

#include <array>
#include <cstddef>
#include <cstring>
#include <span>

namespace mj::base {
namespace {

constexpr std::uint16_t kCounterMax = 0xFFF;

// A fresh millisecond's counter starts in its lower half, so that it has room to count.
constexpr std::uint16_t kCounterStartMask = 0x7FF;

constexpr char kDigits[] = "0123456789abcdef";

}  // namespace

std::string UuidGenerator::Next() {
  std::array<std::byte, 10> random{};
  entropy_.Fill(random);
  std::uint64_t tail = 0;
  std::memcpy(&tail, random.data(), sizeof tail);
  std::uint16_t start = 0;
  std::memcpy(&start, random.data() + sizeof tail, sizeof start);

  const auto since_epoch = clock_.Now().time_since_epoch();
  const auto now_ms = static_cast<std::uint64_t>(
      std::chrono::floor<std::chrono::milliseconds>(since_epoch).count());
  std::uint64_t ms = 0;
  std::uint16_t counter = 0;
  {
    MutexLock lock(mutex_);
    if (now_ms > last_ms_) {
      last_ms_ = now_ms;
      counter_ = start & kCounterStartMask;
    } else if (counter_ < kCounterMax) {
      ++counter_;
    } else {
      ++last_ms_;
      counter_ = start & kCounterStartMask;
    }
    ms = last_ms_;
    counter = counter_;
  }

  const std::uint64_t high = (ms << 16) | 0x7000U | counter;
  const std::uint64_t low = (tail >> 2) | 0x8000000000000000U;
  std::string text;
  text.reserve(36);
  for (int nibble = 0; nibble < 32; ++nibble) {
    if (nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20) {
      text.push_back('-');
    }
    const std::uint64_t word = nibble < 16 ? high : low;
    text.push_back(kDigits[(word >> (60 - 4 * (nibble % 16))) & 0xF]);
  }
  return text;
}

std::string UuidGenerator::Secret() {
  std::array<std::byte, 16> random{};
  entropy_.Fill(random);
  std::string text;
  text.reserve(2 * random.size());
  for (const std::byte byte : random) {
    text.push_back(kDigits[std::to_integer<unsigned>(byte) >> 4U]);
    text.push_back(kDigits[std::to_integer<unsigned>(byte) & 0xFU]);
  }
  return text;
}

}  // namespace mj::base
