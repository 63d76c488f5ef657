-- The wallet: players' coins in double entry. docs/architecture.md tells the life of a coin.
--
-- Money is bigint coins, at most 2^53 = 9007199254740992 in any amount.
-- Text ids are opaque, 1 to 64 characters of [A-Za-z0-9_-].
-- History (journal, entries and what hangs on them) is written once: triggers refuse UPDATE, DELETE
-- and TRUNCATE to everyone.
--
-- Functions that every write runs take the tables' indexes whatever the planner makes of their size: a
-- plan is kept as long as its session lives, and one made while a table was small reads it from end to
-- end ever after (SET enable_seqscan = off and so on).
--
-- Order of locks, the same for every write: rounds by their number, balances by account number, then
-- one chain head (take_chain), then inserts. So no two writes wait for each other in a circle.

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
  frozen boolean NOT NULL DEFAULT false,
  closed boolean NOT NULL DEFAULT false,
  reservation_no bigint,
  held_table text,
  held_until timestamptz,
  round_no bigint,
  CONSTRAINT balances_within_limit CHECK (coins BETWEEN 0 AND 9007199254740992),
  CONSTRAINT balances_held_not_negative CHECK (held >= 0),
  CONSTRAINT balances_held_covered CHECK (coins - held >= 0),
  FOREIGN KEY (account_no, kind) REFERENCES wallet.accounts (account_no, kind)
) WITH (fillfactor = 50);

COMMENT ON TABLE wallet.balances IS
  'What each player has now: the row that a write locks. Only players have one. The house''s balance '
  'is the sum of its entries, so that no settlement waits for another at a house row.';
COMMENT ON COLUMN wallet.balances.account_no IS 'The account.';
COMMENT ON COLUMN wallet.balances.kind IS 'Always player: lets the foreign key refuse the house.';
COMMENT ON COLUMN wallet.balances.coins IS 'Coins owned, 0 to 2^53; the sum of the account''s entries.';
COMMENT ON COLUMN wallet.balances.held IS
  'Coins of these that are reserved for a seat and cannot be withdrawn, 0 to coins. Counts only '
  'until held_until, or while round_no is set.';
COMMENT ON COLUMN wallet.balances.last_sequence IS
  'Number of the account''s latest entry, 0 before the first. Handing it out under this row''s lock '
  'is what keeps (account, sequence) unique and without gaps.';
COMMENT ON COLUMN wallet.balances.frozen IS 'Whether an operator has frozen the account.';
COMMENT ON COLUMN wallet.balances.closed IS 'Whether the account is closed for good.';
COMMENT ON COLUMN wallet.balances.reservation_no IS 'The reservation that holds; NULL: none.';
COMMENT ON COLUMN wallet.balances.held_table IS 'The table that it is for; NULL: none.';
COMMENT ON COLUMN wallet.balances.held_until IS
  'First moment at which the hold no longer counts, unless a round has begun; NULL: no hold. '
  'Compared with the time of the transaction that reads it: no sweeper is needed.';
COMMENT ON COLUMN wallet.balances.round_no IS
  'The begun round that locks the whole balance against withdrawal; NULL: none.';

-- Journal and entries ----------------------------------------------------------------------------

CREATE SEQUENCE wallet.journal_numbers AS bigint;
COMMENT ON SEQUENCE wallet.journal_numbers IS 'Numbers of journal rows; take_chain hands them out.';

