#include "services/matchmaking/app/refill.h"

#include <algorithm>
#include <optional>
#include <set>

#include "libs/matching/fit.h"

namespace mj::matchmaking {
namespace {

matching::Party Alone(const matching::Ticket& ticket) {
  return {{&ticket}, ticket.rating, ticket.queued_at};
}

// Why a ticket may sit down there; nothing: it may not.
std::optional<matching::Why> WhyItFits(const matching::Ticket& ticket, const OpenTable& table,
                                       const std::vector<matching::Ticket>& seated,
                                       matching::TimeMs now, const matching::Windows& windows) {
  if (ticket.party_size != 1 || ticket.expires_at <= now) return std::nullopt;
  if (table.been.contains(PlayerId(ticket.player))) return std::nullopt;
  matching::Why why;
  why.parties = 1;
  why.rating_window = matching::RatingWindow(windows, now - ticket.queued_at);
  if (!table.region.empty() && !ticket.latency.empty()) {
    const auto latency = ticket.latency.find(table.region);
    if (latency == ticket.latency.end()) return std::nullopt;
    if (latency->second > matching::LatencyWindow(windows, now - ticket.queued_at)) {
      return std::nullopt;
    }
    why.region.latency = latency->second;
  }
  why.region.name = table.region;
  std::int64_t lowest = ticket.rating;
  std::int64_t highest = ticket.rating;
  for (const matching::Ticket& there : seated) {
    if (!matching::Fits(Alone(ticket), Alone(there), now, windows)) return std::nullopt;
    if (matching::HaveMet(ticket, there)) ++why.met_again;
    lowest = std::min(lowest, there.rating);
    highest = std::max(highest, there.rating);
  }
  why.rating_apart = highest - lowest;
  return why;
}

}  // namespace

std::vector<NewRefill> FillFreeSeats(const OpenTable& table,
                                     std::span<const matching::Ticket> tickets,
                                     matching::TimeMs now, const matching::Windows& windows,
                                     base::UuidGenerator& ids) {
  std::vector<matching::Ticket> seated = table.seated;
  // They have their game: whatever windows they came with are open.
  for (matching::Ticket& there : seated) there.queued_at = 0;
  std::set<std::size_t> sent;
  std::vector<NewRefill> refills;
  for (const int seat : table.free) {
    for (std::size_t i = 0; i < tickets.size(); ++i) {
      if (sent.contains(i)) continue;
      const auto why = WhyItFits(tickets[i], table, seated, now, windows);
      if (!why) continue;
      refills.push_back({MatchId(ids.Next()), i, seat, *why, ids.Secret()});
      sent.insert(i);
      seated.push_back(tickets[i]);
      break;
    }
  }
  return refills;
}

absl::StatusOr<std::vector<Match>> RefillTables(Store& store, base::UuidGenerator& ids,
                                                const MatchRoundOptions& options,
                                                std::size_t tables) {
  // The oldest are who is looked for, and whoever makes matches of the pool should not miss the others.
  QueueOptions queue = options.queue;
  queue.limit = std::min<std::size_t>(queue.limit, 50);
  return store.MakeRefills(
      tables, queue,
      [&](const OpenTable& table, std::span<const matching::Ticket> tickets, matching::TimeMs now) {
        return FillFreeSeats(table, tickets, now, options.windows, ids);
      });
}

}  // namespace mj::matchmaking
