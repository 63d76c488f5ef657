// What every Store must do. A test program instantiates it for its store:
//
//   struct Harness { Store& store(); void Advance(Millis by); };     // a fresh, empty store; moves
//   its time INSTANTIATE_TYPED_TEST_SUITE_P(Memory, StoreContract, Harness);
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "libs/base/reasons.h"
#include "libs/base/status_testing.h"
#include "services/matchmaking/app/ports.h"

namespace mj::matchmaking {

template <typename Harness>
class StoreContract : public ::testing::Test {
 protected:
  static constexpr Millis kLifetime{600'000};
  static constexpr Millis kShort{20'000};  // a lifetime that ends; longer than any test takes
  static constexpr Millis kLease{30'000};

  Store& store() { return harness_.store(); }
  void Advance(Millis by) { harness_.Advance(by); }

  static matching::Pool SomePool(std::int64_t base = 100) {
    return {.variant = "some-game",
            .options = {{"cap", "10"}, {"horses", "4"}},
            .base = base,
            .currency = "COIN"};
  }
  static Wish WishOf(const std::string& player, const std::string& request = "",
                     std::int64_t base = 100) {
    Wish wish;
    wish.request = RequestId(request.empty() ? "request-" + player : request);
    wish.player = PlayerId(player);
    wish.pool = SomePool(base);
    wish.asked_base = 0;
    return wish;
  }

  absl::StatusOr<Taking> Take(const Wish& wish, Millis lifetime = kLifetime) {
    return store().TakeTickets({TicketId("ticket-" + wish.request.value())}, {wish}, lifetime);
  }
  // A ticket taken for a player of that name.
  TicketId Queue(const std::string& player, Millis lifetime = kLifetime, std::int64_t base = 100) {
    const auto taking = Take(WishOf(player, "", base), lifetime);
    EXPECT_THAT(taking, base::IsOk());
    const Tickets* tickets = taking.ok() ? std::get_if<Tickets>(&*taking) : nullptr;
    EXPECT_NE(tickets, nullptr) << player << " is seated";
    Advance(Millis(1));  // so that the order of taking is an order of time
    return tickets == nullptr ? TicketId() : tickets->front().id;
  }
  std::vector<TicketId> QueueFour(const std::string& prefix = "p") {
    std::vector<TicketId> ids;
    for (int i = 0; i < 4; ++i) ids.push_back(Queue(prefix + std::to_string(i)));
    return ids;
  }

  Ticket Find(const TicketId& id) {
    const auto found = store().FindTickets(std::span(&id, 1));
    EXPECT_THAT(found, base::IsOk());
    return found.ok() && found->size() == 1 ? found->front() : Ticket();
  }
  std::vector<TicketState> States(const std::vector<TicketId>& ids) {
    std::vector<TicketState> states;
    for (const TicketId& id : ids) states.push_back(Find(id).state);
    return states;
  }

  // Puts all that is offered into groups of four, in the order in which it is offered.
  std::vector<Match> MakeAll(const std::string& name = "match", std::size_t limit = 100,
                             std::int64_t base = 100) {
    const auto made =
        store().MakeMatches(SomePool(base), {.limit = limit, .lease = kLease},
                            [&](std::span<const matching::Ticket> tickets, auto) {
                              std::vector<NewMatch> matches;
                              for (std::size_t i = 0; i + kSeats <= tickets.size(); i += kSeats) {
                                matches.push_back({MatchId(name + "-" + std::to_string(i / kSeats)),
                                                   {i, i + 1, i + 2, i + 3}});
                              }
                              return matches;
                            });
    EXPECT_THAT(made, base::IsOk());
    return made.ok() ? *made : std::vector<Match>();
  }
  Match MakeOne(const std::string& name = "match") {
    const std::vector<Match> made = MakeAll(name);
    EXPECT_EQ(made.size(), 1u);
    return made.empty() ? Match() : made.front();
  }
  std::size_t Offered(std::size_t limit = 100, std::int64_t base = 100) {
    std::size_t offered = 0;
    EXPECT_THAT(store().MakeMatches(SomePool(base), {.limit = limit, .lease = kLease},
                                    [&](std::span<const matching::Ticket> tickets, auto) {
                                      offered = tickets.size();
                                      return std::vector<NewMatch>();
                                    }),
                base::IsOk());
    return offered;
  }

  static std::vector<std::string> Tokens() {
    return {std::string(32, '0'), std::string(32, '5'), std::string(32, 'a'), std::string(32, 'f')};
  }
  static TablePlace Place(const std::string& table = "table-1") {
    return {TableId(table), "127.0.0.1:5000"};
  }
  Assigned Assign(const Match& match, const TablePlace& place = Place()) {
    const Standing standing{match.id, place};
    const auto assigned = store().AssignMatches(std::span(&standing, 1), Millis(30'000));
    EXPECT_THAT(assigned, base::IsOkAndHolds(::testing::SizeIs(1)));
    return assigned.ok() ? assigned->front() : Assigned::kReleased;
  }

  Harness harness_;
};

TYPED_TEST_SUITE_P(StoreContract);

// --- tickets ---

TYPED_TEST_P(StoreContract, ATicketIsKeptAsItWasTaken) {
  const Wish wish = this->WishOf("ann");
  const auto taking = this->Take(wish);
  ASSERT_THAT(taking, base::IsOk());
  const Ticket ticket = std::get<Tickets>(*taking).front();
  EXPECT_EQ(ticket.wish, wish);
  EXPECT_EQ(ticket.state, TicketState::kQueued);
  EXPECT_EQ(ticket.expires_at - ticket.queued_at, this->kLifetime);
  EXPECT_EQ(this->Find(ticket.id), ticket);
}

TYPED_TEST_P(StoreContract, UnknownTicketsAreLeftOut) {
  const std::vector<TicketId> ids = {TicketId("nobody"), this->Queue("ann"), TicketId("none")};
  EXPECT_THAT(this->store().FindTickets(ids), base::IsOkAndHolds(::testing::SizeIs(1)));
  EXPECT_THAT(this->store().FindTickets({}), base::IsOkAndHolds(::testing::IsEmpty()));
}

TYPED_TEST_P(StoreContract, TheSameRequestGetsTheSameTicketWhateverHasBecomeOfIt) {
  const TicketId id = this->Queue("ann");
  Wish again = this->WishOf("ann");
  again.pool.base = 1'000;  // the player's tier has changed since
  for (int round = 0; round < 2; ++round) {
    const auto taking = this->store().TakeTickets({TicketId("another")}, {again}, this->kLifetime);
    ASSERT_THAT(taking, base::IsOk());
    EXPECT_EQ(std::get<Tickets>(*taking).front(), this->Find(id));
    const auto foreseen = this->store().Foresee({again});
    ASSERT_THAT(foreseen, base::IsOk());
    EXPECT_EQ(std::get<Tickets>(foreseen->value()).front(), this->Find(id));
    EXPECT_THAT(this->store().CancelTicket(id), base::IsOk());
  }
}

TYPED_TEST_P(StoreContract, ARequestIdIsForOneWish) {
  this->Queue("ann");
  std::vector<Wish> others(10, this->WishOf("ann"));
  others[0].player = PlayerId("bob");
  others[1].pool.variant = "other-game";
  others[2].pool.options.clear();
  others[3].pool.currency = "PRACTICE";
  others[4].asked_base = 100;
  others[5].pool.media = matching::Media::kVideo;
  others[6].client.device = "other-device";
  others[7].client.network = "203.0.113.7";
  others[8].client.latency = {{"east", 10}};
  others[9].avoid = {PlayerId("bob")};
  for (const Wish& other : others) {
    EXPECT_THAT(this->Take(other), base::FailsWith(base::Reason::kRequestIdReused, "request_id"));
    EXPECT_THAT(this->store().Foresee({other}),
                base::FailsWith(base::Reason::kRequestIdReused, "request_id"));
  }
}

TYPED_TEST_P(StoreContract, APlayerHasOneLiveTicket) {
  const TicketId id = this->Queue("ann");
  const Wish second = this->WishOf("ann", "request-2");
  for (const auto& status :
       {this->Take(second).status(), this->store().Foresee({second}).status()}) {
    EXPECT_THAT(status, base::FailsWith(base::Reason::kTicketExists, "player_id"));
    EXPECT_EQ(base::CarriedBy(status)->details.metadata.at("ticket_id"), id.value());
  }
  EXPECT_THAT(this->store().CancelTicket(id), base::IsOk());
  EXPECT_THAT(this->store().Foresee({second}), base::IsOkAndHolds(::testing::Eq(std::nullopt)));
  EXPECT_THAT(this->Take(second), base::IsOk());
}

TYPED_TEST_P(StoreContract, AMatchedTicketIsLiveToo) {
  this->QueueFour();
  this->MakeOne();
  EXPECT_THAT(this->Take(this->WishOf("p0", "request-2")),
              base::FailsWith(base::Reason::kTicketExists, "player_id"));
}

TYPED_TEST_P(StoreContract, CancellingIsForEver) {
  const std::vector<TicketId> ids = this->QueueFour();
  const auto cancelled = this->store().CancelTicket(ids[0]);
  ASSERT_THAT(cancelled, base::IsOk());
  EXPECT_EQ(cancelled->state, TicketState::kCancelled);
  EXPECT_THAT(this->store().CancelTicket(ids[0]), base::IsOkAndHolds(*cancelled)) << "again";
  EXPECT_EQ(this->Offered(), 3u);
}

TYPED_TEST_P(StoreContract, WhatIsOverCannotBeCancelled) {
  EXPECT_THAT(this->store().CancelTicket(TicketId("nobody")),
              base::FailsWith(base::Reason::kTicketNotFound, "ticket_id"));
  const std::vector<TicketId> ids = this->QueueFour();
  const Match match = this->MakeOne();
  EXPECT_THAT(this->store().CancelTicket(ids[0]),
              base::FailsWith(base::Reason::kTicketClosed, "ticket_id"));
  this->Assign(match);
  EXPECT_THAT(this->store().CancelTicket(ids[0]),
              base::FailsWith(base::Reason::kTicketClosed, "ticket_id"));
  const TicketId short_lived = this->Queue("ann", this->kShort);
  this->Advance(this->kShort);
  EXPECT_THAT(this->store().CancelTicket(short_lived),
              base::FailsWith(base::Reason::kTicketClosed, "ticket_id"));
}

TYPED_TEST_P(StoreContract, AnOverdueTicketCountsAsExpiredWithoutAnySweep) {
  const TicketId id = this->Queue("ann", this->kShort);
  for (int i = 0; i < 3; ++i) this->Queue("p" + std::to_string(i));
  EXPECT_EQ(this->Offered(), 4u);
  this->Advance(this->kShort);
  EXPECT_EQ(this->Find(id).state, TicketState::kExpired);
  EXPECT_EQ(this->Offered(), 3u);
  EXPECT_THAT(this->store().FullPools(), base::IsOkAndHolds(::testing::IsEmpty()));
  EXPECT_THAT(this->store().Foresee({this->WishOf("ann", "request-2")}),
              base::IsOkAndHolds(::testing::Eq(std::nullopt)));
  EXPECT_THAT(this->Take(this->WishOf("ann", "request-2")), base::IsOk()) << "the place is free";
}

TYPED_TEST_P(StoreContract, TheSweepMarksOverdueTicketsALimitedNumberAtATime) {
  for (int i = 0; i < 3; ++i) this->Queue("short" + std::to_string(i), this->kShort);
  const TicketId lasting = this->Queue("lasting");
  this->Advance(this->kShort);
  EXPECT_THAT(this->store().FullPools(), base::IsOk());
  EXPECT_EQ(this->Offered(), 1u);  // reading marks nothing
  EXPECT_THAT(this->store().ExpireTickets(2), base::IsOkAndHolds(2u));
  EXPECT_THAT(this->store().ExpireTickets(2), base::IsOkAndHolds(1u));
  EXPECT_THAT(this->store().ExpireTickets(2), base::IsOkAndHolds(0u));
  EXPECT_EQ(this->Find(lasting).state, TicketState::kQueued);
}

// --- matches ---

TYPED_TEST_P(StoreContract, OnlyPoolsOfFourAreFull) {
  EXPECT_THAT(this->store().FullPools(), base::IsOkAndHolds(::testing::IsEmpty()));
  for (int i = 0; i < 3; ++i) this->Queue("p" + std::to_string(i));
  for (int i = 0; i < 5; ++i) this->Queue("q" + std::to_string(i), this->kLifetime, 1'000);
  EXPECT_THAT(this->store().FullPools(),
              base::IsOkAndHolds(::testing::ElementsAre(this->SomePool(1'000))));
  this->MakeAll("m", 100, 1'000);
  EXPECT_THAT(this->store().FullPools(), base::IsOkAndHolds(::testing::IsEmpty()));
}

TYPED_TEST_P(StoreContract, TicketsAreOfferedOldestFirstUpToTheLimit) {
  std::vector<std::string> want;
  for (const char* name : {"c", "a", "b"}) want.push_back(this->Queue(name).value());
  this->Queue("d");
  this->Queue("e", this->kLifetime, 1'000);  // another pool
  std::vector<std::string> offered;
  matching::TimeMs waited = -1;
  EXPECT_THAT(this->store().MakeMatches(
                  this->SomePool(), {.limit = 3, .lease = this->kLease},
                  [&](std::span<const matching::Ticket> tickets, matching::TimeMs now) {
                    offered.clear();
                    for (const auto& ticket : tickets) {
                      offered.push_back(ticket.id);
                      EXPECT_EQ(ticket.pool, this->SomePool());
                      EXPECT_EQ(ticket.expires_at - ticket.queued_at, this->kLifetime.count());
                    }
                    waited = now - tickets[0].queued_at;
                    return std::vector<NewMatch>();
                  }),
              base::IsOkAndHolds(::testing::IsEmpty()));
  EXPECT_EQ(offered, want);
  EXPECT_GE(waited, 4);
  EXPECT_LT(waited, this->kLifetime.count());
}

TYPED_TEST_P(StoreContract, AMatchHasItsMembersBySeatAndItsTicketsAreMatched) {
  const std::vector<TicketId> ids = this->QueueFour();
  const auto made =
      this->store().MakeMatches(this->SomePool(), {.lease = this->kLease}, [this](auto, auto) {
        return std::vector<NewMatch>{{MatchId("m"), {3, 1, 0, 2}, {}, "", this->Tokens()}};
      });
  ASSERT_THAT(made, base::IsOkAndHolds(::testing::SizeIs(1)));
  const Match& match = made->front();
  EXPECT_EQ(match.id, MatchId("m"));
  EXPECT_EQ(match.pool, this->SomePool());
  EXPECT_EQ(match.attempts, 1);
  EXPECT_EQ(match.members[0], (Member{ids[3], PlayerId("p3"), this->Tokens()[0]}));
  EXPECT_EQ(match.members[3], (Member{ids[2], PlayerId("p2"), this->Tokens()[3]}));
  for (const TicketId& id : ids) {
    EXPECT_EQ(this->Find(id).state, TicketState::kMatched);
    EXPECT_EQ(this->Find(id).match, MatchId("m"));
    EXPECT_EQ(this->Find(id).assignment, std::nullopt);
  }
  EXPECT_EQ(this->Offered(), 0u) << "they are nobody else's now";
  this->Advance(this->kLease);
  const auto claimed = this->store().ClaimDueMatches(1, this->kLease);
  ASSERT_THAT(claimed, base::IsOkAndHolds(::testing::SizeIs(1)));
  EXPECT_EQ(claimed->front().members, match.members) << "whoever makes the table makes the same";
  EXPECT_EQ(this->Assign(claimed->front()), Assigned::kDone);
  EXPECT_EQ(this->Find(ids[2]).assignment->token, this->Tokens()[3]);
  EXPECT_EQ(this->store().Locate(PlayerId("p2"))->seat->token, this->Tokens()[3]);
}

TYPED_TEST_P(StoreContract, AMatchIsDueWhenItsLeaseIsOver) {
  this->QueueFour();
  const Match match = this->MakeOne();
  EXPECT_THAT(this->store().ClaimDueMatches(10, this->kLease),
              base::IsOkAndHolds(::testing::IsEmpty()));
  this->Advance(this->kLease);
  for (int attempts = 2; attempts < 4; ++attempts) {
    const auto claimed = this->store().ClaimDueMatches(10, this->kLease);
    ASSERT_THAT(claimed, base::IsOk());
    ASSERT_EQ(claimed->size(), 1u);
    Match want = match;
    want.attempts = attempts;
    EXPECT_EQ(claimed->front(), want);
    EXPECT_THAT(this->store().ClaimDueMatches(10, this->kLease),
                base::IsOkAndHolds(::testing::IsEmpty()))
        << "it is the claimer's now";
    this->Advance(this->kLease);
  }
}

TYPED_TEST_P(StoreContract, ClaimsAreLimited) {
  for (const char* prefix : {"p", "q", "r"}) this->QueueFour(prefix);
  EXPECT_EQ(this->MakeAll().size(), 3u);
  this->Advance(this->kLease);
  EXPECT_THAT(this->store().ClaimDueMatches(2, this->kLease),
              base::IsOkAndHolds(::testing::SizeIs(2)));
  EXPECT_THAT(this->store().ClaimDueMatches(2, this->kLease),
              base::IsOkAndHolds(::testing::SizeIs(1)));
}

TYPED_TEST_P(StoreContract, AssigningTellsEachTicketItsSeat) {
  const std::vector<TicketId> ids = this->QueueFour();
  const Match match = this->MakeOne();
  EXPECT_EQ(this->Assign(match), Assigned::kDone);
  for (int seat = 0; seat < 4; ++seat) {
    const Ticket ticket = this->Find(ids[static_cast<std::size_t>(seat)]);
    EXPECT_EQ(ticket.state, TicketState::kAssigned);
    EXPECT_EQ(ticket.assignment, (Assignment{match.id, this->Place(), seat, "", ""}));
  }
  EXPECT_EQ(this->Assign(match), Assigned::kDone) << "twice is once";
  EXPECT_EQ(this->Assign(match, this->Place("table-2")), Assigned::kReleased)
      << "not another table";
  EXPECT_EQ(this->Find(ids[0]).assignment->place, this->Place());
  this->Advance(this->kLease);
  EXPECT_THAT(this->store().ClaimDueMatches(10, this->kLease),
              base::IsOkAndHolds(::testing::IsEmpty()))
      << "nothing is left to do";
}

TYPED_TEST_P(StoreContract, AnAssignedMatchStaysAssigned) {
  const std::vector<TicketId> ids = this->QueueFour();
  const Match match = this->MakeOne();
  this->Assign(match);
  const Failure failure{PlayerId("p0"), "PLAYER_BUSY"};
  EXPECT_THAT(this->store().AbandonMatch(match, "UNAVAILABLE", Millis(1)), base::IsOk());
  EXPECT_THAT(this->store().ReleaseMatch(match, "PLAYER_BUSY", std::span(&failure, 1)),
              base::IsOk());
  EXPECT_EQ(this->States(ids), std::vector<TicketState>(4, TicketState::kAssigned));
}

TYPED_TEST_P(StoreContract, AbandonedTicketsAreQueuedSinceTheirOwnTimeButNotMatched) {
  const std::vector<TicketId> ids = this->QueueFour();
  const Ticket before = this->Find(ids[0]);
  const Match match = this->MakeOne();
  this->Advance(Millis(500));
  EXPECT_THAT(this->store().AbandonMatch(match, "UNAVAILABLE", this->kShort), base::IsOk());
  EXPECT_EQ(this->Find(ids[0]), before) << "as if nothing had been";
  EXPECT_EQ(this->Offered(), 0u) << "a table may have them";
  EXPECT_THAT(this->store().FullPools(), base::IsOkAndHolds(::testing::IsEmpty()));
  EXPECT_THAT(this->store().ClaimDueMatches(10, this->kLease),
              base::IsOkAndHolds(::testing::IsEmpty()));
  this->Advance(this->kShort);
  EXPECT_THAT(this->store().ClaimDueMatches(10, this->kLease),
              base::IsOkAndHolds(::testing::SizeIs(1)));
}

TYPED_TEST_P(StoreContract, AnAbandonedMatchCanStillBeAssigned) {
  const std::vector<TicketId> ids = this->QueueFour();
  const Match match = this->MakeOne();
  EXPECT_THAT(this->store().AbandonMatch(match, "UNAVAILABLE", Millis(1)), base::IsOk());
  EXPECT_EQ(this->Assign(match), Assigned::kDone);
  EXPECT_EQ(this->States(ids), std::vector<TicketState>(4, TicketState::kAssigned));
}

TYPED_TEST_P(StoreContract, AnAbandonedMatchIsNotAssignedWithoutOneOfItsMembers) {
  const std::vector<TicketId> ids = this->QueueFour();
  const Match match = this->MakeOne();
  EXPECT_THAT(this->store().AbandonMatch(match, "UNAVAILABLE", Millis(1)), base::IsOk());
  EXPECT_THAT(this->store().CancelTicket(ids[2]), base::IsOk());
  EXPECT_EQ(this->Assign(match), Assigned::kMemberGone);
  EXPECT_THAT(this->States(ids),
              ::testing::ElementsAre(TicketState::kQueued, TicketState::kQueued,
                                     TicketState::kCancelled, TicketState::kQueued));
  // Nor when the player has come back with another ticket meanwhile.
  EXPECT_THAT(this->Take(this->WishOf("p2", "request-2")), base::IsOk());
  EXPECT_EQ(this->Assign(match), Assigned::kMemberGone);
  EXPECT_EQ(this->Offered(), 0u) << "the new ticket waits until the old match is over";
  EXPECT_THAT(this->store().ReleaseMatch(match, "TICKET_CLOSED", {}), base::IsOk());
  EXPECT_EQ(this->Offered(), 4u);
}

TYPED_TEST_P(StoreContract, AnExpiredMemberIsGoneToo) {
  this->Queue("p0", this->kShort);
  for (int i = 1; i < 4; ++i) this->Queue("p" + std::to_string(i));
  const Match match = this->MakeOne();
  EXPECT_THAT(this->store().AbandonMatch(match, "UNAVAILABLE", Millis(1)), base::IsOk());
  this->Advance(this->kShort);
  EXPECT_EQ(this->Assign(match), Assigned::kMemberGone);
}

TYPED_TEST_P(StoreContract, AMatchedTicketDoesNotExpire) {
  const TicketId id = this->Queue("p0", this->kShort);
  for (int i = 1; i < 4; ++i) this->Queue("p" + std::to_string(i));
  const Match match = this->MakeOne();
  this->Advance(this->kShort);
  EXPECT_THAT(this->store().ExpireTickets(10), base::IsOkAndHolds(0u));
  EXPECT_EQ(this->Find(id).state, TicketState::kMatched);
  EXPECT_EQ(this->Assign(match), Assigned::kDone);
}

TYPED_TEST_P(StoreContract, ReleasedTicketsAreBackWithTheirTimeAndCanBeMatchedAgain) {
  const std::vector<TicketId> ids = this->QueueFour();
  std::vector<Ticket> before;
  for (const TicketId& id : ids) before.push_back(this->Find(id));
  const Match match = this->MakeOne();
  this->Advance(Millis(500));
  EXPECT_THAT(this->store().ReleaseMatch(match, "BAD_BASE", {}), base::IsOk());
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(this->Find(ids[i]), before[i]);
  EXPECT_EQ(this->Assign(match), Assigned::kReleased);
  const Match second = this->MakeOne("second");
  EXPECT_EQ(second.members, match.members) << "still the oldest";
  EXPECT_THAT(this->store().ReleaseMatch(match, "BAD_BASE", {}), base::IsOk()) << "no effect";
  EXPECT_EQ(this->Assign(second), Assigned::kDone);
}

TYPED_TEST_P(StoreContract, WhoIsNamedFailsTheOthersAreBack) {
  const std::vector<TicketId> ids = this->QueueFour();
  const Match match = this->MakeOne();
  const std::vector<Failure> failures = {{PlayerId("p1"), "PLAYER_BUSY"},
                                         {PlayerId("stranger"), "PLAYER_BUSY"}};
  EXPECT_THAT(this->store().ReleaseMatch(match, "PLAYER_BUSY", failures), base::IsOk());
  EXPECT_THAT(this->States(ids),
              ::testing::ElementsAre(TicketState::kQueued, TicketState::kFailed,
                                     TicketState::kQueued, TicketState::kQueued));
  EXPECT_EQ(this->Find(ids[1]).failure_reason, "PLAYER_BUSY");
  EXPECT_EQ(this->Offered(), 3u);
}

TYPED_TEST_P(StoreContract, ReleasingLeavesCancelledTicketsAlone) {
  const std::vector<TicketId> ids = this->QueueFour();
  const Match match = this->MakeOne();
  EXPECT_THAT(this->store().AbandonMatch(match, "UNAVAILABLE", Millis(1)), base::IsOk());
  EXPECT_THAT(this->store().CancelTicket(ids[0]), base::IsOk());
  const Failure failure{PlayerId("p0"), "PLAYER_BUSY"};
  EXPECT_THAT(this->store().ReleaseMatch(match, "PLAYER_BUSY", std::span(&failure, 1)),
              base::IsOk());
  EXPECT_EQ(this->Find(ids[0]).state, TicketState::kCancelled);
}

TYPED_TEST_P(StoreContract, WhoseClaimWasTakenOverDecidesNothingAnyMore) {
  const std::vector<TicketId> ids = this->QueueFour();
  const Match slow = this->MakeOne();
  this->Advance(this->kLease);
  const auto claimed = this->store().ClaimDueMatches(10, this->kLease);
  ASSERT_THAT(claimed, base::IsOkAndHolds(::testing::SizeIs(1)));
  EXPECT_THAT(this->store().ReleaseMatch(slow, "PLAYER_BUSY", {}), base::IsOk());
  EXPECT_THAT(this->store().AbandonMatch(slow, "UNAVAILABLE", Millis(1)), base::IsOk());
  EXPECT_EQ(this->States(ids), std::vector<TicketState>(4, TicketState::kMatched));
  // A table that stands is no opinion: it may be assigned by whoever knows of it.
  EXPECT_EQ(this->Assign(slow), Assigned::kDone);
}

TYPED_TEST_P(StoreContract, StepsForAMatchThatDoesNotExistDoNothing) {
  const MatchId nobody("nobody");
  Match match;
  match.id = nobody;
  EXPECT_EQ(this->Assign(match), Assigned::kReleased);
  EXPECT_THAT(this->store().AbandonMatch(match, "X", Millis(1)), base::IsOk());
  EXPECT_THAT(this->store().ReleaseMatch(match, "X", {}), base::IsOk());
  EXPECT_THAT(this->store().FreeSeats(nobody, {}), base::IsOk());
}

TYPED_TEST_P(StoreContract, TheBacklogSaysHowMuchWaitsAndSinceWhen) {
  EXPECT_THAT(this->store().CountBacklog(), base::IsOkAndHolds(Backlog()));
  this->QueueFour();  // a millisecond apart
  this->Queue("gone", this->kShort, 1'000);
  this->Advance(Millis(1'000));
  EXPECT_THAT(this->store().CountBacklog(),
              base::IsOkAndHolds(Backlog{.queued = 5, .oldest_queued = Millis(1'005)}));
  const Match match = this->MakeOne();
  this->Advance(this->kShort);
  EXPECT_THAT(
      this->store().CountBacklog(),
      base::IsOkAndHolds(Backlog{.unfinished = 1, .oldest_unfinished = this->kShort, .seats = 4}));
  this->Assign(match);
  EXPECT_THAT(this->store().CountBacklog(), base::IsOkAndHolds(Backlog{.seats = 4}));
}

// --- seats ---

TYPED_TEST_P(StoreContract, ASeatedPlayerTakesNoTicketUntilTheSeatIsFree) {
  this->QueueFour();
  const Match match = this->MakeOne();
  this->Assign(match);
  const Wish second = this->WishOf("p1", "request-2");
  const LiveSeat seat{PlayerId("p1"), match.id, this->Place(), 1};
  const auto taking = this->Take(second);
  ASSERT_THAT(taking, base::IsOk());
  EXPECT_EQ(std::get<LiveSeat>(*taking), seat);
  const auto foreseen = this->store().Foresee({second});
  ASSERT_THAT(foreseen, base::IsOk());
  EXPECT_EQ(std::get<LiveSeat>(foreseen->value()), seat);

  // Somebody else's seat, or this player's in another match, being freed changes nothing.
  const std::vector<PlayerId> others = {PlayerId("p0"), PlayerId("p2")};
  EXPECT_THAT(this->store().FreeSeats(match.id, others), base::IsOk());
  EXPECT_THAT(this->store().FreeSeats(MatchId("another"), std::span(&seat.player, 1)),
              base::IsOk());
  EXPECT_TRUE(std::holds_alternative<LiveSeat>(this->Take(second).value()));

  EXPECT_THAT(this->store().FreeSeats(match.id, std::span(&seat.player, 1)), base::IsOk());
  EXPECT_TRUE(std::holds_alternative<Tickets>(this->Take(second).value()));
}

TYPED_TEST_P(StoreContract, AnAbandonedMatchDoesNotKeepFromQueueing) {
  const std::vector<TicketId> ids = this->QueueFour();
  const Match match = this->MakeOne();
  EXPECT_THAT(this->store().AbandonMatch(match, "UNAVAILABLE", Millis(1)), base::IsOk());
  EXPECT_THAT(this->store().CancelTicket(ids[0]), base::IsOk());
  EXPECT_TRUE(std::holds_alternative<Tickets>(this->Take(this->WishOf("p0", "again")).value()));
}

TYPED_TEST_P(StoreContract, SeatsAreCheckedWhenDueEachByOne) {
  this->QueueFour("p");
  const Match first = this->MakeOne("first");
  this->QueueFour("q");
  const Match second = this->MakeOne("second");
  this->Assign(first, this->Place("table-1"));
  const auto claim = [this](std::size_t limit = 100) {
    auto checks = this->store().ClaimSeatChecks(limit, Millis(30'000));
    EXPECT_THAT(checks, base::IsOk());
    std::map<std::string, std::set<std::string>> players_by_table;
    for (const SeatCheck& check : checks.value_or(std::vector<SeatCheck>())) {
      for (const PlayerId& player : check.players) {
        players_by_table[check.place.table.value()].insert(player.value());
      }
    }
    return players_by_table;
  };
  using Seats = std::map<std::string, std::set<std::string>>;
  EXPECT_EQ(claim(), Seats()) << "not yet";
  this->Advance(Millis(30'000));
  EXPECT_EQ(claim(), (Seats{{"table-1", {"p0", "p1", "p2", "p3"}}}))
      << "the second match has no table to be asked";
  EXPECT_EQ(claim(), Seats()) << "it is the claimer's now";
  const PlayerId left("p2");
  EXPECT_THAT(this->store().FreeSeats(first.id, std::span(&left, 1)), base::IsOk());
  this->Assign(second, this->Place("table-2"));
  this->Advance(Millis(30'000));
  EXPECT_EQ(claim(),
            (Seats{{"table-1", {"p0", "p1", "p3"}}, {"table-2", {"q0", "q1", "q2", "q3"}}}));
  this->Advance(Millis(30'000));
  std::size_t seats = 0;
  for (const auto& [table, players] : claim(2)) seats += players.size();
  EXPECT_EQ(seats, 2u) << "a limited number";
}

REGISTER_TYPED_TEST_SUITE_P(
    StoreContract, ATicketIsKeptAsItWasTaken, UnknownTicketsAreLeftOut,
    TheSameRequestGetsTheSameTicketWhateverHasBecomeOfIt, ARequestIdIsForOneWish,
    APlayerHasOneLiveTicket, AMatchedTicketIsLiveToo, CancellingIsForEver,
    WhatIsOverCannotBeCancelled, AnOverdueTicketCountsAsExpiredWithoutAnySweep,
    TheSweepMarksOverdueTicketsALimitedNumberAtATime, OnlyPoolsOfFourAreFull,
    TicketsAreOfferedOldestFirstUpToTheLimit, AMatchHasItsMembersBySeatAndItsTicketsAreMatched,
    AMatchIsDueWhenItsLeaseIsOver, ClaimsAreLimited, AssigningTellsEachTicketItsSeat,
    AnAssignedMatchStaysAssigned, AbandonedTicketsAreQueuedSinceTheirOwnTimeButNotMatched,
    AnAbandonedMatchCanStillBeAssigned, AnAbandonedMatchIsNotAssignedWithoutOneOfItsMembers,
    AnExpiredMemberIsGoneToo, AMatchedTicketDoesNotExpire,
    ReleasedTicketsAreBackWithTheirTimeAndCanBeMatchedAgain, WhoIsNamedFailsTheOthersAreBack,
    ReleasingLeavesCancelledTicketsAlone, WhoseClaimWasTakenOverDecidesNothingAnyMore,
    TheBacklogSaysHowMuchWaitsAndSinceWhen, StepsForAMatchThatDoesNotExistDoNothing,
    ASeatedPlayerTakesNoTicketUntilTheSeatIsFree, AnAbandonedMatchDoesNotKeepFromQueueing,
    SeatsAreCheckedWhenDueEachByOne);

}  // namespace mj::matchmaking