CREATE TABLE wallet.journal (
  journal_no bigint PRIMARY KEY DEFAULT nextval('wallet.journal_numbers'),
  kind text NOT NULL CHECK (kind IN ('deposit', 'withdrawal', 'settlement', 'penalty', 'void',
                                     'reversal', 'adjustment')),
  request_key text NOT NULL UNIQUE CHECK (request_key <> ''),
  content_version smallint NOT NULL CHECK (content_version >= 1),
  content_hash bytea NOT NULL CHECK (octet_length(content_hash) = 32),
  actor text NOT NULL,
  approver text,
  reason text NOT NULL,
  table_id text,
  round_id text,
  rulebook_version text,
  reverses_journal_no bigint UNIQUE,
  happened_at timestamptz NOT NULL,
  written_at timestamptz NOT NULL,
  chain_no smallint NOT NULL,
  chain_sequence bigint NOT NULL CHECK (chain_sequence >= 1),
  previous_hash bytea NOT NULL CHECK (octet_length(previous_hash) = 32),
  hash bytea NOT NULL CHECK (octet_length(hash) = 32),
  UNIQUE (chain_no, chain_sequence),
  CONSTRAINT journal_round CHECK ((kind IN ('settlement', 'penalty', 'void')) = (round_id IS NOT NULL)),
  CONSTRAINT journal_reverses CHECK ((kind = 'reversal') = (reverses_journal_no IS NOT NULL)),
  CONSTRAINT journal_reverses_earlier CHECK (reverses_journal_no < journal_no),
  CONSTRAINT journal_two_people CHECK (
    kind NOT IN ('reversal', 'adjustment') OR coalesce(approver <> actor, false))
);

COMMENT ON TABLE wallet.journal IS
  'One row for each business event that moved coins, or closed a round. Written once.';
COMMENT ON COLUMN wallet.journal.journal_no IS
  'Number of the row; rises along each chain, with gaps where a transaction was undone.';
COMMENT ON COLUMN wallet.journal.kind IS
  'What happened. void: a round that nobody pays for; reversal: takes back another row; adjustment: '
  'a correction by two people.';
COMMENT ON COLUMN wallet.journal.request_key IS
  'What makes the event happen once: rpc/caller/request id, or round/round id for whatever closes '
  'a round.';
COMMENT ON COLUMN wallet.journal.content_version IS
  'Which fields content_hash covers, in which order.';
COMMENT ON COLUMN wallet.journal.content_hash IS
  'SHA-256 over the request''s fields: tells a retry from another request under the same key.';
COMMENT ON COLUMN wallet.journal.actor IS 'Who asked for it.';
COMMENT ON COLUMN wallet.journal.approver IS
  'Who agreed, for reversals and adjustments; never the actor. NULL: nobody had to.';
COMMENT ON COLUMN wallet.journal.reason IS 'Why, in the caller''s words; may be empty.';
COMMENT ON COLUMN wallet.journal.table_id IS 'The table, for what closes a round.';
COMMENT ON COLUMN wallet.journal.round_id IS 'The round, for what closes a round.';
COMMENT ON COLUMN wallet.journal.rulebook_version IS
  'The rulebook by which the round was scored, for what closes a round.';
COMMENT ON COLUMN wallet.journal.reverses_journal_no IS
  'The row that a reversal takes back: each at most once.';
COMMENT ON COLUMN wallet.journal.happened_at IS 'When it happened (the service''s clock).';
COMMENT ON COLUMN wallet.journal.written_at IS
  'When it was written (database clock); never falls along a chain.';
COMMENT ON COLUMN wallet.journal.chain_no IS 'The chain that the row belongs to.';
COMMENT ON COLUMN wallet.journal.chain_sequence IS 'Counts the chain''s rows from 1 without gaps.';
COMMENT ON COLUMN wallet.journal.previous_hash IS
  'hash of the row before it in its chain; 32 zero bytes before the first.';
COMMENT ON COLUMN wallet.journal.hash IS
  'SHA-256 of canonical(journal_no): the row with all that hangs on it, previous_hash included.';

-- Chains -----------------------------------------------------------------------------------------

CREATE TABLE wallet.chains (
  chain_no smallint PRIMARY KEY CHECK (chain_no BETWEEN 0 AND 15),
  head_sequence bigint NOT NULL DEFAULT 0,
  head_hash bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex') CHECK (octet_length(head_hash) = 32),
  head_written_at timestamptz NOT NULL DEFAULT 'epoch'
) WITH (fillfactor = 10);
INSERT INTO wallet.chains (chain_no) SELECT generate_series(0, 15);

