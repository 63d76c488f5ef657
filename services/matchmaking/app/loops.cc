#include "services/matchmaking/app/loops.h"

#include "services/matchmaking/app/refill.h"

namespace mj::matchmaking {

Loops::Loops(const LoopParts& parts, const LoopOptions& options)
    : parts_(parts),
      options_(options),
      match_(parts.clock, parts.beats, options.match_every, [this] { Match(); }),
      take_over_(parts.clock, parts.beats, options.take_over_every, [this] { TakeOver(); }),
      upkeep_(parts.clock, parts.beats, options.upkeep_every, [this] { Upkeep(); }),
      watch_(parts.clock, parts.beats, options.watch_every, [this] { Watch(); }) {}

Loops::~Loops() { Stop(); }

void Loops::Start() {
  match_.Start();
  take_over_.Start();
  upkeep_.Start();
  watch_.Start();
}

void Loops::Stop() {
  match_.Stop();
  take_over_.Stop();
  upkeep_.Stop();
  watch_.Stop();
}

void Loops::Seat(const std::vector<matchmaking::Match>& matches, base::MonotonicTime until) {
  for (const matchmaking::Match& match : matches) {
    const auto done = [this, match](const absl::StatusOr<Seated>& seated) {
      if (seated.ok()) {
        parts_.monitor.OnSeated(match, *seated);
      } else {
        parts_.monitor.OnFailure("seat", seated.status());
      }
      --seating_;
      GoOn();
    };
    ++seating_;
    const bool posted = parts_.seater.TryPost(
        [this, match, until, done] { parts_.seating.Drive(match, until, done); });
    if (posted) continue;
    --seating_;
    parts_.monitor.OnFailure("seat", absl::ResourceExhaustedError("seater is full"));
  }
}

void Loops::GoOn() {
  if (HasRoom() && more_.exchange(false)) match_.Hurry();
}

void Loops::Match() {
  if (!HasRoom()) {
    more_ = true;
    return GoOn();  // they may have been seated meanwhile
  }
  const base::MonotonicTime until = parts_.clock.Monotonic() + options_.match.queue.lease;
  // First: who waits longest is seated at once where three wait for a fourth.
  const auto refills =
      RefillTables(parts_.store, parts_.ids, options_.match, options_.refill_batch);
  if (refills.ok()) {
    for (const matchmaking::Match& match : *refills) parts_.monitor.OnMatched(match);
    Seat(*refills, until);
  } else {
    parts_.monitor.OnFailure("refill", refills.status());
  }
  const auto matches = MatchPools(parts_.store, parts_.ids, options_.match);
  if (!matches.ok()) return parts_.monitor.OnFailure("match", matches.status());
  for (const matchmaking::Match& match : *matches) parts_.monitor.OnMatched(match);
  // Of a queue that was longer than what was looked at: the rest is not to wait for the next beat.
  more_ = matches->size() * kSeats * 2 >= options_.match.queue.limit;
  Seat(*matches, until);
  GoOn();
}

void Loops::TakeOver() {
  const base::MonotonicTime until = parts_.clock.Monotonic() + options_.match.queue.lease;
  const auto due =
      parts_.store.ClaimDueMatches(options_.take_over_batch, options_.match.queue.lease);
  if (!due.ok()) return parts_.monitor.OnFailure("take_over", due.status());
  Seat(*due, until);
}

void Loops::Upkeep() {
  const auto expired = parts_.store.ExpireTickets(options_.expire_batch);
  if (!expired.ok()) return parts_.monitor.OnFailure("upkeep", expired.status());
  if (*expired > 0) parts_.monitor.OnExpired(*expired);
  const auto closed = parts_.store.CloseExpiredRooms(options_.expire_batch);
  if (!closed.ok()) return parts_.monitor.OnFailure("upkeep", closed.status());
  const auto freed = parts_.seats.Sweep();
  if (!freed.ok()) return parts_.monitor.OnFailure("upkeep", freed.status());
  if (*freed > 0) parts_.monitor.OnSeatsFreed(*freed);
  const auto backlog = parts_.store.CountBacklog();
  if (!backlog.ok()) return parts_.monitor.OnFailure("upkeep", backlog.status());
  parts_.monitor.OnBacklog(*backlog);
}

void Loops::Watch() {
  const absl::Status polled = parts_.watch.Poll();
  if (!polled.ok()) parts_.monitor.OnFailure("watch", polled);
}

}  // namespace mj::matchmaking
