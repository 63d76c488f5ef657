// What every Store and FeedStore on one truth must do with what the table service tells. As
// store_contract_testing.h; the harness has a FeedStore, feeds(), too.
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "services/matchmaking/app/feeds.h"
#include "services/matchmaking/app/rate.h"
#include "services/matchmaking/app/store_contract_testing.h"

namespace mj::matchmaking {

template <typename Harness>
class FeedContract : public StoreContract<Harness> {
 protected:
  FeedStore& feeds() { return this->harness_.feeds(); }

  // A round of p0 to p3 that ended now.
  EndedRound Round(const std::string& id,
                   std::array<std::int64_t, kSeats> coins = {30, 0, -10, -20},
                   const std::string& prefix = "p") {
    EndedRound round{.round = id,
                     .variant = "some-game",
                     .currency = "COIN",
                     .players = {},
                     .settled = true,
                     .coins = coins,
                     .ended_at = Now()};
    for (std::size_t seat = 0; seat < kSeats; ++seat) {
      round.players[seat] = PlayerId(prefix + std::to_string(seat));
    }
    return round;
  }
  // A ticket that is taken and given back.
  Ticket Ask(const std::string& player) {
    const auto taken =
        this->Take(this->WishOf(player, player + "-asks-" + std::to_string(++asked_)));
    EXPECT_THAT(taken, base::IsOk());
    const Ticket ticket = std::get<Tickets>(taken.value()).front();
    EXPECT_THAT(this->store().CancelTicket(ticket.id), base::IsOk());
    return ticket;
  }
  // The store's time.
  base::WallTime Now() { return Ask("clock").queued_at; }
  bool Apply(const std::string& from, std::vector<EndedRound> rounds, const std::string& to) {
    const auto applied = feeds().ApplyRounds(from, {std::move(rounds), to});
    EXPECT_THAT(applied, base::IsOk());
    return applied.ok() && *applied;
  }
  std::optional<std::size_t> ApplySeats(const std::string& from, std::vector<SeatChange> changes,
                                        const std::string& to) {
    const auto applied = feeds().ApplySeats(from, {std::move(changes), to});
    EXPECT_THAT(applied, base::IsOk());
    return applied.ok() ? *applied : std::nullopt;
  }
  static SeatChange Left(const std::string& table, const std::vector<std::string>& players) {
    SeatChange change;
    change.place.table = TableId(table);
    for (const std::string& player : players) change.left.push_back(PlayerId(player));
    return change;
  }
  static SeatChange Open(const std::string& table, const MatchId& match,
                         const std::array<std::string, kSeats>& players) {
    SeatChange change;
    change.place = FeedContract::Place(table);
    change.match = match;
    for (std::size_t seat = 0; seat < kSeats; ++seat) change.seated[seat] = PlayerId(players[seat]);
    change.open = true;
    return change;
  }
  // p0 to p3 were seated at table-1, and p1 left; the feed of seats is at "2".
  Match OpenTableOfThree() {
    this->QueueFour();
    Match match = this->MakeOne();
    this->Assign(match, this->Place("table-1"));
    EXPECT_EQ(ApplySeats("", {Left("table-1", {"p1"})}, "1"), std::optional<std::size_t>(1u));
    EXPECT_EQ(ApplySeats("1", {Open("table-1", match.id, {"p0", "", "p2", "p3"})}, "2"),
              std::optional<std::size_t>(0u));
    return match;
  }
  // Sends the oldest ticket to the first free seat of each table.
  std::vector<Match> Refill(const std::string& id, OpenTable* seen = nullptr,
                            std::vector<std::string>* offered = nullptr) {
    const auto made = this->store().MakeRefills(
        10, {.lease = this->kLease, .refill_after = refill_after_},
        [&](const OpenTable& table, std::span<const matching::Ticket> tickets, auto) {
          if (seen != nullptr) *seen = table;
          if (offered != nullptr) {
            offered->clear();
            for (const matching::Ticket& ticket : tickets) offered->push_back(ticket.player);
          }
          return std::vector<NewRefill>{
              {MatchId(id), 0, table.free.front(), {}, this->Tokens()[2]}};
        });
    EXPECT_THAT(made, base::IsOk());
    return made.ok() ? *made : std::vector<Match>();
  }
  std::int64_t RatingOf(const std::string& player) { return Ask(player).rating; }
  std::vector<std::int64_t> Ratings(const std::string& prefix = "p") {
    std::vector<std::int64_t> ratings;
    for (int i = 0; i < 4; ++i) ratings.push_back(RatingOf(prefix + std::to_string(i)));
    return ratings;
  }
  // Whom the pool's tickets have met, as "one other".
  std::set<std::string> Met(Millis met_for) {
    std::set<std::string> met;
    EXPECT_THAT(this->store().MakeMatches(this->SomePool(), {.met_for = met_for},
                                          [&](std::span<const matching::Ticket> tickets, auto) {
                                            met.clear();
                                            for (const matching::Ticket& ticket : tickets) {
                                              for (const std::string& other : ticket.met) {
                                                met.insert(ticket.player + " " + other);
                                              }
                                            }
                                            return std::vector<NewMatch>();
                                          }),
                base::IsOk());
    return met;
  }