COMMENT ON TABLE wallet.chains IS
  'The heads of the journal''s chains: sixteen side by side, so that writers do not queue for one.';
COMMENT ON COLUMN wallet.chains.chain_no IS 'Number of the chain, 0 to 15.';
COMMENT ON COLUMN wallet.chains.head_sequence IS 'chain_sequence of its last row; 0: it has none.';
COMMENT ON COLUMN wallet.chains.head_hash IS 'hash of its last row; zero bytes: it has none.';
COMMENT ON COLUMN wallet.chains.head_written_at IS
  'written_at of its last row, or the end of the last day that was sealed after it.';

CREATE FUNCTION wallet.take_chain(rows integer, OUT chain_no smallint, OUT head_sequence bigint,
                                  OUT head_hash bytea, OUT written_at timestamptz,
                                  OUT journal_nos bigint[])
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog SET enable_seqscan = off AS $$
DECLARE
  head wallet.chains;
BEGIN
  SELECT c.* INTO head FROM wallet.chains c ORDER BY c.chain_no LIMIT 1 FOR UPDATE SKIP LOCKED;
  IF NOT FOUND THEN
    SELECT c.* INTO STRICT head FROM wallet.chains c WHERE c.chain_no = pg_backend_pid() % 16
      FOR UPDATE;
  END IF;
  chain_no := head.chain_no;
  head_sequence := head.head_sequence;
  head_hash := head.head_hash;
  written_at := greatest(clock_timestamp(), head.head_written_at);
  journal_nos := ARRAY(SELECT nextval('wallet.journal_numbers') FROM generate_series(1, rows));
END
$$;
COMMENT ON FUNCTION wallet.take_chain(integer) IS
  'Locks the head of a chain that nobody else writes to until the transaction is over, the last lock '
  'that a write takes; waits for one only if all are taken. Gives what the next rows of that chain '
  'need: where it ends, their time, and as many journal numbers as asked for. Numbers and times are '
  'taken under the lock, so that both rise along the chain.';

CREATE FUNCTION wallet.advance_chain() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog SET enable_seqscan = off
SET enable_hashjoin = off SET enable_mergejoin = off SET enable_material = off AS $$
DECLARE
  wrong record;
BEGIN
  SELECT next.* INTO wrong FROM (
    SELECT p.journal_no, p.chain_no, p.chain_sequence, p.previous_hash, p.written_at,
           lag(p.hash, 1, c.head_hash) OVER chain AS head_hash,
           lag(p.chain_sequence, 1, c.head_sequence) OVER chain AS head_sequence,
           lag(p.written_at, 1, c.head_written_at) OVER chain AS head_written_at
    FROM posted p LEFT JOIN wallet.chains c ON c.chain_no = p.chain_no
    WINDOW chain AS (PARTITION BY p.chain_no ORDER BY p.chain_sequence)) next
  WHERE next.previous_hash IS DISTINCT FROM next.head_hash
     OR next.chain_sequence IS DISTINCT FROM next.head_sequence + 1
     OR coalesce(next.written_at < next.head_written_at, true)
  LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'journal row % does not continue chain % at %', wrong.journal_no, wrong.chain_no,
      wrong.head_sequence
      USING ERRCODE = 'check_violation', CONSTRAINT = 'journal_continues_its_chain';
  END IF;
  UPDATE wallet.chains c
    SET head_sequence = last.chain_sequence, head_hash = last.hash, head_written_at = last.written_at
    FROM (SELECT DISTINCT ON (p.chain_no) p.chain_no, p.chain_sequence, p.hash, p.written_at
          FROM posted p ORDER BY p.chain_no, p.chain_sequence DESC) last
    WHERE c.chain_no = last.chain_no;
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION wallet.advance_chain() IS
  'Journal rows of one statement have to continue their chains; moves the heads to the last of them.';
