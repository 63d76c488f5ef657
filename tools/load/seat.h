// One bot at a table: its stream, and its answers at human pace. All of it runs in gRPC's and the
// clock's callbacks.
#pragma once

#include <grpcpp/client_context.h>
#include <grpcpp/support/client_callback.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "libs/base/clock.h"
#include "libs/base/mutex.h"
#include "libs/base/reasons.h"
#include "mahjong/table/v1/table_service.grpc.pb.h"
#include "tools/load/histogram.h"

namespace mj::load {

namespace table = ::mahjong::table::v1;

// What did not succeed, by its reason. Thread-safe.
class Failures {
 public:
  void Add(const absl::Status& status) {
    base::MutexLock lock(mutex_);
    ++by_reason_[std::string(base::InfoOf(base::ReasonToTell(status)).name)];
  }
  [[nodiscard]] std::map<std::string, std::int64_t> by_reason() const {
    base::MutexLock lock(mutex_);
    return by_reason_;
  }

 private:
  mutable base::Mutex mutex_;
  std::map<std::string, std::int64_t> by_reason_ ABSL_GUARDED_BY(mutex_);
};

// What all seats count together. Thread-safe.
struct Counts {
  Histogram heard;  // from an action's call to its event at each of the other seats
  Histogram acted;  // from an action's call to its answer
  std::atomic<std::uint64_t> decisions = 0;
  std::atomic<std::uint64_t> events = 0;
  std::atomic<std::uint64_t> rounds = 0;  // over, as one seat of each table was told
  Failures failures;
  std::atomic<std::uint64_t> resumed = 0;  // streams that broke
};

// What the four seats of a table share: who has thrown a tile, and when it said so.
struct Throw {
  std::atomic<std::int64_t> at_ns = 0;
};

struct SeatOptions {
  std::string table_id;
  std::string player_id;
  std::uint32_t seat = 0;
  std::chrono::milliseconds pace{3'000};  // an answer takes half of it to one and a half
  std::uint64_t seed = 1;
};

// Thread-safe. Lives until its stream has ended, which the owner waits for.
class Seat {
 public:
  using Stub = table::TableService::StubInterface;
  using Throws = std::shared_ptr<std::array<Throw, 4>>;

  // `clock`, `counts` and `stub` outlive it. `ended` is called once, last of all.
  Seat(Stub& stub, base::Clock& clock, Counts& counts, Throws throws, SeatOptions options,
       std::function<void()> ended);
  ~Seat();
  Seat(const Seat&) = delete;
  Seat& operator=(const Seat&) = delete;

  void Start();
  // Ends the stream; nothing is answered any more.
  void Stop();

 private:
  class Core;
  std::shared_ptr<Core> core_;
};

// What a bot that does not think would do: win, roll, throw what it drew or could throw first, pass.
// False when there is nothing to choose.
[[nodiscard]] bool Choose(const table::Decision& decision, const std::string& drawn,
                          table::Choice& choice);

}  // namespace mj::load
