// What every Store and FeedStore on one truth must do with what the table service tells. As
// store_contract_testing.h; the harness has a FeedStore, feeds(), too.
#pragma once

#include <array>
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

REGISTER_TYPED_TEST_SUITE_P(FeedContract, AFeedIsOneReplicasToFollowAtATime,
                            ABatchCountsOnceWhoeverBringsIt,
                            RatingsAreThoseOfTheModelInTheOrderOfTheFeed,
                            ARoundCountsOnceWhereverTheFeedBegins,
                            VoidAndPracticeRoundsChangeNoRating, ARatingIsOfOneGame,
                            WhoEndedARoundTogetherHasMetUntilSomeTimeAfter,
                            OldMeetingsAreForgottenALimitedNumberAtATime, ASeatThatWasGivenUpIsFree,
                            ASeatThatIsNotAssignedYetIsNotFreed);

}  // namespace mj::matchmaking
