#include "services/matchmaking/app/waits.h"

#include <algorithm>
#include <vector>

namespace mj::matchmaking {

std::optional<Millis> Waits::Median(const matching::Pool& pool) {
  const base::MonotonicTime now = clock_.Monotonic();
  {
    base::MutexLock lock(mutex_);
    const auto known = known_.find(pool);
    if (known != known_.end()) {
      const Millis fresh = known->second.median ? options_.fresh_for : options_.unknown_for;
      if (now - known->second.asked < fresh) return known->second.median;
    }
  }
  absl::StatusOr<std::vector<Millis>> waits = store_.RecentWaits(pool, options_.sample);
  if (!waits.ok()) return std::nullopt;
  std::optional<Millis> median;
  if (!waits->empty()) {
    const auto middle = waits->begin() + static_cast<std::ptrdiff_t>(waits->size() / 2);
    std::nth_element(waits->begin(), middle, waits->end());
    median = *middle;
  }
  base::MutexLock lock(mutex_);
  if (known_.size() >= options_.pools && !known_.contains(pool)) known_.clear();
  known_[pool] = {now, median};
  return median;
}

std::optional<Millis> Waits::Left(const Ticket& ticket) {
  if (ticket.state != TicketState::kQueued || !ticket.wish.pool.room.empty()) return std::nullopt;
  const std::optional<Millis> median = Median(ticket.wish.pool);
  if (!median) return std::nullopt;
  const auto waited = std::chrono::duration_cast<Millis>(clock_.Now() - ticket.queued_at);
  return std::max(Millis(0), *median - std::max(Millis(0), waited));
}

}  // namespace mj::matchmaking
