-- The wallet's tamper evidence: sealed days, and in SQL what libs/audit defines: the text of a
-- journal row that is hashed. docs/architecture.md tells how they are checked.

-- migrate:up

-- Ledger days ------------------------------------------------------------------------------------

CREATE TABLE wallet.ledger_days (
  day date PRIMARY KEY,
  first_sequences bigint[] NOT NULL CHECK (cardinality(first_sequences) = 16),
  last_sequences bigint[] NOT NULL CHECK (cardinality(last_sequences) = 16),
  rows bigint NOT NULL CHECK (rows >= 0),
  root bytea NOT NULL CHECK (octet_length(root) = 32),
  previous_root bytea NOT NULL CHECK (octet_length(previous_root) = 32),
  sealed_at timestamptz NOT NULL DEFAULT transaction_timestamp()
);

COMMENT ON TABLE wallet.ledger_days IS
  'Ledger days (UTC, by written_at) that are over: the Merkle root (RFC 6962) over the hashes of '
  'their journal rows. Signed copies outside of the database show that it was not rebuilt. Written '
  'once.';
COMMENT ON COLUMN wallet.ledger_days.day IS 'The day.';
COMMENT ON COLUMN wallet.ledger_days.first_sequences IS
  'By chain: chain_sequence of its first row that day, or one more than last_sequences.';
COMMENT ON COLUMN wallet.ledger_days.last_sequences IS
  'By chain: chain_sequence of its last row up to the end of that day.';
COMMENT ON COLUMN wallet.ledger_days.rows IS 'How many journal rows the day has.';
COMMENT ON COLUMN wallet.ledger_days.root IS
  'Merkle root over the hashes of these, by chain and sequence.';
COMMENT ON COLUMN wallet.ledger_days.previous_root IS
  'root of the sealed day before it; zero bytes: it is the first.';
COMMENT ON COLUMN wallet.ledger_days.sealed_at IS 'When it was closed (database clock).';

CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON wallet.ledger_days
  FOR EACH STATEMENT EXECUTE FUNCTION wallet.refuse_change();
COMMENT ON TRIGGER refuse_change ON wallet.ledger_days IS 'Sealed days stay as they are.';

