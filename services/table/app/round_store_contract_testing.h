// What every RoundStore must do, as tests. Include in one test file of a room and instantiate:
//
//   INSTANTIATE_TEST_SUITE_P(Memory, RoundStoreContract, ::testing::Values([] { return … ; }));
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "libs/base/status_testing.h"
#include "services/table/app/compaction.h"
#include "services/table/app/records.h"
#include "services/table/app/world_testing.h"

namespace mj::table {

// A store, and the journal that it stands on.
class RoundStoreFixture {
 public:
  virtual ~RoundStoreFixture() = default;
  virtual RoundStore& store() = 0;
  // Journals a whole table: the entries in order, in groups as they were journalled first.
  virtual void Journal(const std::vector<std::vector<LogEntry>>& groups) = 0;
  // Time goes on for claims.
  virtual void Pass(std::chrono::milliseconds time) = 0;
};
using MakeRoundStore = std::function<std::unique_ptr<RoundStoreFixture>()>;

class RoundStoreContract : public ::testing::TestWithParam<MakeRoundStore> {
 protected:
  // Plays at a table of the players p0 to p3 and journals it; the rounds in order, the last not over.
  std::vector<RoundId> Play(const std::string& game, int rounds, std::uint64_t seed) {
    World world(seed);
    std::vector<std::vector<LogEntry>> groups;
    world.log.OnWrite([&groups](std::span<const Append> appends) {
      for (const Append& append : appends) groups.push_back(append.entries);
    });
    const TableId table = world.MakeTable(game, "request-" + std::to_string(seed));
    groups.insert(groups.begin(), {world.memory.All(table).front()});
    Company company(world, table);
    for (int i = 0; i < rounds; ++i) company.PlayRound();
    company.ReadyAll();
    fixture_->Journal(groups);
    std::vector<RoundId> played;
    journal_ = world.memory.All(table);
    for (const LogEntry& entry : journal_) {
      const auto* begun = std::get_if<RoundBegun>(&entry.event);
      if (begun == nullptr) continue;
      played.push_back(begun->round);
      const auto row = world.wallet.ReadRow(begun->round);
      if (row.ok()) rows_[begun->round] = *row;
    }
    return played;
  }
  record::RoundRecord RecordOf(const RoundId& round) {
    auto record = Compact(journal_, round, rows_.at(round));
    EXPECT_THAT(record, base::IsOk());
    return *record;
  }
  RoundStore& store() { return fixture_->store(); }

  std::unique_ptr<RoundStoreFixture> fixture_ = GetParam()();
  std::vector<LogEntry> journal_;  // of the table that was played last
  std::map<RoundId, record::JournalRow> rows_;
};

TEST_P(RoundStoreContract, ARoundStandsSomewhere) {
  using Standing = RoundStore::Standing;
  const auto rounds = Play("chaozhou", 1, 1);
  ASSERT_EQ(rounds.size(), 2U);
  EXPECT_THAT(store().Find(RoundId("nothing")), base::IsOkAndHolds(Standing::kUnknown));
  EXPECT_THAT(store().Find(rounds[0]), base::IsOkAndHolds(Standing::kOver));
  EXPECT_THAT(store().Find(rounds[1]), base::IsOkAndHolds(Standing::kLive));
  EXPECT_THAT(store().ReadRecord(rounds[0]), base::IsOkAndHolds(std::nullopt));
  EXPECT_THAT(store().Keep(RecordOf(rounds[0])), base::IsOkAndHolds(true));
  EXPECT_THAT(store().Find(rounds[0]), base::IsOkAndHolds(Standing::kRecorded));
  const auto record = store().ReadRecord(rounds[0]);
  ASSERT_THAT(record, base::IsOk());
  EXPECT_TRUE(record->has_value());
}

TEST_P(RoundStoreContract, ARecordIsKeptOnce) {
  const auto rounds = Play("chaozhou", 1, 1);
  const record::RoundRecord first = RecordOf(rounds[0]);
  EXPECT_THAT(store().Keep(first), base::IsOkAndHolds(true));
  const auto kept = store().ReadRecord(rounds[0]);
  record::RoundRecord other = first;
  other.table_id = "another";
  EXPECT_THAT(store().Keep(other), base::IsOkAndHolds(false));
  EXPECT_EQ(*store().ReadRecord(rounds[0]), *kept);
}

TEST_P(RoundStoreContract, ARoundIsReadFromTheJournalAsMuchAsItTakes) {
  const auto rounds = Play("guangdong", 3, 2);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto entries = store().ReadRound(rounds[i]);
    ASSERT_THAT(entries, base::IsOk());
    ASSERT_FALSE(entries->empty());
    const auto record = Compact(*entries, rounds[i], rows_.at(rounds[i]));
    ASSERT_THAT(record, base::IsOk());
    const record::RoundRecord whole = RecordOf(rounds[i]);
    EXPECT_EQ(record->events, whole.events);
    EXPECT_EQ(record->options, whole.options);
    EXPECT_EQ(record->end, whole.end);
    EXPECT_EQ(record->number, static_cast<int>(i) + 1);
  }
  EXPECT_THAT(store().ReadRound(RoundId("nothing")), base::IsOkAndHolds(::testing::IsEmpty()));
}

