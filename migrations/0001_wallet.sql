-- The wallet: players' coins in double entry. docs/architecture.md tells the life of a coin.
--
-- Money is bigint coins, at most 2^53 = 9007199254740992 in any amount.
-- Text ids are opaque, 1 to 64 characters of [A-Za-z0-9_-].
-- History (journal, entries, settlements and what hangs on them, requests, stake tiers) is written
-- once: triggers refuse UPDATE, DELETE and TRUNCATE to everyone.

-- migrate:up

CREATE SCHEMA wallet;
COMMENT ON SCHEMA wallet IS
  'Players'' coins: a double-entry ledger. Owned by the wallet service; finance reads it.';

-- Accounts ---------------------------------------------------------------------------------------

CREATE TABLE wallet.accounts (
  account_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id text NOT NULL CHECK (account_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  currency text NOT NULL CHECK (currency IN ('COIN', 'PRACTICE')),
  kind text NOT NULL CHECK (kind IN ('player', 'house_rake', 'penalties', 'issue', 'house_loss')),
  opened_at timestamptz NOT NULL DEFAULT transaction_timestamp(),
  UNIQUE (account_id, currency),
  UNIQUE (account_no, kind)
);
CREATE UNIQUE INDEX accounts_house_once ON wallet.accounts (kind, currency) WHERE kind <> 'player';

COMMENT ON TABLE wallet.accounts IS
  'Who can own coins: players, and the house''s four accounts in each currency.';
COMMENT ON COLUMN wallet.accounts.account_no IS 'Internal number, used by all other tables.';
COMMENT ON COLUMN wallet.accounts.account_id IS
  'Outside id; for a player the player''s id. The house''s are named after their kind.';
COMMENT ON COLUMN wallet.accounts.currency IS
  'COIN: coins that a player owns. PRACTICE: coins of practice tables. They never meet.';
COMMENT ON COLUMN wallet.accounts.kind IS
  'player; house_rake: rake taken; penalties: what is left of penalties; issue: the other side of '
  'deposits and withdrawals, below zero by what players and house hold; house_loss: losses that the '
  'house bears.';
COMMENT ON COLUMN wallet.accounts.opened_at IS 'When it was opened (database clock).';

CREATE TABLE wallet.balances (
  account_no bigint PRIMARY KEY,
  kind text NOT NULL DEFAULT 'player' CHECK (kind = 'player'),
  coins bigint NOT NULL DEFAULT 0,
  held bigint NOT NULL DEFAULT 0,
  last_sequence bigint NOT NULL DEFAULT 0 CHECK (last_sequence >= 0),
  CONSTRAINT balances_within_limit CHECK (coins BETWEEN 0 AND 9007199254740992),
  CONSTRAINT balances_held_not_negative CHECK (held >= 0),
  CONSTRAINT balances_held_covered CHECK (coins - held >= 0),
  FOREIGN KEY (account_no, kind) REFERENCES wallet.accounts (account_no, kind)
) WITH (fillfactor = 70);

COMMENT ON TABLE wallet.balances IS
  'What each player has now: the row that a write locks. Only players have one. The house''s balance '
  'is the sum of its entries, so that no settlement waits for another at a house row.';
COMMENT ON COLUMN wallet.balances.account_no IS 'The account.';
COMMENT ON COLUMN wallet.balances.kind IS 'Always player: lets the foreign key refuse the house.';
COMMENT ON COLUMN wallet.balances.coins IS 'Coins owned, 0 to 2^53; the sum of the account''s entries.';
COMMENT ON COLUMN wallet.balances.held IS
  'Coins of these that are reserved and cannot be withdrawn, 0 to coins.';
COMMENT ON COLUMN wallet.balances.last_sequence IS
  'Number of the account''s latest entry, 0 before the first. Handing it out under this row''s lock '
  'is what keeps (account, sequence) unique and without gaps.';

-- Journal and entries ----------------------------------------------------------------------------

CREATE TABLE wallet.journal (
  journal_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('deposit', 'withdrawal', 'settlement')),
  request_key text NOT NULL UNIQUE CHECK (request_key <> ''),
  content_version smallint NOT NULL CHECK (content_version >= 1),
  content_hash bytea NOT NULL CHECK (octet_length(content_hash) = 32),
  actor text NOT NULL,
  reason text NOT NULL,
  table_id text,
  round_id text,
  rulebook_version text,
  happened_at timestamptz NOT NULL,
  written_at timestamptz NOT NULL DEFAULT transaction_timestamp(),
  CHECK ((kind = 'settlement') = (round_id IS NOT NULL))
);

