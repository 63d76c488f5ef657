-- Finance, first part: what the books say. Totals, day by day and at any moment, every account's
-- statement, and the wallet's totals of sealed days that keep this fast.
--
-- Everything reads schema wallet alone. Coins are whole coins; days are UTC days of written_at, the
-- moment at which the database wrote the entry. docs/finance.md shows how to use it.

-- migrate:up

-- Totals of sealed days --------------------------------------------------------------------------

CREATE TABLE wallet.day_totals (
  day date NOT NULL,
  account_kind text NOT NULL,
  currency text NOT NULL,
  purpose text NOT NULL,
  coins_in numeric NOT NULL CHECK (coins_in >= 0),
  coins_out numeric NOT NULL CHECK (coins_out >= 0),
  entries bigint NOT NULL CHECK (entries >= 1),
  PRIMARY KEY (day, account_kind, currency, purpose)
);
COMMENT ON TABLE wallet.day_totals IS
  'Sums over the entries of each sealed day. A balance of the house is these and the entries '
  'since, so that nothing adds up the whole ledger again. Written once, when the day is sealed.';
COMMENT ON COLUMN wallet.day_totals.day IS 'The sealed day (UTC, by written_at).';
COMMENT ON COLUMN wallet.day_totals.account_kind IS 'As accounts.kind; all players together.';
COMMENT ON COLUMN wallet.day_totals.currency IS 'As in entries.';
COMMENT ON COLUMN wallet.day_totals.purpose IS 'As in entries.';
COMMENT ON COLUMN wallet.day_totals.coins_in IS 'Sum of the entries above zero.';
COMMENT ON COLUMN wallet.day_totals.coins_out IS 'Sum of the entries below zero, without the sign.';
COMMENT ON COLUMN wallet.day_totals.entries IS 'How many entries that is.';

CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON wallet.day_totals
  FOR EACH STATEMENT EXECUTE FUNCTION wallet.refuse_change();

-- A day, or a month, is a few page ranges of a table that only grows.
CREATE INDEX entries_by_time ON wallet.entries USING brin (written_at) WITH (pages_per_range = 32);
CREATE INDEX journal_by_day ON wallet.journal
  USING brin (((written_at AT TIME ZONE 'UTC')::date)) WITH (pages_per_range = 32);
COMMENT ON INDEX wallet.entries_by_time IS 'The entries of a day.';
COMMENT ON INDEX wallet.journal_by_day IS 'The journal rows of a day.';

CREATE VIEW wallet.sealed_until AS
  SELECT coalesce((max(day) + 1)::timestamp AT TIME ZONE 'UTC', '-infinity') AS moment
  FROM wallet.ledger_days;
COMMENT ON VIEW wallet.sealed_until IS
  'One row. Compared with entries.written_at, it makes PostgreSQL skip the months that are sealed.';
COMMENT ON COLUMN wallet.sealed_until.moment IS
  'The first moment of the first day that is not sealed.';

-- The house's account stands for its kind; all players are one group. Accounts are joined after the
-- sum, which is quick without.
CREATE VIEW wallet.unsealed_totals AS
  SELECT t.day, coalesce(a.kind, 'player') AS account_kind, t.currency, t.purpose, t.coins_in,
         t.coins_out, t.entries
  FROM (
    SELECT (e.written_at AT TIME ZONE 'UTC')::date AS day,
           CASE WHEN e.sequence IS NULL THEN e.account_no END AS house_no, e.currency, e.purpose,
           coalesce(sum(e.coins) FILTER (WHERE e.coins > 0), 0) AS coins_in,
           coalesce(-sum(e.coins) FILTER (WHERE e.coins < 0), 0) AS coins_out, count(*) AS entries
    FROM wallet.entries e
    WHERE e.written_at >= (SELECT moment FROM wallet.sealed_until)
    GROUP BY 1, 2, 3, 4) t
  LEFT JOIN wallet.accounts a ON a.account_no = t.house_no AND a.kind <> 'player';
COMMENT ON VIEW wallet.unsealed_totals IS
  'As day_totals, of the days that are not sealed yet; reckoned from their entries at each '
  'reading.';