TEST_P(RoundStoreContract, WhatIsClaimedIsLeftToWhoeverClaimedItForAWhile) {
  constexpr std::chrono::milliseconds kLease{1'000};
  const auto rounds = Play("chaozhou", 3, 3);
  const auto first = store().Claim(2, kLease);
  ASSERT_THAT(first, base::IsOk());
  EXPECT_THAT(*first, ::testing::ElementsAre(rounds[0], rounds[1]));
  EXPECT_THAT(store().Claim(2, kLease), base::IsOkAndHolds(::testing::ElementsAre(rounds[2])));
  EXPECT_THAT(store().Claim(2, kLease), base::IsOkAndHolds(::testing::IsEmpty()));
  EXPECT_THAT(store().Keep(RecordOf(rounds[1])), base::IsOkAndHolds(true));
  fixture_->Pass(kLease + std::chrono::milliseconds(100));
  EXPECT_THAT(store().Claim(9, kLease),
              base::IsOkAndHolds(::testing::ElementsAre(rounds[0], rounds[2])));
  const auto backlog = store().ReadBacklog();
  ASSERT_THAT(backlog, base::IsOk());
  EXPECT_EQ(backlog->rounds, 2);
}

TEST_P(RoundStoreContract, NothingWaitsWhenEverythingIsRecorded) {
  const auto rounds = Play("chaozhou", 1, 4);
  EXPECT_EQ(store().ReadBacklog()->rounds, 1);
  EXPECT_THAT(store().Keep(RecordOf(rounds[0])), base::IsOkAndHolds(true));
  EXPECT_EQ(store().ReadBacklog()->rounds, 0);
  EXPECT_EQ(store().ReadBacklog()->oldest.count(), 0);
}

TEST_P(RoundStoreContract, RoundsAreListedNewestFirstByPlayerAndByTable) {
  const auto rounds = Play("chaozhou", 5, 5);
  // Whether their records have been made is no matter.
  for (const std::size_t i : {0U, 1U, 3U}) {
    EXPECT_THAT(store().Keep(RecordOf(rounds[i])), base::IsOkAndHolds(true));
  }
  const TableId table(RecordOf(rounds[0]).table_id);
  for (const RoundFilter& filter :
       {RoundFilter{PlayerId("p2"), TableId()}, RoundFilter{PlayerId(), table}}) {
    std::vector<RoundListing> all;
    std::optional<RoundPosition> after;
    while (true) {
      const auto page = store().List(filter, after, 2);
      ASSERT_THAT(page, base::IsOk());
      if (page->empty()) break;
      EXPECT_LE(page->size(), 2U);
      all.insert(all.end(), page->begin(), page->end());
      after = RoundPosition{all.back().ended_at, all.back().round};
    }
    ASSERT_EQ(all.size(), 5U);
    std::set<RoundId> seen;
    for (std::size_t i = 0; i < 5; ++i) {
      seen.insert(all[i].round);
      if (i > 0) {
        EXPECT_GE(all[i - 1].ended_at, all[i].ended_at);
      }
      EXPECT_EQ(all[i].table, table);
      EXPECT_EQ(all[i].variant, "chaozhou");
      EXPECT_EQ(all[i].base, 100);
      EXPECT_EQ(all[i].currency, Currency::kCoin);
      EXPECT_TRUE(all[i].settled);
      EXPECT_EQ(all[i].players[Seat::k2], PlayerId("p2"));
      EXPECT_LE(all[i].began_at, all[i].ended_at);
      EXPECT_EQ(rounds[static_cast<std::size_t>(all[i].number) - 1], all[i].round);
    }
    EXPECT_EQ(seen.size(), 5U);
  }
  EXPECT_THAT(store().List({PlayerId("nobody"), TableId()}, {}, 10),
              base::IsOkAndHolds(::testing::IsEmpty()));
  EXPECT_THAT(store().List({PlayerId(), TableId("nowhere")}, {}, 10),
              base::IsOkAndHolds(::testing::IsEmpty()));
}

}  // namespace mj::table