COMMENT ON TABLE wallet.journal IS
  'One row for each business event that moved coins, or closed a round. Written once.';
COMMENT ON COLUMN wallet.journal.journal_no IS
  'Number of the row; rises, with gaps where a transaction was undone.';
COMMENT ON COLUMN wallet.journal.kind IS 'What happened.';
COMMENT ON COLUMN wallet.journal.request_key IS
  'What makes the event happen once: rpc/caller/request id, or round/round id for whatever closes '
  'a round.';
COMMENT ON COLUMN wallet.journal.content_version IS
  'Which fields content_hash covers, in which order.';
COMMENT ON COLUMN wallet.journal.content_hash IS
  'SHA-256 over the request''s fields: tells a retry from another request under the same key.';
COMMENT ON COLUMN wallet.journal.actor IS 'Who asked for it.';
COMMENT ON COLUMN wallet.journal.reason IS 'Why, in the caller''s words; may be empty.';
COMMENT ON COLUMN wallet.journal.table_id IS 'The table, for settlements.';
COMMENT ON COLUMN wallet.journal.round_id IS 'The round, for settlements.';
COMMENT ON COLUMN wallet.journal.rulebook_version IS
  'The rulebook by which the round was scored, for settlements.';
COMMENT ON COLUMN wallet.journal.happened_at IS 'When it happened (the service''s clock).';
COMMENT ON COLUMN wallet.journal.written_at IS 'When it was written (database clock).';

-- The time is in the primary key so that this table can become a partition by range of written_at;
-- entries_of_player is unique inside such a partition, and across partitions the balance row, which
-- hands the number out, keeps it so.
CREATE TABLE wallet.entries (
  journal_no bigint NOT NULL,
  line_no smallint NOT NULL CHECK (line_no >= 1),
  written_at timestamptz NOT NULL DEFAULT transaction_timestamp(),
  account_no bigint NOT NULL,
  currency text NOT NULL,
  purpose text NOT NULL
    CHECK (purpose IN ('money_in', 'money_out', 'payment', 'rake', 'penalty')),
  coins bigint NOT NULL,
  balance_after bigint,
  sequence bigint,
  PRIMARY KEY (journal_no, line_no, written_at),
  CONSTRAINT entries_coins_within_limit
    CHECK (coins <> 0 AND coins BETWEEN -9007199254740992 AND 9007199254740992),
  CONSTRAINT entries_balance_within_limit CHECK (balance_after BETWEEN 0 AND 9007199254740992),
  CONSTRAINT entries_sequence_positive CHECK (sequence >= 1),
  CONSTRAINT entries_balance_with_sequence CHECK ((balance_after IS NULL) = (sequence IS NULL))
);
CREATE UNIQUE INDEX entries_of_player ON wallet.entries (account_no, sequence)
  WHERE sequence IS NOT NULL;
CREATE INDEX entries_of_house ON wallet.entries (account_no, journal_no, line_no)
  WHERE sequence IS NULL;

COMMENT ON TABLE wallet.entries IS
  'Coins into (positive) and out of (negative) accounts. Those of one journal row sum to zero in '
  'each currency, checked at every insert. Written once.';
COMMENT ON COLUMN wallet.entries.journal_no IS 'The business event.';
COMMENT ON COLUMN wallet.entries.line_no IS 'Counts the entries of the event, from 1.';
COMMENT ON COLUMN wallet.entries.written_at IS
  'When it was written (database clock); equal to the journal row''s.';
COMMENT ON COLUMN wallet.entries.account_no IS 'The account.';
COMMENT ON COLUMN wallet.entries.currency IS 'The account''s currency.';
COMMENT ON COLUMN wallet.entries.purpose IS
  'money_in, money_out: deposits and withdrawals; payment: between players; rake; penalty.';
COMMENT ON COLUMN wallet.entries.coins IS 'Signed, never zero.';
COMMENT ON COLUMN wallet.entries.balance_after IS
  'The account''s coins right after this entry. Players only.';
COMMENT ON COLUMN wallet.entries.sequence IS
  'Counts the account''s entries from 1 without gaps. Players only.';

