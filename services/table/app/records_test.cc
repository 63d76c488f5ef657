#include "services/table/app/records.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "libs/base/page_token.h"
#include "libs/base/status_testing.h"
#include "services/table/app/memory_round_store_testing.h"
#include "services/table/app/round_store_contract_testing.h"
#include "services/table/app/world_testing.h"

namespace mj::table {
namespace {

using base::FailsWith;
using base::IsOk;
using base::IsOkAndHolds;
using base::Reason;

class MemoryFixture final : public RoundStoreFixture {
 public:
  RoundStore& store() override { return store_; }
  void Journal(const std::vector<std::vector<LogEntry>>& groups) override {
    const LogEntry& first = groups.front().front();
    ASSERT_THAT(log_.Create(first, OwnerId("owner")), IsOkAndHolds(Creation(Made{})));
    for (std::size_t i = 1; i < groups.size(); ++i) {
      const Append append{std::get<TableCreated>(first.event).table, 1, groups[i]};
      ASSERT_THAT(log_.Write(std::span(&append, 1)), IsOk());
    }
  }
  void Pass(std::chrono::milliseconds time) override { clock_.Advance(time); }

 private:
  base::SimulatedClock clock_;
  MemoryEventLog log_;
  MemoryRoundStore store_{log_, clock_};
};
INSTANTIATE_TEST_SUITE_P(Memory, RoundStoreContract,
                         ::testing::Values([] { return std::make_unique<MemoryFixture>(); }));

class RecordsTest : public ::testing::Test {
 protected:
  // The table's rounds so far.
  std::vector<RoundId> Rounds() const {
    std::vector<RoundId> rounds;
    for (const LogEntry& entry : world_.memory.All(table_)) {
      if (const auto* begun = std::get_if<RoundBegun>(&entry.event)) rounds.push_back(begun->round);
    }
    return rounds;
  }
  absl::StatusOr<Records::Run> MakeDue(std::int64_t limit = 100) {
    failed_.clear();
    return records_.MakeDue(limit, [this](const RoundId& round, const absl::Status& why) {
      failed_.emplace_back(round, why);
    });
  }

