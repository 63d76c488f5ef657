#include "services/table/app/tables.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <string>
#include <vector>

#include "libs/base/status_testing.h"
#include "libs/variants/registry.h"
#include "services/table/app/world_testing.h"
#include "tests/support/counts.h"

namespace mj::table {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;
using std::chrono::seconds;

// -------------------------------------------------------------------------------------- creating

TEST(CreateTest, TheSameRequestIsTheSameTable) {
  World world;
  const auto first = world.Create("match", World::Spec());
  ASSERT_THAT(first, IsOk());
  ASSERT_THAT(world.Ready(first->id, "p0"), IsOk());
  const auto again = world.Create("match", World::Spec());
  ASSERT_THAT(again, IsOk());
  EXPECT_EQ(again->id, first->id);
  EXPECT_TRUE(again->seats[Seat::k0].ready) << "as it stands now";
  world.Restart();
  const auto later = world.Create("match", World::Spec());
  ASSERT_THAT(later, IsOk());
  EXPECT_EQ(later->id, first->id);
}

TEST(CreateTest, DefaultsNamedOrNotAreTheSameContent) {
  World world;
  const auto first = world.Create("match", World::Spec());
  TableSpec named = World::Spec();
  named.options = {{"max_multiplier", "10"}};
  const auto again = world.Create("match", named);
  ASSERT_THAT(again, IsOk());
  EXPECT_EQ(again->id, first->id);
  EXPECT_TRUE(again->options.empty()) << "what differs from the defaults";
}

TEST(CreateTest, AnotherContentUnderTheSameRequestIsRefused) {
  World world;
  ASSERT_THAT(world.Create("match", World::Spec()), IsOk());
  std::vector<TableSpec> others(5, World::Spec());
  others[0].base = 200;
  others[1].options = {{"max_multiplier", "0"}};
  others[2].currency = Currency::kPractice;
  std::swap(others[3].players[Seat::k0], others[3].players[Seat::k1]);
  others[4].players[Seat::k3] = PlayerId();
  for (const TableSpec& other : others) {
    EXPECT_THAT(world.Create("match", other), FailsWith(Reason::kRequestIdReused));
  }
}

TEST(CreateTest, APlayerSitsAtOneTable) {
  World world;
  const TableId table = world.MakeTable();
  const auto busy = world.Create("other", World::Spec());
  EXPECT_THAT(busy, FailsWith(Reason::kPlayerBusy, "player_ids"));
  EXPECT_EQ(base::CarriedBy(busy.status())->details.metadata.at("player_id"), "p0");
  TableSpec open = World::Spec();
  open.players = {};
  open.players[Seat::k2] = PlayerId("x");
  const auto second = world.Create("open", open);
  ASSERT_THAT(second, IsOk());
  EXPECT_THAT(world.Join(second->id, "p3"), FailsWith(Reason::kPlayerBusy));
  EXPECT_TRUE(world.Get(second->id)->seats[Seat::k0].player.empty());
  ASSERT_THAT(world.Leave(table, "p3"), IsOk());
  EXPECT_THAT(world.Join(second->id, "p3"), IsOk());
}

TEST(CreateTest, ALostAnswerMakesNoSecondTable) {
  World world;
  world.log.FailWrites(1, FaultyEventLog::When::kAfterWriting);
  EXPECT_THAT(world.Create("match", World::Spec()), FailsWith(Reason::kUnavailable));
  const auto again = world.Create("match", World::Spec());
  ASSERT_THAT(again, IsOk());
  EXPECT_EQ(world.memory.Open().size(), 1U);
}

TEST(CreateTest, AProcessHoldsSoManyTablesAndNoMore) {
  TablesOptions options = World::NoPauses();
  options.tables_max = 1;
  World world(1, {}, options);
  ASSERT_THAT(world.Create("match", World::Spec()), IsOk());
  TableSpec spec = World::Spec();
  for (Seat seat : rules::kSeats)
    spec.players[seat] = PlayerId("q" + std::to_string(rules::IndexOf(seat)));
  EXPECT_THAT(world.Create("second", spec), FailsWith(Reason::kOverloaded));
}

// --------------------------------------------------------------------------------------- finding

TEST(FindTest, UnknownTables) {
  World world;
  const TableId nowhere("nowhere");
  EXPECT_THAT(world.Get(nowhere), FailsWith(Reason::kTableNotFound));
  EXPECT_THAT(world.Join(nowhere, "p0"), FailsWith(Reason::kTableNotFound));
  EXPECT_THAT(world.Ready(nowhere, "p0"), FailsWith(Reason::kTableNotFound));
  EXPECT_THAT(world.Act(nowhere, "p0", 1, round::Choice::Pass()),
              FailsWith(Reason::kTableNotFound));
  EXPECT_THAT(world.Leave(nowhere, "p0"), FailsWith(Reason::kTableNotFound));
  EXPECT_THAT(world.Subscribe(nowhere, "p0"), FailsWith(Reason::kTableNotFound));
  EXPECT_EQ(world.tables->held(), 0U);
}

TEST(FindTest, ClosedTablesCanBeReadAndNothingElse) {
  World world;
  const TableId table = world.MakeTable();
  for (const char* player : {"p0", "p1", "p2", "p3"})
    ASSERT_THAT(world.Leave(table, player), IsOk());
  EXPECT_EQ(world.tables->held(), 0U);
  EXPECT_EQ(world.Get(table)->stage, TableStage::kClosed);
  EXPECT_THAT(world.Join(table, "p0"), FailsWith(Reason::kTableClosed));
  EXPECT_THAT(world.Ready(table, "p0"), FailsWith(Reason::kTableClosed));
  EXPECT_THAT(world.Act(table, "p0", 1, round::Choice::Pass()), FailsWith(Reason::kTableClosed));
  EXPECT_THAT(world.Leave(table, "p0"), FailsWith(Reason::kTableClosed));
  EXPECT_THAT(world.Subscribe(table, "p0"), FailsWith(Reason::kNotSeated));
  EXPECT_EQ(world.tables->held(), 0U);
}

TEST(FindTest, AJournalThatCannotBeReadIsSaidSoAndReported) {
  World world;
  const TableId table = world.MakeTable();
  world.Restart();
  world.log.FailReads(1, absl::DataLossError("another format"));
  EXPECT_THAT(world.Get(table), FailsWith(Reason::kInternal));
  EXPECT_EQ(world.monitor.counts().replay_failed, 1);
  world.log.FailReads(1, base::Error(Reason::kUnavailable));
  EXPECT_THAT(world.Get(table), FailsWith(Reason::kUnavailable));
  EXPECT_THAT(world.Get(table), IsOk());
}

TEST(FindTest, CallersOfOneTableShareOneLoad) {
  World world;
  const TableId table = world.MakeTable();
  world.Restart();
  int answers = 0;
  for (int i = 0; i < 3; ++i) {
    world.tables->Get(table, [&answers](const absl::StatusOr<TableInfo>& info) {
      EXPECT_THAT(info, IsOk());
      ++answers;
    });
  }
  EXPECT_EQ(world.process().blocking.queue_size(), 1U);
  world.Run();
  EXPECT_EQ(answers, 3);
}

// -------------------------------------------------------------------------------------- recovery

// Invariant 4 of the house: replaying a journal gives the same state, and every stream.
TEST(RecoveryTest, ReplayingAPlayedRoundGivesTheSameTable) {
  for (const rules::Variant* variant : variants::All()) {
    SCOPED_TRACE(std::string(variant->info().id));
    World world(7);
    const TableId table = world.MakeTable(std::string(variant->info().id));
    Company company(world, table);
    company.PlayRound();
    company.PlayRound();
    const auto before = world.Get(table);
    ASSERT_THAT(before, IsOk());
    EXPECT_EQ(before->round_number, 2);
    const auto once = Replay(world.log, table);
    const auto twice = Replay(world.log, table);
    ASSERT_THAT(once, IsOk());
    EXPECT_EQ(once->state.round->play, twice->state.round->play);
    EXPECT_EQ(once->state.info(), *before);
    world.Restart();
    EXPECT_EQ(*world.Get(table), *before);
    for (TestPlayer& player : company.players()) {
      const auto replayed = world.ReadAll(table, player.id().value());
      // The question whether to play on was open, and has its full time again.
      ASSERT_EQ(replayed.size(), player.seen().size() + 1);
      EXPECT_TRUE(std::holds_alternative<ClockMoved>(*replayed.back().event));
      for (std::size_t i = 0; i < player.seen().size(); ++i) {
        EXPECT_EQ(*replayed[i].event, *player.seen()[i].event);
      }
    }
  }
}

TEST(RecoveryTest, AnOldStreamIsOfWhoeverSitsThereNow) {
  World world;
  const TableId table = world.MakeTable();
  ASSERT_THAT(world.Ready(table, "p2"), IsOk());
  ASSERT_THAT(world.Leave(table, "p2"), IsOk());
  EXPECT_THAT(LoadStream(world.log, table, Seat::k2, PlayerId("p2"), 0),
              FailsWith(Reason::kNotSeated));
  ASSERT_THAT(world.Join(table, "new"), IsOk());
  const auto stream = LoadStream(world.log, table, Seat::k2, PlayerId("new"), 0);
  ASSERT_THAT(stream, IsOk());
  ASSERT_EQ(stream->size(), 2U);
  EXPECT_EQ(std::get<TableFormed>(*stream->front().event).own_seat, Seat::k2);
  EXPECT_THAT(LoadStream(world.log, table, Seat::k2, PlayerId("p2"), 0),
              FailsWith(Reason::kNotSeated));
}

// The process ends after each number of steps of a round; what follows is the same round.
TEST(RecoveryTest, ARoundGoesOnAfterTheProcessEndsAnywhere) {
  World calm(11);
  const TableId calm_table = calm.MakeTable();
  Company undisturbed(calm, calm_table);
  undisturbed.PlayRound();

  const std::size_t events = calm.memory.All(calm_table).size();
  const auto stride = static_cast<std::size_t>(1'000 / testing::Count(20'000));
  int restarts = 0;
  for (std::size_t end_at = 2; end_at < events; end_at += std::max<std::size_t>(stride, 1)) {
    World world(11);
    const TableId table = world.MakeTable();
    ASSERT_EQ(table, calm_table);
    Company company(world, table);
    company.ReadyAll();
    bool ended = false;
    while (true) {
      if (!ended && world.memory.All(table).size() >= end_at) {
        world.Restart();
        world.Keep();
        company.Resubscribe();
        ended = true;
        ++restarts;
      }
      if (!company.Step()) break;
    }
    EXPECT_EQ(world.wallet.rounds(), 1U) << end_at;
    EXPECT_TRUE(world.Happened(table) == calm.Happened(calm_table)) << end_at;
  }
  EXPECT_GT(restarts, 2);
}

