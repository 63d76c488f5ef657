-- The wallet: the memory of requests, stake tiers, seats that are reserved, rounds that begin and are
-- closed once, and what operators do to accounts. What a player's live reservation and begun round are stands in wallet.balances, under
-- the row that every write locks; here stands how it came to be, written once.

-- migrate:up

-- Requests ---------------------------------------------------------------------------------------

CREATE TABLE wallet.requests (
  request_key text PRIMARY KEY CHECK (request_key <> ''),
  content_version smallint NOT NULL CHECK (content_version >= 1),
  content_hash bytea NOT NULL CHECK (octet_length(content_hash) = 32),
  outcome text NOT NULL,
  facts text[] NOT NULL DEFAULT '{}',
  account_no bigint,
  journal_no bigint,
  balance bigint,
  decided_at timestamptz NOT NULL DEFAULT transaction_timestamp()
);

COMMENT ON TABLE wallet.requests IS
  'The first answer to each write that carries a request id, a refusal too: a retry gets it again. '
  'What closes a round is not here: its journal row is its answer. Written once.';
COMMENT ON COLUMN wallet.requests.request_key IS 'rpc/caller/request id.';
COMMENT ON COLUMN wallet.requests.content_version IS 'As in journal.';
COMMENT ON COLUMN wallet.requests.content_hash IS 'As in journal.';
COMMENT ON COLUMN wallet.requests.outcome IS 'OK, or the reason of the refusal.';
COMMENT ON COLUMN wallet.requests.facts IS
  'name, value, name, value …: what else the first answer said.';
COMMENT ON COLUMN wallet.requests.account_no IS
  'The first account asked about; NULL where there is none.';
COMMENT ON COLUMN wallet.requests.journal_no IS 'What was posted; NULL where nothing was.';
COMMENT ON COLUMN wallet.requests.balance IS
  'That account''s coins right after the decision; NULL where there is none.';
COMMENT ON COLUMN wallet.requests.decided_at IS 'When it was decided (database clock).';

-- Stake tiers ------------------------------------------------------------------------------------

CREATE TABLE wallet.stake_tiers (
  tier_id text NOT NULL CHECK (tier_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  variant text NOT NULL,
  currency text NOT NULL CHECK (currency IN ('COIN', 'PRACTICE')),
  base bigint NOT NULL CHECK (base BETWEEN 1 AND 10000),
  minimum bigint NOT NULL CHECK (minimum BETWEEN 0 AND 9007199254740992),
  rake bigint NOT NULL CHECK (rake BETWEEN 0 AND 9007199254740992),
  escape_penalty bigint NOT NULL CHECK (escape_penalty BETWEEN 0 AND 9007199254740992),
  escape_compensation bigint NOT NULL CHECK (escape_compensation BETWEEN 0 AND escape_penalty),
  valid_from timestamptz NOT NULL,
  valid_until timestamptz,
  written_at timestamptz NOT NULL DEFAULT transaction_timestamp(),
  PRIMARY KEY (variant, base, currency, valid_from),
  UNIQUE (tier_id, valid_from),
  CHECK (valid_until > valid_from)
);

COMMENT ON TABLE wallet.stake_tiers IS
  'Rooms: what a game is played for, who may sit down, what the house takes. Changed by a new row '
  'with a later valid_from, never by an edit. Written once.';
COMMENT ON COLUMN wallet.stake_tiers.tier_id IS 'Stable id of the room, over all its rows.';
COMMENT ON COLUMN wallet.stake_tiers.variant IS 'The game.';
COMMENT ON COLUMN wallet.stake_tiers.currency IS 'What it is played for.';
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
    SELECT DISTINCT ON (variant, base, currency) * FROM wallet.stake_tiers
      WHERE valid_from <= moment ORDER BY variant, base, currency, valid_from DESC) latest
  WHERE valid_until IS NULL OR valid_until > moment
$$;
COMMENT ON FUNCTION wallet.stake_tiers_at(timestamptz) IS
  'The rooms as they stand at a moment: of each room the latest row begun, unless it has ended.';