CREATE TRIGGER advance_chain AFTER INSERT ON wallet.journal
  REFERENCING NEW TABLE AS posted FOR EACH STATEMENT EXECUTE FUNCTION wallet.advance_chain();

-- Entries ----------------------------------------------------------------------------------------

-- A unique key on a partitioned table has to hold the partition's, hence the time in the primary key;
-- (account, sequence) is unique in each partition by an index of its own (add_partition), and over
-- all of them by the balance row that hands the number out.
CREATE TABLE wallet.entries (
  journal_no bigint NOT NULL,
  line_no smallint NOT NULL CHECK (line_no >= 1),
  written_at timestamptz NOT NULL,
  account_no bigint NOT NULL,
  currency text NOT NULL,
  purpose text NOT NULL
    CHECK (purpose IN ('money_in', 'money_out', 'payment', 'rake', 'penalty', 'reversal', 'cover',
                       'adjustment')),
  coins bigint NOT NULL,
  balance_after bigint,
  sequence bigint,
  PRIMARY KEY (journal_no, line_no, written_at),
  CONSTRAINT entries_coins_within_limit
    CHECK (coins <> 0 AND coins BETWEEN -9007199254740992 AND 9007199254740992),
  CONSTRAINT entries_balance_within_limit CHECK (balance_after BETWEEN 0 AND 9007199254740992),
  CONSTRAINT entries_sequence_positive CHECK (sequence >= 1),
  CONSTRAINT entries_balance_with_sequence CHECK ((balance_after IS NULL) = (sequence IS NULL))
) PARTITION BY RANGE (written_at);
CREATE INDEX entries_of_house ON wallet.entries (account_no, journal_no, line_no)
  WHERE sequence IS NULL;

COMMENT ON TABLE wallet.entries IS
  'Coins into (positive) and out of (negative) accounts. Those of one journal row sum to zero in '
  'each currency, checked at every insert. Written once, through this table only, never into a '
  'partition. One partition a month (UTC).';
COMMENT ON COLUMN wallet.entries.journal_no IS 'The business event.';
COMMENT ON COLUMN wallet.entries.line_no IS 'Counts the entries of the event, from 1.';
COMMENT ON COLUMN wallet.entries.written_at IS
  'When it was written (database clock); equal to the journal row''s.';
COMMENT ON COLUMN wallet.entries.account_no IS 'The account.';
COMMENT ON COLUMN wallet.entries.currency IS 'The account''s currency.';
COMMENT ON COLUMN wallet.entries.purpose IS
  'money_in, money_out: deposits and withdrawals; payment: between players; rake; penalty; '
  'reversal: taken back; cover: what the house bears of a reversal; adjustment.';
COMMENT ON COLUMN wallet.entries.coins IS 'Signed, never zero.';
COMMENT ON COLUMN wallet.entries.balance_after IS
  'The account''s coins right after this entry. Players only.';
COMMENT ON COLUMN wallet.entries.sequence IS
  'Counts the account''s entries from 1 without gaps. Players only.';

