#include "libs/matching/match.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mj::matching {
namespace {

using Names = std::vector<std::string>;

Ticket Queued(std::string id, TimeMs at, std::int64_t base = 100) {
  Ticket ticket;
  ticket.id = id;
  ticket.player = "player-" + id;
  ticket.pool = {"game", {}, base, "COIN"};
  ticket.queued_at = at;
  ticket.expires_at = at + 600'000;
  return ticket;
}

// The groups by ticket id, seat by seat.
std::vector<Names> Match(const std::vector<Ticket>& tickets, TimeMs now = 1'000) {
  std::vector<Names> names;
  for (const Group& group : MatchTickets(tickets, now)) {
    Names& seats = names.emplace_back();
    for (std::size_t ticket : group.tickets) seats.push_back(tickets.at(ticket).id);
  }
  return names;
}

TEST(MatchTest, FewerThanFourWait) {
  EXPECT_EQ(Match({}), std::vector<Names>());
  EXPECT_EQ(Match({Queued("a", 1), Queued("b", 2), Queued("c", 3)}), std::vector<Names>());
}

TEST(MatchTest, FourOfOnePoolBecomeAGroupWithTheOldestAtSeat0) {
  EXPECT_EQ(Match({Queued("d", 4), Queued("b", 2), Queued("c", 3), Queued("a", 1)}),
            (std::vector<Names>{{"a", "b", "c", "d"}}));
}

TEST(MatchTest, TheYoungestWaits) {
  EXPECT_EQ(Match({Queued("e", 1), Queued("d", 2), Queued("c", 3), Queued("b", 4), Queued("a", 5)}),
            (std::vector<Names>{{"e", "d", "c", "b"}}));
}

TEST(MatchTest, AtTheSameTimeTheLowerIdIsOlder) {
  EXPECT_EQ(Match({Queued("b", 1), Queued("e", 1), Queued("a", 1), Queued("d", 1), Queued("c", 1)}),
            (std::vector<Names>{{"a", "b", "c", "d"}}));
}

TEST(MatchTest, PoolsDoNotMix) {
  std::vector<Ticket> tickets = {Queued("a", 1, 10), Queued("b", 2, 10), Queued("c", 3, 100),
                                 Queued("d", 4, 100)};
  EXPECT_EQ(Match(tickets), std::vector<Names>());
  tickets.push_back(Queued("e", 5, 100));
  tickets.push_back(Queued("f", 6, 100));
  EXPECT_EQ(Match(tickets), (std::vector<Names>{{"c", "d", "e", "f"}}));
}

TEST(MatchTest, GroupsAreListedByTheirOldest) {
  // The pool with the higher base comes later in the order of pools, but waited longer.
  std::vector<Ticket> tickets;
  for (char c = 'a'; c <= 'd'; ++c) tickets.push_back(Queued(std::string(1, c), 10, 10));
  for (char c = 'p'; c <= 's'; ++c) tickets.push_back(Queued(std::string(1, c), 5, 1'000));
  EXPECT_EQ(Match(tickets), (std::vector<Names>{{"p", "q", "r", "s"}, {"a", "b", "c", "d"}}));
}

TEST(MatchTest, NobodyPlaysWithThemselves) {
  std::vector<Ticket> tickets = {Queued("a", 1), Queued("b", 2), Queued("c", 3), Queued("d", 4)};
  tickets[2].player = tickets[0].player;
  EXPECT_EQ(Match(tickets), std::vector<Names>());
  tickets.push_back(Queued("e", 5));
  EXPECT_EQ(Match(tickets), (std::vector<Names>{{"a", "b", "d", "e"}}));
}

TEST(MatchTest, ALeaderWhoCannotBeCompletedDoesNotHoldUpTheOthers) {
  // a's player has most of the queue; without a the other four fit.
  std::vector<Ticket> tickets;
  for (char c = 'a'; c <= 'g'; ++c) tickets.push_back(Queued(std::string(1, c), c));
  for (std::size_t i : {1u, 2u}) tickets[i].player = tickets[0].player;
  EXPECT_EQ(Match(tickets), (std::vector<Names>{{"a", "d", "e", "f"}}));
}

TEST(MatchTest, ATicketGivenTwiceCountsOnce) {
  EXPECT_EQ(Match({Queued("a", 1), Queued("a", 1), Queued("b", 2), Queued("c", 3)}),
            std::vector<Names>());
}

TEST(MatchTest, ExpiredTicketsAreLeftOut) {
  const std::vector<Ticket> tickets = {Queued("a", 1), Queued("b", 2), Queued("c", 3),
                                       Queued("d", 4)};
  EXPECT_EQ(Match(tickets, 600'000).size(), 1u);
  EXPECT_EQ(Match(tickets, 600'001).size(), 0u) << "a expires at this very moment";
}

TEST(MatchTest, ATicketFromTheFutureIsMerelyTheYoungest) {
  EXPECT_EQ(Match({Queued("a", 1), Queued("b", 5'000'000), Queued("c", 3), Queued("d", 4)}, 100),
            (std::vector<Names>{{"a", "c", "d", "b"}}));
}

}  // namespace
}  // namespace mj::matching
