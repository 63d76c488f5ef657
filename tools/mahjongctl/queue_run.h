// A crowd of bots from their accounts through the queue to one round each, over the public rpcs.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "libs/base/clock.h"
#include "tools/mahjongctl/crowd.h"

namespace mj::mahjongctl {

struct QueueRunOptions {
  std::string wallet_address;                // host:port
  std::string table_address;                 // host:port, or several as gRPC resolves them
  std::vector<std::string> matchmaking;      // host:port of each replica; calls go to them in turn
  std::string variant;                       // the game
  std::chrono::milliseconds limit{600'000};  // for everything
  std::uint64_t seed = 1;                    // of the bots' choices
};

// How it stands at a moment.
struct QueueMoment {
  std::chrono::milliseconds since_begin{0};
  int queued = 0;  // players in the queue
  int tables = 0;  // that are played at
  int left = 0;    // players who have played and gone
  std::chrono::milliseconds wait_p50{0};
  std::chrono::milliseconds wait_p99{0};
};

struct QueueOutcome {
  std::vector<GivenSeat> seats;
  std::vector<std::chrono::milliseconds> waits;  // from the ticket to its seat, of each player
  // How far the first estimate that a ticket was given was from what it then still waited.
  std::vector<std::chrono::milliseconds> estimate_errors;
  int cancelled = 0;               // parties that had taken their tickets back, and came again
  int cancelled_too_late = 0;      // that were matched before, and told so
  int reads = 0;                   // of what was just written, at another replica
  std::vector<std::string> wrong;  // reads that did not show it, calls that failed
};

// Everybody of `crowd` is given an account and coins, comes when it is to come, waits, plays one round
// and leaves; a thread for each. Blocks until all have gone, or the limit is over, which is told as wrong.
// A call to a replica that is gone is made at the next one. Fails when accounts cannot be made.
//
//   told   hears how it stands, on the calling thread, every half second.
absl::Status RunQueue(const std::vector<Party>& crowd, const QueueRunOptions& options,
                      base::Clock& clock, const std::function<void(const QueueMoment&)>& told,
                      QueueOutcome& outcome);

}  // namespace mj::mahjongctl
