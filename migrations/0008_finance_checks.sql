-- Finance, third part: what has to be so. Lists that have to be empty, and one that asks them all.

-- migrate:up

CREATE VIEW finance.balance_differences AS
  SELECT a.account_id AS player_id, a.currency, b.coins AS balance, e.coins AS sum_of_entries,
         b.last_sequence, e.entries, e.highest
  FROM wallet.balances b
  JOIN wallet.accounts a ON a.account_no = b.account_no
  LEFT JOIN (SELECT account_no, sum(coins) AS coins, count(*) AS entries, max(sequence) AS highest
             FROM wallet.entries WHERE sequence IS NOT NULL GROUP BY account_no) e
    ON e.account_no = b.account_no
  WHERE b.coins <> coalesce(e.coins, 0) OR b.last_sequence <> coalesce(e.entries, 0)
     OR b.last_sequence <> coalesce(e.highest, 0);
COMMENT ON VIEW finance.balance_differences IS
  'Players whose balance is not the sum of their entries, or whose entries have a gap: has to be '
  'empty.';
COMMENT ON COLUMN finance.balance_differences.player_id IS 'The player.';
COMMENT ON COLUMN finance.balance_differences.currency IS 'COIN or PRACTICE.';
COMMENT ON COLUMN finance.balance_differences.balance IS 'The balance that the wallet goes by.';
COMMENT ON COLUMN finance.balance_differences.sum_of_entries IS 'What the entries add up to.';
COMMENT ON COLUMN finance.balance_differences.last_sequence IS
  'The number of the latest entry that the wallet goes by.';
COMMENT ON COLUMN finance.balance_differences.entries IS 'How many entries there are.';
COMMENT ON COLUMN finance.balance_differences.highest IS 'The highest number among them.';

CREATE VIEW finance.unbalanced_events AS
  SELECT journal_no, currency, sum(coins) AS difference
  FROM wallet.entries GROUP BY journal_no, currency HAVING sum(coins) <> 0;
COMMENT ON VIEW finance.unbalanced_events IS
  'Business events whose entries do not add up to zero: has to be empty.';
COMMENT ON COLUMN finance.unbalanced_events.journal_no IS 'The business event.';
COMMENT ON COLUMN finance.unbalanced_events.currency IS 'COIN or PRACTICE.';
COMMENT ON COLUMN finance.unbalanced_events.difference IS 'What they add up to.';

CREATE VIEW finance.total_differences AS
  SELECT day, account_kind, currency, purpose, t.coins_in AS total_in, e.coins_in AS entries_in,
         t.coins_out AS total_out, e.coins_out AS entries_out
  FROM wallet.day_totals t
  FULL JOIN (
    SELECT (l.written_at AT TIME ZONE 'UTC')::date AS day, a.kind AS account_kind, l.currency,
           l.purpose, coalesce(sum(l.coins) FILTER (WHERE l.coins > 0), 0) AS coins_in,
           coalesce(-sum(l.coins) FILTER (WHERE l.coins < 0), 0) AS coins_out, count(*) AS entries
    FROM wallet.entries l JOIN wallet.accounts a ON a.account_no = l.account_no
    WHERE l.written_at < (SELECT moment FROM wallet.sealed_until)
    GROUP BY 1, 2, 3, 4) e
    USING (day, account_kind, currency, purpose)
  WHERE (t.coins_in, t.coins_out, t.entries) IS DISTINCT FROM (e.coins_in, e.coins_out, e.entries);
COMMENT ON VIEW finance.total_differences IS
  'Totals of sealed days that are not what the entries add up to: has to be empty.';
COMMENT ON COLUMN finance.total_differences.day IS 'The sealed day.';
COMMENT ON COLUMN finance.total_differences.account_kind IS 'As in movements.';
COMMENT ON COLUMN finance.total_differences.currency IS 'COIN or PRACTICE.';
COMMENT ON COLUMN finance.total_differences.purpose IS 'As in movements.';
COMMENT ON COLUMN finance.total_differences.total_in IS 'Coins in, as totalled.';
COMMENT ON COLUMN finance.total_differences.entries_in IS 'Coins in, by the entries.';
COMMENT ON COLUMN finance.total_differences.total_out IS 'Coins out, as totalled.';
COMMENT ON COLUMN finance.total_differences.entries_out IS 'Coins out, by the entries.';

CREATE VIEW finance.misplaced_entries AS
  SELECT date_trunc('month', e.written_at AT TIME ZONE 'UTC')::date AS month, count(*) AS entries
  FROM wallet.entries_default e GROUP BY 1;
