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
  unsigned players;
  unsigned pools;
  unsigned times;
};

class MatchPropertyTest : public ::testing::TestWithParam<Draw> {
 protected:
  static constexpr TimeMs kNow = 1'000;

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
    }
    return queue;
  }
};

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
      }
      for (std::size_t seat = 1; seat < kPlayers; ++seat) {
        ASSERT_LE(queue[group.tickets[seat - 1]].queued_at, queue[group.tickets[seat]].queued_at);
      }
    }

    std::map<Pool, std::set<std::string>> left_players;
    std::map<Pool, std::vector<TimeMs>> left_times;
    std::map<Pool, TimeMs> youngest_matched;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      if (matched.contains(i)) {
        auto [at, first] = youngest_matched.try_emplace(queue[i].pool, queue[i].queued_at);
        if (!first) at->second = std::max(at->second, queue[i].queued_at);
      } else if (queue[i].expires_at > kNow) {
        left_players[queue[i].pool].insert(queue[i].player);
        left_times[queue[i].pool].push_back(queue[i].queued_at);
      }
    }
    for (const auto& [pool, players] : left_players) {
      ASSERT_LT(players.size(), kPlayers) << "four who fit were left over";
    }
    if (GetParam().players == 0) {  // all players different: nobody older was passed over
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
                                           Draw{30, 3, 1, 5}, Draw{9, 0, 1, 2}));

}  // namespace
}  // namespace mj::matching