  Millis refill_after_{0};
  int asked_ = 0;
};
TYPED_TEST_SUITE_P(FeedContract);

TYPED_TEST_P(FeedContract, AFeedIsOneReplicasToFollowAtATime) {
  const std::optional<std::string> start("");
  EXPECT_THAT(this->feeds().ClaimFeed(Feed::kEndedRounds, "a", Millis(1'000)),
              base::IsOkAndHolds(start));
  EXPECT_THAT(this->feeds().ClaimFeed(Feed::kEndedRounds, "b", Millis(1'000)),
              base::IsOkAndHolds(std::optional<std::string>()));
  EXPECT_THAT(this->feeds().ClaimFeed(Feed::kSeatChanges, "b", Millis(1'000)),
              base::IsOkAndHolds(start))
      << "the other feed";
  this->Advance(Millis(900));
  EXPECT_THAT(this->feeds().ClaimFeed(Feed::kEndedRounds, "a", Millis(1'000)),
              base::IsOkAndHolds(start));
  this->Advance(Millis(900));
  EXPECT_THAT(this->feeds().ClaimFeed(Feed::kEndedRounds, "b", Millis(1'000)),
              base::IsOkAndHolds(std::optional<std::string>()));
  EXPECT_TRUE(this->Apply("", {}, "1"));
  this->Advance(Millis(100));
  EXPECT_THAT(this->feeds().ClaimFeed(Feed::kEndedRounds, "b", Millis(1'000)),
              base::IsOkAndHolds(std::optional<std::string>("1")));
}

TYPED_TEST_P(FeedContract, ABatchCountsOnceWhoeverBringsIt) {
  const std::vector<std::int64_t> fresh = this->Ratings();
  EXPECT_EQ(fresh, std::vector<std::int64_t>(4, rating::Rating().mean));
  EXPECT_TRUE(this->Apply("", {this->Round("r1")}, "1"));
  const std::vector<std::int64_t> once = this->Ratings();
  EXPECT_NE(once, fresh);
  // Another replica, and this one again: neither holds the feed nor knows what became of it.
  EXPECT_FALSE(this->Apply("", {this->Round("r1")}, "1"));
  EXPECT_EQ(this->Ratings(), once);
  EXPECT_TRUE(this->Apply("1", {this->Round("r2")}, "2"));
  EXPECT_NE(this->Ratings(), once);
}

TYPED_TEST_P(FeedContract, RatingsAreThoseOfTheModelInTheOrderOfTheFeed) {
  const std::vector<EndedRound> rounds = {this->Round("r1", {30, 0, -10, -20}),
                                          this->Round("r2", {-5, 15, -5, -5}),
                                          this->Round("r3", {0, 0, 0, 0})};
  std::array<rating::Rating, kSeats> expected;
  for (const EndedRound& round : rounds) expected = RatingsAfter(round, expected);
  // Two in one batch, of the same players.
  EXPECT_TRUE(this->Apply("", {rounds[0], rounds[1]}, "1"));
  EXPECT_TRUE(this->Apply("1", {rounds[2]}, "2"));
  for (std::size_t seat = 0; seat < kSeats; ++seat) {
    EXPECT_EQ(this->RatingOf("p" + std::to_string(seat)), expected[seat].mean);
  }
}

TYPED_TEST_P(FeedContract, ARoundCountsOnceWhereverTheFeedBegins) {
  EXPECT_TRUE(this->Apply("", {this->Round("r1"), this->Round("r2")}, "2"));
  const std::vector<std::int64_t> twice = this->Ratings();
  // The feed begins anew, and tells what was told before; one twice in a batch, too.
  EXPECT_TRUE(this->Apply("2", {}, ""));
  EXPECT_TRUE(this->Apply("", {this->Round("r1"), this->Round("r2"), this->Round("r2")}, "1"));
  EXPECT_EQ(this->Ratings(), twice);
}

TYPED_TEST_P(FeedContract, VoidAndPracticeRoundsChangeNoRating) {
  EndedRound voided = this->Round("r1");
  voided.settled = false;
  EndedRound practice = this->Round("r2");
  practice.currency = "PRACTICE";
  EXPECT_TRUE(this->Apply("", {voided, practice}, "1"));
  EXPECT_EQ(this->Ratings(), std::vector<std::int64_t>(4, rating::Rating().mean));
}

TYPED_TEST_P(FeedContract, ARatingIsOfOneGame) {
  EndedRound other = this->Round("r1");
  other.variant = "other-game";
  EXPECT_TRUE(this->Apply("", {other}, "1"));
  EXPECT_EQ(this->Ratings(), std::vector<std::int64_t>(4, rating::Rating().mean));
}

TYPED_TEST_P(FeedContract, WhoEndedARoundTogetherHasMetUntilSomeTimeAfter) {
  EndedRound practice = this->Round("r0", {}, "q");
  practice.currency = "PRACTICE";
  EXPECT_TRUE(this->Apply("", {this->Round("r1"), practice}, "1"));
  for (const std::string player : {"p0", "p2", "q0", "q1"}) this->Queue(player);
  EXPECT_EQ(this->Met(Millis(1'000'000)), (std::set<std::string>{"p0 p2", "p2 p0"}));
  this->Advance(Millis(500'000));
  EXPECT_EQ(this->Met(Millis(400'000)), std::set<std::string>());
  // A later round counts; a void one, too, for they sat there. An old one that comes late takes
  // nothing back.
  EndedRound voided = this->Round("r2");
  voided.settled = false;
  EndedRound old = this->Round("r3");
  old.ended_at -= Millis(900'000);
  EXPECT_TRUE(this->Apply("1", {voided, old}, "2"));
  EXPECT_EQ(this->Met(Millis(400'000)), (std::set<std::string>{"p0 p2", "p2 p0"}));
}

TYPED_TEST_P(FeedContract, OldMeetingsAreForgottenALimitedNumberAtATime) {
  EXPECT_TRUE(this->Apply("", {this->Round("r1")}, "1"));
  EXPECT_THAT(this->feeds().ForgetMeetings(Millis(1'000'000), 100), base::IsOkAndHolds(0u));
  this->Advance(Millis(2'000'000));
  EXPECT_THAT(this->feeds().ForgetMeetings(Millis(1'000'000), 4), base::IsOkAndHolds(4u));
  EXPECT_THAT(this->feeds().ForgetMeetings(Millis(1'000'000), 4), base::IsOkAndHolds(2u));
}

TYPED_TEST_P(FeedContract, ASeatThatWasGivenUpIsFree) {
  this->QueueFour();
  const Match match = this->MakeOne();
  this->Assign(match, this->Place("table-1"));
  const auto seated = [&](const std::string& player) {
    const auto foreseen = this->store().Foresee({this->WishOf(player, "again-" + player)});
    EXPECT_THAT(foreseen, base::IsOk());
    return foreseen.ok() && foreseen->has_value();
  };
  EXPECT_EQ(this->ApplySeats(
                "", {this->Left("table-2", {"p0"}), this->Left("table-1", {"stranger"})}, "1"),
            std::optional<std::size_t>(0u));
  EXPECT_TRUE(seated("p0")) << "that was another table";
  EXPECT_EQ(
      this->ApplySeats("1", {this->Left("table-1", {"p0"}), this->Left("table-1", {"p1"})}, "2"),
      std::optional<std::size_t>(2u));
  EXPECT_FALSE(seated("p0"));
  EXPECT_FALSE(seated("p1"));
  EXPECT_TRUE(seated("p2"));
  EXPECT_EQ(this->ApplySeats("1", {this->Left("table-1", {"p2"})}, "2"), std::nullopt)
      << "the feed has gone on";
  EXPECT_TRUE(seated("p2"));
  EXPECT_EQ(this->ApplySeats("2", {this->Left("table-1", {"p0", "p2", "p3"})}, "3"),
            std::optional<std::size_t>(2u))
      << "it closed";
}

TYPED_TEST_P(FeedContract, ASeatThatIsNotAssignedYetIsNotFreed) {
  this->QueueFour();
  const Match match = this->MakeOne();
  EXPECT_EQ(this->ApplySeats("", {this->Left("table-1", {"p0"})}, "1"),
            std::optional<std::size_t>(0u));
  EXPECT_EQ(this->Assign(match, this->Place("table-1")), Assigned::kDone);
}

// --- refilling ---

TYPED_TEST_P(FeedContract, AnOpenTableIsRefilledWhereASeatIsFree) {
  const Match match = this->OpenTableOfThree();
  const TicketId late = this->Queue("late");
  this->Queue("later");
  OpenTable seen;
  std::vector<std::string> offered;
  const auto made = this->Refill("refill-1", &seen, &offered);
  EXPECT_EQ(seen.place, this->Place("table-1"));
  EXPECT_EQ(seen.pool, this->SomePool());
  EXPECT_THAT(seen.free, ::testing::ElementsAre(1));
  std::set<std::string> there;
  for (const matching::Ticket& ticket : seen.seated) there.insert(ticket.player);
  EXPECT_EQ(there, (std::set<std::string>{"p0", "p2", "p3"}));
  EXPECT_THAT(offered, ::testing::ElementsAre("late", "later"));
  EXPECT_EQ(seen.been,
            (std::set<PlayerId>{PlayerId("p0"), PlayerId("p1"), PlayerId("p2"), PlayerId("p3")}));
  ASSERT_EQ(made.size(), 1u);
  EXPECT_EQ(made[0].members, (std::vector<Member>{{late, PlayerId("late"), this->Tokens()[2]}}));
  EXPECT_EQ(made[0].refill, (FreeSeat{this->Place("table-1"), 1}));
  EXPECT_EQ(made[0].pool, this->SomePool());
  EXPECT_EQ(this->Find(late).state, TicketState::kMatched);
  // The place is held: nobody else is sent there, nor is the ticket anywhere else.
  EXPECT_THAT(this->Refill("refill-2"), ::testing::IsEmpty());
  EXPECT_EQ(this->Offered(), 1u);

  EXPECT_EQ(this->Assign(made[0], this->Place("table-1")), Assigned::kDone);
  const Ticket assigned = this->Find(late);
  ASSERT_TRUE(assigned.assignment);
  EXPECT_EQ(assigned.assignment->seat, 1);
  EXPECT_EQ(assigned.assignment->place, this->Place("table-1"));
  EXPECT_EQ(assigned.assignment->match, made[0].id);
  EXPECT_EQ(assigned.assignment->token, this->Tokens()[2]);
  EXPECT_THAT(this->Refill("refill-3"), ::testing::IsEmpty()) << "until the feed tells of it";

  // They leave in their turn.
  SeatChange gone = this->Open("table-1", match.id, {"p0", "", "p2", "p3"});
  gone.left = {PlayerId("late")};
  EXPECT_EQ(this->ApplySeats("2", {gone}, "3"), std::optional<std::size_t>(1u));
  EXPECT_EQ(this->Refill("refill-4", &seen).size(), 1u);
  EXPECT_TRUE(seen.been.contains(PlayerId("late")));
}

TYPED_TEST_P(FeedContract, ATableThatBreaksUpIsLeftAlone) {
  const Match match = this->OpenTableOfThree();
  this->Queue("late");
  this->refill_after_ = Millis(2'000);
  this->Advance(Millis(1'900));
  EXPECT_THAT(this->Refill("refill-1"), ::testing::IsEmpty());
  // Another one leaves.
  EXPECT_TRUE(this->ApplySeats("2", {this->Open("table-1", match.id, {"p0", "", "", "p3"})}, "3"));
  this->Advance(Millis(1'900));
  EXPECT_THAT(this->Refill("refill-2"), ::testing::IsEmpty());
  this->Advance(Millis(100));
  EXPECT_EQ(this->Refill("refill-3").size(), 1u);
}

TYPED_TEST_P(FeedContract, WhoSitsThereIsKnownByTheTicketTheyCameBy) {
  for (int i = 0; i < 4; ++i) {
    Wish wish = this->WishOf("p" + std::to_string(i));
    wish.client.device = "device-" + std::to_string(i);
    wish.client.network = "10.0.0." + std::to_string(i);
    wish.avoid = {PlayerId("nuisance-" + std::to_string(i))};
    EXPECT_THAT(this->Take(wish), base::IsOk());
  }
  const Match match = this->MakeOne();
  this->Assign(match);
  // The third place has somebody who came by no ticket.
  EXPECT_TRUE(this->ApplySeats("",
                               {this->Left("table-1", {"p1", "p2"}),
                                this->Open("table-1", match.id, {"p0", "", "stranger", "p3"})},
                               "1"));
  this->Queue("late");
  OpenTable seen;
  EXPECT_EQ(this->Refill("refill-1", &seen).size(), 1u);
  std::map<std::string, matching::Ticket> there;
  for (const matching::Ticket& ticket : seen.seated) there[ticket.player] = ticket;
  ASSERT_EQ(there.size(), 3u);
  EXPECT_EQ(there["p0"].device, "device-0");
  EXPECT_EQ(there["p3"].network, "10.0.0.3");
  EXPECT_EQ(there["p3"].avoid, (std::set<std::string>{"nuisance-3"}));
  EXPECT_EQ(there["stranger"].device, "");
  EXPECT_EQ(there["stranger"].rating, rating::Rating().mean);
}

TYPED_TEST_P(FeedContract, WhoMetWhoSitsThereIsTold) {
  this->OpenTableOfThree();
  this->Advance(Millis(10'000'000));  // since they were seated
  EXPECT_TRUE(this->Apply("", {this->Round("r1")}, "1"));
  EXPECT_THAT(this->Take(this->WishOf("p1", "again")), base::IsOk());
  std::set<std::string> met;
  EXPECT_THAT(this->store().MakeRefills(10, {.refill_after = Millis(0)},
                                        [&](const OpenTable&, auto tickets, auto) {
                                          met = tickets[0].met;
                                          return std::vector<NewRefill>();
                                        }),
              base::IsOk());
  EXPECT_EQ(met, (std::set<std::string>{"p0", "p2", "p3"}));
}

TYPED_TEST_P(FeedContract, OnlyOpenTablesOfTheOpenQueueAreRefilled) {
  const Match match = this->OpenTableOfThree();
  this->Queue("late");
  // As the latest says.
  SeatChange full = this->Open("table-1", match.id, {"p0", "x", "p2", "p3"});
  full.open = false;
  EXPECT_TRUE(this->ApplySeats("2", {full}, "3"));
  EXPECT_THAT(this->Refill("refill-1"), ::testing::IsEmpty());
  EXPECT_TRUE(
      this->ApplySeats("3",
                       {full, this->Open("table-1", match.id, {"p0", "", "p2", "p3"}), full,
                        // Not ours, and not the match's table.
                        this->Open("lobby", MatchId("request-of-somebody"), {"a", "", "", ""}),
                        this->Open("table-2", match.id, {"a", "", "", ""})},
                       "4"));
  EXPECT_THAT(this->Refill("refill-2"), ::testing::IsEmpty());
  EXPECT_TRUE(
      this->ApplySeats("4", {this->Open("table-1", match.id, {"p0", "", "p2", "p3"})}, "5"));
  EXPECT_EQ(this->Refill("refill-3").size(), 1u);
}

TYPED_TEST_P(FeedContract, ATableThatTookNobodyIsLeftAloneUntilItIsToldOfAgain) {
  const Match match = this->OpenTableOfThree();
  this->Advance(Millis(1'000));
  const TicketId late = this->Queue("late");
  const Ticket before = this->Find(late);
  std::vector<Match> made = this->Refill("refill-1");
  ASSERT_EQ(made.size(), 1u);
  EXPECT_THAT(this->store().ReleaseMatch(made[0], "SEAT_TAKEN", {}), base::IsOk());
  EXPECT_EQ(this->Find(late), before) << "with its time";
  EXPECT_THAT(this->Refill("refill-2"), ::testing::IsEmpty());
  EXPECT_TRUE(
      this->ApplySeats("2", {this->Open("table-1", match.id, {"p0", "", "p2", "p3"})}, "3"));
  this->Advance(Millis(1'000));
  made = this->Refill("refill-3");
  ASSERT_EQ(made.size(), 1u);
  // It is told of once more before it is known that it took nobody: that stands.
  this->Advance(Millis(1'000));
  EXPECT_TRUE(
      this->ApplySeats("3", {this->Open("table-1", match.id, {"p0", "", "p2", "p3"})}, "4"));
  EXPECT_THAT(this->store().ReleaseMatch(made[0], "SEAT_TAKEN", {}), base::IsOk());
  OpenTable seen;
  EXPECT_EQ(this->Refill("refill-4", &seen).size(), 1u);
  EXPECT_TRUE(seen.been.contains(PlayerId("late"))) << "although they never sat there";
}

TYPED_TEST_P(FeedContract, WhoCannotSitDownFailsAndTheSeatIsAnothers) {
  this->OpenTableOfThree();
  this->Advance(Millis(1'000));
  const TicketId poor = this->Queue("poor");
  this->Queue("rich");
  const std::vector<Match> made = this->Refill("refill-1");
  ASSERT_EQ(made.size(), 1u);
  const Failure failure{PlayerId("poor"), "BELOW_MINIMUM"};
  EXPECT_THAT(this->store().ReleaseMatch(made[0], "BELOW_MINIMUM", std::span(&failure, 1)),
              base::IsOk());
  EXPECT_EQ(this->Find(poor).state, TicketState::kFailed);
  const std::vector<Match> next = this->Refill("refill-2");
  ASSERT_EQ(next.size(), 1u);
  EXPECT_EQ(next[0].members[0].player, PlayerId("rich"));
}

TYPED_TEST_P(FeedContract, ARefillIsGoneOnWithLikeEveryMatch) {
  this->OpenTableOfThree();
  const TicketId late = this->Queue("late");
  const std::vector<Match> made = this->Refill("refill-1");
  ASSERT_EQ(made.size(), 1u);
  EXPECT_THAT(this->store().AbandonMatch(made[0], "DEADLINE_EXCEEDED", Millis(500)), base::IsOk());
  EXPECT_EQ(this->Find(late).state, TicketState::kQueued);
  EXPECT_EQ(this->Offered(), 0u) << "it may have sat down";
  EXPECT_THAT(this->Refill("refill-2"), ::testing::IsEmpty()) << "the place is held";
  this->Advance(Millis(500));
  const auto due = this->store().ClaimDueMatches(10, this->kLease);
  ASSERT_THAT(due, base::IsOkAndHolds(::testing::SizeIs(1)));
  Match expected = made[0];
  expected.attempts = 2;
  EXPECT_EQ(due->front(), expected);
  EXPECT_THAT(this->store().CancelTicket(late), base::IsOk());
  EXPECT_EQ(this->Assign(due->front(), this->Place("table-1")), Assigned::kMemberGone);
  EXPECT_THAT(this->store().ReleaseMatch(due->front(), "TICKET_CLOSED", {}), base::IsOk());
  EXPECT_THAT(this->store().ClaimDueMatches(10, this->kLease),
              base::IsOkAndHolds(::testing::IsEmpty()));
}

REGISTER_TYPED_TEST_SUITE_P(
    FeedContract, AFeedIsOneReplicasToFollowAtATime, ABatchCountsOnceWhoeverBringsIt,
    RatingsAreThoseOfTheModelInTheOrderOfTheFeed, ARoundCountsOnceWhereverTheFeedBegins,
    VoidAndPracticeRoundsChangeNoRating, ARatingIsOfOneGame,
    WhoEndedARoundTogetherHasMetUntilSomeTimeAfter, OldMeetingsAreForgottenALimitedNumberAtATime,
    ASeatThatWasGivenUpIsFree, ASeatThatIsNotAssignedYetIsNotFreed,
    AnOpenTableIsRefilledWhereASeatIsFree, ATableThatBreaksUpIsLeftAlone,
    WhoSitsThereIsKnownByTheTicketTheyCameBy, WhoMetWhoSitsThereIsTold,
    OnlyOpenTablesOfTheOpenQueueAreRefilled, ATableThatTookNobodyIsLeftAloneUntilItIsToldOfAgain,
    WhoCannotSitDownFailsAndTheSeatIsAnothers, ARefillIsGoneOnWithLikeEveryMatch);

}  // namespace mj::matchmaking
