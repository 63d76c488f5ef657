#include "tests/finance/generated_testing.h"

namespace mj::finance {

void Generate(const pg::testing::Database& database, const Generated& what) {
  database.Execute(R"sql(
      SELECT wallet.add_partition(
               to_char(m, '"entries_"YYYY_MM'),
               format('FOR VALUES FROM (%L) TO (%L)', to_char(m, 'YYYY-MM-DD"T00:00:00Z"'),
                      to_char(m + interval '1 month', 'YYYY-MM-DD"T00:00:00Z"')))
      FROM generate_series('2025-01-01'::timestamp, '2025-12-01', '1 month') m)sql");
  database.Execute(R"sql(
      BEGIN;
      SET LOCAL session_replication_role = replica;
      INSERT INTO wallet.accounts (account_id, currency, kind)
        SELECT 'p' || n, 'COIN', 'player' FROM generate_series(1, )sql" +
                   std::to_string(what.players) + R"sql() n;
      CREATE TEMP TABLE seats ON COMMIT DROP AS
        SELECT min(account_no) FILTER (WHERE kind = 'player') AS first_player,
               count(*) FILTER (WHERE kind = 'player') AS players,
               min(account_no) FILTER (WHERE kind = 'house_rake' AND currency = 'COIN') AS house,
               ('2025-12-31T23:00:00Z'::timestamptz - '2025-01-01Z'::timestamptz) / )sql" +
                   std::to_string(what.settlements) + R"sql( AS step
        FROM wallet.accounts;
      INSERT INTO wallet.journal (journal_no, kind, request_key, content_version, content_hash,
          actor, reason, table_id, round_id, rulebook_version, happened_at, written_at, chain_no,
          chain_sequence, previous_hash, hash)
        SELECT n + 1, 'settlement', 'round/' || n, 1, h, 'table', '', 't', 'r' || n, '1', t, t, 0,
               n + 1, h, h
        FROM seats, generate_series(0, )sql" +
                   std::to_string(what.settlements - 1) + R"sql() n,
             sha256('') h, LATERAL (SELECT '2025-01-01Z'::timestamptz + n * step AS t) w;
      INSERT INTO wallet.entries (journal_no, line_no, written_at, account_no, currency, purpose,
                                  coins, balance_after, sequence)
        SELECT n + 1, line, '2025-01-01Z'::timestamptz + n * step,
               CASE WHEN second IS NULL THEN house ELSE first_player + (4 * n + seat) % players END,
               'COIN', purpose, coins, CASE WHEN second IS NOT NULL THEN 1000000 END,
               2 * ((4 * n + seat) / players) + second
        FROM seats, generate_series(0, )sql" +
                   std::to_string(what.settlements - 1) + R"sql() n,
             (VALUES (1, 0, 'payment', 302, 1), (2, 1, 'payment', -100, 1),
                     (3, 2, 'payment', -101, 1), (4, 3, 'payment', -101, 1),
                     (5, 1, 'rake', -4, 2), (6, 2, 'rake', -4, 2), (7, 3, 'rake', -4, 2),
                     (8, 0, 'rake', 12, NULL)) l (line, seat, purpose, coins, second);
      COMMIT)sql");
  database.Execute("VACUUM (ANALYZE) wallet.entries, wallet.journal, wallet.accounts");
}

void SealUntil(const pg::testing::Database& database, const std::string& day) {
  database.Execute("SELECT wallet.end_day('" + day +
                   "'); INSERT INTO wallet.ledger_days (day,"
                   " first_sequences, last_sequences, rows, root, previous_root)"
                   " SELECT '" +
                   day +
                   "', array_fill(1::bigint, '{16}'),"
                   " array_fill(0::bigint, '{16}'), 0, sha256(''), sha256('')");
}

}  // namespace mj::finance
