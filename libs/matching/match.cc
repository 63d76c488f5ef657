#include "libs/matching/match.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

namespace mj::matching {
namespace {

using Queue = std::vector<const Party*>;  // one pool's parties, oldest first; taken ones are null
using Parties = std::vector<const Party*>;

bool Older(const Ticket* a, const Ticket* b) {
  return std::tie(a->queued_at, a->id, *a) < std::tie(b->queued_at, b->id, *b);
}

bool OlderParty(const Party* a, const Party* b) {
  return Older(a->tickets.front(), b->tickets.front());
}

std::size_t Size(const Parties& parties) {
  std::size_t size = 0;
  for (const Party* party : parties) size += party->tickets.size();
  return size;
}

// Completes groups out of one queue.
class Search {
 public:
  Search(const Queue& queue, TimeMs now, const Windows& windows)
      : queue_(queue), now_(now), windows_(windows) {}

  // The queue positions of a full group led by the party at `leader`; empty when there is none.
  std::vector<std::size_t> Lead(std::size_t leader) {
    places_.clear();
    members_.clear();
    tries_ = 0;
    if (!Join(leader)) return {};
    return Complete(leader + 1) ? places_ : std::vector<std::size_t>();
  }

  // …of a group that need not be full: whoever fits, the oldest first.
  std::vector<std::size_t> Fill(std::size_t leader) {
    places_.clear();
    members_.clear();
    tries_ = 0;
    for (std::size_t place = leader; place < queue_.size() && tries_ < kTriesMax; ++place) {
      if (queue_[place] != nullptr) Join(place);
      if (places_.empty()) break;
    }
    return places_;
  }

 private:
  // Adds the party at `place` if it fits all who are there.
  bool Join(std::size_t place) {
    const Party& party = *queue_[place];
    if (Size(members_) + party.tickets.size() > kPlayers) return false;
    tries_ += std::max<std::size_t>(members_.size(), 1);
    const bool fits = std::all_of(members_.begin(), members_.end(), [&](const Party* member) {
      return Fits(party, *member, now_, windows_);
    });
    if (!fits) return false;
    members_.push_back(&party);
    if (CommonRegion(members_, now_, windows_)) {
      places_.push_back(place);
      return true;
    }
    members_.pop_back();
    return false;
  }

  bool Complete(std::size_t from) {
    if (Size(members_) == kPlayers) return true;
    for (std::size_t place = from; place < queue_.size() && tries_ < kTriesMax; ++place) {
      if (queue_[place] == nullptr || !Join(place)) continue;
      if (Complete(place + 1)) return true;
      members_.pop_back();
      places_.pop_back();
    }
    return false;
  }

