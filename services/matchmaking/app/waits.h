// How long a player will probably wait: as long as those did who were seated last.
#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <optional>

#include "libs/base/clock.h"
#include "libs/base/mutex.h"
#include "services/matchmaking/app/ports.h"

namespace mj::matchmaking {

struct WaitsOptions {
  std::size_t sample = 40;  // players looked back at, in each pool
  Millis fresh_for{1'000};  // how long an answer of the store is used again
  Millis unknown_for{
      100};  // …that nobody was seated yet: in a pool that just opens it is soon untrue
  std::size_t pools = 1'000;  // remembered at most
};

// Thread-safe. Keeps references: what it is given must outlive it.
class Waits {
 public:
  Waits(Store& store, const base::Clock& clock, WaitsOptions options = {})
      : store_(store), clock_(clock), options_(options) {}

  // How much longer this queued ticket will probably wait: the median wait of its pool's last
  // players, less what it has waited; 0 when that is over. Nothing for a ticket that does not wait,
  // in a private room (friends come when they come), for a pool without any such player, or when the
  // store does not answer: an estimate is no reason to fail.
  std::optional<Millis> Left(const Ticket& ticket);

 private:
  struct Known {
    base::MonotonicTime asked{};
    std::optional<Millis> median;
  };
  std::optional<Millis> Median(const matching::Pool& pool);

  Store& store_;
  const base::Clock& clock_;
  const WaitsOptions options_;
  base::Mutex mutex_;
  std::map<matching::Pool, Known> known_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace mj::matchmaking
