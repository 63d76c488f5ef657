#include "libs/fairplay/played.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>
#include <string>
#include <vector>

#include "libs/base/status_testing.h"
#include "libs/base/strings.h"
#include "libs/packing/packing.h"
#include "libs/pg/cluster_testing.h"
#include "libs/record/round_record.h"
#include "libs/wire/kept_round.h"

namespace mj::fairplay {
namespace {

using base::Cat;
using base::IsOk;
using ::testing::ElementsAre;

class FairPlayTest : public ::testing::Test {
 protected:
  FairPlayTest() {
    database_.Execute(
        "SELECT tables.add_day('records', d::date) FROM generate_series("
        "'2026-01-01'::date, '2026-01-03', '1 day') d");
  }

  // Everybody as the role for it.
  pg::PoolOptions Options() const {
    return {.url = database_.url() + "&options=-c%20role%3Dfair_play_auditor",
            .connections_max = 1};
  }
  base::MonotonicTime Deadline() const { return clock_.Monotonic() + std::chrono::minutes(1); }

  // Four who were seated by the open queue, a and b from one device.
  void Seat(const std::string& match, const std::string& day,
            const std::string& change = "") const {
    std::string sql = Cat(
        "SET session_replication_role = replica;"
        "INSERT INTO matchmaking.matches (id, variant, options, base, currency, state, table_id,"
        " table_address, next_attempt_at, made_at) VALUES ('",
        match, "', 'chaozhou', '{}', 100, 'COIN', 'assigned', 'table', 'here:1', now(), '", day,
        " 12:00Z');");
    for (int seat = 0; seat < 4; ++seat) {
      const std::string player(1, static_cast<char>('a' + seat));
      sql +=
          Cat("INSERT INTO matchmaking.tickets (id, request_id, player_id, variant, options, base,"
              " currency, asked_base, device_id, state, match_id, expires_at) VALUES ('",
              match, player, "', '", match, player, "', '", player,
              "', 'chaozhou', '{}', 100, 'COIN',"
              " 0, 'device-",
              seat < 2 ? "ab" : player, "', 'assigned', '", match,
              "', now() + interval '1 hour');"
              "INSERT INTO matchmaking.match_members (match_id, seat, ticket_id, player_id)"
              " VALUES ('",
              match, "', ", std::to_string(seat), ", '", match, player, "', '", player, "');");
    }
    database_.Execute(sql + change);
  }

  static std::string Record(const std::string& round) {
    record::RoundRecord record;
    record.round_id = round;
    record.table_id = "table";
    record.number = 1;
    record.variant = "chaozhou";
    record.base = 100;
    record.rulebook_version = "v1";
    for (const rules::Seat seat : rules::kSeats) {
      record.players[seat] = std::string(1, static_cast<char>('a' + rules::IndexOf(seat)));
    }
    record::Settled settled;
    settled.scored.transfers = {{rules::Seat::k1, rules::Seat::k2, 300, "CZ-1"}};
    settled.posted.journal_id = "1";
    settled.row.journal_id = "1";
    record.end = settled;
    ::mahjong::record::v1::RoundRecord message;
    wire::ToRecord(record, message);
    return wire::Serialized(message);
  }
  void Keep(const std::string& round, const std::string& day, const std::string& record,
            const std::string& currency = "COIN") const {
    const std::string frame = packing::Pack(record);
    database_.Execute(Cat(
        "INSERT INTO tables.records (ended_on, round_id, table_id, number, variant, base, currency,"
        " player_ids, state, began_at, ended_at, format, payload) VALUES ('",
        day, "', '", round, "', 'table', 1, 'chaozhou', 100, '", currency,
        "', '{a,b,c,d}', 'settled', '", day, " 12:00Z', '", day, " 12:05Z', 1, decode('",
        base::ToHex(std::as_bytes(std::span(frame))), "', 'hex'))"));
  }