COMMENT ON COLUMN wallet.unsealed_totals.day IS 'As in day_totals.';
COMMENT ON COLUMN wallet.unsealed_totals.account_kind IS 'As in day_totals.';
COMMENT ON COLUMN wallet.unsealed_totals.currency IS 'As in day_totals.';
COMMENT ON COLUMN wallet.unsealed_totals.purpose IS 'As in day_totals.';
COMMENT ON COLUMN wallet.unsealed_totals.coins_in IS 'As in day_totals.';
COMMENT ON COLUMN wallet.unsealed_totals.coins_out IS 'As in day_totals.';
COMMENT ON COLUMN wallet.unsealed_totals.entries IS 'As in day_totals.';

CREATE FUNCTION wallet.total_day() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
BEGIN
  INSERT INTO wallet.day_totals
    SELECT t.day, t.account_kind, t.currency, t.purpose, t.coins_in, t.coins_out, t.entries
    FROM wallet.unsealed_totals t WHERE t.day <= new.day;
  RETURN new;
END
$$;
COMMENT ON FUNCTION wallet.total_day() IS
  'Adds up the day that is being sealed. Its chains take no more rows of it by then.';
CREATE TRIGGER total_day BEFORE INSERT ON wallet.ledger_days
  FOR EACH ROW EXECUTE FUNCTION wallet.total_day();

-- Totals -----------------------------------------------------------------------------------------

CREATE SCHEMA finance;
COMMENT ON SCHEMA finance IS
  'The wallet''s books for whoever audits them: read-only views, in whole coins and UTC days. '
  'docs/finance.md explains them by example.';

CREATE VIEW finance.movements AS
  SELECT day, account_kind, currency, purpose, coins_in, coins_out, coins_in - coins_out AS net,
         entries
  FROM (SELECT * FROM wallet.day_totals UNION ALL SELECT * FROM wallet.unsealed_totals) totals;
COMMENT ON VIEW finance.movements IS
  'What went into and out of each kind of account, per day and purpose. Net is zero over all kinds '
  'of account, each day and purpose.';
COMMENT ON COLUMN finance.movements.day IS 'Day on which it was written.';
COMMENT ON COLUMN finance.movements.account_kind IS
  'player: all players together; house_rake: rake taken; penalties: the house''s part of '
  'penalties; issue: the outside world, from which deposits come and to which withdrawals go; '
  'house_loss: corrections and losses that the house bears.';
COMMENT ON COLUMN finance.movements.currency IS
  'COIN: coins that players own. PRACTICE: coins of practice tables. Never added to each other.';
COMMENT ON COLUMN finance.movements.purpose IS
  'money_in, money_out: deposits and withdrawals; payment: between players; rake; penalty; '
  'reversal: taken back; cover: what the house bears of a reversal; adjustment.';
COMMENT ON COLUMN finance.movements.coins_in IS 'Coins that came into these accounts.';
COMMENT ON COLUMN finance.movements.coins_out IS 'Coins that left these accounts.';
COMMENT ON COLUMN finance.movements.net IS 'In minus out.';
COMMENT ON COLUMN finance.movements.entries IS 'How many entries that is.';

CREATE VIEW finance.trial_balance AS
  SELECT CASE WHEN grouping(k.kind) = 1 THEN 'total' ELSE k.kind END AS account_kind, c.currency,
         coalesce(sum(t.coins_in), 0) AS coins_in, coalesce(sum(t.coins_out), 0) AS coins_out,
         coalesce(sum(t.coins_in - t.coins_out), 0) AS balance,
         coalesce(sum(t.entries), 0) AS entries
  FROM (VALUES (1, 'player'), (2, 'house_rake'), (3, 'penalties'), (4, 'house_loss'), (5, 'issue'))
       k (place, kind)
  CROSS JOIN (VALUES ('COIN'), ('PRACTICE')) c (currency)
  LEFT JOIN (
    SELECT account_kind, currency, coins_in, coins_out, entries FROM wallet.day_totals
    UNION ALL
    -- As unsealed_totals, a third faster without day and purpose.
    SELECT coalesce(a.kind, 'player'), u.currency, u.coins_in, u.coins_out, u.entries
    FROM (
      SELECT CASE WHEN e.sequence IS NULL THEN e.account_no END AS house_no, e.currency,
             coalesce(sum(e.coins) FILTER (WHERE e.coins > 0), 0) AS coins_in,
             coalesce(-sum(e.coins) FILTER (WHERE e.coins < 0), 0) AS coins_out,
             count(*) AS entries
      FROM wallet.entries e
      WHERE e.written_at >= (SELECT moment FROM wallet.sealed_until)
      GROUP BY 1, 2) u
    LEFT JOIN wallet.accounts a ON a.account_no = u.house_no AND a.kind <> 'player') t
    ON t.account_kind = k.kind AND t.currency = c.currency
  GROUP BY GROUPING SETS ((c.currency, k.place, k.kind), (c.currency))
  ORDER BY c.currency, k.place;
