// Tables that go from process to process: deaths, pauses, and ends in good order.
#include "services/table/app/keeper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "libs/audit/digest.h"
#include "libs/base/moved.h"
#include "libs/base/status_testing.h"
#include "libs/variants/registry.h"
#include "services/table/app/world_testing.h"
#include "tests/support/counts.h"

namespace mj::table {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

// A process is missed when its lease is over, at the next beat.
constexpr KeeperOptions kDefaults;
constexpr milliseconds kMissed = kDefaults.lease + kDefaults.beat;
static_assert(kMissed < seconds(5));

template <typename Stream>
absl::Status EndOf(const Stream& stream) {
  while (true) {
    const auto taken = stream->Take(100);
    if (taken.end) return *taken.end;
    if (taken.events.empty()) return absl::OkStatus();
  }
}

// One process keeps its tables; another stands by.
class KeeperTest : public ::testing::Test {
 protected:
  KeeperTest() { world_.Keep(); }

  // The four go to where the table is now, after what they have seen.
  void GoTo(std::size_t process) {
    world_.Use(process);
    company_.Resubscribe();
  }

  World world_;
  TableId table_ = world_.MakeTable();
  Company company_{world_, table_};
};

TEST_F(KeeperTest, ATableOfADeadProcessGoesOnElsewhere) {
  world_.AddProcess();
  company_.ReadyAll();
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(company_.Step());
  world_.Kill(0);
  world_.Advance(kMissed);
  EXPECT_EQ(world_.process(1).tables->held(), 1U) << "before anybody has asked for it";
  EXPECT_EQ(world_.monitor.counts().taken, 1U);
  GoTo(1);
  company_.PlayOn();
  EXPECT_EQ(world_.wallet.rounds(), 1U);
  EXPECT_EQ(world_.Get(table_)->address, "");
}

TEST_F(KeeperTest, NobodyTakesATableFromALivingProcess) {
  world_.AddProcess();
  world_.Advance(seconds(10));
  EXPECT_EQ(world_.process(1).tables->held(), 0U);
  EXPECT_EQ(world_.monitor.counts().lease_lapsed, 0);
  world_.Use(1);
  for (const absl::Status& status :
       {world_.Ready(table_, "p0").status(), world_.Subscribe(table_, "p0").status(),
        world_.Watch(table_, "x", Seat::k0).status(), world_.Join(table_, "x").status(),
        world_.Leave(table_, "p0").status(), world_.TakeOver(table_, "p0").status(),
        world_.ShowHand(table_, "p0", true).status(),
        world_.Act(table_, "p0", 1, round::Choice::Pass()).status()}) {
    EXPECT_EQ(base::MovedTo(status), world_.process(0).self.address);
  }
}

TEST_F(KeeperTest, EveryProcessTellsHowATableStandsAndWhoHoldsIt) {
  world_.AddProcess();
  company_.ReadyAll();
  const auto here = world_.Get(table_);
  world_.Use(1);
  const auto there = world_.Get(table_);
  ASSERT_THAT(there, IsOk());
  EXPECT_EQ(there->address, world_.process(0).self.address);
  TableInfo same = *there;
  same.address.clear();
  EXPECT_EQ(same, *here);
  // The request that made it is answered everywhere, too.
  const auto again = world_.Create("match", World::Spec());
  ASSERT_THAT(again, IsOk());
  EXPECT_EQ(*again, *there);
  TableSpec other = World::Spec();
  other.base = 1'000;
  EXPECT_THAT(world_.Create("match", other), FailsWith(Reason::kRequestIdReused));
  EXPECT_THAT(world_.Get(TableId("nothing")), FailsWith(Reason::kTableNotFound));
}

TEST_F(KeeperTest, ASeatsTokenGoesWithItsTable) {
  world_.AddProcess();
  TableSpec spec = World::Spec();
  for (const Seat seat : rules::kSeats) {
    spec.players[seat] = PlayerId("t" + std::to_string(rules::IndexOf(seat)));
    spec.token_hashes[seat] = audit::Sha256("of " + spec.players[seat].value());
  }
  spec.media_room = "room-7";
  const auto made = world_.Create("with tokens", spec);
  ASSERT_THAT(made, IsOk());
  EXPECT_EQ(made->media_room, "room-7");
  const auto check = [&] {
    EXPECT_THAT(world_.Subscribe(made->id, "t1", 0, "of t1"), IsOk());
    EXPECT_THAT(world_.Subscribe(made->id, "t1", 0), FailsWith(Reason::kBadJoinToken));
    EXPECT_THAT(world_.Subscribe(made->id, "t1", 0, "of t2"), FailsWith(Reason::kBadJoinToken));
  };
  check();
  EXPECT_THAT(world_.Create("with tokens", spec), IsOk());
  TableSpec other = spec;
  other.token_hashes[Seat::k3].reset();
  EXPECT_THAT(world_.Create("with tokens", other), FailsWith(Reason::kRequestIdReused));

  // A process that does not hold it knows by the journal who may be told what.
  world_.Use(1);
  const auto told = world_.GetFor(made->id, "t1", "of t1");
  ASSERT_THAT(told, IsOk());
  EXPECT_EQ(told->info.address, world_.process(0).self.address);
  EXPECT_EQ(told->info.media_room, "room-7");
  EXPECT_TRUE(told->deadline) << "whether it plays on";
  EXPECT_THAT(world_.GetFor(made->id, "t1", "of t2"), FailsWith(Reason::kBadJoinToken));
  EXPECT_THAT(world_.GetFor(made->id, "p0", ""), FailsWith(Reason::kNotSeated));
  world_.Use(0);
  EXPECT_EQ(world_.GetFor(made->id, "t1", "of t1")->deadline, told->deadline);

  world_.Kill(0);
  world_.Advance(kMissed);
  world_.Use(1);
  check();
  EXPECT_TRUE(world_.Leave(made->id, "t1").ok());
  ASSERT_THAT(world_.Join(made->id, "new", Seat::k1, "of new"), IsOk());
  EXPECT_THAT(world_.Subscribe(made->id, "new", 0, "of t1"), FailsWith(Reason::kBadJoinToken));
  EXPECT_THAT(world_.Subscribe(made->id, "new", 0, "of new"), IsOk());
}

// As by SIGSTOP: what it was about to do it does when it goes on, and nothing comes of it.
TEST_F(KeeperTest, APausedOwnerThatWakesUpWritesNothing) {
  world_.AddProcess();
  company_.ReadyAll();
  for (int i = 0; i < 6; ++i) ASSERT_TRUE(company_.Step());
  const auto stream = world_.Subscribe(table_, "p0", company_.player(Seat::k0).last());
  ASSERT_THAT(stream, IsOk());
  const auto watching = world_.Watch(table_, "x", Seat::k0);
  ASSERT_THAT(watching, IsOk());
  TestPlayer& asked = *company_.asked();
  world_.process(0).stopped = true;
  std::optional<absl::StatusOr<StreamSeq>> late;
  world_.process(0).tables->Act(table_, asked.id(), asked.wish()->decision, asked.wish()->choice,
                                [&late](absl::StatusOr<StreamSeq> answer) { late = answer; });
  world_.Advance(kMissed);
  GoTo(1);
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(company_.Step());
  const std::vector<LogEntry> before = world_.memory.All(table_);

  world_.process(0).stopped = false;
  world_.Advance(kDefaults.beat);
  ASSERT_TRUE(late);
  EXPECT_THAT(*late, FailsWith(Reason::kTableMoved));
  EXPECT_THAT(EndOf(*stream), FailsWith(Reason::kTableMoved));
  (*watching)->OnReady([] {});
  EXPECT_THAT(EndOf(*watching), FailsWith(Reason::kTableMoved));
  EXPECT_EQ(world_.process(0).tables->held(), 0U);
  EXPECT_EQ(world_.monitor.counts().lease_lapsed, 1);
  EXPECT_EQ(world_.memory.All(table_), before);
  company_.PlayOn();
  EXPECT_EQ(world_.wallet.rounds(), 1U);
}

TEST_F(KeeperTest, APausedOwnerThatDoesNothingFindsOutByItself) {
  world_.AddProcess();
  const auto stream = world_.Subscribe(table_, "p0");
  ASSERT_THAT(stream, IsOk());
  world_.process(0).stopped = true;
  world_.Advance(kMissed);
  EXPECT_EQ(world_.process(1).tables->held(), 1U);
  world_.process(0).stopped = false;
  world_.Advance(kDefaults.beat);
  EXPECT_EQ(world_.process(0).tables->held(), 0U);
  EXPECT_THAT(EndOf(*stream), FailsWith(Reason::kTableMoved));
}

TEST_F(KeeperTest, APauseThatNobodyUsedChangesNothing) {
  company_.ReadyAll();
  const auto stream = world_.Subscribe(table_, "p0");
  ASSERT_THAT(stream, IsOk());
  world_.process(0).stopped = true;
  world_.Advance(kMissed);
  world_.process(0).stopped = false;
  world_.Advance(kDefaults.beat);
  EXPECT_EQ(world_.monitor.counts().lease_lapsed, 1);
  EXPECT_EQ(world_.process(0).tables->held(), 1U);
  EXPECT_THAT(EndOf(*stream), IsOk());
  company_.PlayOn();
  EXPECT_EQ(world_.wallet.rounds(), 1U);
}

TEST_F(KeeperTest, ALeaseThatCannotBeKeptIsTriedAgain) {
  world_.AddProcess();
  world_.leases.Fail(5);
  world_.Advance(kDefaults.beat * 2);
  EXPECT_EQ(world_.monitor.counts().lease_failed, 5);
  world_.Advance(seconds(10));
  EXPECT_EQ(world_.monitor.counts().lease_failed, 5);
  EXPECT_EQ(world_.monitor.counts().lease_lapsed, 0);
  EXPECT_EQ(world_.process(0).tables->held(), 1U);
}

// The store was away for all of them: whoever is back first takes nothing from the others.
TEST_F(KeeperTest, LeasesThatAllRanOutAreAllProlonged) {
  world_.AddProcess();
  world_.Use(1);
  TableSpec spec = World::EmptySpec("chaozhou");
  spec.base = 100;
  ASSERT_THAT(world_.Create("second", spec), IsOk());
  world_.leases.Fail(1'000'000);
  world_.Advance(kDefaults.lease * 2);
  world_.leases.Fail(0);
  world_.Advance(kDefaults.lease * 2);
  EXPECT_EQ(world_.monitor.counts().lease_lapsed, 2);
  EXPECT_EQ(world_.monitor.counts().taken, 0U);
  EXPECT_EQ(world_.process(0).tables->held(), 1U);
  EXPECT_EQ(world_.process(1).tables->held(), 1U);
}

// D-COM-10: only a player's own absence counts.
TEST_F(KeeperTest, FourMinutesWithoutAnOwnerAreNobodysFault) {
  company_.ReadyAll();
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(company_.Step());
  const Seat asked = company_.asked()->seat();
  world_.Kill(0);
  world_.Advance(minutes(4));
  world_.AddProcess();
  GoTo(1);
  const auto fold = Replay(world_.log, table_);
  ASSERT_THAT(fold, IsOk());
  EXPECT_EQ(fold->state.stage(), TableStage::kPlaying);
  for (Seat seat : rules::kSeats) {
    EXPECT_EQ(fold->state.round->overruns[seat], 0);
    EXPECT_FALSE(fold->state.seats[seat].auto_play);
  }
  EXPECT_EQ(AnswerDue(fold->state, asked),
            world_.clock.Now() + milliseconds(fold->state.spec.settings.act_ms));
  company_.PlayOn();
  EXPECT_EQ(world_.wallet.rounds(), 1U);
}

// -------------------------------------------------------------------------------- in good order

TEST_F(KeeperTest, AProcessThatEndsGivesItsTablesAway) {
  world_.AddProcess();
  company_.ReadyAll();
  for (int i = 0; i < 6; ++i) ASSERT_TRUE(company_.Step());
  const auto stream = world_.Subscribe(table_, "p0", company_.player(Seat::k0).last());
  ASSERT_THAT(stream, IsOk());
  bool done = false;
  world_.process(0).keeper->GiveAll([&done] { done = true; });
  world_.Run();
  EXPECT_TRUE(done);
  EXPECT_EQ(base::MovedTo(EndOf(*stream)), world_.process(1).self.address);
  EXPECT_EQ(world_.process(0).tables->held(), 0U);
  EXPECT_THAT(world_.Ready(table_, "p0"), FailsWith(Reason::kShuttingDown));
  GoTo(1);
  company_.PlayOn();
  EXPECT_EQ(world_.wallet.rounds(), 1U);
  EXPECT_EQ(world_.monitor.counts().given, 1U);
}

TEST_F(KeeperTest, WhatIsUnderWayIsFinishedBeforeATableIsGiven) {
  world_.AddProcess();
  company_.ReadyAll();
  TestPlayer& asked = *company_.asked();
  const TestPlayer::Wish wish = *asked.wish();
  std::optional<absl::StatusOr<StreamSeq>> act;
  world_.tables->Act(table_, asked.id(), wish.decision, wish.choice,
                     [&act](absl::StatusOr<StreamSeq> answer) { act = answer; });
  world_.process().runner.RunAll();  // it is decided, and not journalled yet
  world_.process().keeper->GiveAll([] {});
  // Whoever comes now waits, and is sent on.
  std::optional<absl::StatusOr<StreamSeq>> next;
  world_.tables->Ready(table_, PlayerId("p0"), 2, std::nullopt,
                       [&next](absl::StatusOr<StreamSeq> answer) { next = answer; });
  world_.process().runner.RunAll();
  EXPECT_FALSE(act);
  EXPECT_FALSE(next);
  world_.Run();
  ASSERT_TRUE(act && next);
  EXPECT_THAT(*act, IsOk());
  EXPECT_EQ(base::MovedTo(next->status()), world_.process(1).self.address);
  GoTo(1);
  EXPECT_THAT(world_.Act(table_, asked.id().value(), wish.decision, wish.choice), IsOk())
      << "the same answer again";
  company_.PlayOn();
  EXPECT_EQ(world_.wallet.rounds(), 1U);
}

TEST_F(KeeperTest, TheLastProcessStopsItsTables) {
  const auto stream = world_.Subscribe(table_, "p0");
  ASSERT_THAT(stream, IsOk());
  bool done = false;
  world_.process().keeper->GiveAll([&done] { done = true; });
  world_.Run();
  EXPECT_TRUE(done);
  EXPECT_THAT(EndOf(*stream), FailsWith(Reason::kShuttingDown));
  // Its lease has ended: nobody waits for it.
  world_.AddProcess();
  EXPECT_EQ(world_.process(1).tables->held(), 1U);
}

TEST_F(KeeperTest, AJournalThatIsAwayDoesNotHoldUpTheEnd) {
  world_.AddProcess();
  company_.ReadyAll();
  world_.log.FailWrites(1'000'000, FaultyEventLog::When::kBeforeWriting);
  TestPlayer& asked = *company_.asked();
  world_.tables->Act(table_, asked.id(), asked.wish()->decision, asked.wish()->choice,
                     [](const absl::StatusOr<StreamSeq>&) {});
  world_.Run();
  bool done = false;
  world_.process().keeper->GiveAll([&done] { done = true; });
  world_.Advance(kDefaults.give_time - milliseconds(50));
  EXPECT_FALSE(done);
  world_.Advance(milliseconds(100));
  EXPECT_TRUE(done);
  EXPECT_EQ(world_.process(1).tables->held(), 1U) << "nobody's, and taken at the next beat";
}

TEST_F(KeeperTest, LeasesThatAreAwayDoNotHoldUpTheEnd) {
  world_.AddProcess();
  const auto stream = world_.Subscribe(table_, "p0");
  ASSERT_THAT(stream, IsOk());
  world_.leases.Fail(3);  // to retire, to give, to end
  bool done = false;
  world_.process().keeper->GiveAll([&done] { done = true; });
  world_.Run();
  EXPECT_TRUE(done);
  EXPECT_THAT(EndOf(*stream), FailsWith(Reason::kShuttingDown));
  world_.Advance(kMissed);
  EXPECT_EQ(world_.process(1).tables->held(), 1U);
}

TEST(KeeperLimitTest, TakesNoMoreThanItMayHold) {
  TablesOptions options = World::NoPauses();
  options.tables_max = 3;
  World world(1, {}, options);
  world.Keep();
  world.AddProcess();
  for (int t = 0; t < 5; ++t) {
    TableSpec spec = World::EmptySpec("chaozhou");
    spec.base = 100;
    world.Use(t < 3 ? 0 : 1);
    ASSERT_THAT(world.Create("m" + std::to_string(t), spec), IsOk());
  }
  world.Kill(0);
  world.Advance(kMissed);
  EXPECT_EQ(world.process(1).tables->held(), 3U);
  world.AddProcess();
  EXPECT_EQ(world.process(2).tables->held(), 2U);
}

// However long it takes, nobody else finds a lease that is over meanwhile.
TEST(KeeperLimitTest, TheLeaseIsProlongedBetweenPages) {
  World world(1);
  world.Keep();
  world.AddProcess();
  constexpr std::int64_t kTables = 3 * kDefaults.page + 1;
  for (std::int64_t t = 0; t < kTables; ++t) {
    TableSpec spec = World::EmptySpec("chaozhou");
    spec.base = 100;
    ASSERT_THAT(world.Create("m" + std::to_string(t), spec), IsOk());
  }
  world.Kill(0);
  world.Advance(kMissed);
  EXPECT_EQ(world.process(1).tables->held(), static_cast<std::size_t>(kTables));
  EXPECT_EQ(world.monitor.counts().taken, kTables);
  EXPECT_EQ(world.leases.pages_at_once(), 1);
}

// Each game: the process dies at each event of a round, and another one goes on with it.
TEST(KeeperRoundTest, ARoundSurvivesADeathAtEachOfItsEvents) {
  for (const rules::Variant* variant : variants::All()) {
    const std::string game(variant->info().id);
    SCOPED_TRACE(game);
    World calm(11);
    const TableId table = calm.MakeTable(game);
    Company undisturbed(calm, table);
    undisturbed.PlayRound();
    const std::size_t events = calm.memory.All(table).size();
    const auto stride =
        std::max<std::size_t>(1, static_cast<std::size_t>(2'000 / testing::Count(20'000)));
    for (std::size_t end_at = 2; end_at < events; end_at += stride) {
      World world(11);
      world.Keep();
      ASSERT_EQ(world.MakeTable(game), table);
      world.AddProcess();
      Company company(world, table);
      company.ReadyAll();
      bool killed = false;
      do {
        if (!killed && world.memory.All(table).size() >= end_at) {
          world.Kill(0);
          world.Advance(kMissed);
          world.Use(1);
          company.Resubscribe();
          killed = true;
        }
      } while (company.Step());
      ASSERT_TRUE(killed);
      EXPECT_EQ(world.wallet.rounds(), 1U) << end_at;
      EXPECT_TRUE(world.Happened(table) == calm.Happened(table)) << end_at;
      for (const TestPlayer& player : company.players()) {
        EXPECT_EQ(world.wallet.balance(player.id()), calm.wallet.balance(player.id())) << end_at;
      }
    }
  }
}

