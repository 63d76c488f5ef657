// Right records are proved, whatever happened in their rounds.
#include "libs/proof/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <variant>

#include "libs/audit/digest.h"
#include "libs/base/status_testing.h"
#include "libs/fairness/commitment.h"
#include "libs/proof/follows.h"
#include "libs/proof/replay.h"
#include "libs/round/result.h"
#include "libs/variants/registry.h"
#include "libs/wire/kept_round.h"
#include "tests/proof/made_testing.h"
#include "tests/support/counts.h"

namespace mj::proof {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using testing::Random;

std::string Told(const Report& report) {
  const Statement* misfit = report.misfit();
  if (misfit == nullptr) return "fits";
  return std::string(NameOf(misfit->claim)) + ": " + misfit->where + ": " + misfit->text;
}

const Statement& Of(const Report& report, Claim claim) {
  for (const Statement& statement : report.statements) {
    if (statement.claim == claim) return statement;
  }
  ADD_FAILURE() << "no statement about the " << NameOf(claim);
  return report.statements.front();
}

class VerifyTest : public ::testing::TestWithParam<Ending> {};

INSTANTIATE_TEST_SUITE_P(Endings, VerifyTest,
                         ::testing::Values(Ending::kPlayed, Ending::kEscape, Ending::kOperator,
                                           Ending::kRefused));

TEST_P(VerifyTest, RoundsOfEveryGameAreProved) {
  std::set<std::string> outcomes;
  for (const rules::Variant* game : variants::All()) {
    for (std::int64_t i = 0; i < testing::Count(3'000); ++i) {
      Random random(static_cast<std::uint64_t>(i) * 4 + static_cast<std::uint64_t>(GetParam()));
      const record::RoundRecord record =
          MakeRecord(*game, random, {.ending = GetParam(), .bots = i % 3 != 0});
      const Report report = VerifyRecord(record);
      ASSERT_TRUE(report.fits()) << game->info().id << ", seed " << i << ": " << Told(report);
      ASSERT_EQ(report.statements.size(), static_cast<std::size_t>(kClaims));
      for (const Statement& statement : report.statements) {
        EXPECT_NE(statement.verdict, Verdict::kNotReached);
        EXPECT_FALSE(statement.text.empty()) << NameOf(statement.claim);
      }
      outcomes.insert(Of(report, Claim::kOutcome).text.substr(0, 4));
    }
  }
  if (GetParam() == Ending::kPlayed) {
    EXPECT_THAT(outcomes, Contains("won "));
    EXPECT_THAT(outcomes, Contains("exha"));
  }
  if (GetParam() == Ending::kEscape) {
    EXPECT_THAT(outcomes, Contains("void"));
  }
}

TEST_P(VerifyTest, RecordsSurviveTheirFile) {
  for (const rules::Variant* game : variants::All()) {
    for (std::int64_t i = 0; i < testing::Count(300); ++i) {
      Random random(static_cast<std::uint64_t>(i));
      const record::RoundRecord made = MakeRecord(*game, random, {.ending = GetParam()});
      ::mahjong::record::v1::RoundRecord message;
      wire::ToRecord(made, message);
      const auto read = wire::ParseRoundRecord(wire::Serialized(message));
      ASSERT_THAT(read, base::IsOk());
      EXPECT_TRUE(VerifyRecord(*read).fits());
      ::mahjong::record::v1::RoundRecord again;
      wire::ToRecord(*read, again);
      EXPECT_EQ(wire::Serialized(again), wire::Serialized(message));
    }
  }
}

TEST(VerifyOneTest, SaysWhatNobodyCanTell) {
  Random random(1);
  record::RoundRecord record = MakeRecord(*variants::All().front(), random);
  const Report report = VerifyRecord(record);
  EXPECT_THAT(report.not_provable, Contains(HasSubstr("mahjongctl audit")));
  EXPECT_THAT(report.not_provable, Contains(HasSubstr("when things happened")));
}

TEST(VerifyOneTest, AClockThatGoesBackALittleIsSaid) {
  Random random(1);
  record::RoundRecord record = MakeRecord(*variants::All().front(), random);
  record.events[10].time = record.events[9].time - std::chrono::seconds(2);
  const Report report = VerifyRecord(record);
  EXPECT_TRUE(report.fits()) << Told(report);
  EXPECT_THAT(report.not_provable, Contains(HasSubstr("went back a little")));
}

TEST(VerifyOneTest, AnUnknownRulebookIsSaid) {
  Random random(2);
  record::RoundRecord record = MakeRecord(*variants::All().front(), random);
  record.rulebook_version = "chaozhou-0000000000000000";
  const Report report = VerifyRecord(record);
  EXPECT_FALSE(report.fits());
  EXPECT_EQ(report.misfit()->claim, Claim::kRulebook);
  EXPECT_EQ(Of(report, Claim::kCommitment).verdict, Verdict::kProved);
  EXPECT_EQ(Of(report, Claim::kPlay).verdict, Verdict::kNotReached);
}

// Whatever is given has a report: nothing here trusts a record.
TEST(VerifyOneTest, AnEmptyRecordHasAReport) {
  record::RoundRecord record;
  EXPECT_FALSE(VerifyRecord(record).fits());
  record.end = record::Voided{};
  EXPECT_FALSE(VerifyRecord(record).fits());
}

// A dealer who was not drawn is the one that the round before leads to.
TEST(FollowsTest, TheDealerComesFromTheRoundBefore) {
  for (const rules::Variant* game : variants::All()) {
    for (std::int64_t i = 0; i < testing::Count(1'000); ++i) {
      Random random(static_cast<std::uint64_t>(i));
      const record::RoundRecord before =
          MakeRecord(*game, random, {.ending = i % 4 == 3 ? Ending::kEscape : Ending::kPlayed});
      const auto setup = SetupOf(*game, before);
      ASSERT_TRUE(setup.has_value());
      const auto next = round::NextRound(*setup, ReplayPlay(*setup, before).state);
      record::RoundRecord after = before;
      after.number = before.number + 1;
      after.drawn = false;
      ASSERT_TRUE(IsBefore(before, after));
      if (!next) {
        EXPECT_TRUE(Follows(before, after).has_value()) << "drawn anew after a void round";
        continue;
      }
      after.dealer = next->dealer;
      after.round_wind = next->round_wind;
      EXPECT_FALSE(Follows(before, after).has_value());
      const auto lie = [&](const auto& change) {
        record::RoundRecord other = after;
        change(other);
        EXPECT_TRUE(Follows(before, other).has_value());
      };
      lie([](auto& r) { r.dealer = rules::After(r.dealer); });
      lie([](auto& r) { r.round_wind = tiles::kRed; });
      lie([](auto& r) { r.seat_winds = rules::PerSeat<tiles::Tile>(); });
      lie([](auto& r) { r.players[rules::Seat::k2] = "somebody"; });
      after.drawn = true;
      EXPECT_FALSE(IsBefore(before, after));
      after.drawn = false;
      after.number += 1;
      EXPECT_FALSE(IsBefore(before, after));
    }
  }
}

// Each kind of lie is found where it was told.
TEST(VerifyOneTest, TheFirstThingThatDoesNotFitIsNamed) {
  Random random(3);
  const record::RoundRecord right = MakeRecord(*variants::All().front(), random);
  const auto& settled = std::get<record::Settled>(right.end);
  ASSERT_FALSE(settled.scored.transfers.empty()) << "take another seed";
  const auto expect = [&](const std::string& what, Claim claim, const std::string& where,
                          const std::function<void(record::RoundRecord&, record::Settled&)>& lie) {
    record::RoundRecord record = right;
    lie(record, std::get<record::Settled>(record.end));
    const Report report = VerifyRecord(record);
    ASSERT_FALSE(report.fits()) << what;
    EXPECT_EQ(report.misfit()->claim, claim) << what << ": " << Told(report);
    EXPECT_THAT(report.misfit()->where, HasSubstr(where)) << what;
  };
  using Record = record::RoundRecord;
  using Settled = record::Settled;
  expect("a seed", Claim::kCommitment, "seed", [](Record& r, Settled&) { ++r.seed[5]; });
  expect("another commitment", Claim::kCommitment, "seed",
         [](Record& r, Settled&) { ++r.seed_hash[5]; });
  expect("seed and commitment", Claim::kDeal, "wall", [](Record& r, Settled&) {
    ++r.seed[5];
    r.seed_hash = fairness::CommitSeed(r.seed);
  });
  expect("the round's id", Claim::kDeal, "wall", [](Record& r, Settled&) { r.round_id += "x"; });
  expect("two tiles of the wall", Claim::kDeal, "wall", [](Record& r, Settled&) {
    std::size_t other = 60;
    while (r.wall[other] == r.wall[50]) ++other;
    std::swap(r.wall[50], r.wall[other]);
  });
  expect("dice", Claim::kDeal, "dice",
         [](Record& r, Settled&) { r.dice->first = r.dice->first % 6 + 1; });
  expect("an event is missing", Claim::kPlay, "events[",
         [](Record& r, Settled&) { r.events.erase(r.events.begin() + 10); });
  expect("an event twice", Claim::kPlay, "events[",
         [](Record& r, Settled&) { r.events.insert(r.events.begin() + 10, r.events[10]); });
  expect("the end is missing", Claim::kPlay, "events[", [](Record& r, Settled&) {
    while (!std::holds_alternative<round::Event>(r.events.back().what)) r.events.pop_back();
    r.events.pop_back();
  });
  expect("times go back", Claim::kRound, "events[10].time_us", [](Record& r, Settled&) {
    r.events[10].time = r.events[9].time - std::chrono::seconds(6);
  });
  expect("a transfer", Claim::kScore, "transfers[0]",
         [](Record&, Settled& s) { ++s.scored.transfers[0].coins; });
  expect("the receipt", Claim::kScore, "settled.scored.score",
         [](Record&, Settled& s) { s.scored.score.back() ^= 1; });
  expect("the row's hash", Claim::kJournalRow, "row.hash",
         [](Record&, Settled& s) { ++s.row.hash[0]; });
  expect("the row's text", Claim::kJournalRow, "row.hash",
         [](Record&, Settled& s) { s.row.canonical.back() = ' '; });
  expect("the row's text, hashed", Claim::kJournalRow, "row.canonical", [](Record&, Settled& s) {
    s.row.canonical.insert(s.row.canonical.find("key=round/") + 10, "x");
    s.row.hash = audit::Sha256(s.row.canonical);
  });
  expect("a player", Claim::kJournalRow, "row.canonical", [](Record& r, Settled&) {
    for (auto& event : r.events) {
      std::visit(
          [&](auto& what) {
            if constexpr (requires { what.player; }) {
              if (what.seat == rules::Seat::k1) what.player = "somebody";
            }
          },
          event.what);
    }
    r.players[rules::Seat::k1] = "somebody";
  });
  expect("a bot", Claim::kRound, "bot_seats",
         [](Record& r, Settled&) { r.bots[rules::Seat::k1] = !r.bots[rules::Seat::k1]; });
  expect("a balance", Claim::kSettlement, "row.canonical",
         [](Record&, Settled& s) { ++s.posted.seats[rules::Seat::k2].balance; });
  expect("a net", Claim::kSettlement, "posted.seats",
         [](Record&, Settled& s) { ++s.posted.seats[rules::Seat::k2].net; });
  expect("settled, and void", Claim::kOutcome, "voided", [](Record& r, Settled& s) {
    r.end = record::Voided{{record::VoidReason::kAllAbsent, {}, {}}, s.row};
  });
  // An operator may end what could not be scored; this was, and the wallet's row says so.
  expect("settled, and void by an operator", Claim::kJournalRow, "voided.row",
         [](Record& r, Settled& s) {
           r.end = record::Voided{{record::VoidReason::kOperator, {}, {}}, s.row};
         });
}

}  // namespace
}  // namespace mj::proof