  const pg::testing::Database database_{};
  base::SystemClock clock_;
};

TEST_F(FairPlayTest, WhoSatTogetherAndWhatWasPlayedAreRead) {
  Seat("m1", "2026-01-01");
  Seat("m2", "2026-01-02");
  Keep("r1", "2026-01-01", Record("r1"));
  Keep("r2", "2026-01-02", Record("r2"));
  Keep("r3", "2026-01-02", Record("r3"));
  pg::Pool pool(Options(), clock_);
  const auto all = Examine(pool, {}, {}, Deadline());
  ASSERT_THAT(all, IsOk());
  EXPECT_EQ(all->report.sittings, 2U);
  EXPECT_EQ(all->report.rounds, 3U);
  EXPECT_EQ(all->report.players, 4U);
  EXPECT_EQ(all->report.pairs, 6U);
  EXPECT_EQ(all->unreadable, 0);
  ASSERT_EQ(all->report.findings.size(), 1U);
  EXPECT_EQ(all->report.findings[0].kind, collusion::Kind::kDevice);
  EXPECT_EQ(all->report.findings[0].one + all->report.findings[0].other, "ab");
  EXPECT_THAT(all->report.findings[0].rounds, ElementsAre("r3", "r2", "r1"));

  const auto second = Examine(pool, {.from = "2026-01-02", .to = "2026-01-02"}, {}, Deadline());
  ASSERT_THAT(second, IsOk());
  EXPECT_EQ(second->report.sittings, 1U);
  EXPECT_EQ(second->report.rounds, 2U);
  const auto later = Examine(pool, {.from = "2026-01-03"}, {}, Deadline());
  ASSERT_THAT(later, IsOk());
  EXPECT_EQ(later->report.pairs, 0U);
}

TEST_F(FairPlayTest, PracticeRoomsAndWhatWasNeverSeatedAreLeftOut) {
  Seat("m1", "2026-01-01", "UPDATE matchmaking.matches SET currency = 'PRACTICE'");
  Seat("m2", "2026-01-01", "UPDATE matchmaking.matches SET room_id = 'room' WHERE id = 'm2'");
  Seat("m3", "2026-01-01",
       "UPDATE matchmaking.matches SET state = 'released', table_id = NULL, table_address = NULL"
       " WHERE id = 'm3'");
  Keep("r1", "2026-01-01", Record("r1"), "PRACTICE");
  pg::Pool pool(Options(), clock_);
  const auto played = Examine(pool, {}, {}, Deadline());
  ASSERT_THAT(played, IsOk());
  EXPECT_EQ(played->report.sittings, 0U);
  EXPECT_EQ(played->report.rounds, 0U);
}

TEST_F(FairPlayTest, ARecordThatCannotBeReadIsNamed) {
  Keep("r1", "2026-01-01", "no record");
  Keep("r2", "2026-01-01", Record("r2"));
  pg::Pool pool(Options(), clock_);
  const auto played = Examine(pool, {}, {}, Deadline());
  ASSERT_THAT(played, IsOk());
  EXPECT_EQ(played->report.rounds, 1U);
  EXPECT_EQ(played->unreadable, 1);
  EXPECT_THAT(played->unreadable_rounds, ElementsAre("r1"));
}

TEST_F(FairPlayTest, WhatIsNoDayIsRefused) {
  pg::Pool pool(Options(), clock_);
  for (const char* day : {"yesterday", "2026-13-01", "2026-02-30", "2026-1-1", "2026-01-01 "}) {
    EXPECT_THAT(Examine(pool, {.from = day}, {}, Deadline()),
                base::HasCode(absl::StatusCode::kInvalidArgument))
        << day;
    EXPECT_THAT(Examine(pool, {.to = day}, {}, Deadline()),
                base::HasCode(absl::StatusCode::kInvalidArgument))
        << day;
  }
}

TEST_F(FairPlayTest, APairIsKeptApartOnceHoweverMuchSpeaksForIt) {
  using collusion::Kind;
  pg::Pool pool(Options(), clock_);
  const std::vector<collusion::Finding> findings = {
      {.kind = Kind::kFlow, .one = "b", .other = "a", .rounds = {"r1", "r2"}},
      {.kind = Kind::kFeeding, .one = "b", .other = "a", .rounds = {"r2", "r3"}},
      {.kind = Kind::kDevice, .one = "c", .other = "d", .rounds = {}}};
  EXPECT_THAT(KeepApart(pool, findings, std::chrono::hours(720), Deadline()),
              base::IsOkAndHolds(2));
  EXPECT_EQ(database_.Execute("SELECT string_agg(concat_ws(' ', player_id, other_id, kinds,"
                              " round_ids), ';' ORDER BY player_id) FROM matchmaking.kept_apart"),
            "a b {feeding,flow} {r1,r2,r3};c d {device} {}");
  const std::string ends = database_.Execute("SELECT max(ends_at) FROM matchmaking.kept_apart");
  EXPECT_THAT(KeepApart(pool, findings, std::chrono::hours(24), Deadline()), base::IsOkAndHolds(2));
  EXPECT_EQ(database_.Execute("SELECT max(ends_at) FROM matchmaking.kept_apart"), ends)
      << "never for a shorter time";
  EXPECT_THAT(KeepApart(pool, {}, std::chrono::hours(24), Deadline()), base::IsOkAndHolds(0));
}

TEST_F(FairPlayTest, ItsRoleChangesNothingElse) {
  const auto refused = [&](const std::string& sql) {
    return database_.Refusal("SET ROLE fair_play_auditor; " + sql).value_or("");
  };
  for (const char* sql :
       {"UPDATE matchmaking.tickets SET state = 'failed'", "DELETE FROM matchmaking.kept_apart",
        "INSERT INTO matchmaking.live_seats (player_id) VALUES ('a')",
        "SELECT FROM matchmaking.ratings", "SELECT FROM tables.events",
        "SELECT FROM wallet.entries", "DELETE FROM tables.records"}) {
    EXPECT_EQ(refused(sql), "42501") << sql;
  }
  EXPECT_EQ(refused("SELECT FROM tables.records"), "");
}

}  // namespace
}  // namespace mj::fairplay