TEST(RecoveryTest, ARoundIsPaidByWhoeverComesAfter) {
  for (const bool scored : {false, true}) {
    World world;
    const TableId table = world.MakeTable();
    Company company(world, table);
    const absl::Status away = base::Error(Reason::kUnavailable);
    if (scored) {
      world.wallet.FailWith({away});
    } else {
      world.scorer.FailWith({away});
    }
    company.PlayRound();
    EXPECT_EQ(world.wallet.rounds(), 0U);
    world.Restart();
    world.Keep();
    world.Run();
    EXPECT_EQ(world.tables->held(), 1U);
    EXPECT_EQ(world.wallet.rounds(), 1U);
    company.Resubscribe();
    EXPECT_EQ(world.Get(table)->stage, TableStage::kWaiting);
  }
}

TEST(RecoveryTest, AWalletThatHadPostedIsAskedAgainAndPostsOnce) {
  World world;
  Company company(world, world.MakeTable());
  world.wallet.FailWith({base::Error(Reason::kUnavailable)}, /*posted=*/true);
  company.PlayRound();
  EXPECT_EQ(world.wallet.rounds(), 1U);
  world.Restart();
  world.Keep();
  world.Run();
  EXPECT_EQ(world.wallet.calls(), 2);
  EXPECT_EQ(world.wallet.rounds(), 1U);
}