CREATE FUNCTION wallet.check_entries() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_material = off AS $$
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

  SELECT p.journal_no, p.line_no, p.purpose, a.kind AS account, j.kind, fit.whole INTO wrong
    FROM posted p
    LEFT JOIN wallet.journal j ON j.journal_no = p.journal_no
    LEFT JOIN wallet.accounts a ON a.account_no = p.account_no
    CROSS JOIN LATERAL (SELECT
      j.xmin IS NOT DISTINCT FROM pg_current_xact_id()::xid AND j.written_at = p.written_at
        AND a.currency = p.currency AND (a.kind = 'player') = (p.sequence IS NOT NULL)) fit (whole)
    WHERE fit.whole IS NOT TRUE OR NOT CASE p.purpose
      WHEN 'payment' THEN j.kind = 'settlement' AND a.kind = 'player'
      WHEN 'rake' THEN j.kind = 'settlement' AND a.kind IN ('player', 'house_rake')
      WHEN 'money_in' THEN j.kind = 'deposit' AND a.kind IN ('player', 'issue')
      WHEN 'money_out' THEN j.kind = 'withdrawal' AND a.kind IN ('player', 'issue')
      WHEN 'penalty' THEN j.kind = 'penalty' AND a.kind IN ('player', 'penalties')
      WHEN 'reversal' THEN j.kind = 'reversal'
      WHEN 'cover' THEN j.kind = 'reversal' AND a.kind IN ('player', 'house_loss')
      WHEN 'adjustment' THEN j.kind = 'adjustment'
      ELSE false END
    LIMIT 1;
  IF FOUND AND wrong.whole IS NOT TRUE THEN
    RAISE EXCEPTION 'entry % of journal row %: its journal row is not of this transaction and time, '
      'or its account is not of this currency and kind', wrong.line_no, wrong.journal_no
      USING ERRCODE = 'check_violation', CONSTRAINT = 'entries_fit_journal_and_account';
  ELSIF FOUND THEN
    RAISE EXCEPTION 'entry % of journal row %: % on an account of kind % in a row of kind %',
      wrong.line_no, wrong.journal_no, wrong.purpose, wrong.account, wrong.kind
      USING ERRCODE = 'check_violation', CONSTRAINT = 'entries_fit_their_kind';
  END IF;
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION wallet.check_entries() IS
  'Entries of one statement: sum to zero per journal row and currency; belong to a journal row of '
  'the same transaction (so none can be added later; no savepoints, therefore) and have its time; to '
  'an account of that currency, with a sequence exactly if it is a player''s; and are of a purpose '
  'that their journal row''s kind and their account''s kind can have.';
CREATE TRIGGER check_entries AFTER INSERT ON wallet.entries
  REFERENCING NEW TABLE AS posted FOR EACH STATEMENT EXECUTE FUNCTION wallet.check_entries();

CREATE FUNCTION wallet.check_part() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_material = off AS $$
DECLARE
  wrong record;
BEGIN
  SELECT p.journal_no, j.kind INTO wrong
    FROM posted p LEFT JOIN wallet.journal j ON j.journal_no = p.journal_no
    WHERE j.xmin IS DISTINCT FROM pg_current_xact_id()::xid
       OR (TG_NARGS > 0 AND j.kind <> ALL (TG_ARGV::text[]))
    LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'wallet.%: journal row % is not of this transaction, or of kind %', TG_TABLE_NAME,
      wrong.journal_no, wrong.kind
      USING ERRCODE = 'check_violation', CONSTRAINT = 'part_fits_journal';
  END IF;
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION wallet.check_part() IS
  'Rows that hang on a journal row: it has to be of the same transaction (so none can be added later) '
  'and of one of the kinds that the trigger names. In place of a foreign key, which costs more than '
  'the row itself.';

-- Settlements ------------------------------------------------------------------------------------

