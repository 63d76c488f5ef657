// Who may watch a table, how the four hear of them, and that the table does not wait for them (COM-13).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "libs/base/status_testing.h"
#include "services/table/app/watch_testing.h"

namespace mj::table {
namespace {

using base::FailsWith;
using base::IsOk;
using base::Reason;
using std::chrono::milliseconds;
using ::testing::IsEmpty;
using ::testing::Optional;

class WatchersTest : public WatchedTable {
 protected:
  using WatchedTable::WatchedTable;
};

// ------------------------------------------------------------------------------- who may watch

TEST_F(WatchersTest, WhoIsRefusedIsToldWhy) {
  const TableId table = Make();
  EXPECT_THAT(world_.Watch(table, "p1", Seat::k0), FailsWith(Reason::kSeatedHere));
  EXPECT_THAT(world_.Watch(table, "x", Seat::k0, 99),
              FailsWith(Reason::kSequenceAhead, "after_sequence"));
  EXPECT_THAT(world_.Watch(TableId("none"), "x", Seat::k0), FailsWith(Reason::kTableNotFound));
  for (const char* player : {"p0", "p1", "p2", "p3"}) {
    ASSERT_THAT(world_.Leave(table, player), IsOk());
  }
  EXPECT_THAT(world_.Watch(table, "x", Seat::k0), FailsWith(Reason::kTableClosed));
}

TEST_F(WatchersTest, ATableCanBeClosedToThem) {
  const TableId table = Make({{"watchable", 0}});
  EXPECT_THAT(world_.Watch(table, "x", Seat::k0), FailsWith(Reason::kTableNotWatchable));
  EXPECT_THAT(world_.ShowHand(table, "p0", true), FailsWith(Reason::kTableNotWatchable));
  EXPECT_THAT(world_.ShowHand(table, "p0", false), IsOk());
  EXPECT_EQ(base::CarriedBy(world_.Join(table, "x").status())->details.metadata.at("watchable"),
            "false");
}

TEST_F(WatchersTest, AFifthIsToldThatTheTableCanBeWatched) {
  const TableId table = Make();
  const auto full = world_.Join(table, "x");
  EXPECT_THAT(full, FailsWith(Reason::kTableFull));
  EXPECT_EQ(base::CarriedBy(full.status())->details.metadata.at("watchable"), "true");
}

TEST_F(WatchersTest, TheSettingsHaveRanges) {
  for (const auto& [name, value] :
       SettingValues{{"watchable", 2}, {"watch_delay_ms", 300'001}, {"bot_strength", 4}}) {
    EXPECT_THAT(world_.Create("m", World::Spec(), {{name, value}}),
                FailsWith(Reason::kOptionOutOfRange, "settings"));
    EXPECT_THAT(world_.Create("m", World::Spec(), {{name, -1}}),
                FailsWith(Reason::kOptionOutOfRange, "settings"));
  }
}

TEST_F(WatchersTest, WhoWatchesCanDoNothingElse) {
  const TableId table = Make();
  Company company(world_, table);
  const auto stream = world_.Watch(table, "x", Seat::k0);
  company.ReadyAll();
  const auto wish = company.asked()->wish();
  EXPECT_THAT(world_.Act(table, "x", wish->decision, wish->choice), FailsWith(Reason::kNotSeated));
  EXPECT_THAT(world_.Ready(table, "x"), FailsWith(Reason::kNotSeated));
  EXPECT_THAT(world_.TakeOver(table, "x"), FailsWith(Reason::kNotSeated));
  EXPECT_THAT(world_.Leave(table, "x"), FailsWith(Reason::kNotSeated));
  EXPECT_THAT(world_.ShowHand(table, "x", true), FailsWith(Reason::kNotSeated));
  EXPECT_THAT(world_.Subscribe(table, "x"), FailsWith(Reason::kNotSeated));
}

TEST_F(WatchersTest, WhoTakesASeatWatchesNoMore) {
  const TableId table = Make();
  ASSERT_THAT(world_.Leave(table, "p1"), IsOk());
  const auto stream = world_.Watch(table, "x", Seat::k0);
  const auto stays = world_.Watch(table, "y", Seat::k0);
  ASSERT_THAT(world_.Join(table, "x"), IsOk());
  EXPECT_THAT(Read(*stream), IsEmpty());
  ASSERT_TRUE(end_);
  EXPECT_THAT(*end_, FailsWith(Reason::kSeatedHere));
  EXPECT_EQ(Count<PlayerJoined>(Read(*stays)), 1);
}

// ------------------------------------------------------------------------------ how many watch

TEST_F(WatchersTest, TheFourAreToldHowManyWatch) {
  const TableId table = Make();
  const auto seat = world_.Subscribe(table, "p0");
  EXPECT_EQ(Told(*seat), std::nullopt) << "nobody: nothing to say";
  const auto x = world_.Watch(table, "x", Seat::k0);
  EXPECT_THAT(Told(*seat), Optional(1));
  const auto x_again = world_.Watch(table, "x", Seat::k3);
  EXPECT_EQ(Told(*seat), std::nullopt) << "the same person";
  const auto y = world_.Watch(table, "y", Seat::k0);
  EXPECT_THAT(Told(*seat), Optional(2));
  EXPECT_THAT(Told(*world_.Subscribe(table, "p3")), Optional(2)) << "who comes later too";
  (*x)->Cancel();
  EXPECT_EQ(Told(*seat), std::nullopt);
  (*x_again)->Cancel();
  (*y)->Cancel();
  EXPECT_THAT(Told(*seat), Optional(0));
  EXPECT_EQ(TruthOf(table).size(), 2U) << "nothing of it is journalled";
}

TEST_F(WatchersTest, NoticesTakeNoRoomInAStream) {
  const TableId table = Make();
  const auto seat = world_.Subscribe(table, "p0");
  for (int i = 0; i < 1'000; ++i) (*world_.Watch(table, "x", Seat::k0))->Cancel();
  EXPECT_THAT(Told(*seat), Optional(0));
  EXPECT_EQ(world_.monitor.counts().slow, 0);
}

// --------------------------------------------------------------------------- the table goes on

class NarrowWatchersTest : public WatchersTest {
 protected:
  static TableLimits Narrow() {
    TableLimits limits;
    limits.outbox_max = 16;
    limits.kept_max = 4;
    limits.watchers_max = 2;
    return limits;
  }
  NarrowWatchersTest() : WatchersTest(Narrow()) {}
};

TEST_F(NarrowWatchersTest, WhoDoesNotReadIsCutOffAndCanResume) {
  const TableId table = Make();
  Company company(world_, table);
  const auto slow = world_.Watch(table, "x", Seat::k0);
  company.PlayRound();
  EXPECT_EQ(world_.wallet.rounds(), 1U) << "the table went on";
  EXPECT_EQ(world_.monitor.counts().slow, 1);
  EXPECT_THAT(Read(*slow), IsEmpty());
  ASSERT_TRUE(end_);
  EXPECT_THAT(*end_, FailsWith(Reason::kStreamTooSlow));
  const std::vector<Truth> truth = TruthOf(table);
  ExpectTold(ReadAll(table, Seat::k0, 1), truth, 1);
}

TEST_F(NarrowWatchersTest, NoMoreThanSoManyWatch) {
  const TableId table = Make();
  const auto x = world_.Watch(table, "x", Seat::k0);
  const auto y = world_.Watch(table, "y", Seat::k0);
  EXPECT_THAT(world_.Watch(table, "z", Seat::k0), FailsWith(Reason::kOverloaded));
  (*x)->Cancel();
  world_.Run();
  EXPECT_THAT(world_.Watch(table, "z", Seat::k0), IsOk());
}

TEST_F(WatchersTest, AJournalThatCannotBeReadIsTheirsToTryAgain) {
  const TableId table = Make();
  Company company(world_, table);
  world_.log.FailReads(1, base::Error(Reason::kUnavailable));
  EXPECT_THAT(world_.Watch(table, "x", Seat::k0), FailsWith(Reason::kUnavailable));
  company.PlayRound();
  EXPECT_FALSE(ReadAll(table, Seat::k0).empty());
}

TEST_F(WatchersTest, TheEndOfAProcessEndsTheirStreams) {
  const TableId table = Make();
  const auto stream = world_.Watch(table, "x", Seat::k0);
  world_.tables->Stop();
  EXPECT_THAT(Read(*stream), IsEmpty());
  ASSERT_TRUE(end_);
  EXPECT_THAT(*end_, FailsWith(Reason::kShuttingDown));
  EXPECT_THAT(world_.Watch(table, "x", Seat::k0), FailsWith(Reason::kShuttingDown));
}

TEST_F(WatchersTest, ATableThatIsLostEndsTheirStreams) {
  const TableId table = Make();
  const auto stream = world_.Watch(table, "x", Seat::k0);
  ASSERT_THAT(world_.memory.End(world_.process().self.id), IsOk());
  ASSERT_THAT(world_.memory.TakeSome(OwnerId("another"), 1), IsOk());
  (void)world_.Ready(table, "p0");
  (void)Read(*stream);
  ASSERT_TRUE(end_);
  EXPECT_THAT(*end_, FailsWith(Reason::kTableMoved));
}

TEST_F(WatchersTest, AClosedTableIsHeldUntilTheyHaveBeenTold) {
  const TableId table = Make({{"watch_delay_ms", 1'000}});
  Company company(world_, table);
  world_.Advance(milliseconds(1'000));
  const auto stream = world_.Watch(table, "x", Seat::k0);
  const StreamSeq before = Read(*stream).back().sequence;
  for (const char* player : {"p0", "p1", "p2", "p3"}) {
    ASSERT_THAT(world_.Leave(table, player), IsOk());
  }
  EXPECT_EQ(world_.tables->held(), 1U);
  EXPECT_THAT(Read(*stream), IsEmpty());
  EXPECT_FALSE(end_);
  world_.Advance(milliseconds(1'000));
  const std::vector<Watched> seen = Read(*stream);
  EXPECT_EQ(Count<PlayerLeft>(seen), 4);
  EXPECT_EQ(Count<TableClosed>(seen), 1);
  ASSERT_TRUE(end_);
  EXPECT_THAT(*end_, IsOk());
  EXPECT_EQ(world_.tables->held(), 0U);
  // Whoever missed the end gets it later.
  EXPECT_EQ(ReadAll(table, Seat::k0, before).size(), seen.size());
  EXPECT_THAT(*end_, IsOk());
}

TEST_F(WatchersTest, WhatIsNotToldYetOfAClosedTableIsToBeAskedForAgain) {
  const TableId table = Make({{"watch_delay_ms", 1'000}});
  world_.Advance(milliseconds(1'000));
  for (const char* player : {"p0", "p1", "p2", "p3"}) {
    ASSERT_THAT(world_.Leave(table, player), IsOk());
  }
  EXPECT_EQ(world_.tables->held(), 0U) << "nobody watches";
  EXPECT_THAT(world_.Watch(table, "x", Seat::k0, 1), FailsWith(Reason::kUnavailable));
  world_.Advance(milliseconds(1'000));
  EXPECT_FALSE(ReadAll(table, Seat::k0, 1).empty());
}

TEST_F(WatchersTest, ManyTogetherAreToldTheSame) {
  const TableId table = Make({{"watch_delay_ms", 300}}, "jieyang");
  Company company(world_, table);
  std::vector<std::pair<WatchStream, std::vector<Watched>>> all;
  for (int round = 0; round < 2; ++round) {
    company.ReadyAll();
    while (company.Step()) {
      if (all.size() < 40) {
        all.emplace_back(*world_.Watch(table, "x" + std::to_string(all.size()), Seat::k2), 0);
      }
      for (auto& [stream, seen] : all) {
        for (Watched& watched : Read(stream)) seen.push_back(std::move(watched));
      }
      world_.Advance(milliseconds(50));
      company.Listen();
    }
  }
  world_.Advance(milliseconds(300));
  const std::vector<Truth> truth = TruthOf(table);
  for (auto& [stream, seen] : all) {
    for (Watched& watched : Read(stream)) seen.push_back(std::move(watched));
    ExpectTold(seen, truth, truth.size() - seen.size());
  }
}

}  // namespace
}  // namespace mj::table