CREATE FUNCTION wallet.end_day(day date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
  day_end timestamptz := (day + 1)::timestamp AT TIME ZONE 'UTC';
BEGIN
  IF clock_timestamp() < day_end THEN
    RAISE EXCEPTION 'day % is not over', day USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM FROM wallet.chains ORDER BY chain_no FOR UPDATE;
  UPDATE wallet.chains SET head_written_at = greatest(head_written_at, day_end);
END
$$;
COMMENT ON FUNCTION wallet.end_day(date) IS
  'When its transaction has committed, no row of that day (UTC) can come any more: waits for '
  'whoever writes, and lets all chains go on after the end of the day, whatever the clock says.';

CREATE FUNCTION wallet.upkeep(OUT misplaced bigint, OUT months_ahead integer,
                              OUT days_unsealed integer, OUT yesterday date)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
  today date := (now() AT TIME ZONE 'UTC')::date;
  first_open date;
BEGIN
  yesterday := today - 1;
  SELECT count(*) INTO misplaced FROM (SELECT FROM wallet.entries_default LIMIT 1000) fallen;
  SELECT count(*) INTO months_ahead FROM generate_series(1, 12) ahead
    WHERE to_regclass('wallet.' || to_char(date_trunc('month', today) + make_interval(months => ahead),
                                           '"entries_"YYYY_MM')) IS NOT NULL;
  SELECT max(day) + 1 INTO first_open FROM wallet.ledger_days;
  IF first_open IS NULL THEN
    SELECT (min(written_at) AT TIME ZONE 'UTC')::date INTO first_open FROM wallet.journal
      WHERE chain_no BETWEEN 0 AND 15 AND chain_sequence = 1;
  END IF;
  days_unsealed := greatest(today - coalesce(first_open, today), 0);
END
$$;
COMMENT ON FUNCTION wallet.upkeep() IS
  'What the wallet watches, as the owner of the schema: entries that fell into the default partition '
  '(at most 1000 are counted; 0 is right), how many of the next twelve months have their partition, '
  'how many days that are over (UTC) are not sealed, and the last day that is over.';

-- Canonical text ---------------------------------------------------------------------------------

CREATE FUNCTION wallet.canonical_field(value text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT replace(replace(replace(value, '\', '\\'), E'\n', '\n'), '|', '\p')
$$;
COMMENT ON FUNCTION wallet.canonical_field(text) IS
  'A text as it stands in a canonical text: backslash \\, line feed \n, vertical bar \p.';

CREATE FUNCTION wallet.canonical_micros(moment timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
  SELECT (extract(epoch FROM moment) * 1000000)::bigint
$$;
COMMENT ON FUNCTION wallet.canonical_micros(timestamptz) IS
  'A moment as it stands in a canonical text: microseconds since 1970 UTC.';

CREATE FUNCTION wallet.canonical(row_no bigint) RETURNS text LANGUAGE sql STABLE AS $$
  WITH line (part, place, text) AS (
    SELECT 1, field.place, field.key || '=' || field.value
    FROM wallet.journal j, LATERAL (VALUES
      (1, 'chain', j.chain_no::text),
      (2, 'sequence', j.chain_sequence::text),
      (3, 'previous', encode(j.previous_hash, 'hex')),
      (4, 'journal', j.journal_no::text),
      (5, 'kind', wallet.canonical_field(j.kind)),
      (6, 'key', wallet.canonical_field(j.request_key)),
      (7, 'content', j.content_version || ':' || encode(j.content_hash, 'hex')),
      (8, 'actor', wallet.canonical_field(j.actor)),
      (9, 'approver', wallet.canonical_field(j.approver)),
      (10, 'reason', wallet.canonical_field(j.reason)),
      (11, 'table', wallet.canonical_field(j.table_id)),
      (12, 'round', wallet.canonical_field(j.round_id)),
      (13, 'rulebook', wallet.canonical_field(j.rulebook_version)),
      (14, 'reverses', j.reverses_journal_no::text),
      (15, 'happened', wallet.canonical_micros(j.happened_at)::text),
      (16, 'written', wallet.canonical_micros(j.written_at)::text)) field (place, key, value)
    WHERE j.journal_no = row_no AND field.value IS NOT NULL
    UNION ALL
    SELECT 2, e.line_no, concat('entry=', e.line_no, '|', e.account_no, '|',
      wallet.canonical_field(a.account_id), '|', wallet.canonical_field(e.currency), '|',
      wallet.canonical_field(e.purpose), '|', e.coins, '|', e.balance_after, '|', e.sequence)
    FROM wallet.journal j
    JOIN wallet.entries e ON e.journal_no = j.journal_no AND e.written_at = j.written_at
    JOIN wallet.accounts a ON a.account_no = e.account_no
    WHERE j.journal_no = row_no
    UNION ALL
    SELECT 3, 0, 'movement=' || wallet.canonical_field(flow) || coalesce(
      '|' || wallet.canonical_field(provider) || '|' ||
      wallet.canonical_field(external_reference), '')
    FROM wallet.money_movements WHERE journal_no = row_no
    UNION ALL
    SELECT 4, 0, concat('settlement=', wallet.canonical_field(variant), '|', base, '|',
      wallet.canonical_field(currency), '|', rake)
    FROM wallet.settlements WHERE journal_no = row_no
    UNION ALL
    SELECT 5, seat, concat('seat=', seat - 1, '|', account_nos[seat], '|', net[seat], '|',
      rake_paid[seat], '|', balance_after[seat])
    FROM wallet.settlements, generate_series(1, 4) seat WHERE journal_no = row_no
    UNION ALL
    SELECT 6, line_no, concat('transfer=', line_no, '|', from_seat, '|', to_seat, '|',
      wallet.canonical_field(rule_id), '|', coins)
    FROM wallet.settlement_transfers WHERE journal_no = row_no
    UNION ALL
    SELECT 7, 4 * from_seat + to_seat, concat('set_off=', from_seat, '|', to_seat, '|', coins)
    FROM wallet.settlement_set_offs WHERE journal_no = row_no
    UNION ALL
    SELECT 8, 0, concat('penalty=', wallet.canonical_field(currency), '|', escaper, '|', penalty,
      '|', taken, '|', share, '|', house, '|', shortfall)
    FROM wallet.penalties WHERE journal_no = row_no
    UNION ALL
    SELECT 9, seat, concat('penalty_seat=', seat - 1, '|', account_nos[seat], '|',
      balance_after[seat])
    FROM wallet.penalties, generate_series(1, 4) seat WHERE journal_no = row_no
    UNION ALL
    SELECT 10, row_number() OVER (ORDER BY payer_no, payee_no), concat('shortfall=', payer_no, '|',
      payee_no, '|', owed, '|', coins)
    FROM wallet.shortfalls WHERE journal_no = row_no
  )
  SELECT E'mahjong-ledger-1\n' || string_agg(text || E'\n', '' ORDER BY part, place) FROM line
$$;
COMMENT ON FUNCTION wallet.canonical(bigint) IS
  'The canonical text of a journal row, version 1, as libs/audit/canonical.h defines it: '
  'sha256(convert_to(wallet.canonical(n), ''UTF8'')) is its hash. NULL: there is no such row.';

-- migrate:down

DROP FUNCTION wallet.canonical(bigint), wallet.canonical_micros(timestamptz),
  wallet.canonical_field(text), wallet.upkeep(), wallet.end_day(date);
DROP TABLE wallet.ledger_days;
