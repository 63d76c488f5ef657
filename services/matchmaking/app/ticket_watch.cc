#include "services/matchmaking/app/ticket_watch.h"

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "libs/base/status.h"

namespace mj::matchmaking {
namespace {

constexpr std::size_t kTicketsPerQuery = 1'000;

}  // namespace

TicketWatch::WatchId TicketWatch::Watch(const Ticket& known, OnChange on_change) {
  base::MutexLock lock(mutex_);
  const WatchId id{++last_id_};
  watchers_.emplace(id, Watcher{known, clock_.Monotonic(), std::move(on_change)});
  return id;
}

void TicketWatch::Unwatch(WatchId id) {
  base::MutexLock lock(mutex_);
  watchers_.erase(id);
}

std::size_t TicketWatch::size() const {
  base::MutexLock lock(mutex_);
  return watchers_.size();
}

absl::Status TicketWatch::Poll() {
  std::set<TicketId> watched;
  WatchId newest;
  {
    base::MutexLock lock(mutex_);
    newest = WatchId{last_id_};
    for (const auto& [id, watcher] : watchers_) watched.insert(watcher.known.id);
  }
  const std::vector<TicketId> ids(watched.begin(), watched.end());
  for (std::size_t at = 0; at < ids.size(); at += kTicketsPerQuery) {
    const std::size_t count = std::min(kTicketsPerQuery, ids.size() - at);
    MJ_ASSIGN_OR_RETURN(const std::vector<Ticket> tickets,
                        store_.FindTickets(std::span(ids).subspan(at, count)));
    Tell(tickets, newest);
  }
  return absl::OkStatus();
}

void TicketWatch::Tell(const std::vector<Ticket>& tickets, WatchId newest) {
  std::map<TicketId, const Ticket*> by_id;
  for (const Ticket& ticket : tickets) by_id.emplace(ticket.id, &ticket);

  const base::MonotonicTime now = clock_.Monotonic();
  std::vector<std::pair<OnChange, const Ticket*>> calls;
  {
    base::MutexLock lock(mutex_);
    for (auto it = watchers_.begin(); it != watchers_.end() && it->first <= newest;) {
      Watcher& watcher = it->second;
      const auto found = by_id.find(watcher.known.id);
      const bool due = watcher.known.state == TicketState::kQueued &&
                       now - watcher.told >= options_.remind_every;
      if (found == by_id.end() || (*found->second == watcher.known && !due)) {
        ++it;
        continue;
      }
      watcher.told = now;
      watcher.known = *found->second;
      if (IsLive(watcher.known.state)) {
        calls.emplace_back(watcher.on_change, found->second);
        ++it;
      } else {
        calls.emplace_back(std::move(watcher.on_change), found->second);
        it = watchers_.erase(it);
      }
    }
  }
  for (const auto& [on_change, ticket] : calls) on_change(*ticket);
}

}  // namespace mj::matchmaking
