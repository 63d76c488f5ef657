// What holds for every queue, shown on random ones. A failure names its seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "libs/matching/match.h"
#include "tests/support/counts.h"

namespace mj::matching {
namespace {

struct Draw {  // what a random queue is made of
  std::size_t tickets;
  unsigned players;  // 0: all different
  unsigned pools;
  unsigned times;
  bool choosy = false;  // parties, ratings, regions, devices, avoid lists, earlier meetings
};

class MatchPropertyTest : public ::testing::TestWithParam<Draw> {
 protected:
  static constexpr TimeMs kNow = 20'000;

  std::vector<Ticket> RandomQueue(std::mt19937_64& random) {
    const Draw& draw = GetParam();
    std::vector<Ticket> queue(random() % (draw.tickets + 1));
    for (std::size_t i = 0; i < queue.size(); ++i) {
      Ticket& ticket = queue[i];
      ticket.id = "t" + std::to_string(i);
      ticket.player = "p" + std::to_string(draw.players == 0 ? i : random() % draw.players);
      ticket.pool.variant = "game" + std::to_string(random() % draw.pools);
      ticket.pool.base = 10;
      ticket.queued_at = static_cast<TimeMs>(random() % draw.times);
      ticket.expires_at = random() % 8 == 0 ? kNow : kNow + 1;
      if (draw.choosy) MakeChoosy(ticket, random);
    }
    for (std::size_t i = 0; draw.choosy && i + 4 < queue.size(); i += 2 + random() % 5) {
      const std::size_t size = 2 + random() % 3;
      for (std::size_t j = 0; j < size; ++j) {
        Ticket& ticket = queue[i + j];
        if (!ticket.party.empty()) continue;  // then that party is one short, and waits
        ticket.party = "f" + std::to_string(i);
        ticket.party_size = static_cast<int>(size);
        ticket.pool = queue[i].pool;
        ticket.queued_at = queue[i].queued_at;
        ticket.expires_at = queue[i].expires_at;
      }
    }
    return queue;
  }