// Many tables are given away in the middle of their rounds; nothing is lost.
TEST(KeeperRoundTest, ManyTablesMoveWhileTheyPlay) {
  const auto count = static_cast<std::size_t>(testing::Count(1'000));
  World world(3);
  world.Keep();
  world.AddProcess();
  world.AddProcess();
  std::vector<std::unique_ptr<Company>> companies;
  std::vector<TableId> tables;
  for (std::size_t t = 0; t < count; ++t) {
    TableSpec spec = World::Spec();
    for (PlayerId& player : spec.players) {
      player = PlayerId(player.value() + "-" + std::to_string(t));
    }
    const auto made = world.Create("m" + std::to_string(t), spec);
    ASSERT_THAT(made, IsOk());
    tables.push_back(made->id);
    companies.push_back(std::make_unique<Company>(world, made->id, "-" + std::to_string(t)));
    companies.back()->ReadyAll();
    for (std::size_t i = 0; i < t % 20; ++i) (void)companies.back()->Step();
  }
  bool done = false;
  world.process(0).keeper->GiveAll([&done] { done = true; });
  world.Run();
  EXPECT_TRUE(done);
  world.Advance(kDefaults.beat);
  EXPECT_EQ(world.process(0).tables->held(), 0U);
  EXPECT_EQ(world.monitor.counts().given, count);
  const std::size_t first = world.process(1).tables->held();
  EXPECT_EQ(first + world.process(2).tables->held(), count);
  EXPECT_NEAR(static_cast<double>(first), static_cast<double>(count) / 2, 1);
  for (std::size_t t = 0; t < count; ++t) {
    world.Use(1);
    const auto info = world.Get(tables[t]);
    ASSERT_THAT(info, IsOk());
    if (!info->address.empty()) world.Use(2);
    companies[t]->Resubscribe();
    companies[t]->PlayOn();
  }
  EXPECT_EQ(world.wallet.rounds(), count);
}

}  // namespace
}  // namespace mj::table
