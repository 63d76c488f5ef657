// `mahjongctl audit --collusion` as a process, on a real database.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "libs/pg/cluster_testing.h"
#include "tests/cli/program_testing.h"

namespace mj::cli {
namespace {

using ::testing::ContainsRegex;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class CollusionCliTest : public ProgramTest {
 protected:
  // a and b are seated together in every one of eight draws of a hundred players, c and d by chance.
  void Plant() const {
    database_.Execute(R"sql(
        SET session_replication_role = replica;
        CREATE TABLE seated AS
          SELECT draw, match, seat,
                 CASE WHEN match = 0 AND seat = 0 THEN 'a' WHEN match = 0 AND seat = 1 THEN 'b'
                      ELSE 'p' || (match * 4 + seat + 13 * draw * (seat + 1)) % 96 + 100 * seat END AS player
            FROM generate_series(0, 11) draw, generate_series(0, 24) match, generate_series(0, 3) seat;
        INSERT INTO matchmaking.matches (id, variant, options, base, currency, state, table_id,
                                         table_address, next_attempt_at, made_at)
          SELECT DISTINCT 'm' || draw || '-' || match, 'chaozhou', '{}'::jsonb, 100, 'COIN', 'assigned', 'table',
                 'here:1', now(), timestamptz '2026-01-01Z' + draw * interval '1 hour' FROM seated;
        INSERT INTO matchmaking.tickets (id, request_id, player_id, variant, options, base, currency,
                                         asked_base, device_id, state, match_id, expires_at)
          SELECT concat_ws('-', 't', draw, match, seat), concat_ws('-', 't', draw, match, seat), player,
                 'chaozhou', '{}', 100, 'COIN', 0, 'of-' || player, 'assigned', 'm' || draw || '-' || match,
                 now() + interval '1 hour' FROM seated;
        INSERT INTO matchmaking.match_members (match_id, seat, ticket_id, player_id)
          SELECT 'm' || draw || '-' || match, seat, concat_ws('-', 't', draw, match, seat), player FROM seated
      )sql");
  }
  Outcome Audit(const std::string& arguments) const {
    return Run("audit --collusion " + arguments,
               "MJ_CTL_DATABASE='" + database_.url() + "&options=-c%20role%3Dfair_play_auditor'");
  }

  const pg::testing::Database database_{};
};

TEST_F(CollusionCliTest, WhereNobodyPlayedNothingIsFound) {
  const Outcome outcome = Audit("");
  EXPECT_EQ(outcome.exit_code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "looked at 0 sittings, 0 rounds, 0 players, 0 pairs\n\n0 findings\n");
}

TEST_F(CollusionCliTest, PlantedPartnersAreNamedAndKeptApartIfThatIsAskedFor) {
  Plant();
  const Outcome told = Audit("");
  EXPECT_EQ(told.exit_code, 0) << told.err;
  EXPECT_THAT(told.out, StartsWith("looked at 300 sittings, 0 rounds, "));
  EXPECT_THAT(told.out,
              ContainsRegex("meetings: a and b came separately and sat together 12 times; where "
                            "[0-9.]+ were to be expected; 1 in 10\\^[0-9]+\n"));
  EXPECT_THAT(told.out, EndsWith("\n1 findings\n"));
  EXPECT_EQ(database_.Execute("SELECT count(*) FROM matchmaking.kept_apart"), "0");

  const Outcome kept = Audit("--keep-apart 30");
  EXPECT_EQ(kept.exit_code, 0) << kept.err;
  EXPECT_THAT(kept.out, HasSubstr("1 pairs are kept apart in the queue for 30 days"));
  EXPECT_EQ(
      database_.Execute("SELECT player_id || other_id || kinds::text FROM matchmaking.kept_apart"),
      "ab{meetings}");

  const Outcome json = Audit("--json --from 2026-01-01 --to 2026-01-01");
  EXPECT_THAT(json.out,
              StartsWith(R"({"kind":"meetings","one":"a","other":"b","seen":12,"of":12,)"));
  EXPECT_THAT(json.out, HasSubstr(R"("findings":1,"unreadable":0,"kept_apart":0})"));
  EXPECT_THAT(Audit("--from 2026-01-02").out, EndsWith("\n0 findings\n"));
}

TEST_F(CollusionCliTest, WrongCommandLinesAreSaidToBe) {
  EXPECT_EQ(Audit("--from yesterday").exit_code, 2);
  EXPECT_EQ(Audit("--keep-apart 0").exit_code, 2);
  EXPECT_EQ(Audit("--statement ann").exit_code, 2);
  EXPECT_EQ(Run("audit --keep-apart 30").exit_code, 2);
  EXPECT_EQ(Run("audit --collusion").exit_code, 2);
  EXPECT_EQ(Run("audit --collusion --database postgresql://127.0.0.1:1/x").exit_code, 4);
}

}  // namespace
}  // namespace mj::cli