TEST(RecoveryTest, ALogThatIsAwayIsAskedAgain) {
  World world;
  const TableId table = world.MakeTable();
  world.Restart();
  world.log.FailReads(2, base::Error(Reason::kUnavailable));
  world.Keep();
  world.Run();
  EXPECT_EQ(world.tables->held(), 0U);
  world.Advance(seconds(3));
  EXPECT_EQ(world.tables->held(), 1U);
  EXPECT_THAT(world.Get(table), IsOk());
}

TEST(RecoveryTest, WhatCannotBeReadDoesNotHoldUpTheRest) {
  World world;
  const TableId first = world.MakeTable("chaozhou", "a");
  TableSpec spec = World::Spec();
  for (Seat seat : rules::kSeats) {
    spec.players[seat] = PlayerId("q" + std::to_string(rules::IndexOf(seat)));
  }
  const auto second = world.Create("b", spec);
  ASSERT_THAT(second, IsOk());
  world.Restart();
  world.log.Spoil(first);
  world.Keep();
  world.Run();
  EXPECT_EQ(world.tables->held(), 1U);
  EXPECT_EQ(world.monitor.counts().replay_failed, 1);
  EXPECT_THAT(world.Get(first), FailsWith(Reason::kInternal));
  EXPECT_THAT(world.Get(second->id), IsOk());
}

