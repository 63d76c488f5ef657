#include "services/matchmaking/app/refill.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "services/matchmaking/app/app_testing.h"

namespace mj::matchmaking {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr matching::TimeMs kNow = 1'000'000;

class RefillTest : public ::testing::Test {
 protected:
  RefillTest() {
    table_.place = {TableId("table"), "there:1"};
    table_.pool = pool_;
    table_.free = {2};
    for (const char* player : {"s0", "s1", "s3"}) table_.seated.push_back(TicketOf(player, kNow));
  }
  matching::Ticket TicketOf(const std::string& player, matching::TimeMs queued_at) const {
    matching::Ticket ticket;
    ticket.id = player;
    ticket.player = player;
    ticket.pool = pool_;
    ticket.queued_at = queued_at;
    ticket.expires_at = kNow + 600'000;
    ticket.rating = 25'000'000;
    return ticket;
  }
  // "ticket at seat" of each.
  std::vector<std::string> Fill(const std::vector<matching::Ticket>& tickets) {
    std::vector<std::string> filled;
    for (const NewRefill& refill : FillFreeSeats(table_, tickets, kNow, {}, ids_)) {
      filled.push_back(tickets[refill.ticket].player + " at " + std::to_string(refill.seat));
    }
    return filled;
  }
  // Whether the one ticket gets the seat.
  bool Fits(const matching::Ticket& ticket) { return !Fill({ticket}).empty(); }

  const matching::Pool pool_{.variant = "v", .base = 100, .currency = "COIN"};
  OpenTable table_;
  base::SimulatedClock clock_;
  ZeroEntropy entropy_;
  base::UuidGenerator ids_{clock_, entropy_};
};

TEST_F(RefillTest, TheOldestThatFitsGetsTheSeat) {
  matching::Ticket avoided = TicketOf("a", kNow - 9);
  avoided.avoid = {"s1"};
  EXPECT_THAT(Fill({avoided, TicketOf("b", kNow - 8), TicketOf("c", kNow - 7)}),
              ElementsAre("b at 2"));
  EXPECT_THAT(Fill({}), IsEmpty());
}

TEST_F(RefillTest, SeveralSeatsGoToTicketsThatFitEachOther) {
  table_.free = {1, 2};
  table_.seated.pop_back();
  matching::Ticket first = TicketOf("a", kNow - 9);
  first.device = "one";
  matching::Ticket same = TicketOf("b", kNow - 8);
  same.device = "one";
  EXPECT_THAT(Fill({first, same, TicketOf("c", kNow - 7)}), ElementsAre("a at 1", "c at 2"));
  EXPECT_THAT(Fill({first, same}), ElementsAre("a at 1"));
}

TEST_F(RefillTest, FriendsWaitForATableOfTheirOwn) {
  matching::Ticket ticket = TicketOf("a", 0);
  ticket.party = "a";
  ticket.party_size = 2;
  EXPECT_FALSE(Fits(ticket));
}

TEST_F(RefillTest, NobodyIsSentToATableTwice) {
  table_.been = {PlayerId("a")};
  EXPECT_THAT(Fill({TicketOf("a", 0), TicketOf("b", 1)}), ElementsAre("b at 2"));
}

TEST_F(RefillTest, WhatKeepsFourApartKeepsFromTheSeat) {
  matching::Ticket device = TicketOf("a", 0);
  device.device = table_.seated[0].device = "one";
  EXPECT_FALSE(Fits(device));
  matching::Ticket network = TicketOf("a", 0);
  network.network = table_.seated[1].network = "10.0.0.1";
  EXPECT_FALSE(Fits(network));
  EXPECT_FALSE(Fits(TicketOf("s3", 0)));
  matching::Ticket avoids = TicketOf("a", 0);
  avoids.avoid = {"s3"};
  EXPECT_FALSE(Fits(avoids));
  table_.seated[2].avoid = {"b"};
  EXPECT_FALSE(Fits(TicketOf("b", 0)));
  matching::Ticket over = TicketOf("c", 0);
  over.expires_at = kNow;
  EXPECT_FALSE(Fits(over));
}

TEST_F(RefillTest, TheTicketsOwnWindowsCount) {
  table_.seated[0].rating = 31'000'000;
  EXPECT_FALSE(Fits(TicketOf("a", kNow)));
  EXPECT_TRUE(Fits(TicketOf("a", kNow - 4'000))) << "they widen";
  table_.seated[0].rating = 25'000'000;
  table_.region = "far";
  matching::Ticket ticket = TicketOf("a", kNow);
  EXPECT_TRUE(Fits(ticket)) << "plays anywhere";
  ticket.latency = {{"near", 5}};
  EXPECT_FALSE(Fits(ticket));
  ticket.latency = {{"near", 5}, {"far", 100}};
  EXPECT_FALSE(Fits(ticket));
  ticket.queued_at = kNow - 2'000;
  EXPECT_TRUE(Fits(ticket));
}

TEST_F(RefillTest, WhoMetThemJustNowWaitsAWhile) {
  matching::Ticket ticket = TicketOf("a", kNow - 1'000);
  ticket.met = {"s0"};
  EXPECT_FALSE(Fits(ticket));
  ticket.queued_at = kNow - 10'000;
  const auto refills = FillFreeSeats(table_, std::vector{ticket}, kNow, {}, ids_);
  ASSERT_EQ(refills.size(), 1U);
  EXPECT_EQ(refills[0].why.met_again, 1);
  EXPECT_EQ(refills[0].why.parties, 1);
}

}  // namespace
}  // namespace mj::matchmaking