CREATE TABLE wallet.settlements (
  journal_no bigint PRIMARY KEY,
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
  journal_no bigint NOT NULL,
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
  journal_no bigint NOT NULL,
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
  journal_no bigint NOT NULL,
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

-- Penalties, money in and out --------------------------------------------------------------------

CREATE TABLE wallet.penalties (
  journal_no bigint PRIMARY KEY,
  currency text NOT NULL,
  account_nos bigint[] NOT NULL CHECK (cardinality(account_nos) = 4),
  escaper smallint NOT NULL CHECK (escaper BETWEEN 0 AND 3),
  penalty bigint NOT NULL CHECK (penalty BETWEEN 0 AND 9007199254740992),
  taken bigint NOT NULL CHECK (taken >= 0),
  share bigint NOT NULL CHECK (share >= 0),
  house bigint NOT NULL CHECK (house >= 0),
  shortfall bigint NOT NULL CHECK (shortfall >= 0),
  balance_after bigint[] NOT NULL CHECK (cardinality(balance_after) = 4),
  CHECK (taken = 3 * share + house),
  CHECK (penalty = taken + shortfall)
);

COMMENT ON TABLE wallet.penalties IS
  'One row for each round that an escape ended: what the escaper paid, and to whom. Written once.';
COMMENT ON COLUMN wallet.penalties.journal_no IS 'The journal row; it names round and table.';
COMMENT ON COLUMN wallet.penalties.currency IS 'The currency of all four.';
COMMENT ON COLUMN wallet.penalties.account_nos IS 'The four accounts, by seat.';
COMMENT ON COLUMN wallet.penalties.escaper IS 'The seat that left.';
COMMENT ON COLUMN wallet.penalties.penalty IS 'What the escape costs by the round''s tier.';
COMMENT ON COLUMN wallet.penalties.taken IS 'What the escaper''s balance covered of it.';
COMMENT ON COLUMN wallet.penalties.share IS 'What each of the other three got.';
COMMENT ON COLUMN wallet.penalties.house IS 'What the account penalties got.';
COMMENT ON COLUMN wallet.penalties.shortfall IS 'What was not covered; never collected later.';
COMMENT ON COLUMN wallet.penalties.balance_after IS 'By seat: coins right after.';

CREATE TABLE wallet.money_movements (
  journal_no bigint PRIMARY KEY,
  flow text NOT NULL CHECK (flow IN ('purchase', 'grant', 'refund', 'chargeback', 'payout')),
  provider text,
  external_reference text,
  UNIQUE (flow, provider, external_reference),
  CHECK ((provider IS NULL) = (external_reference IS NULL))
);

COMMENT ON TABLE wallet.money_movements IS
  'Deposits and withdrawals as the payment provider knows them. Written once.';
COMMENT ON COLUMN wallet.money_movements.journal_no IS 'The deposit or withdrawal.';
COMMENT ON COLUMN wallet.money_movements.flow IS
  'purchase, grant: in; refund, chargeback, payout: out.';
COMMENT ON COLUMN wallet.money_movements.provider IS 'Who moved the money; NULL: nobody outside.';
COMMENT ON COLUMN wallet.money_movements.external_reference IS
  'The provider''s number of it: booked once for each flow. NULL without a provider.';

CREATE TRIGGER check_part AFTER INSERT ON wallet.settlements REFERENCING NEW TABLE AS posted
  FOR EACH STATEMENT EXECUTE FUNCTION wallet.check_part('settlement');
CREATE TRIGGER check_part AFTER INSERT ON wallet.settlement_transfers REFERENCING NEW TABLE AS posted
  FOR EACH STATEMENT EXECUTE FUNCTION wallet.check_part('settlement');
CREATE TRIGGER check_part AFTER INSERT ON wallet.settlement_set_offs REFERENCING NEW TABLE AS posted
  FOR EACH STATEMENT EXECUTE FUNCTION wallet.check_part('settlement');
CREATE TRIGGER check_part AFTER INSERT ON wallet.shortfalls REFERENCING NEW TABLE AS posted
  FOR EACH STATEMENT EXECUTE FUNCTION wallet.check_part('settlement', 'penalty', 'reversal');
CREATE TRIGGER check_part AFTER INSERT ON wallet.penalties REFERENCING NEW TABLE AS posted
  FOR EACH STATEMENT EXECUTE FUNCTION wallet.check_part('penalty');
CREATE TRIGGER check_part AFTER INSERT ON wallet.money_movements REFERENCING NEW TABLE AS posted
  FOR EACH STATEMENT EXECUTE FUNCTION wallet.check_part('deposit', 'withdrawal');

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
                                 'settlement_set_offs', 'shortfalls', 'penalties',
                                 'money_movements'] LOOP
    EXECUTE format('CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON wallet.%I '
                   'FOR EACH STATEMENT EXECUTE FUNCTION wallet.refuse_change()', history);
  END LOOP;
