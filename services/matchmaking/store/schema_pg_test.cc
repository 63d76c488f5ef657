// What the schema itself refuses, whatever a service may try.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "libs/pg/cluster_testing.h"
#include "services/matchmaking/store/schema_testing.h"

namespace mj::matchmaking::store {
namespace {

class SchemaTest : public ::testing::Test {
 protected:
  SchemaTest() {
    database_.Execute(R"(
        INSERT INTO matchmaking.tickets (id, request_id, player_id, variant, options, base, currency,
                                         asked_base, expires_at)
        SELECT 't' || i, 'r' || i, 'p' || i, 'some-game', '{}', 10, 'COIN', 0, now() + '1 hour'
          FROM generate_series(0, 7) i;
        INSERT INTO matchmaking.matches (id, variant, options, base, currency, next_attempt_at)
        VALUES ('m', 'some-game', '{}', 10, 'COIN', now()), ('n', 'some-game', '{}', 10, 'COIN', now());
        INSERT INTO matchmaking.match_members (match_id, seat, ticket_id, player_id)
        SELECT 'm', i, 't' || i, 'p' || i FROM generate_series(0, 3) i;
        INSERT INTO matchmaking.live_seats (player_id, match_id, seat)
        SELECT 'p' || i, 'm', i FROM generate_series(0, 3) i;
        UPDATE matchmaking.tickets SET state = 'matched', match_id = 'm' WHERE id < 't4')");
  }
  // The SQLSTATE with which it is refused; "" when it is not.
  std::string Refusal(std::string_view sql) { return database_.Refusal(sql).value_or(""); }

  static constexpr std::string_view kUnique = "23505";
  static constexpr std::string_view kCheck = "23514";
  static constexpr std::string_view kForeignKey = "23503";
  static constexpr std::string_view kRefused = "23001";  // the triggers'

  static std::string NewTicket(std::string_view id, std::string_view request,
                               std::string_view player, std::string_view more = "") {
    std::string sql =
        "INSERT INTO matchmaking.tickets (id, request_id, player_id, variant, options, base,"
        " currency, asked_base, expires_at) VALUES ('";
    sql.append(id).append("', '").append(request).append("', '").append(player);
    sql.append("', 'some-game', '{}', 10, 'COIN', 0, now() + '1 hour')").append(more);
    return sql;
  }