COMMENT ON VIEW finance.trial_balance IS
  'What each kind of account holds now, per currency, from the first entry on. The line total has '
  'to be 0: every coin that somebody has, somebody else gave.';
COMMENT ON COLUMN finance.trial_balance.account_kind IS
  'As in movements; total: all of them together.';
COMMENT ON COLUMN finance.trial_balance.currency IS 'COIN or PRACTICE.';
COMMENT ON COLUMN finance.trial_balance.coins_in IS 'Coins that ever came into these accounts.';
COMMENT ON COLUMN finance.trial_balance.coins_out IS 'Coins that ever left these accounts.';
COMMENT ON COLUMN finance.trial_balance.balance IS
  'In minus out: what they hold. Below zero for issue, by what players and house hold together, '
  'and for house_loss, by what the house has given.';
COMMENT ON COLUMN finance.trial_balance.entries IS 'How many entries that is.';

CREATE VIEW finance.roll_forward AS
  SELECT day, account_kind, currency, closing - net AS opening, coins_in, coins_out, closing,
         entries
  FROM (
    SELECT day, account_kind, currency, sum(coins_in) AS coins_in, sum(coins_out) AS coins_out,
           sum(net) AS net, sum(entries) AS entries,
           sum(sum(net)) OVER (PARTITION BY account_kind, currency ORDER BY day) AS closing
    FROM finance.movements GROUP BY day, account_kind, currency) days;
COMMENT ON VIEW finance.roll_forward IS
  'Opening balance, movements and closing balance of each kind of account, for each day on which '
  'it moved. Opening + coins in - coins out = closing = the next day''s opening.';
COMMENT ON COLUMN finance.roll_forward.day IS 'Day on which the movements were written.';
COMMENT ON COLUMN finance.roll_forward.account_kind IS 'As in movements.';
COMMENT ON COLUMN finance.roll_forward.currency IS 'COIN or PRACTICE.';
COMMENT ON COLUMN finance.roll_forward.opening IS 'What they held when the day began.';
COMMENT ON COLUMN finance.roll_forward.coins_in IS 'Coins that came in on that day.';
COMMENT ON COLUMN finance.roll_forward.coins_out IS 'Coins that left on that day.';
COMMENT ON COLUMN finance.roll_forward.closing IS 'What they held when the day ended.';
COMMENT ON COLUMN finance.roll_forward.entries IS 'How many entries the day has.';

-- Balances at a moment ---------------------------------------------------------------------------

