#include "services/matchmaking/app/seating.h"

#include <gtest/gtest.h>

#include "libs/base/reasons.h"
#include "services/matchmaking/app/app_testing.h"
#include "services/matchmaking/app/refill.h"
#include "services/matchmaking/app/store_wrapper_testing.h"

namespace mj::matchmaking {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using base::Reason;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using enum TicketState;

class SeatingTest : public AppTest {
 protected:
  static constexpr Millis kLease{5'000};

  // The match as the next replica takes it over once it is due.
  Match Claim() {
    const auto claimed = store_.ClaimDueMatches(10, kLease);
    EXPECT_THAT(claimed, IsOkAndHolds(SizeIs(1)));
    return claimed->empty() ? Match() : claimed->front();
  }
  absl::StatusOr<Seated> Drive(const Match& match) {
    return seating_.Drive(match, clock_.Monotonic() + kLease);
  }
  // A fault for the next calls in turn; none afterwards.
  void Faults(std::vector<Fault> faults) {
    tables_.SetFaults([faults, at = std::size_t{0}]() mutable {
      return at < faults.size() ? faults[at++] : Fault::kNone;
    });
  }

  Seating seating_{store_, tables_, {.retry_after = Millis(500), .retry_max = Millis(1'200)}};
};

TEST_F(SeatingTest, AMatchBecomesATable) {
  const auto tickets = QueueFour();
  EXPECT_THAT(Drive(MatchFour()), IsOkAndHolds(Seated::kAssigned));
  for (int seat = 0; seat < 4; ++seat) {
    const Ticket ticket = Find(tickets[static_cast<std::size_t>(seat)]);
    ASSERT_TRUE(ticket.assignment);
    EXPECT_EQ(ticket.assignment->seat, seat);
    EXPECT_EQ(ticket.assignment->place.table, tables_.Seated().at(ticket.wish.player));
  }
}

TEST_F(SeatingTest, DrivingAMatchTwiceMakesOneTable) {
  QueueFour();
  const Match match = MatchFour();
  EXPECT_THAT(Drive(match), IsOkAndHolds(Seated::kAssigned));
  EXPECT_THAT(Drive(match), IsOkAndHolds(Seated::kAssigned));
  EXPECT_EQ(tables_.tables_made(), 1u);
}

TEST_F(SeatingTest, AfterACrashAnyReplicaGoesOn) {
  const auto tickets = QueueFour();
  // Killed before CreateTable …
  const Match match = MatchFour();
  // … and killed again between CreateTable and assigning.
  ASSERT_THAT(tables_.CreateTable(match, {}), IsOk());
  EXPECT_EQ(Find(tickets[0]).state, kMatched);
  clock_.Advance(kLease);
  EXPECT_THAT(Drive(Claim()), IsOkAndHolds(Seated::kAssigned));
  EXPECT_EQ(States(tickets), std::vector<TicketState>(4, kAssigned));
  EXPECT_EQ(tables_.tables_made(), 1u);
}

TEST_F(SeatingTest, ALostCallPutsTheFourBackAtOnceAndIsMadeAgainWhenDue) {
  const auto tickets = QueueFour();
  const Ticket before = Find(tickets[0]);
  Faults({Fault::kLostOnTheWay});
  EXPECT_THAT(Drive(MatchFour()), IsOkAndHolds(Seated::kAbandoned));
  EXPECT_EQ(Find(tickets[0]), before) << "queued, since its own time";
  EXPECT_THAT(store_.ClaimDueMatches(10, kLease), IsOkAndHolds(IsEmpty()));
  clock_.Advance(Millis(500));
  EXPECT_THAT(Drive(Claim()), IsOkAndHolds(Seated::kAssigned));
  EXPECT_EQ(States(tickets), std::vector<TicketState>(4, kAssigned));
}

TEST_F(SeatingTest, ALostAnswerLosesNoTable) {
  const auto tickets = QueueFour();
  Faults({Fault::kAnswerLost});
  EXPECT_THAT(Drive(MatchFour()), IsOkAndHolds(Seated::kAbandoned));
  EXPECT_EQ(tables_.tables_made(), 1u);
  EXPECT_THAT(MatchPools(store_, ids_, {}), IsOkAndHolds(IsEmpty())) << "they may have a table";
  clock_.Advance(Millis(500));
  EXPECT_THAT(Drive(Claim()), IsOkAndHolds(Seated::kAssigned));
  EXPECT_EQ(tables_.tables_made(), 1u);
  EXPECT_EQ(Find(tickets[0]).assignment->place.table, tables_.Seated().at(PlayerId("p0")));
}

TEST_F(SeatingTest, WhoCancelsMeanwhileIsSeatedNowhereAndTheOthersArePlayedWithAgain) {
  const auto tickets = QueueFour();
  Faults({Fault::kAnswerLost});
  EXPECT_THAT(Drive(MatchFour()), IsOkAndHolds(Seated::kAbandoned));
  EXPECT_THAT(store_.CancelTicket(tickets[1]), IsOk());
  clock_.Advance(Millis(500));
  EXPECT_THAT(Drive(Claim()), IsOkAndHolds(Seated::kReleased));
  EXPECT_THAT(tables_.Seated(), IsEmpty()) << "the table was left by all four";
  EXPECT_THAT(States(tickets), ElementsAre(kQueued, kCancelled, kQueued, kQueued));

  QueueFour("q");
  const Match next = MatchFour();
  EXPECT_EQ(next.members[0].player, PlayerId("p0")) << "with the longest waiting time";
  EXPECT_THAT(Drive(next), IsOkAndHolds(Seated::kAssigned));
}

TEST_F(SeatingTest, LeavingTheTableIsGoneOnWithUntilAllHaveLeft) {
  const auto tickets = QueueFour();
  Faults({Fault::kAnswerLost, Fault::kNone, Fault::kNone,
          Fault::kLostOnTheWay,  // the second leaves not
          Fault::kNone, Fault::kNone, Fault::kAnswerLost});
  EXPECT_THAT(Drive(MatchFour()), IsOkAndHolds(Seated::kAbandoned));
  EXPECT_THAT(store_.CancelTicket(tickets[1]), IsOk());
  clock_.Advance(Millis(500));
  EXPECT_THAT(Drive(Claim()), IsOkAndHolds(Seated::kAbandoned));
  clock_.Advance(Millis(1'000));
  EXPECT_THAT(Drive(Claim()), IsOkAndHolds(Seated::kAbandoned));
  clock_.Advance(Millis(1'200));
  EXPECT_THAT(Drive(Claim()), IsOkAndHolds(Seated::kReleased));
  EXPECT_THAT(tables_.Seated(), IsEmpty());
}

TEST_F(SeatingTest, RetriesComeFartherApartUpToALimit) {
  QueueFour();
  tables_.SetFaults([] { return Fault::kLostOnTheWay; });
  EXPECT_THAT(Drive(MatchFour()), IsOkAndHolds(Seated::kAbandoned));
  for (const Millis pause : {Millis(500), Millis(1'000), Millis(1'200), Millis(1'200)}) {
    clock_.Advance(pause - Millis(1));
    EXPECT_THAT(store_.ClaimDueMatches(10, kLease), IsOkAndHolds(IsEmpty())) << pause.count();
    clock_.Advance(Millis(1));
    EXPECT_THAT(Drive(Claim()), IsOkAndHolds(Seated::kAbandoned));
  }
}

TEST_F(SeatingTest, APlayerWhoSitsElsewhereFailsAloneAndTheOthersAreBack) {
  const auto tickets = QueueFour();
  tables_.Occupy(PlayerId("p2"));  // joined a table in the lobby
  EXPECT_THAT(Drive(MatchFour()), IsOkAndHolds(Seated::kReleased));
  EXPECT_THAT(States(tickets), ElementsAre(kQueued, kQueued, kFailed, kQueued));
  EXPECT_EQ(Find(tickets[2]).failure_reason, "PLAYER_BUSY");
}

TEST_F(SeatingTest, AMatchThatTheTableServiceRefusesFailsForAll) {
  const auto tickets = QueueFour();
  tables_.Refuse(base::Error(Reason::kOptionOutOfRange));
  EXPECT_THAT(Drive(MatchFour()), IsOkAndHolds(Seated::kReleased));
  EXPECT_EQ(States(tickets), std::vector<TicketState>(4, kFailed));
  EXPECT_EQ(Find(tickets[3]).failure_reason, "OPTION_OUT_OF_RANGE");
}

TEST_F(SeatingTest, AnotherReplicaMayHaveBeenFaster) {
  const auto tickets = QueueFour();
  const Match match = MatchFour();
  // This one is paused after its CreateTable. One of the four cancels, the other replica takes them
  // off the table, and three of them find another one.
  Faults({Fault::kAnswerLost});
  EXPECT_THAT(Drive(match), IsOkAndHolds(Seated::kAbandoned));
  EXPECT_THAT(store_.CancelTicket(tickets[3]), IsOk());
  clock_.Advance(Millis(500));
  EXPECT_THAT(Drive(Claim()), IsOkAndHolds(Seated::kReleased));
  QueueFour("q");
  EXPECT_THAT(Drive(MatchFour()), IsOkAndHolds(Seated::kAssigned));
  const auto seated = tables_.Seated();
  EXPECT_THAT(Drive(match), IsOkAndHolds(Seated::kReleased));
  EXPECT_EQ(tables_.Seated(), seated);
  EXPECT_THAT(States(tickets), ElementsAre(kAssigned, kAssigned, kAssigned, kCancelled));
}

TEST_F(SeatingTest, AStoreThatFailsLeavesTheMatchDue) {
  class Failing final : public StoreWrapper {
   public:
    using StoreWrapper::StoreWrapper;
    absl::StatusOr<std::vector<Assigned>> AssignMatches(std::span<const Standing>,
                                                        Millis) override {
      return base::Error(Reason::kUnavailable);
    }
  };
  Failing failing(store_);
  QueueFour();
  EXPECT_THAT(Seating(failing, tables_, {}).Drive(MatchFour(), clock_.Monotonic() + kLease),
              base::FailsWith(Reason::kUnavailable));
  clock_.Advance(kLease);
  EXPECT_THAT(Drive(Claim()), IsOkAndHolds(Seated::kAssigned));
}

TEST(ArgumentIsRefusedTest, OnlyWhatTheSameFourWouldMeetAgain) {
  for (const base::ReasonInfo& info : base::AllReasons()) {
    if (info.transient) {
      EXPECT_FALSE(ArgumentIsRefused(base::Error(info.reason))) << info.name;
    }
  }
  for (Reason reason : {Reason::kBadBase, Reason::kPlayerBusy, Reason::kRequestIdReused,
                        Reason::kAccountNotFound}) {
    EXPECT_TRUE(ArgumentIsRefused(base::Error(reason)));
  }
  EXPECT_FALSE(ArgumentIsRefused(base::Error(Reason::kInternal)));
  EXPECT_FALSE(ArgumentIsRefused(absl::InvalidArgumentError("a proxy's")));
  EXPECT_FALSE(ArgumentIsRefused(absl::NotFoundError("404")));
}

// --- a free seat ---

class RefillingTest : public SeatingTest {
 protected:
  // Four are seated and p1 leaves; a fifth is sent to the seat.
  RefillingTest() {
    QueueFour();
    const Match four = MatchFour();
    EXPECT_THAT(Drive(four), IsOkAndHolds(Seated::kAssigned));
    table_ = tables_.Seated().at(PlayerId("p0"));
    tables_.Leave(table_, PlayerId("p1"));
    EXPECT_THAT(store_.ApplySeats("", {tables_.ChangesAfter(0), "1"}), IsOk());
    clock_.Advance(Millis(6'000));
    Wish wish = ReadWishes(Asked("late")).value().front();
    wish.pool.base = 100;
    late_ = TicketId(ids_.Next());
    EXPECT_THAT(store_.TakeTickets({late_}, {wish}, Millis(60'000)), IsOk());
    const auto matches = RefillTables(store_, ids_, {}, 10);
    EXPECT_THAT(matches, IsOkAndHolds(SizeIs(1)));
    match_ = matches->front();
  }
  bool LateSits() const {
    const auto seated = tables_.Seated();
    const auto seat = seated.find(PlayerId("late"));
    return seat != seated.end() && seat->second == table_;
  }

  TableId table_;
  TicketId late_;
  Match match_;
};

TEST_F(RefillingTest, TheFifthTakesTheSeat) {
  EXPECT_THAT(Drive(match_), IsOkAndHolds(Seated::kAssigned));
  EXPECT_THAT(Drive(match_), IsOkAndHolds(Seated::kAssigned)) << "twice is once";
  EXPECT_TRUE(LateSits());
  const Ticket ticket = Find(late_);
  ASSERT_TRUE(ticket.assignment);
  EXPECT_EQ(ticket.assignment->place.table, table_);
  EXPECT_EQ(ticket.assignment->seat, 1);
  EXPECT_EQ(tables_.tables_made(), 1u);
}

TEST_F(RefillingTest, ASeatThatHasGoneSendsTheTicketBackWithItsTime) {
  const Ticket before = Find(late_);
  tables_.Close(table_);
  EXPECT_THAT(Drive(match_), IsOkAndHolds(Seated::kReleased));
  Ticket after = Find(late_);
  EXPECT_EQ(after.state, kQueued);
  EXPECT_EQ(after.queued_at, before.queued_at);
  EXPECT_THAT(RefillTables(store_, ids_, {}, 10), IsOkAndHolds(IsEmpty()));
}

TEST_F(RefillingTest, WhoTheTableDoesNotTakeFails) {
  tables_.Refuse(base::Error(Reason::kBelowMinimum));
  EXPECT_THAT(Drive(match_), IsOkAndHolds(Seated::kReleased));
  EXPECT_EQ(Find(late_).state, kFailed);
  EXPECT_EQ(Find(late_).failure_reason, "BELOW_MINIMUM");
}

TEST_F(RefillingTest, ATableOnItsWayToAnotherProcessIsAskedAgain) {
  tables_.Refuse(base::Error(Reason::kTableMoved));
  EXPECT_THAT(Drive(match_), IsOkAndHolds(Seated::kAbandoned));
  EXPECT_EQ(Find(late_).state, kQueued);
  tables_.Refuse(absl::OkStatus());
  clock_.Advance(Millis(500));
  EXPECT_THAT(Drive(Claim()), IsOkAndHolds(Seated::kAssigned));
  EXPECT_TRUE(LateSits());
}

TEST_F(RefillingTest, AnAnswerThatIsLostIsAskedForAgain) {
  Faults({Fault::kAnswerLost});
  EXPECT_THAT(Drive(match_), IsOkAndHolds(Seated::kAbandoned));
  EXPECT_TRUE(LateSits());
  EXPECT_THAT(RefillTables(store_, ids_, {}, 10), IsOkAndHolds(IsEmpty())) << "the place is held";
  clock_.Advance(Millis(500));
  EXPECT_THAT(Drive(Claim()), IsOkAndHolds(Seated::kAssigned));
  EXPECT_EQ(Find(late_).assignment->place.table, table_);
}

TEST_F(RefillingTest, WhoCancelledMeanwhileGetsUpAgain) {
  Faults({Fault::kAnswerLost});
  EXPECT_THAT(Drive(match_), IsOkAndHolds(Seated::kAbandoned));
  EXPECT_THAT(store_.CancelTicket(late_), IsOk());
  clock_.Advance(Millis(500));
  EXPECT_THAT(Drive(Claim()), IsOkAndHolds(Seated::kReleased));
  EXPECT_FALSE(LateSits());
  EXPECT_EQ(Find(late_).state, kCancelled);
}

}  // namespace
}  // namespace mj::matchmaking