// ------------------------------------------------------------------------------------------ stop

TEST(StopTest, EndsStreamsAndRefusesFurtherCalls) {
  World world;
  const TableId table = world.MakeTable();
  const auto stream = world.Subscribe(table, "p0");
  ASSERT_THAT(stream, IsOk());
  world.tables->Stop();
  world.Run();
  EXPECT_THAT(*(*stream)->Take(10).end, FailsWith(Reason::kShuttingDown));
  EXPECT_THAT(world.Ready(table, "p0"), FailsWith(Reason::kShuttingDown));
  EXPECT_THAT(world.Subscribe(table, "p0"), FailsWith(Reason::kShuttingDown));
  EXPECT_THAT(world.Create("other", World::Spec()), FailsWith(Reason::kShuttingDown));
  EXPECT_THAT(world.Get(TableId("nowhere")), FailsWith(Reason::kShuttingDown));
}

TEST(StopTest, FinishesWhatIsUnderWay) {
  World world;
  const TableId table = world.MakeTable();
  std::optional<absl::StatusOr<StreamSeq>> under_way, waiting;
  world.tables->Ready(table, PlayerId("p0"), 1, std::nullopt,
                      [&](absl::StatusOr<StreamSeq> a) { under_way = std::move(a); });
  world.process().runner.RunAll();
  world.tables->Ready(table, PlayerId("p1"), 1, std::nullopt,
                      [&](absl::StatusOr<StreamSeq> a) { waiting = std::move(a); });
  world.process().runner.RunAll();
  world.tables->Stop();
  world.Run();
  ASSERT_TRUE(under_way && waiting);
  EXPECT_THAT(*under_way, IsOk());
  EXPECT_THAT(*waiting, FailsWith(Reason::kShuttingDown));
}

// ------------------------------------------------------------------------------------- many rounds

TEST(ManyRoundsTest, EveryGameIsPlayedToItsCoins) {
  const auto rounds = testing::Count(2'000);
  for (const rules::Variant* variant : variants::All()) {
    SCOPED_TRACE(std::string(variant->info().id));
    World world(21);
    const TableId table = world.MakeTable(std::string(variant->info().id));
    Company company(world, table);
    std::set<Seat> dealers;
    for (std::int64_t i = 0; i < rounds; ++i) {
      company.PlayRound();
      dealers.insert(*world.Get(table)->dealer);
    }
    EXPECT_EQ(world.wallet.rounds(), static_cast<std::size_t>(rounds));
    EXPECT_GT(dealers.size(), 1U) << "somebody won";
    Coins total = 0;
    for (TestPlayer& player : company.players()) total += world.wallet.balance(player.id());
    EXPECT_EQ(total, 4 * FakeWallet::kOpening);
  }
}

TEST(ManyTablesTest, ManyTablesShareOneCommit) {
  World world;
  std::vector<TableId> tables;
  for (int t = 0; t < 20; ++t) {
    TableSpec spec = World::Spec();
    for (Seat seat : rules::kSeats) {
      spec.players[seat] =
          PlayerId("t" + std::to_string(t) + "-" + std::to_string(rules::IndexOf(seat)));
    }
    tables.push_back(world.Create("match" + std::to_string(t), spec)->id);
  }
  for (int t = 0; t < 20; ++t) {
    world.tables->Ready(tables[static_cast<std::size_t>(t)],
                        PlayerId("t" + std::to_string(t) + "-0"), 1, std::nullopt,
                        [](const absl::StatusOr<StreamSeq>& a) { EXPECT_THAT(a, IsOk()); });
  }
  world.Run();
  EXPECT_EQ(world.monitor.counts().tables_in_largest_group, 20U);
}

}  // namespace
}  // namespace mj::table
