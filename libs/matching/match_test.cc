#include "libs/matching/match.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

namespace mj::matching {
namespace {

using Names = std::vector<std::string>;

Ticket Queued(std::string id, TimeMs at, std::int64_t base = 100) {
  Ticket ticket;
  ticket.id = id;
  ticket.player = "player-" + id;
  ticket.pool = {.variant = "game", .base = base, .currency = "COIN"};
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

Ticket Practising(std::string id, TimeMs at, Bots bots) {
  Ticket ticket = Queued(std::move(id), at);
  ticket.pool.currency = "PRACTICE";
  ticket.bots = bots;
  return ticket;
}

TEST(MatchTest, WhoWantsBotsAtOnceIsAloneWithThem) {
  std::vector<Ticket> tickets = {Practising("a", 1, Bots::kAtOnce), Practising("b", 2, Bots::kNone),
                                 Practising("c", 3, Bots::kNone), Practising("d", 4, Bots::kNone)};
  EXPECT_EQ(Match(tickets), (std::vector<Names>{{"a"}}));
  tickets.push_back(Practising("e", 5, Bots::kNone));
  EXPECT_EQ(Match(tickets), (std::vector<Names>{{"a"}, {"b", "c", "d", "e"}}));
}

TEST(MatchTest, BotsPlayNoBetterThanTheMostModestAskedFor) {
  std::vector<Ticket> tickets(4);
  EXPECT_EQ(StrengthFor(tickets, {0, 1, 2, 3}), BotStrength::kUsual) << "nobody cares";
  tickets[1].bot_strength = BotStrength::kStrong;
  EXPECT_EQ(StrengthFor(tickets, {0, 1}), BotStrength::kStrong);
  tickets[2].bot_strength = BotStrength::kWeak;
  tickets[3].bot_strength = BotStrength::kMedium;
  EXPECT_EQ(StrengthFor(tickets, {0, 1, 2, 3}), BotStrength::kWeak);
  EXPECT_EQ(StrengthFor(tickets, {3, 1}), BotStrength::kMedium);
  EXPECT_EQ(StrengthFor(tickets, {0}), BotStrength::kUsual);
}

TEST(MatchTest, FriendsWhoWantBotsAtOnceSitTogether) {
  std::vector<Ticket> tickets = {Practising("a", 1, Bots::kAtOnce),
                                 Practising("b", 1, Bots::kAtOnce)};
  for (Ticket& ticket : tickets) {
    ticket.party = "party";
    ticket.party_size = 2;
  }
  EXPECT_EQ(Match(tickets), (std::vector<Names>{{"a", "b"}}));
}

TEST(MatchTest, BotsAreWaitedForAndOnlyByWhoWantsThem) {
  const std::vector<Ticket> tickets = {Practising("a", 1, Bots::kNone),
                                       Practising("b", 2, Bots::kAfterWait),
                                       Practising("c", 25'000, Bots::kAfterWait)};
  EXPECT_EQ(Match(tickets, 30'001), std::vector<Names>());
  EXPECT_EQ(Match(tickets, 30'002), (std::vector<Names>{{"b", "c"}}));
}

TEST(MatchTest, WhoWouldHaveBotsIsMatchedWithPlayersFirst) {
  std::vector<Ticket> tickets = {Practising("a", 1, Bots::kAfterWait),
                                 Practising("b", 2, Bots::kNone), Practising("c", 3, Bots::kNone),
                                 Practising("d", 4, Bots::kNone),
                                 Practising("e", 5, Bots::kAfterWait)};
  EXPECT_EQ(Match(tickets, 60'000), (std::vector<Names>{{"a", "b", "c", "d"}, {"e"}}));
}

TEST(MatchTest, WhoDoesNotFitSitsAtAnotherTableWithBots) {
  std::vector<Ticket> tickets = {Practising("a", 1, Bots::kAfterWait),
                                 Practising("b", 2, Bots::kAfterWait),
                                 Practising("c", 3, Bots::kAfterWait)};
  tickets[1].avoid = {tickets[0].player};
  EXPECT_EQ(Match(tickets, 60'000), (std::vector<Names>{{"a", "c"}, {"b"}}));
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

// --- who fits whom ---

// Friends of one party.
std::vector<Ticket> Friends(const std::string& name, int size, TimeMs at) {
  std::vector<Ticket> party;
  for (int i = 0; i < size; ++i) {
    Ticket& ticket = party.emplace_back(Queued(name + std::to_string(i), at));
    ticket.party = "party-" + name;
    ticket.party_size = size;
  }
  return party;
}
std::vector<Ticket> Together(const std::vector<std::vector<Ticket>>& parts) {
  std::vector<Ticket> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

TEST(MatchTest, PoolsDifferInEverythingThatPlayersChoose) {
  const std::vector<std::function<void(Pool&)>> changes = {[](Pool& pool) { pool.variant = "other"; },
                                                           [](Pool& pool) { pool.options["cap"] = "0"; },
                                                           [](Pool& pool) { pool.base = 1'000; },
                                                           [](Pool& pool) { pool.currency = "PRACTICE"; },
                                                           [](Pool& pool) { pool.media = Media::kVideo; },
                                                           [](Pool& pool) { pool.room = "room-1"; }};
  std::vector<Ticket> tickets = {Queued("a", 1), Queued("b", 2), Queued("c", 3), Queued("d", 4)};
  for (const auto& change : changes) {
    std::vector<Ticket> other = tickets;
    change(other[3].pool);
    EXPECT_EQ(Match(other), std::vector<Names>());
    for (Ticket& ticket : other) ticket.pool = other[3].pool;
    EXPECT_EQ(Match(other).size(), 1u);
  }
}

TEST(MatchTest, FriendsAreKeptTogetherAndSitNextToEachOther) {
  EXPECT_EQ(Match(Together({{Queued("x", 1), Queued("y", 3)}, Friends("f", 2, 2)})),
            (std::vector<Names>{{"x", "f0", "f1", "y"}}));
  EXPECT_EQ(Match(Together({{Queued("x", 1)}, Friends("f", 3, 2)})),
            (std::vector<Names>{{"x", "f0", "f1", "f2"}}));
  EXPECT_EQ(Match(Friends("f", 4, 2)), (std::vector<Names>{{"f0", "f1", "f2", "f3"}}));
  EXPECT_EQ(Match(Together({Friends("g", 2, 3), Friends("f", 2, 2)})),
            (std::vector<Names>{{"f0", "f1", "g0", "g1"}}));
}

TEST(MatchTest, APartyThatDoesNotGoInWaitsForOthersWhoDo) {
  // x is oldest: with three friends it is a table, with the two friends somebody is missing.
  EXPECT_EQ(Match(Together({{Queued("x", 1)}, Friends("f", 2, 2), Friends("g", 3, 3)})),
            (std::vector<Names>{{"x", "g0", "g1", "g2"}}));
  EXPECT_EQ(Match(Together({Friends("f", 3, 1), Friends("g", 2, 2), Friends("h", 3, 3)})),
            std::vector<Names>());
}

TEST(MatchTest, APartyOfWhichOneIsMissingIsLeftOut) {
  std::vector<Ticket> tickets =
      Together({Friends("f", 2, 1), {Queued("x", 2), Queued("y", 3), Queued("z", 4)}});
  EXPECT_EQ(Match(tickets), (std::vector<Names>{{"f0", "f1", "x", "y"}}));
  tickets.erase(tickets.begin());
  EXPECT_EQ(Match(tickets), std::vector<Names>());
  tickets.push_back(Queued("w", 5));
  EXPECT_EQ(Match(tickets), (std::vector<Names>{{"x", "y", "z", "w"}}));
}

TEST(MatchTest, TheOldestIsCompletedEvenIfTheNextOldestHaveToWait) {
  // a avoids b; c avoids d. Taking c first would leave a without a fourth, so d is taken.
  std::vector<Ticket> tickets = {Queued("a", 1), Queued("b", 2), Queued("c", 3),
                                 Queued("d", 4), Queued("e", 5), Queued("f", 6)};
  tickets[0].avoid = {"player-b"};
  tickets[2].avoid = {"player-d", "player-e", "player-f"};
  EXPECT_EQ(Match(tickets), (std::vector<Names>{{"a", "d", "e", "f"}}));
}

TEST(MatchTest, WhyTellsWhatBroughtThemTogether) {
  std::vector<Ticket> tickets =
      Together({{Queued("x", 1'000), Queued("y", 3'000)}, Friends("f", 2, 2'000)});
  tickets[0].rating = 24'000'000;
  tickets[1].rating = 27'000'000;
  tickets[2].rating = 20'000'000;
  tickets[3].rating = 30'000'000;
  tickets[0].met = {"player-f1", "player-gone"};
  tickets[1].latency = {{"east", 70}, {"west", 60}};
  tickets[2].latency = {{"east", 65}, {"west", 90}};
  const auto groups = MatchTickets(tickets, 15'000);
  ASSERT_EQ(groups.size(), 1u);
  Why want;
  want.rating_apart = 3'000'000;    // the friends count as 25
  want.rating_window = 10'000'000;  // y's, after twelve seconds
  want.region = {"east", 70};
  want.parties = 3;
  want.met_again = 1;
  EXPECT_EQ(groups[0].why, want);
}

}  // namespace
}  // namespace mj::matching