CREATE FUNCTION wallet.check_entries() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  wrong record;
BEGIN
  SELECT journal_no, currency, sum(coins) AS total INTO wrong
    FROM posted GROUP BY journal_no, currency HAVING sum(coins) <> 0 LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'entries of journal row % sum to % %, want 0',
      wrong.journal_no, wrong.total, wrong.currency
      USING ERRCODE = 'check_violation', CONSTRAINT = 'entries_sum_to_zero';
  END IF;

  SELECT p.journal_no, p.line_no INTO wrong
    FROM posted p
    LEFT JOIN wallet.journal j ON j.journal_no = p.journal_no
    LEFT JOIN wallet.accounts a ON a.account_no = p.account_no
    WHERE j.written_at IS DISTINCT FROM transaction_timestamp()
       OR p.written_at <> transaction_timestamp()
       OR a.currency IS DISTINCT FROM p.currency
       OR (a.kind = 'player') <> (p.sequence IS NOT NULL)
    LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'entry % of journal row %: its journal row is not of this transaction, or its '
      'account is not of this currency and kind', wrong.line_no, wrong.journal_no
      USING ERRCODE = 'check_violation', CONSTRAINT = 'entries_fit_journal_and_account';
  END IF;
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION wallet.check_entries() IS
  'Entries of one statement: sum to zero per journal row and currency; belong to a journal row of '
  'the same transaction (so none can be added later); and to an account of that currency, with a '
  'sequence exactly if it is a player''s.';
CREATE TRIGGER check_entries AFTER INSERT ON wallet.entries
  REFERENCING NEW TABLE AS posted FOR EACH STATEMENT EXECUTE FUNCTION wallet.check_entries();

-- Settlements ------------------------------------------------------------------------------------

CREATE TABLE wallet.settlements (
  journal_no bigint PRIMARY KEY REFERENCES wallet.journal,
  variant text NOT NULL,
  base bigint NOT NULL CHECK (base >= 1),
  currency text NOT NULL,
  rake bigint NOT NULL CHECK (rake >= 0),
  account_nos bigint[] NOT NULL CHECK (cardinality(account_nos) = 4),
  net bigint[] NOT NULL CHECK (cardinality(net) = 4),
  rake_paid bigint[] NOT NULL CHECK (cardinality(rake_paid) = 4),
  balance_after bigint[] NOT NULL CHECK (cardinality(balance_after) = 4)
);

COMMENT ON TABLE wallet.settlements IS
  'One row for each settled round: what it did to its four seats. Written once.';
COMMENT ON COLUMN wallet.settlements.journal_no IS 'The journal row; it names round and table.';
COMMENT ON COLUMN wallet.settlements.variant IS 'The game.';
COMMENT ON COLUMN wallet.settlements.base IS 'Base stake in coins.';
COMMENT ON COLUMN wallet.settlements.currency IS 'The currency of all four.';
COMMENT ON COLUMN wallet.settlements.rake IS 'Rake due from each seat: the tier''s at that moment.';
COMMENT ON COLUMN wallet.settlements.account_nos IS 'The four accounts, by seat.';
COMMENT ON COLUMN wallet.settlements.net IS
  'By seat: coins received minus coins paid, rake included.';
COMMENT ON COLUMN wallet.settlements.rake_paid IS 'By seat: rake taken, as far as it was covered.';
COMMENT ON COLUMN wallet.settlements.balance_after IS 'By seat: coins right after.';

CREATE TABLE wallet.settlement_transfers (
  journal_no bigint NOT NULL REFERENCES wallet.settlements,
  line_no smallint NOT NULL CHECK (line_no >= 1),
  from_seat smallint NOT NULL CHECK (from_seat BETWEEN 0 AND 3),
  to_seat smallint NOT NULL CHECK (to_seat BETWEEN 0 AND 3),
  rule_id text NOT NULL,
  coins bigint NOT NULL CHECK (coins BETWEEN 1 AND 9007199254740992),
  PRIMARY KEY (journal_no, line_no),
  CHECK (from_seat <> to_seat)
);

COMMENT ON TABLE wallet.settlement_transfers IS
  'What seats owed each other, by rule, as scored. For each payer and payee: owed = set off + paid '
  '+ shortfall. Written once.';
COMMENT ON COLUMN wallet.settlement_transfers.journal_no IS 'The settlement.';
COMMENT ON COLUMN wallet.settlement_transfers.line_no IS 'Counts the lines from 1.';
COMMENT ON COLUMN wallet.settlement_transfers.from_seat IS 'The seat that owed.';
COMMENT ON COLUMN wallet.settlement_transfers.to_seat IS 'The seat that was owed.';
COMMENT ON COLUMN wallet.settlement_transfers.rule_id IS 'The rule of the rulebook.';
COMMENT ON COLUMN wallet.settlement_transfers.coins IS 'Coins owed under it.';