-- What the suite ships with (RULEBOOK 7).
INSERT INTO wallet.stake_tiers (tier_id, variant, currency, base, minimum, rake, escape_penalty,
                                escape_compensation, valid_from)
  SELECT variant || '-' || base || suffix, variant, currency, base, minimum, rake, 64 * base,
         64 * base, 'epoch'
  FROM (VALUES ('COIN', ''), ('PRACTICE', '-practice')) money (currency, suffix), (
    SELECT variant, base, 16 * base, 0
      FROM unnest(ARRAY['chaozhou', 'jieyang']) variant, unnest(ARRAY[10, 100, 1000, 10000]) base
    UNION ALL
    SELECT 'guangdong', base, 50 * base, 0
      FROM unnest(ARRAY[10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000]) base
    UNION ALL
    SELECT 'shaoguan', base, 64 * base, rake
      FROM (VALUES (10, 4), (100, 40), (600, 250)) room (base, rake)
  ) room (variant, base, minimum, rake);

-- Rounds -----------------------------------------------------------------------------------------

CREATE TABLE wallet.rulebooks (
  variant text NOT NULL,
  version text NOT NULL,
  rule_ids text[] NOT NULL,
  written_at timestamptz NOT NULL DEFAULT transaction_timestamp(),
  PRIMARY KEY (variant, version)
);
COMMENT ON TABLE wallet.rulebooks IS
  'The rules that settlements by each rulebook may name, as they were when its first round began: a '
  'round is closed by its own rulebook, whatever program does it. Written once.';
COMMENT ON COLUMN wallet.rulebooks.variant IS 'The game.';
COMMENT ON COLUMN wallet.rulebooks.version IS 'The version of its rulebook.';
COMMENT ON COLUMN wallet.rulebooks.rule_ids IS 'Ids of its patterns and rules, sorted.';
COMMENT ON COLUMN wallet.rulebooks.written_at IS 'When its first round began (database clock).';