  const Queue& queue_;
  const TimeMs now_;
  const Windows& windows_;
  std::vector<std::size_t> places_;
  Parties members_;
  std::size_t tries_ = 0;
};

void MatchQueue(Queue& queue, TimeMs now, const Windows& windows, std::vector<Parties>& out) {
  std::size_t left = Size(queue);
  for (std::size_t leader = 0; leader < queue.size() && left >= kPlayers; ++leader) {
    if (queue[leader] == nullptr) continue;
    const std::vector<std::size_t> places = Search(queue, now, windows).Lead(leader);
    if (places.empty()) {
      // Waits on; nobody younger could complete it.
      left -= std::exchange(queue[leader], nullptr)->tickets.size();
      continue;
    }
    Parties& group = out.emplace_back();
    for (const std::size_t place : places) group.push_back(std::exchange(queue[place], nullptr));
    left -= kPlayers;
  }
}

Bots BotsOf(const Party& party) { return party.tickets.front()->bots; }

// Whoever asked for bots at once is not in the queue any more.
void SeatAtOnce(Queue& queue, std::vector<Parties>& out) {
  std::erase_if(queue, [&out](const Party* party) {
    const bool alone = BotsOf(*party) == Bots::kAtOnce;
    if (alone) out.push_back({party});
    return alone;
  });
}

// Of those who are not in a group yet.
void FillWithBots(Queue& queue, TimeMs now, const Windows& windows, std::vector<Parties>& out) {
  for (std::size_t leader = 0; leader < queue.size(); ++leader) {
    if (queue[leader] == nullptr || now - queue[leader]->queued_at < windows.bots_after) continue;
    Parties group;
    for (const std::size_t place : Search(queue, now, windows).Fill(leader)) {
      group.push_back(std::exchange(queue[place], nullptr));
    }
    if (!group.empty()) out.push_back(std::move(group));
  }
}

void MatchPool(Queue queue, TimeMs now, const Windows& windows, std::vector<Parties>& out) {
  SeatAtOnce(queue, out);
  Queue rest;  // who would have bots
  for (const Party* party : queue) {
    if (BotsOf(*party) == Bots::kAfterWait) rest.push_back(party);
  }
  const std::size_t before = out.size();
  MatchQueue(queue, now, windows, out);
  if (rest.empty()) return;
  for (std::size_t i = before; i < out.size(); ++i) {
    for (const Party* party : out[i]) std::erase(rest, party);
  }
  FillWithBots(rest, now, windows, out);
}

// `tickets` sorted by age: those of one party are found together, and in the order of their ids.
std::vector<Party> Gather(const std::vector<const Ticket*>& tickets) {
  std::vector<Party> parties;
  std::map<std::pair<Pool, std::string_view>, std::size_t> places;
  for (const Ticket* ticket : tickets) {
    if (ticket->party.empty()) {
      parties.push_back({{ticket}, ticket->rating, ticket->queued_at});
      continue;
    }
    const auto [at, fresh] =
        places.try_emplace({ticket->pool, std::string_view(ticket->party)}, parties.size());
    if (fresh) parties.emplace_back();
    parties[at->second].tickets.push_back(ticket);
  }
  std::erase_if(parties, [](Party& party) {
    const auto size = static_cast<std::int64_t>(party.tickets.size());
    party.queued_at = party.tickets.back()->queued_at;
    party.rating = 0;
    for (const Ticket* ticket : party.tickets) party.rating += ticket->rating / size;
    return size != party.tickets.front()->party_size;
  });
  return parties;
}

Why Explain(const Parties& group, TimeMs now, const Windows& windows) {
  Why why;
  why.parties = static_cast<int>(group.size());
  why.region = CommonRegion(group, now, windows).value_or(Region{});
  why.rating_window = kAnyRating;
  std::int64_t highest = group.front()->rating;
  std::int64_t lowest = highest;
  for (std::size_t i = 0; i < group.size(); ++i) {
    highest = std::max(highest, group[i]->rating);
    lowest = std::min(lowest, group[i]->rating);
    if (group[i]->tickets.front()->pool.room.empty()) {
      why.rating_window =
          std::min(why.rating_window, RatingWindow(windows, now - group[i]->queued_at));
    }
    for (std::size_t j = 0; j < i; ++j) {
      for (const Ticket* a : group[i]->tickets) {
        for (const Ticket* b : group[j]->tickets) {
          if (HaveMet(*a, *b)) ++why.met_again;
        }
      }
    }
  }
  why.rating_apart = highest - lowest;
  return why;
}

}  // namespace

BotStrength StrengthFor(std::span<const Ticket> tickets, const std::vector<std::size_t>& group) {
  BotStrength weakest = BotStrength::kUsual;
  for (const std::size_t at : group) {
    const BotStrength asked = tickets[at].bot_strength;
    if (asked == BotStrength::kUsual) continue;
    weakest = weakest == BotStrength::kUsual ? asked : std::min(weakest, asked);
  }
  return weakest;
}

std::vector<Group> MatchTickets(std::span<const Ticket> tickets, TimeMs now,
                                const Windows& windows) {
  std::vector<const Ticket*> waiting;
  for (const Ticket& ticket : tickets) {
    if (ticket.expires_at > now) waiting.push_back(&ticket);
  }
  std::sort(waiting.begin(), waiting.end(), Older);
  std::set<std::string_view> seen;
  std::erase_if(waiting, [&](const Ticket* ticket) { return !seen.insert(ticket->id).second; });

  const std::vector<Party> parties = Gather(waiting);
  std::map<Pool, Queue> pools;
  for (const Party& party : parties) pools[party.tickets.front()->pool].push_back(&party);

  std::vector<Parties> found;
  for (auto& [pool, queue] : pools) {
    std::sort(queue.begin(), queue.end(), OlderParty);
    MatchPool(std::move(queue), now, windows, found);
  }
  std::sort(found.begin(), found.end(),
            [](const Parties& a, const Parties& b) { return OlderParty(a.front(), b.front()); });

  std::vector<Group> groups;
  for (const Parties& parties_of_it : found) {
    Group& group = groups.emplace_back();
    for (const Party* party : parties_of_it) {
      for (const Ticket* ticket : party->tickets) {
        group.tickets.push_back(static_cast<std::size_t>(ticket - tickets.data()));
      }
    }
    group.why = Explain(parties_of_it, now, windows);
  }
  return groups;
}

}  // namespace mj::matching
