// What holds up the table itself is nobody's overrun and nobody's escape (D-COM-10).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <variant>
#include <vector>

#include "libs/base/status_testing.h"
#include "services/table/app/world_testing.h"

namespace mj::table {
namespace {

using base::IsOk;
using std::chrono::milliseconds;
using std::chrono::seconds;

class OutageTest : public ::testing::Test {
 protected:
  OutageTest() : table_(world_.MakeTable()), company_(world_, table_) { company_.ReadyAll(); }

  template <typename E>
  std::ptrdiff_t Count() const {
    const auto all = world_.memory.All(table_);
    return std::count_if(all.begin(), all.end(), [](const LogEntry& entry) {
      return std::holds_alternative<E>(entry.event);
    });
  }
  int Overruns() const {
    int overruns = 0;
    for (const LogEntry& entry : world_.memory.All(table_)) {
      const auto* played = std::get_if<RoundPlayed>(&entry.event);
      if (played == nullptr) continue;
      const auto* answered = std::get_if<round::Answered>(&played->event);
      if (answered != nullptr && answered->by == round::AnswerBy::kOverrun) ++overruns;
    }
    return overruns;
  }

  World world_;
  TableId table_;
  Company company_;
};

TEST_F(OutageTest, FourMinutesWithoutPostgresAreNobodysFault) {
  for (int i = 0; i < 4; ++i) company_.Step();
  world_.log.FailWrites(1'000'000, FaultyEventLog::When::kBeforeWriting);
  TestPlayer& actor = *company_.asked();
  const auto wish = actor.wish();
  std::optional<absl::StatusOr<StreamSeq>> answer;
  world_.tables->Act(table_, actor.id(), wish->decision, wish->choice,
                     [&answer](absl::StatusOr<StreamSeq> a) { answer = std::move(a); });
  world_.Run();
  company_.Hang(Seat::k0);  // as connections do when a machine room has trouble
  company_.Hang(Seat::k2);
  world_.Advance(seconds(240));
  EXPECT_FALSE(answer) << "nobody is told what is not durable";
  world_.log.FailWrites(0, FaultyEventLog::When::kBeforeWriting);
  world_.Advance(seconds(3));
  ASSERT_TRUE(answer);
  EXPECT_THAT(*answer, IsOk());
  EXPECT_EQ(Overruns(), 0);
  EXPECT_EQ(Count<SeatLeaving>(), 0);
  EXPECT_EQ(Count<ClocksRestarted>(), 1);
  // The three minutes begin anew; whoever is asked has its full time.
  world_.Advance(seconds(15));
  EXPECT_EQ(Overruns(), 0);
  company_.Resubscribe();
  company_.PlayOn();
  EXPECT_EQ(world_.wallet.rounds(), 1U);
  EXPECT_EQ(Count<RoundVoided>(), 0);
}

// What was decided before it is dated before it; the seconds between are not the next player's.
TEST_F(OutageTest, AfterAShortOutageWhoeverIsAskedHasItsFullTime) {
  for (int i = 0; i < 4; ++i) company_.Step();
  world_.log.FailWrites(1'000'000, FaultyEventLog::When::kBeforeWriting);
  TestPlayer& actor = *company_.asked();
  const auto wish = actor.wish();
  bool answered = false;
  world_.tables->Act(table_, actor.id(), wish->decision, wish->choice,
                     [&answered](const absl::StatusOr<StreamSeq>& a) { answered = a.ok(); });
  world_.Advance(seconds(5));
  world_.log.FailWrites(0, FaultyEventLog::When::kBeforeWriting);
  world_.Advance(seconds(3));
  ASSERT_TRUE(answered);
  EXPECT_EQ(Count<ClocksRestarted>(), 1);
  world_.Advance(milliseconds(16'900));
  EXPECT_EQ(Overruns(), 0);
  world_.Advance(milliseconds(3'200));
  EXPECT_EQ(Overruns(), 1);
}

TEST_F(OutageTest, AProcessThatStoodStillCountsNothing) {
  world_.clock.Advance(seconds(40));  // and nothing runs meanwhile
  world_.Run();
  EXPECT_EQ(Overruns(), 0);
  EXPECT_EQ(Count<ClocksRestarted>(), 1);
  world_.Advance(milliseconds(19'900));
  EXPECT_EQ(Overruns(), 0);
  world_.Advance(milliseconds(200));
  EXPECT_EQ(Overruns(), 1);
}

// Every write takes longer than a stall: the table is slow, and goes on.
TEST_F(OutageTest, AJournalThatIsSlowForeverDoesNotStopTheTable) {
  world_.log.OnWrite(
      [this](std::span<const Append>) { world_.clock.Advance(milliseconds(1'100)); });
  const auto before = world_.memory.All(table_).size();
  for (int i = 0; i < 6; ++i) ASSERT_TRUE(company_.Step());
  EXPECT_GT(world_.memory.All(table_).size(), before + 6);
  EXPECT_LE(Count<ClocksRestarted>(), 8) << "one for each slow step, not one after another";
}

// Nobody calls: the round itself needs its table.
TEST_F(OutageTest, ATableThatIsLostInARoundIsLoadedAgainByItself) {
  const auto next = static_cast<std::int64_t>(world_.memory.All(table_).size()) + 1;
  const Append other{
      table_, world_.memory.EpochOf(table_), {{next, world_.clock.Now(), ClocksRestarted{}}}};
  ASSERT_EQ(world_.memory.Write(std::vector<Append>{other})->at(0), Appended::kWritten);
  world_.Advance(seconds(21));
  EXPECT_EQ(world_.monitor.counts().lost, 1);
  world_.log.FailReads(2, absl::UnavailableError("away"));
  world_.Advance(seconds(5));
  EXPECT_EQ(world_.tables->held(), 1U);
  EXPECT_EQ(Overruns(), 0) << "whoever was asked has its full time again";
  world_.Advance(seconds(21));
  EXPECT_EQ(Overruns(), 1);
}

TEST_F(OutageTest, AVoidRoundIsClosedOnceWhateverTheWalletDoes) {
  world_.wallet.FailWith({absl::UnavailableError("away"), absl::UnavailableError("away")},
                         /*posted=*/true);
  ASSERT_THAT(world_.Leave(table_, "p1"), IsOk());
  world_.Restart();
  ASSERT_THAT(world_.Get(table_), IsOk());
  world_.Advance(seconds(30));
  EXPECT_EQ(world_.wallet.open_rounds(), 0U);
  EXPECT_EQ(world_.wallet.balance(PlayerId("p1")), FakeWallet::kOpening - 6'400) << "fined once";
  EXPECT_EQ(Count<RoundVoided>(), 1);
  EXPECT_EQ(Count<SeatLeft>(), 1);
}

}  // namespace
}  // namespace mj::table
