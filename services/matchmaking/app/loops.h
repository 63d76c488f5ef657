// What a replica does by itself, all the time: match, take over what others left, tidy up, look for
// changes of watched tickets.
#pragma once

#include <atomic>
#include <vector>

#include "libs/base/clock.h"
#include "libs/base/executor.h"
#include "libs/base/uuid.h"
#include "services/matchmaking/app/match_round.h"
#include "services/matchmaking/app/monitor.h"
#include "services/matchmaking/app/ports.h"
#include "services/matchmaking/app/pulse.h"
#include "services/matchmaking/app/seat_keeper.h"
#include "services/matchmaking/app/seating.h"
#include "services/matchmaking/app/ticket_watch.h"

namespace mj::matchmaking {

struct LoopOptions {
  Millis match_every{50};
  Millis take_over_every{250};
  Millis upkeep_every{1'000};
  Millis watch_every{100};
  MatchRoundOptions match;
  // Matches that may wait for their tables before more are made: what cannot be seated soon is better off
  // in the queue, where every replica finds it.
  int seating_max = 100;
  std::size_t refill_batch = 20;     // tables at once
  std::size_t take_over_batch = 50;  // matches at once
  std::size_t expire_batch = 500;    // tickets, and rooms, at once
};

// What the loops work with; all must outlive them.
struct LoopParts {
  base::Clock& clock;
  base::UuidGenerator& ids;
  Store& store;
  Seating& seating;
  SeatKeeper& seats;
  TicketWatch& watch;
  Monitor& monitor;
  base::TaskRunner& beats;   // at least four threads: the loops do not wait for each other
  base::TaskRunner& seater;  // carries out the saga; its bound is how many matches wait for it
};

// Thread-safe. Does nothing before Start.
class Loops {
 public:
  Loops(const LoopParts& parts, const LoopOptions& options);
  // Stops.
  ~Loops();
  Loops(const Loops&) = delete;
  Loops& operator=(const Loops&) = delete;

  void Start();

  // No beat begins after this; waits for those under way. What was given to `seater` goes on. Both
  // runners must still be running.
  void Stop();

 private:
  void Match();
  void TakeOver();
  void Upkeep();
  void Watch();
  // Posts the saga of each match. One for which there is no room is taken over when it is due.
  void Seat(const std::vector<matchmaking::Match>& matches, base::MonotonicTime until);
  // Whether so few matches are being seated that more may be made.
  [[nodiscard]] bool HasRoom() const { return seating_ < options_.seating_max; }
  // Has the next matches made at once, if there are more and there is room.
  void GoOn();

  const LoopParts parts_;
  const LoopOptions options_;
  std::atomic<int> seating_ = 0;    // matches whose saga has been posted and is not done
  std::atomic<bool> more_ = false;  // the queue was fuller than one beat's matches
  Pulse match_;
  Pulse take_over_;
  Pulse upkeep_;
  Pulse watch_;
};

}  // namespace mj::matchmaking