CREATE TABLE wallet.settlement_set_offs (
  journal_no bigint NOT NULL REFERENCES wallet.settlements,
  from_seat smallint NOT NULL CHECK (from_seat BETWEEN 0 AND 3),
  to_seat smallint NOT NULL CHECK (to_seat BETWEEN 0 AND 3),
  coins bigint NOT NULL CHECK (coins BETWEEN 1 AND 9007199254740992),
  PRIMARY KEY (journal_no, from_seat, to_seat),
  CHECK (from_seat <> to_seat)
);

COMMENT ON TABLE wallet.settlement_set_offs IS
  'Debts, or parts of them, that met in a circle and cancelled each other. Written once.';
COMMENT ON COLUMN wallet.settlement_set_offs.journal_no IS 'The settlement.';
COMMENT ON COLUMN wallet.settlement_set_offs.from_seat IS 'The seat that owed.';
COMMENT ON COLUMN wallet.settlement_set_offs.to_seat IS 'The seat that was owed.';
COMMENT ON COLUMN wallet.settlement_set_offs.coins IS 'Coins cancelled.';

CREATE TABLE wallet.shortfalls (
  journal_no bigint NOT NULL REFERENCES wallet.journal,
  payer_no bigint NOT NULL,
  payee_no bigint NOT NULL,
  owed bigint NOT NULL CHECK (owed BETWEEN 1 AND 9007199254740992),
  coins bigint NOT NULL CHECK (coins BETWEEN 1 AND owed),
  PRIMARY KEY (journal_no, payer_no, payee_no),
  CHECK (payer_no <> payee_no)
);

COMMENT ON TABLE wallet.shortfalls IS
  'What a payer could not cover. Recorded, never collected later. Written once.';
COMMENT ON COLUMN wallet.shortfalls.journal_no IS 'The business event.';
COMMENT ON COLUMN wallet.shortfalls.payer_no IS 'The account that owed.';
COMMENT ON COLUMN wallet.shortfalls.payee_no IS
  'The account that was owed: a player''s, or house_rake for rake.';
COMMENT ON COLUMN wallet.shortfalls.owed IS 'Coins owed, before set-off.';
COMMENT ON COLUMN wallet.shortfalls.coins IS 'Coins of these that were neither set off nor paid.';

-- Requests ---------------------------------------------------------------------------------------

CREATE TABLE wallet.requests (
  request_key text PRIMARY KEY CHECK (request_key <> ''),
  content_version smallint NOT NULL CHECK (content_version >= 1),
  content_hash bytea NOT NULL CHECK (octet_length(content_hash) = 32),
  outcome text NOT NULL,
  account_no bigint NOT NULL REFERENCES wallet.accounts,
  journal_no bigint REFERENCES wallet.journal,
  balance bigint NOT NULL,
  decided_at timestamptz NOT NULL DEFAULT transaction_timestamp()
);

COMMENT ON TABLE wallet.requests IS
  'The first answer to each write that carries a request id, a refusal too: a retry gets it again. '
  'What closes a round is not here: its journal row is its answer. Written once.';
COMMENT ON COLUMN wallet.requests.request_key IS 'rpc/caller/request id.';
COMMENT ON COLUMN wallet.requests.content_version IS 'As in journal.';
COMMENT ON COLUMN wallet.requests.content_hash IS 'As in journal.';
COMMENT ON COLUMN wallet.requests.outcome IS 'OK, or the reason of the refusal.';
COMMENT ON COLUMN wallet.requests.account_no IS 'The account asked about.';
COMMENT ON COLUMN wallet.requests.journal_no IS 'What was posted; NULL where nothing was.';
COMMENT ON COLUMN wallet.requests.balance IS 'The account''s coins right after the decision.';
COMMENT ON COLUMN wallet.requests.decided_at IS 'When it was decided (database clock).';

-- Stake tiers ------------------------------------------------------------------------------------