  static void MakeChoosy(Ticket& ticket, std::mt19937_64& random) {
    ticket.pool.currency = random() % 4 == 0 ? std::string(kUnstaked) : "COIN";
    if (random() % 8 == 0) ticket.pool.room = "r";
    ticket.rating = static_cast<std::int64_t>(random() % 12) * 1'000'000;
    if (random() % 3 == 0) ticket.device = "d" + std::to_string(random() % 5);
    if (random() % 3 == 0) ticket.network = "n" + std::to_string(random() % 5);
    if (random() % 4 == 0) ticket.avoid.insert("p" + std::to_string(random() % 12));
    if (random() % 4 == 0) ticket.met.insert("p" + std::to_string(random() % 12));
    for (const char* region : {"east", "west", "north"}) {
      if (random() % 2 == 0) ticket.latency[region] = static_cast<int>(random() % 120);
    }
  }
};

// The parties of those who were not matched, as they could have been.
std::vector<Party> LeftOver(const std::vector<Ticket>& queue, const std::set<std::size_t>& matched,
                            TimeMs now) {
  std::map<std::string, Party> parties;
  for (std::size_t i = 0; i < queue.size(); ++i) {
    if (matched.contains(i) || queue[i].expires_at <= now) continue;
    const std::string name = queue[i].party.empty() ? queue[i].id : queue[i].party;
    parties[name].tickets.push_back(&queue[i]);
  }
  std::vector<Party> whole;
  for (auto& [name, party] : parties) {
    const auto size = static_cast<int>(party.tickets.size());
    if (size != party.tickets.front()->party_size) continue;
    for (const Ticket* ticket : party.tickets) party.rating += ticket->rating / size;
    party.queued_at = party.tickets.front()->queued_at;
    whole.push_back(party);
  }
  return whole;
}

// Whether `group` with some of the parties from `from` on is a table: every way is tried.
bool CouldPlay(const std::vector<Party>& parties, std::size_t from,
               std::vector<const Party*>& group, TimeMs now) {
  std::size_t size = 0;
  for (const Party* party : group) size += party->tickets.size();
  if (size == kPlayers) return CommonRegion(group, now, {}).has_value();
  for (std::size_t i = from; size < kPlayers && i < parties.size(); ++i) {
    const bool fits = std::all_of(group.begin(), group.end(), [&](const Party* member) {
      return member->tickets[0]->pool == parties[i].tickets[0]->pool &&
             Fits(*member, parties[i], now, {});
    });
    if (!fits) continue;
    group.push_back(&parties[i]);
    if (CouldPlay(parties, i + 1, group, now)) return true;
    group.pop_back();
  }
  return false;
}

std::vector<std::vector<std::string>> ById(const std::vector<Ticket>& queue,
                                           const std::vector<Group>& groups) {
  std::vector<std::vector<std::string>> ids;
  for (const Group& group : groups) {
    auto& seats = ids.emplace_back();
    for (std::size_t ticket : group.tickets) seats.push_back(queue[ticket].id);
  }
  return ids;
}

TEST_P(MatchPropertyTest, NobodyTwiceNobodyLeftOverAndTheOldestFirst) {
  for (std::int64_t seed = 0; seed < mj::testing::Count(40'000); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(static_cast<std::uint64_t>(seed));
    std::vector<Ticket> queue = RandomQueue(random);
    const std::vector<Group> groups = MatchTickets(queue, kNow);

    std::set<std::size_t> matched;
    for (const Group& group : groups) {
      std::set<std::string> players;
      for (std::size_t ticket : group.tickets) {
        ASSERT_LT(ticket, queue.size());
        ASSERT_TRUE(matched.insert(ticket).second) << "a ticket in two groups";
        ASSERT_TRUE(players.insert(queue[ticket].player).second) << "a player with themselves";
        ASSERT_EQ(queue[ticket].pool, queue[group.tickets[0]].pool);
        ASSERT_GT(queue[ticket].expires_at, kNow);
        for (std::size_t other : group.tickets) {
          const bool friends =
              !queue[ticket].party.empty() && queue[ticket].party == queue[other].party;
          if (ticket == other || friends) continue;
          ASSERT_EQ(ConflictOf(queue[ticket], queue[other]), Conflict::kNone);
        }
      }
      for (std::size_t seat = 1; seat < kPlayers; ++seat) {
        ASSERT_LE(queue[group.tickets[seat - 1]].queued_at, queue[group.tickets[seat]].queued_at);
      }
    }

    const std::vector<Party> left_over = LeftOver(queue, matched, kNow);
    std::vector<const Party*> nobody;
    ASSERT_FALSE(CouldPlay(left_over, 0, nobody, kNow)) << "four who fit were left over";
    for (std::size_t i = 0; i < queue.size(); ++i) {
      for (std::size_t j = 0; j < queue.size() && !queue[i].party.empty(); ++j) {
        if (queue[i].party != queue[j].party) continue;
        ASSERT_EQ(matched.contains(i), matched.contains(j)) << "friends were parted";
      }
    }

    std::map<Pool, std::vector<TimeMs>> left_times;
    std::map<Pool, TimeMs> youngest_matched;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      if (matched.contains(i)) {
        auto [at, first] = youngest_matched.try_emplace(queue[i].pool, queue[i].queued_at);
        if (!first) at->second = std::max(at->second, queue[i].queued_at);
      } else if (queue[i].expires_at > kNow) {
        left_times[queue[i].pool].push_back(queue[i].queued_at);
      }
    }
    if (GetParam().players == 0 &&
        !GetParam().choosy) {  // all players different: nobody older was passed over
      for (const auto& [pool, times] : left_times) {
        const auto youngest = youngest_matched.find(pool);
        if (youngest == youngest_matched.end()) continue;
        ASSERT_GE(*std::min_element(times.begin(), times.end()), youngest->second);
      }
    }

    std::vector<Ticket> shuffled = queue;
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    ASSERT_EQ(ById(shuffled, MatchTickets(shuffled, kNow)), ById(queue, groups))
        << "the order of the input mattered";
  }
}

INSTANTIATE_TEST_SUITE_P(Queues, MatchPropertyTest,
                         ::testing::Values(Draw{40, 0, 1, 500}, Draw{60, 0, 5, 20},
                                           Draw{40, 6, 1, 10}, Draw{60, 15, 3, 500},
                                           Draw{30, 3, 1, 5}, Draw{9, 0, 1, 2},
                                           Draw{24, 0, 1, 30'000, true},
                                           Draw{30, 0, 2, 30'000, true}, Draw{12, 0, 1, 1, true}));

}  // namespace
}  // namespace mj::matching