END
$$;
CREATE TRIGGER refuse_change
  BEFORE DELETE OR TRUNCATE OR UPDATE OF account_no, account_id, currency, kind, opened_at
  ON wallet.accounts FOR EACH STATEMENT EXECUTE FUNCTION wallet.refuse_change();
CREATE TRIGGER refuse_change BEFORE INSERT OR DELETE OR TRUNCATE OR UPDATE OF chain_no
  ON wallet.chains FOR EACH STATEMENT EXECUTE FUNCTION wallet.refuse_change();

-- Partitions of entries --------------------------------------------------------------------------

CREATE FUNCTION wallet.add_partition(name text, bounds text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  EXECUTE format('CREATE TABLE wallet.%I (LIKE wallet.entries INCLUDING DEFAULTS INCLUDING '
                 'CONSTRAINTS INCLUDING INDEXES INCLUDING COMMENTS)', name);
  EXECUTE format('CREATE UNIQUE INDEX %I ON wallet.%I (account_no, sequence) '
                 'WHERE sequence IS NOT NULL', name || '_of_player', name);
  EXECUTE format('COMMENT ON TABLE wallet.%I IS %L', name,
                 'Entries ' || bounds || '. Read and written through wallet.entries only.');
  EXECUTE format('CREATE TRIGGER refuse_change BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE '
                 'ON wallet.%I FOR EACH STATEMENT EXECUTE FUNCTION wallet.refuse_change()', name);
  EXECUTE format('ALTER TABLE wallet.entries ATTACH PARTITION wallet.%I %s', name, bounds);
END
$$;
COMMENT ON FUNCTION wallet.add_partition(text, text) IS
  'One partition of entries, with the index that keeps (account, sequence) unique in it, and a '
  'trigger that refuses whatever does not come through wallet.entries.';

CREATE FUNCTION wallet.make_partitions(months_ahead integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog AS $$
DECLARE
  month timestamp;
  name text;
  made integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('wallet.make_partitions'));
  FOR month IN SELECT generate_series(first, first + make_interval(months => months_ahead), '1 month')
               FROM date_trunc('month', now() AT TIME ZONE 'UTC') first LOOP
    name := to_char(month, '"entries_"YYYY_MM');
    CONTINUE WHEN to_regclass('wallet.' || name) IS NOT NULL;
    -- What fell into the default partition keeps the month there: an operator has to move it.
    IF EXISTS (SELECT FROM wallet.entries_default
               WHERE written_at >= month AT TIME ZONE 'UTC'
                 AND written_at < (month + interval '1 month') AT TIME ZONE 'UTC') THEN
      RAISE WARNING 'wallet.entries_default holds entries of %', to_char(month, 'YYYY-MM');
      CONTINUE;
    END IF;
    PERFORM wallet.add_partition(name, format(
      'FOR VALUES FROM (%L) TO (%L)', to_char(month, 'YYYY-MM-DD"T00:00:00Z"'),
      to_char(month + interval '1 month', 'YYYY-MM-DD"T00:00:00Z"')));
    made := made + 1;
  END LOOP;
  RETURN made;
END
$$;
COMMENT ON FUNCTION wallet.make_partitions(integer) IS
  'Makes the partitions of entries of this month and so many months after it that are not there yet, '
  'as the owner of the schema, and tells how many it made. Reads and inserts go on meanwhile.';

SELECT wallet.add_partition('entries_default', 'DEFAULT');
COMMENT ON TABLE wallet.entries_default IS
  'Entries of months that have no partition: has to stay empty. Made visible by an alert.';
SELECT wallet.make_partitions(3);

-- What the suite ships with (RULEBOOK 7) ---------------------------------------------------------

INSERT INTO wallet.accounts (account_id, currency, kind)
  SELECT kind, currency, kind
  FROM unnest(ARRAY['COIN', 'PRACTICE']) currency,
       unnest(ARRAY['house_rake', 'penalties', 'issue', 'house_loss']) kind;

-- migrate:down

DROP SCHEMA wallet CASCADE;
