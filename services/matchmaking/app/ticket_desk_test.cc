#include "services/matchmaking/app/ticket_desk.h"

#include <gtest/gtest.h>

#include "libs/base/reasons.h"
#include "services/matchmaking/app/app_testing.h"
#include "services/matchmaking/app/seating.h"
#include "services/matchmaking/app/store_wrapper_testing.h"

namespace mj::matchmaking {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;

class TicketDeskTest : public AppTest {
 protected:
  // Queues four and seats them; their table.
  TableId SeatFour() {
    for (int i = 0; i < 4; ++i) {
      wallet_.SetBalance(PlayerId("p" + std::to_string(i)), 2'000);
      EXPECT_THAT(desk_.Create(Asked("p" + std::to_string(i))), IsOk());
    }
    EXPECT_THAT(Seating(store_, tables_, {}).Drive(MatchFour(), {}), IsOk());
    return tables_.Seated().at(PlayerId("p0"));
  }

  SeatKeeper seats_{store_, tables_, {}};
  TicketDesk desk_{store_, wallet_, seats_, ids_, {.ticket_lifetime = Millis(60'000)}};
};

TEST_F(TicketDeskTest, ThePlayersCoinsDecideThePool) {
  // CZ-70, at its edges.
  const std::vector<std::pair<std::int64_t, std::int64_t>> tiers = {
      {160, 10},       {1'599, 10},      {1'600, 100},      {15'999, 100},
      {16'000, 1'000}, {159'999, 1'000}, {160'000, 10'000}, {9'000'000, 10'000}};
  for (const auto& [coins, base] : tiers) {
    const std::string player = "p" + std::to_string(coins);
    wallet_.SetBalance(PlayerId(player), coins);
    const auto ticket = desk_.Create(Asked(player));
    ASSERT_THAT(ticket, IsOk()) << coins;
    EXPECT_EQ(ticket->front().wish.pool.base, base) << coins;
    EXPECT_EQ(ticket->front().state, TicketState::kQueued);
    EXPECT_EQ(ticket->front().expires_at, clock_.Now() + Millis(60'000));
  }
}

TEST_F(TicketDeskTest, ALowerTierMayBeAskedFor) {
  wallet_.SetBalance(PlayerId("ann"), 20'000);
  TicketRequest request = Asked("ann");
  request.asked_base = 100;
  EXPECT_EQ(desk_.Create(request)->front().wish.pool.base, 100);
}

TEST_F(TicketDeskTest, TooFewCoinsAreRefusedAndNothingIsWritten) {
  wallet_.SetBalance(PlayerId("ann"), 159);
  const auto refused = desk_.Create(Asked("ann"));
  EXPECT_THAT(refused, FailsWith(Reason::kBelowMinimum));
  EXPECT_EQ(base::CarriedBy(refused.status())->details.metadata.at("minimum"), "160");
  wallet_.SetBalance(PlayerId("ann"), 160);
  EXPECT_THAT(desk_.Create(Asked("ann")), IsOk()) << "the request id was not used up";
}

TEST_F(TicketDeskTest, WithoutAnAccountOrAWalletThereIsNoTicket) {
  EXPECT_THAT(desk_.Create(Asked("nobody")), FailsWith(Reason::kAccountNotFound));
  wallet_.SetFailure(base::Error(Reason::kUnavailable));
  EXPECT_THAT(desk_.Create(Asked("nobody")), FailsWith(Reason::kUnavailable));
  EXPECT_THAT(store_.Foresee(*ReadWishes(Asked("nobody"))),
              base::IsOkAndHolds(::testing::Eq(std::nullopt)));
}

TEST_F(TicketDeskTest, ABadRequestTroublesNobody) {
  TicketRequest request = Asked("ann");
  request.variant = "riichi";
  EXPECT_THAT(desk_.Create(request), FailsWith(Reason::kUnknownVariant));
  EXPECT_EQ(wallet_.calls(), 0);
}

TEST_F(TicketDeskTest, TheSameRequestGetsTheFirstAnswer) {
  wallet_.SetBalance(PlayerId("ann"), 500);
  const auto first = desk_.Create(Asked("ann"));
  ASSERT_THAT(first, IsOk());
  wallet_.SetBalance(PlayerId("ann"), 50'000);  // another tier by now
  EXPECT_THAT(desk_.Create(Asked("ann")), base::IsOkAndHolds(*first));
  EXPECT_THAT(desk_.Cancel(first->front().id), IsOk());
  EXPECT_THAT(desk_.Create(Asked("ann")), base::IsOkAndHolds(*first))
      << "as it stood when it was taken, cancelled or not";
  EXPECT_EQ(wallet_.calls(), 1) << "answered without the wallet";
}

TEST_F(TicketDeskTest, TheFirstAnswerIsGivenAfterSeatingToo) {
  wallet_.SetBalance(PlayerId("p0"), 2'000);
  const auto first = desk_.Create(Asked("p0"));
  SeatFour();
  EXPECT_THAT(desk_.Create(Asked("p0")), base::IsOkAndHolds(*first));
}

TEST_F(TicketDeskTest, WhoAsksOnceMoreForFriendsIsToldNoneOfTheirSecrets) {
  TicketRequest request = Asked("p0");
  wallet_.SetBalance(PlayerId("p0"), 2'000);
  for (const char* other : {"p1", "p2", "p3"}) {
    wallet_.SetBalance(PlayerId(other), 2'000);
    request.friends.push_back({PlayerId(other), {}});
  }
  const auto first = desk_.Create(request);
  ASSERT_THAT(first, base::IsOkAndHolds(::testing::SizeIs(4)));
  ASSERT_THAT(Seating(store_, tables_, {}).Drive(MatchFour(), {}), IsOk());
  for (const Ticket& ticket : *first) {
    EXPECT_EQ(Find(ticket.id).assignment->token.size(), 32u) << "there is one to be told";
  }
  const auto again = desk_.Create(request);
  ASSERT_THAT(again, base::IsOkAndHolds(*first));
  for (const Ticket& ticket : *again) EXPECT_FALSE(ticket.assignment.has_value());
}

TEST_F(TicketDeskTest, AnotherWishUnderTheSameRequestIsRefused) {
  wallet_.SetBalance(PlayerId("ann"), 500);
  ASSERT_THAT(desk_.Create(Asked("ann", "r")), IsOk());
  EXPECT_THAT(desk_.Create(Asked("bob", "r")), FailsWith(Reason::kRequestIdReused));
}

TEST_F(TicketDeskTest, ASecondTicketIsRefusedWithTheFirstOnesId) {
  wallet_.SetBalance(PlayerId("ann"), 500);
  const auto first = desk_.Create(Asked("ann"));
  const auto second = desk_.Create(Asked("ann", "r2"));
  EXPECT_THAT(second, FailsWith(Reason::kTicketExists));
  EXPECT_EQ(base::CarriedBy(second.status())->details.metadata.at("ticket_id"),
            first->front().id.value());
  EXPECT_THAT(desk_.Cancel(first->front().id), IsOk());
  EXPECT_THAT(desk_.Create(Asked("ann", "r2")), IsOk());
}

TEST_F(TicketDeskTest, WhoSitsAtATableIsBusyUntilTheTableSaysOtherwise) {
  const TableId table = SeatFour();
  const auto busy = desk_.Create(Asked("p0", "again"));
  EXPECT_THAT(busy, FailsWith(Reason::kPlayerBusy));
  EXPECT_EQ(base::CarriedBy(busy.status())->details.metadata.at("table_id"), table.value());

  tables_.Leave(table, PlayerId("p0"));
  EXPECT_THAT(desk_.Create(Asked("p0", "again")), IsOk());
  EXPECT_THAT(desk_.Create(Asked("p1", "again-1")), FailsWith(Reason::kPlayerBusy));

  tables_.Close(table);
  EXPECT_THAT(desk_.Create(Asked("p1", "again-1")), IsOk());
  tables_.Forget(table);
  EXPECT_THAT(desk_.Create(Asked("p2", "again-2")), IsOk());
}

TEST_F(TicketDeskTest, ATableThatCannotBeAskedKeepsItsPlayers) {
  const TableId table = SeatFour();
  tables_.Leave(table, PlayerId("p0"));
  tables_.SetFaults([] { return Fault::kLostOnTheWay; });
  EXPECT_THAT(desk_.Create(Asked("p0", "again")), FailsWith(Reason::kDeadlineExceeded));
  tables_.SetFaults(nullptr);
  EXPECT_THAT(desk_.Create(Asked("p0", "again")), IsOk());
}

// --- friends ---

TEST_F(TicketDeskTest, FriendsAreSeatedTogetherAtTheLowestOfTheirTiers) {
  wallet_.SetBalance(PlayerId("ann"), 200'000);
  wallet_.SetBalance(PlayerId("bob"), 2'000);
  TicketRequest request = Asked("ann");
  request.friends = {{PlayerId("bob"), {}}};
  const auto tickets = desk_.Create(request);
  ASSERT_THAT(tickets, base::IsOkAndHolds(::testing::SizeIs(2)));
  EXPECT_EQ((*tickets)[0].wish.pool.base, 100);
  EXPECT_EQ((*tickets)[1].wish.player, PlayerId("bob"));
  EXPECT_THAT(desk_.Create(request), base::IsOkAndHolds(*tickets)) << "the first answer";
  QueueFour();  // two of them
  ASSERT_THAT(Seating(store_, tables_, {}).Drive(MatchFour(), {}), IsOk());
  EXPECT_EQ(tables_.Seated().at(PlayerId("ann")), tables_.Seated().at(PlayerId("bob")));
  EXPECT_THAT(desk_.Create(request), base::IsOkAndHolds(*tickets)) << "seated or not";
}

TEST_F(TicketDeskTest, APartyOfWhichOneHasTooFewCoinsIsRefusedAndNothingIsWritten) {
  wallet_.SetBalance(PlayerId("ann"), 2'000);
  wallet_.SetBalance(PlayerId("bob"), 159);
  TicketRequest request = Asked("ann");
  request.friends = {{PlayerId("bob"), {}}};
  const auto refused = desk_.Create(request);
  EXPECT_THAT(refused, FailsWith(Reason::kBelowMinimum, "friends[0].player_id"));
  EXPECT_EQ(base::CarriedBy(refused.status())->details.metadata.at("player_id"), "bob");
  EXPECT_THAT(desk_.Create(Asked("ann", "alone")), IsOk()) << "ann is free";
  EXPECT_THAT(desk_.Create(request), FailsWith(Reason::kTicketExists));
}

TEST_F(TicketDeskTest, APartyWhoseCoinsAreGoneWhenTheTableIsMadeFailsTogether) {
  wallet_.SetBalance(PlayerId("ann"), 2'000);
  wallet_.SetBalance(PlayerId("bob"), 2'000);
  TicketRequest request = Asked("ann");
  request.friends = {{PlayerId("bob"), {}}};
  const auto party = desk_.Create(request);
  ASSERT_THAT(party, IsOk());
  const std::vector<TicketId> others = QueueFour();
  const Ticket before = Find(others[0]);
  tables_.Refuse(base::Error(Reason::kBelowMinimum, {}, {.metadata = {{"player_id", "bob"}}}));
  ASSERT_THAT(Seating(store_, tables_, {}).Drive(MatchFour(), {}), IsOk());
  for (const Ticket& ticket : *party) {
    EXPECT_EQ(Find(ticket.id).state, TicketState::kFailed);
    EXPECT_EQ(Find(ticket.id).failure_reason, "BELOW_MINIMUM");
  }
  EXPECT_EQ(Find(others[0]), before) << "the others wait on, since their own time";
  tables_.Refuse(absl::OkStatus());
  ASSERT_THAT(Seating(store_, tables_, {}).Drive(MatchFour(), {}), IsOk());
  EXPECT_EQ(States(others), std::vector<TicketState>(4, TicketState::kAssigned));
}

TEST_F(TicketDeskTest, SeatsOfFriendsThatAreOverKeepNobodyOut) {
  const TableId table = SeatFour();
  TicketRequest request = Asked("p0", "together");
  request.friends = {{PlayerId("p1"), {}}, {PlayerId("p2"), {}}};
  tables_.Leave(table, PlayerId("p0"));
  tables_.Leave(table, PlayerId("p2"));
  const auto busy = desk_.Create(request);
  EXPECT_THAT(busy, FailsWith(Reason::kPlayerBusy));
  EXPECT_EQ(base::CarriedBy(busy.status())->details.metadata.at("player_id"), "p1");
  tables_.Close(table);
  EXPECT_THAT(desk_.Create(request), base::IsOkAndHolds(::testing::SizeIs(3)));
}

// A seat that comes into being between the first look and the taking, and is over again at once.
class LateSeatStore final : public StoreWrapper {
 public:
  LateSeatStore(Store& store, int seats) : StoreWrapper(store), seats_(seats) {}
  absl::StatusOr<Taking> TakeTickets(const std::vector<TicketId>& ids,
                                     const std::vector<Wish>& wishes, Millis lifetime) override {
    if (seats_-- > 0) {
      return Taking(LiveSeat{wishes[0].player, MatchId("m"), {TableId("t"), "a"}, 0});
    }
    return StoreWrapper::TakeTickets(ids, wishes, lifetime);
  }

 private:
  int seats_;
};

TEST_F(TicketDeskTest, ASeatThatTurnsUpAtTheLastMomentIsLookedAtOnce) {
  wallet_.SetBalance(PlayerId("ann"), 500);
  LateSeatStore once(store_, 1);
  SeatKeeper seats(once, tables_, {});
  EXPECT_THAT(TicketDesk(once, wallet_, seats, ids_, {}).Create(Asked("ann", "r1")), IsOk());
  LateSeatStore twice(store_, 2);
  wallet_.SetBalance(PlayerId("bob"), 500);
  EXPECT_THAT(TicketDesk(twice, wallet_, seats, ids_, {}).Create(Asked("bob", "r2")),
              FailsWith(Reason::kPlayerBusy));
}

}  // namespace
}  // namespace mj::matchmaking
