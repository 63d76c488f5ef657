#include "services/table/store/pg_outbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "libs/base/status.h"
#include "libs/base/status_testing.h"
#include "libs/pg/cluster_testing.h"
#include "services/table/app/world_testing.h"
#include "services/table/store/pg_event_log.h"
#include "services/table/store/rows.h"
#include "services/table/store/schema_testing.h"
#include "tests/support/counts.h"

namespace mj::table {
namespace {

using base::IsOk;
using base::IsOkAndHolds;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class PgOutboxTest : public ::testing::Test {
 protected:
  // A table of so many players, "<id>-0" and so on.
  void Make(const std::string& id, int players = 4) {
    TableSpec spec;
    spec.variant = "chaozhou";
    spec.options = {{"max_multiplier", "10"}};
    spec.base = 100;
    for (int i = 0; i < players; ++i) {
      spec.players[rules::kSeats[static_cast<std::size_t>(i)]] =
          PlayerId(id + "-" + std::to_string(i));
    }
    const TableCreated created{TableId(id), RequestId("request-" + id), spec};
    ASSERT_THAT(log_.Create({1, {}, created}, OwnerId("owner")), IsOkAndHolds(Creation(Made{})));
  }
  static Append Leaving(const std::string& id, std::int64_t seq, Seat seat) {
    const PlayerId player(id + "-" + std::to_string(rules::IndexOf(seat)));
    return {TableId(id), 1, {{seq, {}, SeatLeft{seat, player}}}};
  }
  void Leave(const std::string& id, std::int64_t seq, Seat seat) {
    ASSERT_THAT(log_.Write(std::vector<Append>{Leaving(id, seq, seat)}),
                IsOkAndHolds(Each(Appended::kWritten)));
  }
  // Writes the append in a transaction that stays open until `go` is set.
  std::thread WriteLate(Append append, std::promise<void>& written, std::shared_future<void> go) {
    return std::thread([this, append = std::move(append), &written, go = std::move(go)] {
      const absl::Status status =
          pool_.Run({.deadline = clock_.Monotonic() + std::chrono::minutes(1)},
                    [&](pg::Transaction& tx) -> absl::Status {
                      MJ_RETURN_IF_ERROR(store::InsertEvents(tx, std::span(&append, 1)));
                      MJ_RETURN_IF_ERROR(store::Project(tx, append.table, append.entries[0].event));
                      written.set_value();
                      go.wait();
                      return absl::OkStatus();
                    });
      EXPECT_THAT(status, IsOk());
    });
  }
  // Everything after a number, by way of pages of one.
  std::vector<std::string> LeftAfter(std::int64_t after) {
    std::vector<std::string> left;
    while (true) {
      const auto page = outbox_.ReadSeats(after, 1);
      EXPECT_THAT(page, IsOk());
      if (!page.ok() || page->items.empty()) return left;
      for (const PlayerId& player : page->items[0].left) left.push_back(player.value());
      ++after;
    }
  }
  std::string Sql(const std::string& sql) const { return database_.Execute(sql); }

  base::SystemClock clock_;
  pg::testing::Database database_{store::Migrations()};
  pg::Pool pool_{{.url = database_.url(), .connections_max = 8}, clock_};
  store::PgEventLog log_{pool_, clock_};
  store::PgOutbox outbox_{pool_, clock_};
};

TEST_F(PgOutboxTest, WhatCommitsLateIsTold) {
  Make("a");
  Make("b");
  std::promise<void> written;
  std::promise<void> go;
  std::thread late = WriteLate(Leaving("a", 2, Seat::k0), written, go.get_future().share());
  written.get_future().wait();
  Leave("b", 2, Seat::k0);
  ASSERT_THAT(outbox_.Number(), IsOk());
  EXPECT_THAT(LeftAfter(0), ElementsAre("b-0"));
  // A reader that has seen this has the position 1, although what is to come was written before.
  go.set_value();
  late.join();
  EXPECT_LT(std::stoi(Sql("SELECT id FROM tables.seat_changes WHERE table_id = 'a'")),
            std::stoi(Sql("SELECT id FROM tables.seat_changes WHERE table_id = 'b'")));
  Leave("b", 3, Seat::k1);
  ASSERT_THAT(outbox_.Number(), IsOk());
  EXPECT_THAT(LeftAfter(1), ElementsAre("a-0", "b-1"));
  const std::vector<std::string> all = {"b-0", "a-0", "b-1"};
  for (std::size_t after = 0; after <= all.size(); ++after) {
    EXPECT_EQ(
        LeftAfter(static_cast<std::int64_t>(after)),
        std::vector<std::string>(all.begin() + static_cast<std::ptrdiff_t>(after), all.end()));
  }
}

TEST_F(PgOutboxTest, WhatIsRolledBackLeavesNoHole) {
  Make("a");
  Leave("a", 2, Seat::k0);
  // Epoch 2 is not its owner's: the whole append is refused.
  Append foreign = Leaving("a", 3, Seat::k1);
  foreign.epoch = 2;
  EXPECT_THAT(log_.Write(std::vector<Append>{foreign}), IsOkAndHolds(Each(Appended::kNotOwner)));
  Leave("a", 3, Seat::k2);
  ASSERT_THAT(outbox_.Number(), IsOk());
  EXPECT_THAT(LeftAfter(0), ElementsAre("a-0", "a-2"));
}

TEST_F(PgOutboxTest, ManyWritersAndManyWhoNumber) {
  const int tables = static_cast<int>(testing::Count(400));
  for (int i = 0; i < tables; ++i) Make("t" + std::to_string(i));
  std::vector<std::thread> threads;
  for (int writer = 0; writer < 3; ++writer) {
    threads.emplace_back([this, writer, tables] {
      for (int i = writer; i < tables; i += 3) {
        for (int seat = 0; seat < 4; ++seat) {
          Leave("t" + std::to_string(i), 2 + seat, rules::kSeats[static_cast<std::size_t>(seat)]);
        }
      }
    });
  }
  const auto expected = static_cast<std::size_t>(4 * tables);
  // Two readers, each of which hands out numbers too, as two processes do.
  std::vector<std::vector<std::string>> seen(2);
  for (auto& of_reader : seen) {
    threads.emplace_back([this, &of_reader, expected] {
      std::int64_t after = 0;
      while (of_reader.size() < expected) {
        EXPECT_THAT(outbox_.Number(), IsOk());
        const auto page = outbox_.ReadSeats(after, 7);
        ASSERT_THAT(page, IsOk());
        for (const SeatChange& change : page->items) {
          for (const PlayerId& player : change.left) of_reader.push_back(player.value());
        }
        after += static_cast<std::int64_t>(page->items.size());
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(seen[0], seen[1]);
  EXPECT_THAT(std::set<std::string>(seen[0].begin(), seen[0].end()), SizeIs(expected));
}

TEST_F(PgOutboxTest, OpenSeatsAreToldWithWhatOneHasToKnow) {
  Sql("INSERT INTO tables.owners (id, address, alive_until) VALUES ('owner', 'here:1', "
      "'infinity')");
  Make("full");
  Make("three", 3);
  ASSERT_THAT(log_.Write(std::vector<Append>{
                  {TableId("three"), 1, {{2, {}, SeatTaken{Seat::k3, PlayerId("late")}}}}}),
              IsOkAndHolds(Each(Appended::kWritten)));
  Leave("three", 3, Seat::k1);
  ASSERT_THAT(log_.Write(std::vector<Append>{{TableId("three"), 1, {{4, {}, TableEnded{}}}}}),
              IsOkAndHolds(Each(Appended::kWritten)));
  ASSERT_THAT(outbox_.Number(), IsOk());
  const auto page = outbox_.ReadSeats(0, 100);
  ASSERT_THAT(page, IsOk());
  ASSERT_THAT(page->items, SizeIs(4));
  const auto players = [](const SeatChange& change) {
    std::vector<std::string> ids;
    for (const PlayerId& player : change.players) ids.push_back(player.value());
    return ids;
  };
  const SeatChange& made = page->items[0];
  EXPECT_EQ(made.table, TableId("three"));
  EXPECT_EQ(made.request, RequestId("request-three"));
  EXPECT_EQ(made.address, "here:1");
  EXPECT_EQ(made.variant, "chaozhou");
  EXPECT_EQ(made.options.at("max_multiplier"), "10");
  EXPECT_EQ(made.base, 100);
  EXPECT_EQ(made.currency, Currency::kCoin);
  EXPECT_TRUE(made.open());
  EXPECT_THAT(players(made), ElementsAre("three-0", "three-1", "three-2", ""));
  EXPECT_THAT(made.left, IsEmpty());
  EXPECT_EQ(made.media_room, "");
  EXPECT_GE(page->lag.count(), 0);
  Sql("UPDATE tables.tables SET media_room_id = 'room-7' WHERE id = 'three';"
      "UPDATE tables.seat_changes SET written_at = written_at - interval '1 hour'");
  const auto later = outbox_.ReadSeats(1, 100);
  ASSERT_THAT(later, IsOk());
  EXPECT_EQ(later->items[0].media_room, "room-7");
  EXPECT_GE(later->lag, std::chrono::hours(1));
  EXPECT_FALSE(page->items[1].open());
  EXPECT_THAT(players(page->items[1]), ElementsAre("three-0", "three-1", "three-2", "late"));
  EXPECT_TRUE(page->items[2].open());
  EXPECT_THAT(page->items[2].left, ElementsAre(PlayerId("three-1")));
  EXPECT_EQ(page->items[3].stage, TableStage::kClosed);
  EXPECT_FALSE(page->items[3].open());
  EXPECT_THAT(players(page->items[3]), Each(std::string()));
  EXPECT_THAT(page->items[3].left, ::testing::UnorderedElementsAre(
                                       PlayerId("three-0"), PlayerId("three-2"), PlayerId("late")));
}

TEST_F(PgOutboxTest, ARoundIsToldAsItWasPosted) {
  // Played in memory, written as it was written there.
  World world(9);
  std::vector<std::vector<Append>> batches;
  world.log.OnWrite([&batches](std::span<const Append> appends) {
    batches.emplace_back(appends.begin(), appends.end());
    for (Append& append : batches.back()) append.epoch = 1;
  });
  const TableId table = world.MakeTable();
  Company company(world, table);
  company.PlayRound();
  company.PlayRound();
  const auto journal = world.memory.All(table);
  ASSERT_THAT(log_.Create(journal[0], OwnerId("owner")), IsOk());
  for (const auto& batch : batches) {
    ASSERT_THAT(log_.Write(batch), IsOkAndHolds(Each(Appended::kWritten)));
  }
  ASSERT_THAT(outbox_.Number(), IsOk());
  const auto page = outbox_.ReadRounds(0, 100);
  ASSERT_THAT(page, IsOk());
  EXPECT_EQ(page->last, 2);
  std::vector<EndedRound> expected;
  RoundId round;
  for (const LogEntry& entry : journal) {
    if (const auto* begun = std::get_if<RoundBegun>(&entry.event)) round = begun->round;
    const auto* posted = std::get_if<RoundPosted>(&entry.event);
    if (posted == nullptr) continue;
    EndedRound& told = expected.emplace_back();
    told.round = round;
    for (const Seat seat : rules::kSeats) told.coins[seat] = posted->seats[seat].net;
  }
  ASSERT_EQ(page->items.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const EndedRound& told = page->items[i];
    EXPECT_EQ(told.round, expected[i].round);
    EXPECT_EQ(told.coins, expected[i].coins);
    EXPECT_EQ(told.table, table);
    EXPECT_EQ(told.variant, "chaozhou");
    EXPECT_GT(told.base, 0);
    EXPECT_EQ(told.void_reason, std::nullopt);
    EXPECT_EQ(told.players[Seat::k2], PlayerId("p2"));
    EXPECT_GT(told.ended_at, WallTime());
  }
  // A table that stays full has nothing to tell of its seats.
  EXPECT_THAT(outbox_.ReadSeats(0, 100)->items, IsEmpty());
}

TEST_F(PgOutboxTest, AVoidRoundIsToldWithItsReason) {
  World world(9);
  std::vector<std::vector<Append>> batches;
  world.log.OnWrite([&batches](std::span<const Append> appends) {
    batches.emplace_back(appends.begin(), appends.end());
    for (Append& append : batches.back()) append.epoch = 1;
  });
  const TableId table = world.MakeTable();
  Company company(world, table);
  for (const char* player : {"p0", "p1", "p2", "p3"}) {
    ASSERT_THAT(world.Ready(table, player), IsOk());
  }
  ASSERT_THAT(world.Leave(table, "p2"), IsOk());
  ASSERT_THAT(log_.Create(world.memory.All(table)[0], OwnerId("owner")), IsOk());
  for (const auto& batch : batches) {
    ASSERT_THAT(log_.Write(batch), IsOkAndHolds(Each(Appended::kWritten)));
  }
  ASSERT_THAT(outbox_.Number(), IsOk());
  const auto page = outbox_.ReadRounds(0, 100);
  ASSERT_THAT(page, IsOk());
  ASSERT_THAT(page->items, SizeIs(1));
  EXPECT_EQ(page->items[0].void_reason, VoidReason::kEscape);
  EXPECT_LT(page->items[0].coins[Seat::k2], 0);
  // The escaper's seat is free.
  const auto seats = outbox_.ReadSeats(0, 100);
  ASSERT_THAT(seats, IsOk());
  ASSERT_FALSE(seats->items.empty());
  EXPECT_TRUE(seats->items.back().open());
  EXPECT_EQ(seats->items.back().players[Seat::k2], PlayerId());
}

TEST_F(PgOutboxTest, OldRowsGoAndWhoMissedThemIsTold) {
  Make("a");
  Leave("a", 2, Seat::k0);
  Leave("a", 3, Seat::k1);
  // Never numbered, and old: it counts as told and gone.
  Sql("UPDATE tables.seat_changes SET written_at = now() - interval '8 days' WHERE id ="
      " (SELECT min(id) FROM tables.seat_changes)");
  EXPECT_THAT(outbox_.Drop(7), IsOkAndHolds(1));
  EXPECT_THAT(outbox_.Drop(7), IsOkAndHolds(0));
  const auto late = outbox_.ReadSeats(0, 10);
  ASSERT_THAT(late, IsOk());
  EXPECT_EQ(late->dropped, 1);
  EXPECT_EQ(late->last, 2);
  EXPECT_THAT(late->items, IsEmpty());
  EXPECT_THAT(LeftAfter(1), ElementsAre("a-1"));
  // Numbers are never handed out again.
  Sql("UPDATE tables.seat_changes SET written_at = now() - interval '8 days'");
  EXPECT_THAT(outbox_.Drop(7), IsOkAndHolds(1));
  Leave("a", 4, Seat::k2);
  ASSERT_THAT(outbox_.Number(), IsOk());
  EXPECT_EQ(outbox_.ReadSeats(2, 10)->last, 3);
  EXPECT_THAT(LeftAfter(2), ElementsAre("a-2"));
}

TEST_F(PgOutboxTest, AHoleIsDataLoss) {
  Make("a");
  Leave("a", 2, Seat::k0);
  Leave("a", 3, Seat::k1);
  ASSERT_THAT(outbox_.Number(), IsOk());
  Sql("DELETE FROM tables.seat_changes WHERE number = 1");
  EXPECT_TRUE(absl::IsDataLoss(outbox_.ReadSeats(0, 10).status()));
}

TEST_F(PgOutboxTest, ADatabaseThatIsAwayIsSaidSo) {
  Sql("DROP SCHEMA tables CASCADE");
  EXPECT_FALSE(outbox_.Number().ok());
  EXPECT_FALSE(outbox_.ReadRounds(0, 1).ok());
  EXPECT_FALSE(outbox_.ReadSeats(0, 1).ok());
  EXPECT_FALSE(outbox_.Drop(1).ok());
}

}  // namespace
}  // namespace mj::table
