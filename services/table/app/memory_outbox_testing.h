// Feeds in memory, into which a test puts what it wants.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "libs/base/mutex.h"
#include "services/table/app/outbox.h"

namespace mj::table {

// Thread-safe.
class MemoryOutbox final : public Outbox {
 public:
  // Written, and without a number before the next Number.
  void Write(EndedRound round) {
    base::MutexLock lock(mutex_);
    rounds_.written.push_back(std::move(round));
  }
  void Write(SeatChange change) {
    base::MutexLock lock(mutex_);
    seats_.written.push_back(std::move(change));
  }
  // How old what is read is said to be.
  void SetLag(std::chrono::milliseconds lag) {
    base::MutexLock lock(mutex_);
    lag_ = lag;
  }
  // Rounds up to this number are not kept any more.
  void DropRounds(std::int64_t number) {
    base::MutexLock lock(mutex_);
    rounds_.dropped = number;
  }
  // Every read fails so until it is OK.
  void FailWith(absl::Status status) {
    base::MutexLock lock(mutex_);
    failure_ = std::move(status);
  }
  // How often something was asked.
  [[nodiscard]] int asked() const {
    base::MutexLock lock(mutex_);
    return asked_;
  }

  absl::Status Number() override {
    base::MutexLock lock(mutex_);
    ++asked_;
    rounds_.last = static_cast<std::int64_t>(rounds_.written.size());
    seats_.last = static_cast<std::int64_t>(seats_.written.size());
    return failure_;
  }
  absl::StatusOr<OutboxPage<EndedRound>> ReadRounds(std::int64_t after,
                                                    std::int64_t limit) override {
    return Read(rounds_, after, limit);
  }
  absl::StatusOr<OutboxPage<SeatChange>> ReadSeats(std::int64_t after,
                                                   std::int64_t limit) override {
    return Read(seats_, after, limit);
  }

 private:
  template <typename Item>
  struct Feed {
    std::vector<Item> written;
    std::int64_t last = 0;
    std::int64_t dropped = 0;
  };

  template <typename Item>
  absl::StatusOr<OutboxPage<Item>> Read(const Feed<Item>& feed, std::int64_t after,
                                        std::int64_t limit) {
    base::MutexLock lock(mutex_);
    ++asked_;
    if (!failure_.ok()) return failure_;
    OutboxPage<Item> page{feed.dropped, feed.last, {}, lag_};
    if (after < feed.dropped) return page;
    for (std::int64_t n = after; n < feed.last && n < after + limit; ++n) {
      page.items.push_back(feed.written[static_cast<std::size_t>(n)]);
    }
    return page;
  }

  mutable base::Mutex mutex_;
  Feed<EndedRound> rounds_ ABSL_GUARDED_BY(mutex_);
  Feed<SeatChange> seats_ ABSL_GUARDED_BY(mutex_);
  absl::Status failure_ ABSL_GUARDED_BY(mutex_);
  std::chrono::milliseconds lag_ ABSL_GUARDED_BY(mutex_){0};
  int asked_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace mj::table
