// Ids that nobody else makes: UUID version 7 (RFC 9562), whose text sorts by time.
#pragma once

#include <cstdint>
#include <string>

#include "libs/base/clock.h"
#include "libs/base/entropy.h"
#include "libs/base/mutex.h"

namespace mj::base {

// Makes ids. Thread-safe. Ids of one generator rise strictly, also when the wall clock jumps back:
// 48 bits of milliseconds, 12 bits that count within one, 62 random bits. When 4,096 ids fell into
// one millisecond the next is borrowed.
//
// Keeps references: `clock` and `entropy` must outlive it.
class UuidGenerator {
 public:
  UuidGenerator(const Clock& clock, Entropy& entropy) : clock_(clock), entropy_(entropy) {}

  // 36 characters, lower case: "01941f29-7c00-7000-8000-0123456789ab".
  [[nodiscard]] std::string Next();

  // What nobody can guess, and no id: 32 characters of [0-9a-f], all 128 bits of them random.
  [[nodiscard]] std::string Secret();

 private:
  const Clock& clock_;
  Entropy& entropy_;
  Mutex mutex_;
  std::uint64_t last_ms_ ABSL_GUARDED_BY(mutex_) = 0;
  std::uint16_t counter_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace mj::base