COMMENT ON VIEW finance.misplaced_entries IS
  'Entries of months for which no partition was made in time: has to be empty. They count as all '
  'others do, but an operator has to move them.';
COMMENT ON COLUMN finance.misplaced_entries.month IS 'First day of the month.';
COMMENT ON COLUMN finance.misplaced_entries.entries IS 'How many entries.';

CREATE VIEW finance.chain_heads AS
  SELECT c.chain_no, c.head_sequence AS rows, encode(c.head_hash, 'hex') AS head_hash,
         last.written_at AS last_written_at,
         c.head_sequence = coalesce(last.chain_sequence, 0)
           AND c.head_hash = coalesce(last.hash, decode(repeat('00', 32), 'hex')) AS fits
  FROM wallet.chains c
  LEFT JOIN LATERAL (
    SELECT j.chain_sequence, j.hash, j.written_at FROM wallet.journal j
    WHERE j.chain_no = c.chain_no ORDER BY j.chain_sequence DESC LIMIT 1) last ON true;
COMMENT ON VIEW finance.chain_heads IS
  'Where each of the journal''s sixteen hash chains ends. mahjongctl audit recomputes every hash; '
  'this compares the ends.';
COMMENT ON COLUMN finance.chain_heads.chain_no IS 'The chain, 0 to 15.';
COMMENT ON COLUMN finance.chain_heads.rows IS 'How many business events it has.';
COMMENT ON COLUMN finance.chain_heads.head_hash IS 'Hash of the last one.';
COMMENT ON COLUMN finance.chain_heads.last_written_at IS 'When that was written.';
COMMENT ON COLUMN finance.chain_heads.fits IS
  'Whether the journal''s last row of this chain is the one that the chain''s end names.';

CREATE VIEW finance.ledger_days AS
  SELECT d.day, d.rows AS events, encode(d.root, 'hex') AS root, d.sealed_at
  FROM wallet.ledger_days d;
COMMENT ON VIEW finance.ledger_days IS
  'Days that are sealed: nothing can be written to them any more. root has to be that of the '
  'signed file that was exported for the day.';
COMMENT ON COLUMN finance.ledger_days.day IS 'The day.';
COMMENT ON COLUMN finance.ledger_days.events IS 'How many business events it has.';
COMMENT ON COLUMN finance.ledger_days.root IS 'Merkle root over their hashes.';
COMMENT ON COLUMN finance.ledger_days.sealed_at IS 'When it was sealed.';

CREATE VIEW finance.checks AS
  SELECT check_name, problems = 0 AS ok, problems, meaning FROM (
    SELECT 1 AS place, 'books_balance' AS check_name,
           (SELECT count(*) FROM finance.trial_balance
            WHERE account_kind = 'total' AND balance <> 0) AS problems,
           'trial_balance: each currency''s total is 0' AS meaning
    UNION ALL
    SELECT 2, 'events_balance', (SELECT count(*) FROM finance.unbalanced_events),
           'unbalanced_events: every event''s entries add up to 0'
    UNION ALL
    SELECT 3, 'balances_fit', (SELECT count(*) FROM finance.balance_differences),
           'balance_differences: every balance is the sum of its entries, without a gap'
    UNION ALL
    SELECT 4, 'totals_fit', (SELECT count(*) FROM finance.total_differences),
           'total_differences: every sealed day''s totals are the sums of its entries'
    UNION ALL
    SELECT 5, 'chains_fit', (SELECT count(*) FROM finance.chain_heads WHERE NOT fits),
           'chain_heads: every chain ends with the row that it says'
    UNION ALL
    SELECT 6, 'months_ready', (SELECT count(*) FROM finance.misplaced_entries),
           'misplaced_entries: every month had its partition in time'
    UNION ALL
    SELECT 7, 'rounds_closed', (SELECT count(*) FROM finance.rounds_without_settlement),
           'rounds_without_settlement: every round was closed in time'
  ) c ORDER BY place;
COMMENT ON VIEW finance.checks IS
  'Everything that has to hold, each with how often it does not. Reads the whole ledger. Asked for '
  'by name, only that one is reckoned.';
COMMENT ON COLUMN finance.checks.check_name IS 'What is checked.';
COMMENT ON COLUMN finance.checks.ok IS 'Whether it holds.';
COMMENT ON COLUMN finance.checks.problems IS
  'How many exceptions there are: rows of the view named.';
COMMENT ON COLUMN finance.checks.meaning IS 'Where to look, and what should be so.';

-- migrate:down

DROP VIEW finance.checks, finance.balance_differences, finance.unbalanced_events,
  finance.total_differences, finance.misplaced_entries, finance.chain_heads, finance.ledger_days;