  World world_;
  TableId table_ = world_.MakeTable();
  Company company_{world_, table_};
  MemoryRoundStore store_{world_.memory, world_.clock};
  Records records_{store_, world_.wallet};
  std::vector<std::pair<RoundId, absl::Status>> failed_;
};

TEST_F(RecordsTest, TheRecordOfALiveRoundIsRefusedToEveryone) {
  company_.ReadyAll();
  const RoundId round = Rounds().front();
  int steps = 0;
  do {
    ASSERT_THAT(records_.Get(round), FailsWith(Reason::kRoundInProgress, "round_id"));
    EXPECT_THAT(MakeDue(), IsOk());
    EXPECT_EQ(store_.kept(round), std::nullopt);
    ++steps;
  } while (company_.asked() != nullptr && company_.Step() && world_.wallet.rounds() == 0);
  EXPECT_GT(steps, 10);
  EXPECT_THAT(records_.Get(round), IsOkAndHolds(round.value()));
}

// …also while it is over and being scored or paid.
TEST_F(RecordsTest, ARoundThatIsNotPaidYetIsLive) {
  world_.wallet.FailWith({base::Error(Reason::kUnavailable)});
  company_.PlayRound();
  const RoundId round = Rounds().front();
  EXPECT_THAT(records_.Get(round), FailsWith(Reason::kRoundInProgress, "round_id"));
  world_.Advance(std::chrono::seconds(10));
  EXPECT_THAT(records_.Get(round), IsOk());
}

TEST_F(RecordsTest, ARecordIsMadeOnTheSpotAndOnce) {
  company_.PlayRound();
  const RoundId round = Rounds().front();
  EXPECT_THAT(records_.Get(round), IsOkAndHolds(round.value()));
  const auto kept = store_.kept(round);
  ASSERT_TRUE(kept.has_value());
  const auto run = MakeDue();
  ASSERT_THAT(run, IsOk());
  EXPECT_EQ(run->claimed, 0);
  EXPECT_THAT(records_.Get(round), IsOk());
}

TEST_F(RecordsTest, UnknownAndForgottenRounds) {
  EXPECT_THAT(records_.Get(RoundId("nothing")), FailsWith(Reason::kRoundNotFound, "round_id"));
  company_.PlayRound();
  const RoundId round = Rounds().front();
  ASSERT_THAT(records_.Get(round), IsOk());
  store_.Forget(round);
  EXPECT_THAT(records_.Get(round), FailsWith(Reason::kRecordExpired, "round_id"));
}

TEST_F(RecordsTest, AWalletThatIsAwayIsWaitedFor) {
  company_.PlayRound();
  const RoundId round = Rounds().front();
  world_.wallet.FailRowsWith(
      {base::Error(Reason::kUnavailable), base::Error(Reason::kUnavailable)});
  EXPECT_THAT(records_.Get(round), FailsWith(Reason::kUnavailable));
  ASSERT_THAT(MakeDue(), IsOk());
  ASSERT_EQ(failed_.size(), 1U);
  EXPECT_EQ(failed_[0].first, round);
  EXPECT_THAT(failed_[0].second, FailsWith(Reason::kUnavailable));
  // Not at once…
  EXPECT_EQ(MakeDue()->claimed, 0);
  world_.Advance(Records::kRetry + std::chrono::milliseconds(10));
  // …but later.
  EXPECT_EQ(MakeDue()->made, 1);
  EXPECT_TRUE(failed_.empty());
  EXPECT_TRUE(store_.kept(round).has_value());
}

TEST_F(RecordsTest, AWalletThatDoesNotKnowTheRoundNeedsAPerson) {
  company_.PlayRound();
  world_.wallet.FailRowsWith({base::Error(Reason::kJournalNotFound)});
  EXPECT_THAT(records_.Get(Rounds().front()), FailsWith(Reason::kInternal));
}

TEST_F(RecordsTest, OneThatFailsDoesNotHinderTheOthers) {
  for (int i = 0; i < 3; ++i) company_.PlayRound();
  world_.wallet.FailRowsWith({base::Error(Reason::kUnavailable)});
  const auto run = MakeDue();
  ASSERT_THAT(run, IsOk());
  EXPECT_EQ(run->claimed, 3);
  EXPECT_EQ(run->made, 2);
  EXPECT_EQ(failed_.size(), 1U);
}

TEST_F(RecordsTest, NoMoreAreMadeAtOnceThanAskedFor) {
  for (int i = 0; i < 3; ++i) company_.PlayRound();
  EXPECT_EQ(MakeDue(2)->made, 2);
  EXPECT_EQ(MakeDue(2)->made, 1);
  EXPECT_EQ(MakeDue(2)->made, 0);
}

TEST_F(RecordsTest, PagesCoverTheListOnceNewestFirst) {
  for (int i = 0; i < 5; ++i) {
    company_.PlayRound();
    world_.Advance(std::chrono::seconds(1));
  }
  ASSERT_THAT(MakeDue(), IsOk());
  for (const RoundFilter& filter :
       {RoundFilter{PlayerId("p3"), TableId()}, RoundFilter{PlayerId(), table_}}) {
    std::vector<int> numbers;
    std::string token;
    do {
      const auto page = records_.List(filter, 2, token);
      ASSERT_THAT(page, IsOk());
      for (const RoundListing& round : page->rounds) numbers.push_back(round.number);
      token = page->next;
    } while (!token.empty());
    EXPECT_THAT(numbers, ::testing::ElementsAre(5, 4, 3, 2, 1));
  }
  EXPECT_EQ(records_.List({PlayerId("p3"), TableId()}, 0, "")->rounds.size(), 5U);
  EXPECT_TRUE(records_.List({PlayerId("nobody"), TableId()}, 0, "")->rounds.empty());
}

TEST_F(RecordsTest, WhatCannotBeListedIsRefused) {
  for (int i = 0; i < 2; ++i) company_.PlayRound();
  ASSERT_THAT(MakeDue(), IsOk());
  const RoundFilter player{PlayerId("p0"), TableId()};
  EXPECT_THAT(records_.List({}, 0, ""), FailsWith(Reason::kFieldRequired, "player_id"));
  EXPECT_THAT(records_.List({PlayerId("p0"), table_}, 0, ""),
              FailsWith(Reason::kFieldRequired, "player_id"));
  EXPECT_THAT(records_.List(player, -1, ""), FailsWith(Reason::kBadPageSize, "page_size"));
  EXPECT_THAT(records_.List(player, kRoundPageMax + 1, ""),
              FailsWith(Reason::kBadPageSize, "page_size"));
  const std::string token = records_.List(player, 1, "")->next;
  ASSERT_FALSE(token.empty());
  EXPECT_THAT(records_.List(player, 1, token), IsOk());
  EXPECT_THAT(records_.List({PlayerId("p1"), TableId()}, 1, token),
              FailsWith(Reason::kBadPageToken, "page_token"));
  EXPECT_THAT(records_.List({PlayerId(), TableId("p0")}, 1, token),
              FailsWith(Reason::kBadPageToken, "page_token"));
  for (const char* position : {"", "/", "1", "x/r", "-1/r", "1/", "1/no id", "1 /r"}) {
    const std::string made = base::MakePageToken("r1", {"p0", ""}, position);
    EXPECT_THAT(records_.List(player, 1, made), FailsWith(Reason::kBadPageToken, "page_token"))
        << position;
  }
}

}  // namespace
}  // namespace mj::table