CREATE TABLE wallet.stake_tiers (
  tier_id text NOT NULL CHECK (tier_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  variant text NOT NULL,
  base bigint NOT NULL CHECK (base BETWEEN 1 AND 10000),
  minimum bigint NOT NULL CHECK (minimum BETWEEN 0 AND 9007199254740992),
  rake bigint NOT NULL CHECK (rake BETWEEN 0 AND 9007199254740992),
  escape_penalty bigint NOT NULL CHECK (escape_penalty BETWEEN 0 AND 9007199254740992),
  escape_compensation bigint NOT NULL CHECK (escape_compensation BETWEEN 0 AND escape_penalty),
  valid_from timestamptz NOT NULL,
  valid_until timestamptz,
  written_at timestamptz NOT NULL DEFAULT transaction_timestamp(),
  PRIMARY KEY (variant, base, valid_from),
  UNIQUE (tier_id, valid_from),
  CHECK (valid_until > valid_from)
);

COMMENT ON TABLE wallet.stake_tiers IS
  'Rooms: what a game is played for, who may sit down, what the house takes. Changed by a new row '
  'with a later valid_from, never by an edit. Written once.';
COMMENT ON COLUMN wallet.stake_tiers.tier_id IS 'Stable id of the room, over all its rows.';
COMMENT ON COLUMN wallet.stake_tiers.variant IS 'The game.';
COMMENT ON COLUMN wallet.stake_tiers.base IS 'Base stake in coins.';
COMMENT ON COLUMN wallet.stake_tiers.minimum IS 'Coins that a player has to have to sit down.';
COMMENT ON COLUMN wallet.stake_tiers.rake IS
  'Coins that each of the four pays to the house each round that is won or exhausted.';
COMMENT ON COLUMN wallet.stake_tiers.escape_penalty IS 'Coins that an escape costs.';
COMMENT ON COLUMN wallet.stake_tiers.escape_compensation IS
  'How many of these the three who stayed share; the rest is the house''s.';
COMMENT ON COLUMN wallet.stake_tiers.valid_from IS 'First moment at which this row holds.';
COMMENT ON COLUMN wallet.stake_tiers.valid_until IS
  'First moment at which it no longer does; NULL: until the next row of the same room.';
COMMENT ON COLUMN wallet.stake_tiers.written_at IS 'When it was written (database clock).';

CREATE FUNCTION wallet.stake_tiers_at(moment timestamptz) RETURNS SETOF wallet.stake_tiers
LANGUAGE sql STABLE AS $$
  SELECT * FROM (
    SELECT DISTINCT ON (variant, base) * FROM wallet.stake_tiers
      WHERE valid_from <= moment ORDER BY variant, base, valid_from DESC) latest
  WHERE valid_until IS NULL OR valid_until > moment
$$;
COMMENT ON FUNCTION wallet.stake_tiers_at(timestamptz) IS
  'The rooms as they stand at a moment: of each room the latest row begun, unless it has ended.';

-- Written once -----------------------------------------------------------------------------------

CREATE FUNCTION wallet.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'wallet.% is history: % is refused', TG_TABLE_NAME, TG_OP
    USING ERRCODE = 'restrict_violation', HINT = 'Post a new journal row that puts it right.';
END
$$;
COMMENT ON FUNCTION wallet.refuse_change() IS 'Refuses whatever would alter history.';

DO $$
DECLARE
  history text;
BEGIN
  FOREACH history IN ARRAY ARRAY['journal', 'entries', 'settlements', 'settlement_transfers',
                                 'settlement_set_offs', 'shortfalls', 'requests', 'stake_tiers'] LOOP
    EXECUTE format('CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON wallet.%I '
                   'FOR EACH STATEMENT EXECUTE FUNCTION wallet.refuse_change()', history);
  END LOOP;
END
$$;
CREATE TRIGGER refuse_change
  BEFORE DELETE OR TRUNCATE OR UPDATE OF account_no, account_id, currency, kind, opened_at
  ON wallet.accounts FOR EACH STATEMENT EXECUTE FUNCTION wallet.refuse_change();

-- What the suite ships with (RULEBOOK 7) ---------------------------------------------------------

INSERT INTO wallet.accounts (account_id, currency, kind)
  SELECT kind, currency, kind
  FROM unnest(ARRAY['COIN', 'PRACTICE']) currency,
       unnest(ARRAY['house_rake', 'penalties', 'issue', 'house_loss']) kind;

INSERT INTO wallet.stake_tiers (tier_id, variant, base, minimum, rake, escape_penalty,
                                escape_compensation, valid_from)
  SELECT variant || '-' || base, variant, base, minimum, rake, 64 * base, 64 * base, 'epoch'
  FROM (
    SELECT variant, base, 16 * base, 0
      FROM unnest(ARRAY['chaozhou', 'jieyang']) variant, unnest(ARRAY[10, 100, 1000, 10000]) base
    UNION ALL
    SELECT 'guangdong', base, 50 * base, 0
      FROM unnest(ARRAY[10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000]) base
    UNION ALL
    SELECT 'shaoguan', base, 64 * base, rake
      FROM (VALUES (10, 4), (100, 40), (600, 250)) room (base, rake)
  ) room (variant, base, minimum, rake);

-- migrate:down

DROP SCHEMA wallet CASCADE;
