#include "services/table/app/presence.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <utility>

#include "libs/base/status_testing.h"
#include "services/table/app/bench_testing.h"
#include "services/table/app/world_testing.h"

namespace mj::table {
namespace {

using base::IsOk;
using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// --------------------------------------------------------------------------------- who is away

class PresenceTest : public ::testing::Test {
 protected:
  static WallTime At(int time) { return WallTime(seconds(time)); }
  TableSettings settings_;
  Presence presence_{settings_};
};

TEST_F(PresenceTest, AStreamIsAConnectionAndTheLastOfThemCounts) {
  presence_.Restart(At(10));
  EXPECT_EQ(presence_.away()[Seat::k1], At(10)) << "nobody is known to a process that begins";
  presence_.Connect(Seat::k1, At(20));
  presence_.Connect(Seat::k1, At(21));
  EXPECT_EQ(presence_.away()[Seat::k1], std::nullopt);
  presence_.Disconnect(Seat::k1, At(30));
  EXPECT_EQ(presence_.away()[Seat::k1], std::nullopt);
  presence_.Disconnect(Seat::k1, At(40));
  EXPECT_EQ(presence_.away()[Seat::k1], At(40));
  presence_.Disconnect(Seat::k1, At(50));
  EXPECT_EQ(presence_.away()[Seat::k1], At(40)) << "of whoever sat there before";
}

TEST_F(PresenceTest, ACallIsAConnectionForTheMoment) {
  presence_.Restart(At(0));
  presence_.Call(Seat::k2, At(20));
  EXPECT_EQ(presence_.away()[Seat::k2], At(20));
  presence_.Connect(Seat::k2, At(30));
  presence_.Call(Seat::k2, At(40));
  EXPECT_EQ(presence_.away()[Seat::k2], std::nullopt);
}

TEST_F(PresenceTest, WhoTakesASeatBringsNothingOfItsPredecessor) {
  presence_.Connect(Seat::k0, At(0));
  presence_.TakeSeat(Seat::k0, At(5));
  EXPECT_EQ(presence_.away()[Seat::k0], At(5));
}

TEST_F(PresenceTest, ATableThatWasHeldUpForgives) {
  presence_.Restart(At(0));
  presence_.Connect(Seat::k3, At(1));
  presence_.Forgive(At(100));
  EXPECT_EQ(presence_.away()[Seat::k0], At(100));
  EXPECT_EQ(presence_.away()[Seat::k3], std::nullopt) << "and makes nobody absent";
}

// D-COM-10: what takes all four at once was none of their doing.
TEST_F(PresenceTest, TheFirstWhoIsBackAfterAllWereAwayBeginsEverybodysTimeAnew) {
  presence_.Restart(At(0));
  EXPECT_FALSE(AllAbsent(presence_.away(), settings_, At(29)));
  EXPECT_TRUE(AllAbsent(presence_.away(), settings_, At(30)));
  presence_.Call(Seat::k0, At(29));
  EXPECT_EQ(presence_.away()[Seat::k1], At(0)) << "not all of them were absent yet";
  presence_.Connect(Seat::k0, At(59));
  EXPECT_EQ(presence_.away()[Seat::k1], At(59));
  EXPECT_EQ(presence_.away()[Seat::k0], std::nullopt);
}

// ------------------------------------------------------------------------- what comes of it, pure

class AbsenceTest : public ::testing::Test {
 protected:
  AbsenceTest() { bench_.Begin(); }
  static WallTime At(int ms) { return WallTime(milliseconds(ms)); }
  Absences Away(std::optional<int> a, std::optional<int> b, std::optional<int> c,
                std::optional<int> d) {
    Absences away;
    const std::optional<int> all[] = {a, b, c, d};
    for (Seat seat : rules::kSeats) {
      if (const auto since = all[rules::IndexOf(seat)]) away[seat] = At(*since);
    }
    return away;
  }
  Bench bench_;
};

TEST_F(AbsenceTest, ThreeMinutesAreAnEscapeAndLessIsNone) {
  const Absences away = Away({}, 5'000, {}, 9'000);
  EXPECT_EQ(NextAbsence(bench_.state, away), At(185'000));
  EXPECT_THAT(DecideAbsence(bench_.state, away, At(184'999)), IsEmpty());
  bench_.Apply(DecideAbsence(bench_.state, away, At(185'000)));
  ASSERT_TRUE(bench_.state.to_void());
  EXPECT_EQ(bench_.state.to_void()->escaped, Seat::k1);
  EXPECT_EQ(VoidingOf(bench_.state).reason, VoidReason::kConnectionLost);
  EXPECT_THAT(bench_.All<SeatLeaving>(),
              ElementsAre(SeatLeaving{Seat::k1, PlayerId("p1"), LeaveReason::kConnectionLost}));
}

TEST_F(AbsenceTest, WhereAllFourAreAbsentNobodyEscapes) {
  const Absences away = Away(0, 100, 149'000, 150'000);
  EXPECT_EQ(NextAbsence(bench_.state, away), At(750'000)) << "ten minutes after the last";
  EXPECT_THAT(DecideAbsence(bench_.state, away, At(749'999)), IsEmpty());
  bench_.Apply(DecideAbsence(bench_.state, away, At(750'000)));
  ASSERT_TRUE(bench_.state.to_void());
  EXPECT_EQ(VoidingOf(bench_.state).reason, VoidReason::kAllAbsent);
  EXPECT_EQ(VoidingOf(bench_.state).escaped, std::nullopt);
  EXPECT_THAT(bench_.All<SeatLeaving>(), IsEmpty());
}

// Who was there half a minute before was there; an alarm that rings late changes nothing.
TEST_F(AbsenceTest, WhetherAllWereAbsentIsSeenAtTheMomentItself) {
  const Absences away = Away(0, 0, 0, 150'001);
  EXPECT_EQ(NextAbsence(bench_.state, away), At(180'000));
  bench_.Apply(DecideAbsence(bench_.state, away, At(180'900)));
  EXPECT_EQ(VoidingOf(bench_.state).reason, VoidReason::kConnectionLost);
  EXPECT_EQ(VoidingOf(bench_.state).escaped, Seat::k0);
}

TEST_F(AbsenceTest, CountsOnlyWhileARoundIsPlayed) {
  const Absences away = Away(0, {}, {}, {});
  bench_.PlayToEnd();
  EXPECT_FALSE(NextAbsence(bench_.state, away));
  bench_.Score();
  bench_.Post();
  EXPECT_FALSE(NextAbsence(bench_.state, away));
  EXPECT_THAT(DecideAbsence(bench_.state, away, At(900'000)), IsEmpty());
}

// --------------------------------------------------------------------------- at a whole table

// Streams that end, cleanly or not, and come back or do not.
class LostConnectionTest : public ::testing::Test {
 protected:
  LostConnectionTest() {
    SettingValues slow{{"act_ms", 120'000}, {"overruns", 10}};
    table_ = world_.Create("match", World::Spec(), slow)->id;
    company_.emplace(world_, table_);
    company_->ReadyAll();
  }
  // Somebody who has nothing to answer.
  int Idle() { return rules::IndexOf(company_->idle()->seat()); }
  void Lose(int seat) { company_->Hang(static_cast<Seat>(seat)); }
  TableStage Stage() { return world_.Get(table_)->stage; }

  World world_;
  TableId table_;
  std::optional<Company> company_;
};

TEST_F(LostConnectionTest, BackAfterTwoMinutesFiftyNineItGoesOn) {
  const int lost = Idle();
  Lose(lost);
  world_.Advance(seconds(179));
  ASSERT_EQ(Stage(), TableStage::kPlaying);
  company_->Resubscribe();
  world_.Advance(seconds(120));
  EXPECT_EQ(Stage(), TableStage::kPlaying);
  company_->PlayOn();
  EXPECT_EQ(world_.wallet.rounds(), 1U);
}

TEST_F(LostConnectionTest, AfterThreeMinutesAndASecondItHasEscaped) {
  const int lost = Idle();
  Lose(lost);
  world_.Advance(seconds(179));
  EXPECT_EQ(Stage(), TableStage::kPlaying);
  world_.Advance(seconds(2));
  company_->Listen();
  EXPECT_EQ(Stage(), TableStage::kWaiting);
  EXPECT_EQ(world_.wallet.open_rounds(), 0U);
  const PlayerId player("p" + std::to_string(lost));
  EXPECT_EQ(world_.wallet.balance(player), FakeWallet::kOpening - 64 * 100);
  for (TestPlayer& other : company_->players()) {
    if (other.id() == player) continue;
    EXPECT_EQ(world_.wallet.balance(other.id()), FakeWallet::kOpening + 64 * 100 / 3);
    const RoundDropped* dropped = nullptr;
    const PlayerLeft* left = nullptr;
    for (const Shown& shown : other.seen()) {
      if (const auto* event = std::get_if<RoundDropped>(shown.event.get())) dropped = event;
      if (const auto* event = std::get_if<PlayerLeft>(shown.event.get())) left = event;
    }
    ASSERT_NE(dropped, nullptr);
    EXPECT_EQ(dropped->reason, VoidReason::kConnectionLost);
    EXPECT_EQ(dropped->escaped, static_cast<Seat>(lost));
    ASSERT_TRUE(dropped->penalty);
    EXPECT_EQ(dropped->penalty->seats[static_cast<Seat>(lost)].net, -64 * 100);
    ASSERT_NE(left, nullptr);
    EXPECT_EQ(left->reason, LeaveReason::kConnectionLost);
  }
}

// A call is a sign of life, whichever: here one that is refused.
TEST_F(LostConnectionTest, ACallIsASignOfLife) {
  const int lost = Idle();
  const std::string player = "p" + std::to_string(lost);
  Lose(lost);
  world_.Advance(seconds(100));
  (void)world_.Act(table_, player, 7, round::Choice::Pass());
  world_.Advance(seconds(179));
  EXPECT_EQ(Stage(), TableStage::kPlaying);
  ASSERT_THAT(world_.Join(table_, player), IsOk());
  world_.Advance(seconds(179));
  EXPECT_EQ(Stage(), TableStage::kPlaying);
  world_.Advance(seconds(2));
  EXPECT_EQ(Stage(), TableStage::kWaiting);
}

TEST_F(LostConnectionTest, BackInTimeItGetsWhatItMissedOnce) {
  TestPlayer& player = *company_->idle();
  const StreamSeq before = player.last();
  company_->Hang(player.seat());
  for (int i = 0; i < 3; ++i) company_->StepWithout(player.seat());
  world_.Advance(seconds(100));
  company_->Resubscribe();
  EXPECT_GT(player.last(), before);
  EXPECT_EQ(player.last(), player.seen().size()) << "numbered from 1 without gaps";
}

TEST_F(LostConnectionTest, AllFourAtOnceLoseNothingAndTheRoundEndsAfterTenMinutes) {
  for (int seat = 0; seat < 4; ++seat) Lose(seat);
  world_.Advance(seconds(599));
  EXPECT_EQ(Stage(), TableStage::kPlaying);
  world_.Advance(seconds(2));
  EXPECT_EQ(Stage(), TableStage::kWaiting);
  EXPECT_EQ(world_.wallet.open_rounds(), 0U);
  for (TestPlayer& player : company_->players()) {
    EXPECT_EQ(world_.wallet.balance(player.id()), FakeWallet::kOpening);
  }
}

TEST_F(LostConnectionTest, TheFirstWhoIsBackStartsTheOthersTimeAnew) {
  for (int seat = 0; seat < 4; ++seat) Lose(seat);
  world_.Advance(seconds(500));
  company_->Resume(Seat::k2);
  world_.Advance(seconds(179));
  EXPECT_EQ(Stage(), TableStage::kPlaying);
  world_.Advance(seconds(2));
  EXPECT_EQ(Stage(), TableStage::kWaiting) << "two of three are away for three minutes";
}

// The process that takes over knows nobody's absence.
TEST_F(LostConnectionTest, ANewProcessCountsFromItsBeginning) {
  const int lost = Idle();
  Lose(lost);
  world_.Advance(seconds(150));
  world_.Restart();
  for (Seat seat : rules::kSeats) {
    if (rules::IndexOf(seat) != lost) company_->Resume(seat);
  }
  world_.Advance(seconds(179));
  EXPECT_EQ(Stage(), TableStage::kPlaying);
  world_.Advance(seconds(2));
  EXPECT_EQ(Stage(), TableStage::kWaiting);
}

}  // namespace
}  // namespace mj::table