  pg::testing::Database database_{Migrations()};
};

TEST_F(SchemaTest, OneLiveTicketForAPlayer) {
  EXPECT_EQ(Refusal(NewTicket("x", "x", "p5")), kUnique) << "queued";
  EXPECT_EQ(Refusal(NewTicket("x", "x", "p0")), kUnique) << "matched";
  database_.Execute("UPDATE matchmaking.tickets SET state = 'cancelled' WHERE id = 't5'");
  EXPECT_EQ(Refusal(NewTicket("x", "x", "p5")), "");
}

TEST_F(SchemaTest, OneTicketForARequestAndAnId) {
  EXPECT_EQ(Refusal(NewTicket("x", "r5", "somebody")), kUnique);
  EXPECT_EQ(Refusal(NewTicket("t5", "x", "somebody")), kUnique);
}

TEST_F(SchemaTest, OneOpenRoomForACode) {
  const std::string room =
      "INSERT INTO matchmaking.rooms (id, code, owner_id, variant, options, base, currency, media,"
      " expires_at) VALUES ('";
  const std::string rest = "', 'p', 'some-game', '{}', 10, 'COIN', 'none', now() + '1 hour')";
  EXPECT_EQ(Refusal(room + "a', '012345" + rest), "");
  EXPECT_EQ(Refusal(room + "b', '012345" + rest), kUnique);
  database_.Execute("UPDATE matchmaking.rooms SET closed_at = now()");
  EXPECT_EQ(Refusal(room + "b', '012345" + rest), "");
  EXPECT_EQ(Refusal(room + "c', '12345" + rest), kCheck);
}

TEST_F(SchemaTest, ARoundIsRatedOnceAndAPlayerInItOnce) {
  const std::string round =
      "INSERT INTO matchmaking.rated_rounds (round_id, variant) VALUES ('r', 'some-game')";
  const std::string change =
      "INSERT INTO matchmaking.rating_changes (round_id, player_id, coins, mean_before,"
      " spread_before, mean_after, spread_after) VALUES ('r', 'p', 0, 0, 1, 0, 1)";
  EXPECT_EQ(Refusal(change), kForeignKey);
  EXPECT_EQ(Refusal(round), "");
  EXPECT_EQ(Refusal(round), kUnique);
  EXPECT_EQ(Refusal(change), "");
  EXPECT_EQ(Refusal(change), kUnique);
}

TEST_F(SchemaTest, OneLiveSeatForAPlayerAndOnePlayerForASeat) {
  database_.Execute(
      "INSERT INTO matchmaking.match_members (match_id, seat, ticket_id, player_id)"
      " VALUES ('n', 0, 't4', 'p4'), ('n', 1, 't5', 'p0')");
  EXPECT_EQ(Refusal("INSERT INTO matchmaking.live_seats (player_id, match_id, seat)"
                    " VALUES ('p0', 'n', 1)"),
            kUnique);
  EXPECT_EQ(Refusal("INSERT INTO matchmaking.live_seats (player_id, match_id, seat)"
                    " VALUES ('p7', 'm', 0)"),
            kUnique);
  EXPECT_EQ(Refusal("INSERT INTO matchmaking.live_seats (player_id, match_id, seat)"
                    " VALUES ('p7', 'n', 3)"),
            kForeignKey);
}

TEST_F(SchemaTest, ATicketIsInOneMatchAtATime) {
  const std::string again =
      "INSERT INTO matchmaking.match_members (match_id, seat, ticket_id, player_id)"
      " VALUES ('n', 0, 't0', 'p0')";
  EXPECT_EQ(Refusal(again), kUnique);
  database_.Execute(
      "UPDATE matchmaking.match_members SET released_at = now() WHERE match_id = 'm'");
  EXPECT_EQ(Refusal(again), "");
}

TEST_F(SchemaTest, NobodyIsTwiceInOneMatch) {
  EXPECT_EQ(Refusal("UPDATE matchmaking.match_members SET player_id = 'p1'"
                    " WHERE match_id = 'm' AND seat = 0"),
            kUnique);
}

TEST_F(SchemaTest, AFinalTicketNeverChanges) {
  for (const std::string state : {"assigned", "cancelled", "expired", "failed"}) {
    const std::string match = state == "assigned" ? "'m'" : "NULL";
    const std::string reason = state == "failed" ? "'PLAYER_BUSY'" : "NULL";
    const std::string id = state == "assigned"    ? "t0"
                           : state == "cancelled" ? "t4"
                           : state == "expired"   ? "t5"
                                                  : "t6";
    database_.Execute("UPDATE matchmaking.tickets SET state = '" + state + "', match_id = " +
                      match + ", failure_reason = " + reason + " WHERE id = '" + id + "'");
    EXPECT_EQ(Refusal("UPDATE matchmaking.tickets SET state = 'queued', match_id = NULL,"
                      " failure_reason = NULL WHERE id = '" +
                      id + "'"),
              kRefused)
        << state;
  }
}

TEST_F(SchemaTest, WhatATicketAsksForNeverChanges) {
  for (const std::string change :
       {"id = 'x'", "request_id = 'x'", "player_id = 'x'", "variant = 'x'",
        "options = '{\"a\": \"b\"}'", "base = 20", "currency = 'PRACTICE'", "asked_base = 20",
        "media = 'video'", "room_id = 'r', asked_room = 'new'", "device_id = 'd'", "network = 'n'",
        "latency = '{\"east\": 1}'", "avoid = '{p1}'", "rating = 1", "place = 1",
        "bots = 'at_once', currency = 'PRACTICE'", "party_id = 't7', party_size = 2",
        "queued_at = queued_at + interval '1 microsecond'"}) {
    EXPECT_EQ(Refusal("UPDATE matchmaking.tickets SET " + change + " WHERE id = 't7'"), kRefused)
        << change;
  }
  EXPECT_EQ(Refusal("UPDATE matchmaking.tickets SET changed_at = now() WHERE id = 't7'"), "");
}

TEST_F(SchemaTest, AFinishedMatchNeverChanges) {
  database_.Execute("UPDATE matchmaking.matches SET state = 'released' WHERE id = 'n'");
  EXPECT_EQ(Refusal("UPDATE matchmaking.matches SET state = 'proposed' WHERE id = 'n'"), kRefused);
  database_.Execute(
      "UPDATE matchmaking.matches SET state = 'assigned', table_id = 't',"
      " table_address = 'a' WHERE id = 'm'");
  EXPECT_EQ(Refusal("UPDATE matchmaking.matches SET table_id = 'other' WHERE id = 'm'"), kRefused);
}

TEST_F(SchemaTest, StatesAndTheirFieldsGoTogether) {
  for (const std::string change :
       {"state = 'sleeping'", "state = 'matched'", "match_id = 'm'", "state = 'failed'",
        "failure_reason = 'X'", "expires_at = queued_at"}) {
    EXPECT_EQ(Refusal("UPDATE matchmaking.tickets SET " + change + " WHERE id = 't7'"), kCheck)
        << change;
  }
  for (const std::string change :
       {"state = 'sleeping'", "state = 'assigned'", "table_id = 't'", "table_address = 'a'",
        "attempts = 0", "base = 0", "base = 10001", "currency = 'GOLD'", "options = '[]'",
        "media = 'video'", "media_room_id = 'x'", "parties = 0", "parties = 5"}) {
    EXPECT_EQ(Refusal("UPDATE matchmaking.matches SET " + change + " WHERE id = 'm'"), kCheck)
        << change;
  }
  EXPECT_EQ(Refusal("UPDATE matchmaking.match_members SET seat = 4 WHERE seat = 3"), kCheck);
}

TEST_F(SchemaTest, WhatATicketAsksForFitsTogether) {
  const auto ticket = [](const std::string& columns, const std::string& values) {
    return "INSERT INTO matchmaking.tickets (id, request_id, player_id, variant, options, base,"
           " currency, asked_base, expires_at, " +
           columns +
           ") VALUES ('x', 'x', 'x', 'some-game', '{}', 10, 'COIN', 0, now() + '1 hour', " +
           values + ")";
  };
  for (const auto& [columns, values] : std::vector<std::pair<std::string, std::string>>{
           {"media", "'smoke'"},
           {"bots", "'some'"},
           {"bots", "'at_once'"},  // for coins
           {"room_id", "'r'"},
           {"asked_room", "'new'"},
           {"party_id", "'x'"},
           {"party_size", "2"},
           {"party_id, party_size", "'x', 5"},
           {"party_id, party_size, place", "'x', 2, 2"},
           {"place", "1"},
           {"place", "-1"},
           {"latency", "'[]'"},
           {"avoid", "array_fill('p'::text, ARRAY[101])"}}) {
    EXPECT_EQ(Refusal(ticket(columns, values)), kCheck) << columns << " " << values;
  }
  EXPECT_EQ(Refusal(ticket("party_id, party_size, place, room_id, asked_room, media",
                           "'x', 2, 1, 'r', '012345', 'video'")),
            "");
}

TEST_F(SchemaTest, EverythingIsCommented) {
  EXPECT_EQ(database_.Execute(R"(
      SELECT string_agg(what, ', ') FROM (
        SELECT c.relname || coalesce('.' || a.attname, '') AS what
          FROM pg_class c
          LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
                                  AND c.relkind = 'r'
         WHERE c.relnamespace = 'matchmaking'::regnamespace AND c.relkind IN ('r', 'v')
           AND col_description(c.oid, coalesce(a.attnum, 0)) IS NULL
        UNION ALL
        SELECT c.relname FROM pg_class c
         WHERE c.relnamespace = 'matchmaking'::regnamespace AND obj_description(c.oid) IS NULL
           AND (c.relkind = 'r' OR c.relkind = 'i'
                AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conindid = c.oid))
        UNION ALL
        SELECT p.proname FROM pg_proc p
         WHERE p.pronamespace = 'matchmaking'::regnamespace AND obj_description(p.oid) IS NULL
        UNION ALL
        SELECT t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
         WHERE c.relnamespace = 'matchmaking'::regnamespace AND NOT t.tgisinternal
           AND obj_description(t.oid, 'pg_trigger') IS NULL) uncommented)"),
            "");
}

TEST_F(SchemaTest, OptionLinesAreSortedByName) {
  EXPECT_EQ(database_.Execute("SELECT matchmaking.option_lines('{\"b\": \"2\", \"a\": \"1\"}')"),
            "a=1\nb=2");
  EXPECT_EQ(database_.Execute("SELECT matchmaking.option_lines('{}')"), "");
}

TEST_F(SchemaTest, TheQueueIsReadByItsIndexNotByHistory) {
  database_.Execute(R"(
      INSERT INTO matchmaking.tickets (id, request_id, player_id, variant, options, base, currency,
                                       asked_base, state, queued_at, expires_at)
      SELECT 'h' || i, 'h' || i, 'h' || i, 'some-game', '{}', 10, 'COIN', 0, 'cancelled',
             now() - interval '1 day', now()
        FROM generate_series(1, 20000) i;
      ANALYZE matchmaking.tickets)");
  for (const std::string query :
       {"SELECT id FROM matchmaking.tickets t WHERE t.state = 'queued' AND t.variant = 'some-game'"
        " AND t.base = 10 AND t.currency = 'COIN' AND t.media = 'none' AND t.room_id = ''"
        " AND t.options = '{}' ORDER BY queued_at, id"
        " LIMIT 400",
        "SELECT id FROM matchmaking.tickets WHERE state = 'queued' AND expires_at <= now()"
        " ORDER BY expires_at LIMIT 10",
        "SELECT id FROM matchmaking.tickets WHERE player_id = 'p1' AND state IN ('queued',"
        " 'matched')"}) {
    database_.Execute(
        "CREATE OR REPLACE FUNCTION public.plan() RETURNS text LANGUAGE plpgsql AS $f$"
        " DECLARE line text; lines text := ''; BEGIN FOR line IN EXPLAIN " +
        query + " LOOP lines := lines || line || E'\\n'; END LOOP; RETURN lines; END $f$");
    const std::string plan = database_.Execute("SELECT public.plan()");
    EXPECT_EQ(plan.find("Seq Scan"), std::string::npos) << plan;
  }
}

}  // namespace
}  // namespace mj::matchmaking::store