CREATE TABLE wallet.rounds (
  round_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  round_id text NOT NULL UNIQUE CHECK (round_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  content_version smallint NOT NULL CHECK (content_version >= 1),
  content_hash bytea NOT NULL CHECK (octet_length(content_hash) = 32),
  table_id text NOT NULL,
  variant text NOT NULL,
  rulebook_version text NOT NULL,
  currency text NOT NULL CHECK (currency IN ('COIN', 'PRACTICE')),
  base bigint NOT NULL CHECK (base BETWEEN 1 AND 10000),
  tier_id text NOT NULL,
  rake bigint NOT NULL CHECK (rake >= 0),
  escape_penalty bigint NOT NULL CHECK (escape_penalty >= 0),
  escape_compensation bigint NOT NULL CHECK (escape_compensation BETWEEN 0 AND escape_penalty),
  account_nos bigint[] NOT NULL CHECK (cardinality(account_nos) = 4),
  begun_at timestamptz NOT NULL DEFAULT transaction_timestamp(),
  close_due timestamptz NOT NULL,
  FOREIGN KEY (variant, rulebook_version) REFERENCES wallet.rulebooks,
  CHECK (close_due > begun_at)
);
CREATE INDEX rounds_of_table ON wallet.rounds (table_id, round_no);
COMMENT ON TABLE wallet.rounds IS
  'One row for each round, written before its deal: with what it was begun, and so by what it is '
  'closed. Until then none of its players can withdraw. Written once.';
COMMENT ON COLUMN wallet.rounds.round_no IS
  'Internal number; rises, with gaps where a transaction was undone.';
COMMENT ON COLUMN wallet.rounds.round_id IS 'Outside id; the same round begins once.';
COMMENT ON COLUMN wallet.rounds.content_version IS 'As in journal.';
COMMENT ON COLUMN wallet.rounds.content_hash IS 'As in journal.';
COMMENT ON COLUMN wallet.rounds.table_id IS 'Where it is played.';
COMMENT ON COLUMN wallet.rounds.variant IS 'The game.';
COMMENT ON COLUMN wallet.rounds.rulebook_version IS 'The rulebook by which it is played and scored.';
COMMENT ON COLUMN wallet.rounds.currency IS 'The currency of all four.';
COMMENT ON COLUMN wallet.rounds.base IS 'Base stake in coins.';
COMMENT ON COLUMN wallet.rounds.tier_id IS 'The room, whose terms at that moment are:';
COMMENT ON COLUMN wallet.rounds.rake IS 'Coins due from each seat when it is won or exhausted.';
COMMENT ON COLUMN wallet.rounds.escape_penalty IS 'Coins that an escape costs.';
COMMENT ON COLUMN wallet.rounds.escape_compensation IS
  'How many of these the three who stay share.';
COMMENT ON COLUMN wallet.rounds.account_nos IS 'The four accounts, by seat.';
COMMENT ON COLUMN wallet.rounds.begun_at IS 'When it began (database clock).';
COMMENT ON COLUMN wallet.rounds.close_due IS
  'From when on it is an alarm that it is not closed (finance.rounds_without_settlement).';
COMMENT ON INDEX wallet.rounds_of_table IS 'A table''s rounds in their order.';

CREATE TABLE wallet.round_players (
  account_no bigint NOT NULL REFERENCES wallet.balances,
  round_no bigint NOT NULL REFERENCES wallet.rounds,
  seat smallint NOT NULL CHECK (seat BETWEEN 0 AND 3),
  PRIMARY KEY (account_no, round_no),
  UNIQUE (round_no, seat)
);
COMMENT ON TABLE wallet.round_players IS
  'Who played which rounds: rounds.account_nos, to be found by player. Written once.';
COMMENT ON COLUMN wallet.round_players.account_no IS 'The player''s account.';
COMMENT ON COLUMN wallet.round_players.round_no IS 'The round.';
COMMENT ON COLUMN wallet.round_players.seat IS 'Its seat, 0 to 3.';

CREATE TABLE wallet.round_closes (
  round_no bigint PRIMARY KEY,
  how text NOT NULL CHECK (how IN ('settlement', 'penalty', 'void')),
  journal_no bigint NOT NULL UNIQUE
);
COMMENT ON TABLE wallet.round_closes IS
  'The close of each round. The primary key is what closes a round once, in whichever of the three '
  'ways. Written once.';
COMMENT ON COLUMN wallet.round_closes.round_no IS 'The round.';
COMMENT ON COLUMN wallet.round_closes.how IS 'The kind of the journal row that closed it.';
COMMENT ON COLUMN wallet.round_closes.journal_no IS 'That row.';

-- Instead of foreign keys, which would be checked row by row.
CREATE FUNCTION wallet.check_round_closes() RETURNS trigger LANGUAGE plpgsql
SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off
SET enable_material = off AS $$
DECLARE
  wrong bigint;
BEGIN
  SELECT p.round_no INTO wrong
    FROM posted p
    LEFT JOIN wallet.rounds r ON r.round_no = p.round_no
    LEFT JOIN wallet.journal j ON j.journal_no = p.journal_no
    WHERE j.xmin IS DISTINCT FROM pg_current_xact_id()::xid
       OR j.kind IS DISTINCT FROM p.how OR j.round_id IS DISTINCT FROM r.round_id
    LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'the close of round % does not fit its journal row', wrong
      USING ERRCODE = 'check_violation', CONSTRAINT = 'round_closes_fit_journal';
  END IF;
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION wallet.check_round_closes() IS
  'Trigger of wallet.round_closes: a close is of a round that was begun, and of a journal row of the '
  'same transaction that names this round and closes it in this way.';
CREATE TRIGGER check_round_closes AFTER INSERT ON wallet.round_closes
  REFERENCING NEW TABLE AS posted FOR EACH STATEMENT EXECUTE FUNCTION wallet.check_round_closes();
COMMENT ON TRIGGER check_round_closes ON wallet.round_closes IS 'A close fits its round and row.';

CREATE VIEW wallet.settled_rounds AS
  SELECT r.round_no, j.journal_no, r.round_id, r.table_id, r.rulebook_version, r.currency,
         j.written_at, x.journal_no AS reversed_by
  FROM wallet.rounds r
  JOIN wallet.round_closes c ON c.round_no = r.round_no AND c.how = 'settlement'
  JOIN wallet.journal j ON j.journal_no = c.journal_no
  LEFT JOIN wallet.journal x ON x.reverses_journal_no = j.journal_no;
COMMENT ON VIEW wallet.settled_rounds IS 'The rounds that were closed by a settlement.';
COMMENT ON COLUMN wallet.settled_rounds.round_no IS 'As in rounds.';
COMMENT ON COLUMN wallet.settled_rounds.journal_no IS 'The settlement''s journal row.';
COMMENT ON COLUMN wallet.settled_rounds.round_id IS 'As in rounds.';
COMMENT ON COLUMN wallet.settled_rounds.table_id IS 'As in rounds.';
COMMENT ON COLUMN wallet.settled_rounds.rulebook_version IS 'As in rounds.';
COMMENT ON COLUMN wallet.settled_rounds.currency IS 'As in rounds.';
COMMENT ON COLUMN wallet.settled_rounds.written_at IS 'When the settlement was written.';
COMMENT ON COLUMN wallet.settled_rounds.reversed_by IS
  'The journal row that reversed it; NULL if none did.';

-- Seats and operators ----------------------------------------------------------------------------

CREATE TABLE wallet.reservations (
  reservation_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_no bigint NOT NULL REFERENCES wallet.balances,
  table_id text NOT NULL,
  tier_id text NOT NULL,
  coins bigint NOT NULL CHECK (coins BETWEEN 0 AND 9007199254740992),
  reserved_at timestamptz NOT NULL DEFAULT transaction_timestamp(),
  held_until timestamptz NOT NULL,
  CHECK (held_until > reserved_at)
);
CREATE INDEX reservations_of_player ON wallet.reservations (account_no, reservation_no);
COMMENT ON TABLE wallet.reservations IS
  'Every reservation of a seat as it was made. The live ones are those that balances.reservation_no '
  'names and whose time is not over; how long they are held now stands there. Written once.';
COMMENT ON COLUMN wallet.reservations.reservation_no IS 'Internal number; rises.';
COMMENT ON COLUMN wallet.reservations.account_no IS 'The player''s account.';
COMMENT ON COLUMN wallet.reservations.table_id IS 'The table.';
COMMENT ON COLUMN wallet.reservations.tier_id IS 'The room.';
COMMENT ON COLUMN wallet.reservations.coins IS 'Coins held: the room''s minimum.';
COMMENT ON COLUMN wallet.reservations.reserved_at IS 'When (database clock).';
COMMENT ON COLUMN wallet.reservations.held_until IS
  'Until when, if no round begins; a round that begins holds the seat anew.';
COMMENT ON INDEX wallet.reservations_of_player IS 'A player''s reservations in their order.';

CREATE TABLE wallet.account_events (
  event_no bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_no bigint NOT NULL REFERENCES wallet.balances,
  kind text NOT NULL CHECK (kind IN ('frozen', 'unfrozen', 'closed')),
  actor text NOT NULL CHECK (actor <> ''),
  reason text NOT NULL CHECK (reason <> ''),
  happened_at timestamptz NOT NULL DEFAULT transaction_timestamp()
);
CREATE INDEX account_events_of_player ON wallet.account_events (account_no, event_no);
COMMENT ON TABLE wallet.account_events IS
  'What operators did to accounts besides money. The state it left stands in balances. Written once.';
COMMENT ON COLUMN wallet.account_events.event_no IS 'Internal number; rises.';
COMMENT ON COLUMN wallet.account_events.account_no IS 'The player''s account.';
COMMENT ON COLUMN wallet.account_events.kind IS 'frozen, unfrozen, or closed (for ever).';
COMMENT ON COLUMN wallet.account_events.actor IS 'Who asked for it.';
COMMENT ON COLUMN wallet.account_events.reason IS 'Why.';
COMMENT ON COLUMN wallet.account_events.happened_at IS 'When (database clock).';
COMMENT ON INDEX wallet.account_events_of_player IS 'An account''s events in their order.';

DO $$
DECLARE
  history text;
BEGIN
  FOREACH history IN ARRAY ARRAY['requests', 'stake_tiers', 'rulebooks', 'rounds', 'round_players',
                                 'round_closes', 'reservations', 'account_events'] LOOP
    EXECUTE format('CREATE TRIGGER refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON wallet.%I '
                   'FOR EACH STATEMENT EXECUTE FUNCTION wallet.refuse_change()', history);
  END LOOP;
END
$$;

-- migrate:down

DROP VIEW wallet.settled_rounds;
DROP TABLE wallet.account_events, wallet.reservations, wallet.round_closes, wallet.round_players,
  wallet.rounds, wallet.rulebooks, wallet.stake_tiers, wallet.requests CASCADE;
DROP FUNCTION wallet.check_round_closes();
