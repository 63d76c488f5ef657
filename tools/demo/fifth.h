// A fifth person at a table of four: is told that it is full, and watches (COM-13).
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "libs/base/clock.h"
#include "libs/base/executor.h"
#include "libs/base/mutex.h"
#include "libs/player/board.h"
#include "libs/player/halt.h"
#include "mahjong/table/v1/table_service.grpc.pb.h"
#include "tools/demo/story.h"

namespace mj::demo {

class Fifth {
 public:
  //   id      its player id; sits nowhere.
  //   seat    from which it watches, 0 to 3.
  //   delay   the table's watch_delay_ms.
  Fifth(table::TableService::StubInterface& stub, std::string table, std::string id,
        std::uint32_t seat, std::chrono::milliseconds delay);
  // Ends its watching.
  ~Fifth();

  // Asks for a seat, is refused, and watches from now on, on a thread of its own. `lender`, who sits
  // there, lends its hand to whoever does.
  absl::Status Begin(const std::string& lender);

  // Waits until it has been told of the table's end.
  void Finish();

  // What it saw. REQUIRES: finished.
  void Tell(std::ostream& out) const;
  // What must not be: something told before its time, no hand, no end.
  [[nodiscard]] int problems() const;

 private:
  void See(const table::WatchedEvent& event);
  bool good() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  table::TableService::StubInterface& stub_;
  const std::string table_;
  const std::string id_;
  const std::uint32_t seat_;
  const std::chrono::milliseconds delay_;
  const base::SystemClock clock_;
  player::Halt halt_;
  bool told_full_ = false;

  mutable base::Mutex mutex_;
  player::Board board_ ABSL_GUARDED_BY(mutex_);
  std::string picture_ ABSL_GUARDED_BY(mutex_);  // of the table in the middle of a round
  std::string result_ ABSL_GUARDED_BY(mutex_);   // of that round
  int events_ ABSL_GUARDED_BY(mutex_) = 0;
  int early_ ABSL_GUARDED_BY(mutex_) = 0;
  int hands_ ABSL_GUARDED_BY(mutex_) = 0;
  int discards_ ABSL_GUARDED_BY(mutex_) = 0;  // of the present round
  absl::Status end_ ABSL_GUARDED_BY(mutex_);

  std::unique_ptr<base::Executor> thread_;
};

}  // namespace mj::demo