CREATE FUNCTION finance.as_of(moment timestamptz)
RETURNS TABLE (account_id text, account_kind text, currency text, balance numeric, entries bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT a.account_id, a.kind, a.currency, coalesce(e.balance, 0), coalesce(e.entries, 0)
  FROM wallet.accounts a
  LEFT JOIN (SELECT account_no, sum(coins) AS balance, count(*) AS entries
             FROM wallet.entries WHERE written_at < moment GROUP BY account_no) e USING (account_no)
  WHERE e.entries IS NOT NULL OR a.kind <> 'player'
  ORDER BY a.currency, a.kind, a.account_id
$$;
COMMENT ON FUNCTION finance.as_of(timestamptz) IS
  'Every account''s balance from what was written before a moment: as_of of a day''s end is that '
  'day''s closing. Players without an entry before it are left out. Final once the day is sealed; '
  'a moment less than a minute ago may still miss what is being written.';

CREATE FUNCTION finance.as_of_happened(moment timestamptz)
RETURNS TABLE (account_id text, account_kind text, currency text, balance numeric, entries bigint)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT a.account_id, a.kind, a.currency, coalesce(e.balance, 0), coalesce(e.entries, 0)
  FROM wallet.accounts a
  LEFT JOIN (SELECT l.account_no, sum(l.coins) AS balance, count(*) AS entries
             FROM wallet.entries l JOIN wallet.journal j USING (journal_no)
             WHERE j.happened_at < moment GROUP BY l.account_no) e USING (account_no)
  WHERE e.entries IS NOT NULL OR a.kind <> 'player'
  ORDER BY a.currency, a.kind, a.account_id
$$;
COMMENT ON FUNCTION finance.as_of_happened(timestamptz) IS
  'As as_of, from what happened before a moment by the services'' clocks, whenever it was written. '
  'Reads the whole ledger. A player may be below zero here: what comes in by this clock may have '
  'been spent by the other.';

-- Statements -------------------------------------------------------------------------------------

CREATE VIEW finance.player_statement AS
  SELECT a.account_id AS player_id, a.currency, e.sequence, e.written_at,
         (e.written_at AT TIME ZONE 'UTC')::date AS day, j.happened_at, e.journal_no,
         j.kind AS event, e.purpose, e.balance_after - e.coins AS balance_before, e.coins,
         e.balance_after, j.round_id, j.table_id, m.flow, m.provider, m.external_reference,
         j.actor, j.approver, j.reason, j.reverses_journal_no
  FROM wallet.accounts a
  JOIN wallet.entries e ON e.account_no = a.account_no AND e.sequence IS NOT NULL
  JOIN wallet.journal j ON j.journal_no = e.journal_no
  LEFT JOIN wallet.money_movements m ON m.journal_no = e.journal_no
  WHERE a.kind = 'player';
COMMENT ON VIEW finance.player_statement IS
  'Every entry of every player''s account. Ask for one player, and for a time by written_at: then '
  'only the months asked for are read. Each line''s balance_before is the line before''s '
  'balance_after.';
COMMENT ON COLUMN finance.player_statement.player_id IS 'The player.';
COMMENT ON COLUMN finance.player_statement.currency IS 'COIN or PRACTICE.';
COMMENT ON COLUMN finance.player_statement.sequence IS
  'Counts the account''s entries from 1 without gaps.';
COMMENT ON COLUMN finance.player_statement.written_at IS 'When it was written (database clock).';
COMMENT ON COLUMN finance.player_statement.day IS 'The day of that.';
COMMENT ON COLUMN finance.player_statement.happened_at IS 'When it happened (service''s clock).';
COMMENT ON COLUMN finance.player_statement.journal_no IS
  'The business event: all its entries have this number.';
COMMENT ON COLUMN finance.player_statement.event IS
  'deposit, withdrawal, settlement, penalty, reversal or adjustment.';
COMMENT ON COLUMN finance.player_statement.purpose IS 'As in movements.';
COMMENT ON COLUMN finance.player_statement.balance_before IS 'Coins right before this entry.';
COMMENT ON COLUMN finance.player_statement.coins IS 'Coins in (above zero) or out (below zero).';
COMMENT ON COLUMN finance.player_statement.balance_after IS 'Coins right after this entry.';
COMMENT ON COLUMN finance.player_statement.round_id IS 'The round, for settlements and penalties.';
COMMENT ON COLUMN finance.player_statement.table_id IS 'Its table.';
COMMENT ON COLUMN finance.player_statement.flow IS 'As in external_movements.';
COMMENT ON COLUMN finance.player_statement.provider IS 'As in external_movements.';
COMMENT ON COLUMN finance.player_statement.external_reference IS 'As in external_movements.';
COMMENT ON COLUMN finance.player_statement.actor IS 'Who asked for it.';
COMMENT ON COLUMN finance.player_statement.approver IS 'Who agreed, where it takes two people.';
COMMENT ON COLUMN finance.player_statement.reason IS 'Why, in the words of who asked.';
COMMENT ON COLUMN finance.player_statement.reverses_journal_no IS
  'The event that a reversal undoes.';

CREATE VIEW finance.house_statement AS
  SELECT a.kind AS account_kind, a.currency, e.written_at,
         (e.written_at AT TIME ZONE 'UTC')::date AS day, j.happened_at, e.journal_no, e.line_no,
         j.kind AS event, e.purpose, e.coins, j.round_id, j.table_id, j.actor, j.approver,
         j.reason, j.reverses_journal_no
  FROM wallet.accounts a
  JOIN wallet.entries e ON e.account_no = a.account_no AND e.sequence IS NULL
  JOIN wallet.journal j ON j.journal_no = e.journal_no
  WHERE a.kind <> 'player';
COMMENT ON VIEW finance.house_statement IS
  'Every entry of the house''s accounts. They have no running balance: trial_balance, roll_forward '
  'and as_of tell it.';
COMMENT ON COLUMN finance.house_statement.account_kind IS 'As in movements.';
COMMENT ON COLUMN finance.house_statement.currency IS 'COIN or PRACTICE.';
COMMENT ON COLUMN finance.house_statement.written_at IS 'When it was written (database clock).';
COMMENT ON COLUMN finance.house_statement.day IS 'The day of that.';
COMMENT ON COLUMN finance.house_statement.happened_at IS 'When it happened (service''s clock).';
COMMENT ON COLUMN finance.house_statement.journal_no IS 'The business event.';
COMMENT ON COLUMN finance.house_statement.line_no IS 'Counts the entries of the event, from 1.';
COMMENT ON COLUMN finance.house_statement.event IS 'As in player_statement.';
COMMENT ON COLUMN finance.house_statement.purpose IS 'As in movements.';
COMMENT ON COLUMN finance.house_statement.coins IS 'Coins in (above zero) or out (below zero).';
COMMENT ON COLUMN finance.house_statement.round_id IS 'The round, for settlements and penalties.';
COMMENT ON COLUMN finance.house_statement.table_id IS 'Its table.';
COMMENT ON COLUMN finance.house_statement.actor IS 'Who asked for it.';
COMMENT ON COLUMN finance.house_statement.approver IS 'Who agreed, where it takes two people.';
COMMENT ON COLUMN finance.house_statement.reason IS 'Why, in the words of who asked.';
COMMENT ON COLUMN finance.house_statement.reverses_journal_no IS
  'The event that a reversal undoes.';

CREATE VIEW finance.player_totals AS
  SELECT a.account_id AS player_id, a.currency,
         coalesce(sum(e.coins) FILTER (WHERE e.purpose = 'money_in'), 0) AS deposited,
         coalesce(-sum(e.coins) FILTER (WHERE e.purpose = 'money_out'), 0) AS withdrawn,
         coalesce(sum(e.coins) FILTER (WHERE e.purpose = 'payment' AND e.coins > 0), 0) AS won,
         coalesce(-sum(e.coins) FILTER (WHERE e.purpose = 'payment' AND e.coins < 0), 0) AS lost,
         coalesce(-sum(e.coins) FILTER (WHERE e.purpose = 'rake'), 0) AS rake,
         coalesce(sum(e.coins) FILTER (WHERE e.purpose = 'penalty'), 0) AS penalties,
         coalesce(sum(e.coins) FILTER (WHERE e.purpose IN ('reversal', 'cover')), 0) AS reversed,
         coalesce(sum(e.coins) FILTER (WHERE e.purpose = 'adjustment'), 0) AS adjusted,
         coalesce(sum(e.coins), 0) AS balance
  FROM wallet.accounts a
  LEFT JOIN wallet.entries e ON e.account_no = a.account_no AND e.sequence IS NOT NULL
  WHERE a.kind = 'player'
  GROUP BY a.account_id, a.currency;
COMMENT ON VIEW finance.player_totals IS
  'Where each player''s coins came from and went to. deposited - withdrawn + won - lost - rake + '
  'penalties + reversed + adjusted = balance.';
COMMENT ON COLUMN finance.player_totals.player_id IS 'The player.';
COMMENT ON COLUMN finance.player_totals.currency IS 'COIN or PRACTICE.';
COMMENT ON COLUMN finance.player_totals.deposited IS 'Coins bought or given.';
COMMENT ON COLUMN finance.player_totals.withdrawn IS 'Coins paid out, refunded or charged back.';
COMMENT ON COLUMN finance.player_totals.won IS 'Coins from other players, by settlements.';
COMMENT ON COLUMN finance.player_totals.lost IS 'Coins to other players, by settlements.';
COMMENT ON COLUMN finance.player_totals.rake IS 'Rake paid.';
COMMENT ON COLUMN finance.player_totals.penalties IS
  'Shares of others'' penalties, minus penalties paid.';
COMMENT ON COLUMN finance.player_totals.reversed IS
  'What reversals gave back, minus what they took; what the house bore of them included.';
COMMENT ON COLUMN finance.player_totals.adjusted IS 'What adjustments gave, minus what they took.';
COMMENT ON COLUMN finance.player_totals.balance IS 'What the player has now.';

-- migrate:down

DROP SCHEMA finance CASCADE;
DROP TRIGGER total_day ON wallet.ledger_days;
DROP FUNCTION wallet.total_day();
DROP VIEW wallet.unsealed_totals, wallet.sealed_until;
DROP TABLE wallet.day_totals;
DROP INDEX wallet.entries_by_time, wallet.journal_by_day;
