#include "services/table/app/compaction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "libs/base/status_testing.h"
#include "libs/fairness/verify.h"
#include "libs/round/decide.h"
#include "libs/variants/registry.h"
#include "services/table/app/bench_testing.h"
#include "services/table/app/world_testing.h"
#include "tests/support/counts.h"

namespace mj::table {
namespace {

using base::HasCode;
using base::IsOk;
using base::IsOkAndHolds;

record::JournalRow Row(std::string id = "j") { return {std::move(id), "text", {}}; }

std::vector<RoundBegun> RoundsOf(const std::vector<LogEntry>& journal) {
  std::vector<RoundBegun> rounds;
  for (const LogEntry& entry : journal) {
    if (const auto* begun = std::get_if<RoundBegun>(&entry.event)) rounds.push_back(*begun);
  }
  return rounds;
}

// The record with the row of a wallet that closed it.
absl::StatusOr<record::RoundRecord> Compacted(World& world, const std::vector<LogEntry>& journal,
                                              const RoundId& round) {
  const auto closed = ClosedByWallet(journal, round);
  if (!closed.ok()) return closed.status();
  if (!*closed) return Compact(journal, round, std::nullopt);
  const auto row = world.wallet.ReadRow(round);
  EXPECT_THAT(row, IsOk());
  return Compact(journal, round, *row);
}

// What the journal says of the round, event by event, told again by the record alone.
void ExpectWhole(const record::RoundRecord& record, const std::vector<LogEntry>& journal,
                 const RoundBegun& begun) {
  const rules::Variant* game = variants::Find(record.variant);
  ASSERT_NE(game, nullptr);
  const auto options = rules::ParseOptions(game->options(), record.options);
  ASSERT_TRUE(std::holds_alternative<rules::Options>(options));
  const auto& parsed = std::get<rules::Options>(options);
  EXPECT_EQ(rules::ToTexts(game->options(), parsed, /*all=*/true), record.options) << "complete";
  EXPECT_EQ(fairness::VerifyDeal(record::PublishedDealOf(record), game->play(parsed).wall),
            fairness::Verdict{});

  ASSERT_TRUE(record.dice.has_value());
  auto setup = round::MakeSetup({.variant = game,
                                 .options = parsed,
                                 .dealer = record.dealer,
                                 .round_wind = record.round_wind,
                                 .seat_winds = record.seat_winds,
                                 .dice = {static_cast<std::uint8_t>(record.dice->first),
                                          static_cast<std::uint8_t>(record.dice->second)},
                                 .wall = record.wall});
  ASSERT_TRUE(std::holds_alternative<round::Setup>(setup));
  round::State state;
  std::size_t at = 0;
  bool within = false;
  for (const LogEntry& entry : journal) {
    if (const auto* begins = std::get_if<RoundBegun>(&entry.event)) {
      within = begins->round == begun.round;
      if (within) {
        EXPECT_EQ(record.began_at, entry.time);
      }
      continue;
    }
    if (!within || std::holds_alternative<NonceRevealed>(entry.event) ||
        std::holds_alternative<DealDrawn>(entry.event)) {
      continue;
    }
    if (std::holds_alternative<RoundPosted>(entry.event) ||
        std::holds_alternative<RoundVoided>(entry.event)) {
      EXPECT_EQ(record.ended_at, entry.time);
      break;
    }
    if (std::holds_alternative<RoundScored>(entry.event)) continue;
    ASSERT_LT(at, record.events.size());
    EXPECT_EQ(record.events[at].time, entry.time);
    if (const auto* played = std::get_if<RoundPlayed>(&entry.event)) {
      ASSERT_EQ(record.events[at].what, record::What(played->event));
      round::Apply(std::get<round::Setup>(setup), state, played->event);
    }
    ++at;
  }
  EXPECT_EQ(at, record.events.size());
  EXPECT_TRUE(state.over());
}

TEST(CompactionTest, RandomRoundsOfEveryGameAreKeptWhole) {
  const int rounds = static_cast<int>(testing::Count(100));
  for (const rules::Variant* game : variants::All()) {
    World world(11);
    const TableId table = world.MakeTable(std::string(game->info().id));
    Company company(world, table);
    for (int i = 0; i < rounds + 1; ++i) company.PlayRound();
    const auto journal = world.memory.All(table);
    const auto begun = RoundsOf(journal);
    ASSERT_EQ(begun.size(), static_cast<std::size_t>(rounds + 1));
    for (const RoundBegun& round : begun) {
      const auto record = Compacted(world, journal, round.round);
      ASSERT_THAT(record, IsOk());
      EXPECT_EQ(record->round_id, round.round.value());
      EXPECT_EQ(record->table_id, table.value());
      EXPECT_EQ(record->number, round.number);
      EXPECT_EQ(record->base, round.base);
      EXPECT_EQ(record->rulebook_version, round.rulebook_version);
      EXPECT_EQ(record->drawn, round.number == 1);
      EXPECT_EQ(record->seed_hash, SeedHash(round));
      const auto* settled = std::get_if<record::Settled>(&record->end);
      ASSERT_NE(settled, nullptr);
      EXPECT_EQ(settled->row.journal_id, settled->posted.journal_id);
      EXPECT_GE(settled->scored_at, record->began_at);
      EXPECT_LE(settled->scored_at, record->ended_at);
      ExpectWhole(*record, journal, round);
    }
  }
}

TEST(CompactionTest, StakesAreThoseOfTheRoundAndNotOfLater) {
  World world;
  const auto made = world.Create("empty", World::EmptySpec("guangdong"));
  ASSERT_THAT(made, IsOk());
  for (const char* player : {"p0", "p1", "p2", "p3"}) {
    ASSERT_THAT(world.Join(made->id, player), IsOk());
  }
  Company company(world, made->id);
  company.Agree();
  company.PlayRound();
  auto journal = world.memory.All(made->id);
  const RoundId round = RoundsOf(journal).front().round;
  const auto before = Compacted(world, journal, round);
  ASSERT_THAT(before, IsOk());
  EXPECT_GT(before->base, 0);
  EXPECT_FALSE(before->options.empty());
  // What comes after the round says nothing about it.
  journal.push_back({journal.back().seq + 1, {}, StakesProposed{9, Seat::k1, 7, {}, {{"x", "y"}}}});
  const auto after = Compacted(world, journal, round);
  ASSERT_THAT(after, IsOk());
  EXPECT_EQ(after->options, before->options);
}

TEST(CompactionTest, AnEscapeIsKeptWithItsPenalty) {
  World world;
  const TableId table = world.MakeTable();
  Company company(world, table);
  company.ReadyAll();
  ASSERT_TRUE(company.Step());
  ASSERT_THAT(world.Leave(table, "p2"), IsOk());
  world.Run();
  const auto journal = world.memory.All(table);
  const RoundBegun begun = RoundsOf(journal).front();
  const auto record = Compacted(world, journal, begun.round);
  ASSERT_THAT(record, IsOk());
  const auto* voided = std::get_if<record::Voided>(&record->end);
  ASSERT_NE(voided, nullptr);
  EXPECT_EQ(voided->voided.reason, VoidReason::kEscape);
  EXPECT_EQ(voided->voided.escaped, Seat::k2);
  ASSERT_TRUE(voided->voided.penalty.has_value());
  ASSERT_TRUE(voided->row.has_value());
  EXPECT_EQ(voided->row->journal_id, voided->voided.penalty->journal_id);
  const record::What leaving = record::Leaving{Seat::k2, "p2", LeaveReason::kLeft};
  EXPECT_TRUE(std::any_of(record->events.begin(), record->events.end(),
                          [&](const record::RecordedEvent& e) { return e.what == leaving; }));
  ExpectWhole(*record, journal, begun);
}

TEST(CompactionTest, ARoundThatTheWalletDidNotLetBeginHasNoRow) {
  World world;
  const TableId table = world.MakeTable();
  Company company(world, table);
  world.wallet.FailBeginsWith({base::Error(base::Reason::kAccountFrozen)});
  company.ReadyAll();
  const auto journal = world.memory.All(table);
  const RoundId round = RoundsOf(journal).front().round;
  EXPECT_THAT(ClosedByWallet(journal, round), IsOkAndHolds(false));
  const auto record = Compact(journal, round, std::nullopt);
  ASSERT_THAT(record, IsOk());
  EXPECT_EQ(std::get<record::Voided>(record->end),
            (record::Voided{{VoidReason::kRefused, {}, {}}, {}}));
  EXPECT_TRUE(record->events.empty());
  EXPECT_THAT(Compact(journal, round, Row()), HasCode(absl::StatusCode::kDataLoss));
}

class CompactionFaultTest : public ::testing::Test {
 protected:
  CompactionFaultTest() {
    const TableId table = world_.MakeTable();
    Company company(world_, table);
    company.PlayRound();
    journal_ = world_.memory.All(table);
    round_ = RoundsOf(journal_).front().round;
    row_ = *world_.wallet.ReadRow(round_);
    EXPECT_THAT(Compact(journal_, round_, row_), IsOk());
  }
  template <typename T>
  std::size_t At() const {
    for (std::size_t i = 0; i < journal_.size(); ++i) {
      if (std::holds_alternative<T>(journal_[i].event)) return i;
    }
    ADD_FAILURE() << "no such event";
    return 0;
  }
  void ExpectLost() const {
    EXPECT_THAT(Compact(journal_, round_, row_), HasCode(absl::StatusCode::kDataLoss));
    EXPECT_THAT(ClosedByWallet(journal_, round_), HasCode(absl::StatusCode::kDataLoss));
  }

