#include "libs/matching/match.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "libs/matching/fit.h"

namespace mj::matching {
namespace {

using Queue = std::vector<const Ticket*>;  // one pool's tickets, oldest first; taken ones are null

bool Older(const Ticket* a, const Ticket* b) {
  return std::tie(a->queued_at, a->id, *a) < std::tie(b->queued_at, b->id, *b);
}

// The queue positions of a full group led by the ticket at `leader`, or fewer when no group can be
// filled.
std::vector<std::size_t> Gather(const Queue& queue, std::size_t leader, TimeMs now) {
  std::vector<std::size_t> places = {leader};
  std::vector<const Ticket*> members = {queue[leader]};
  for (std::size_t i = leader + 1; i < queue.size() && places.size() < kPlayers; ++i) {
    if (queue[i] == nullptr || !Fits(*queue[i], members, now)) continue;
    places.push_back(i);
    members.push_back(queue[i]);
  }
  return places;
}

void MatchQueue(Queue& queue, TimeMs now, std::vector<std::array<const Ticket*, kPlayers>>& out) {
  std::size_t left = queue.size();
  for (std::size_t leader = 0; leader < queue.size() && left >= kPlayers; ++leader) {
    if (queue[leader] == nullptr) continue;
    const std::vector<std::size_t> places = Gather(queue, leader, now);
    if (places.size() == kPlayers) {
      std::array<const Ticket*, kPlayers> group{};
      for (std::size_t seat = 0; seat < kPlayers; ++seat) {
        group[seat] = std::exchange(queue[places[seat]], nullptr);
      }
      out.push_back(group);
      left -= kPlayers;
    } else {
      queue[leader] = nullptr;  // waits on; nobody younger could complete it
      --left;
    }
  }
}

}  // namespace

std::vector<Group> MatchTickets(std::span<const Ticket> tickets, TimeMs now) {
  Queue all;
  for (const Ticket& ticket : tickets) {
    if (ticket.expires_at > now) all.push_back(&ticket);
  }
  std::sort(all.begin(), all.end(), Older);

  std::map<Pool, Queue> pools;
  std::set<std::string_view> seen;
  for (const Ticket* ticket : all) {
    if (seen.insert(ticket->id).second) pools[ticket->pool].push_back(ticket);
  }

  std::vector<std::array<const Ticket*, kPlayers>> found;
  for (auto& [pool, queue] : pools) MatchQueue(queue, now, found);
  std::sort(found.begin(), found.end(),
            [](const auto& a, const auto& b) { return Older(a.front(), b.front()); });

  std::vector<Group> groups(found.size());
  for (std::size_t g = 0; g < found.size(); ++g) {
    for (std::size_t seat = 0; seat < kPlayers; ++seat) {
      groups[g].tickets[seat] = static_cast<std::size_t>(found[g][seat] - tickets.data());
    }
  }
  return groups;
}

}  // namespace mj::matching
