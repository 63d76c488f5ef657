#include "libs/matching/fit.h"

#include <algorithm>

namespace mj::matching {
namespace {

bool Same(const std::string& a, const std::string& b) { return !a.empty() && a == b; }

bool AnyMet(const Party& a, const Party& b) {
  return std::any_of(a.tickets.begin(), a.tickets.end(), [&](const Ticket* one) {
    return std::any_of(b.tickets.begin(), b.tickets.end(),
                       [&](const Ticket* other) { return HaveMet(*one, *other); });
  });
}

}  // namespace

bool HaveMet(const Ticket& a, const Ticket& b) {
  return a.met.contains(b.player) || b.met.contains(a.player);
}

Conflict ConflictOf(const Ticket& a, const Ticket& b) {
  if (a.id == b.id || a.player == b.player) return Conflict::kSamePlayer;
  if (a.pool.staked() && Same(a.device, b.device)) return Conflict::kDevice;
  if (a.pool.staked() && Same(a.network, b.network)) return Conflict::kNetwork;
  const bool avoided = a.avoid.contains(b.player) || b.avoid.contains(a.player);
  return avoided && a.pool.room.empty() ? Conflict::kAvoided : Conflict::kNone;
}

bool Fits(const Party& a, const Party& b, TimeMs now, const Windows& windows) {
  for (const Ticket* one : a.tickets) {
    for (const Ticket* other : b.tickets) {
      if (ConflictOf(*one, *other) != Conflict::kNone) return false;
    }
  }
  if (!a.tickets.front()->pool.room.empty()) return true;
  const TimeMs waited = now - std::max(a.queued_at, b.queued_at);  // the shorter of both
  const std::int64_t apart = std::max(a.rating, b.rating) - std::min(a.rating, b.rating);
  if (apart > RatingWindow(windows, waited)) return false;
  return waited >= windows.meet_again_after || !AnyMet(a, b);
}

std::optional<Region> CommonRegion(std::span<const Party* const> group, TimeMs now,
                                   const Windows& windows) {
  const std::map<std::string, int>* known = nullptr;
  for (const Party* party : group) {
    for (const Ticket* ticket : party->tickets) {
      if (!ticket->latency.empty()) known = &ticket->latency;
    }
  }
  if (known == nullptr) return Region{};
  std::optional<Region> best;
  for (const auto& [name, unused] : *known) {
    int farthest = 0;
    bool common = true;
    for (const Party* party : group) {
      const bool invited = !party->tickets.front()->pool.room.empty();
      const int window = invited ? kAnyLatency : LatencyWindow(windows, now - party->queued_at);
      for (const Ticket* ticket : party->tickets) {
        if (ticket->latency.empty()) continue;
        const auto latency = ticket->latency.find(name);
        common = common && latency != ticket->latency.end() && latency->second <= window;
        if (common) farthest = std::max(farthest, latency->second);
      }
    }
    if (common && (!best || farthest < best->latency)) best = Region{name, farthest};
  }
  return best;
}

}  // namespace mj::matching