  World world_;
  std::vector<LogEntry> journal_;
  RoundId round_;
  record::JournalRow row_;
};

TEST_F(CompactionFaultTest, OfARoundThatIsNotThere) {
  round_ = RoundId("another");
  ExpectLost();
}
TEST_F(CompactionFaultTest, OfARoundThatIsNotOver) {
  journal_.resize(At<RoundPosted>());
  ExpectLost();
}
TEST_F(CompactionFaultTest, WithoutTheTable) {
  journal_.erase(journal_.begin());
  ExpectLost();
}
TEST_F(CompactionFaultTest, OfNothing) {
  journal_.clear();
  ExpectLost();
}
TEST_F(CompactionFaultTest, WithAnotherRoundInIt) {
  RoundBegun other = std::get<RoundBegun>(journal_[At<RoundBegun>()].event);
  other.round = RoundId("other");
  journal_[At<RoundPlayed>() + 1].event = other;
  ExpectLost();
}
TEST_F(CompactionFaultTest, PostedWithoutAScore) {
  journal_.erase(journal_.begin() + static_cast<std::ptrdiff_t>(At<RoundScored>()));
  ExpectLost();
}
TEST_F(CompactionFaultTest, ScoredTwice) {
  journal_.insert(journal_.begin() + static_cast<std::ptrdiff_t>(At<RoundScored>()),
                  journal_[At<RoundScored>()]);
  ExpectLost();
}
TEST_F(CompactionFaultTest, VoidAfterItWasScored) {
  journal_[At<RoundPosted>()].event = RoundVoided{};
  ExpectLost();
}
TEST_F(CompactionFaultTest, WithWhatHappensBetweenRounds) {
  for (const TableEvent& event : std::vector<TableEvent>{
           QuestionAsked{2}, SeatReadied{}, SeatTaken{}, BaseSet{}, StakesProposed{}, StakesAsked{},
           ConsentAsked{}, StakesAccepted{}, TableEnded{}}) {
    const auto whole = journal_;
    journal_[At<RoundPlayed>() + 1].event = event;
    ExpectLost();
    journal_ = whole;
  }
}
TEST_F(CompactionFaultTest, WithoutItsRowOrWithAnother) {
  EXPECT_THAT(Compact(journal_, round_, std::nullopt), HasCode(absl::StatusCode::kDataLoss));
  EXPECT_THAT(Compact(journal_, round_, Row("another")), HasCode(absl::StatusCode::kDataLoss));
}

}  // namespace
}  // namespace mj::table
