-- migrate:up
CREATE SCHEMA tables;
COMMENT ON SCHEMA tables IS
  'Live tables of the table service: their journals, and what operators ask about them. Not for finance or the wallet: a live round''s hidden tiles are in here.';

CREATE TABLE tables.tables (
  id         text        NOT NULL CHECK (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  opened_on  date        NOT NULL DEFAULT (clock_timestamp() AT TIME ZONE 'UTC')::date,
  request_id text        NOT NULL CHECK (request_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  variant    text        NOT NULL CHECK (variant <> ''),
  options    jsonb       NOT NULL CHECK (jsonb_typeof(options) = 'object'),
  base       bigint      NOT NULL CHECK (base BETWEEN 1 AND 10000),
  currency   text        NOT NULL CHECK (currency IN ('COIN', 'PRACTICE')),
  state      text        NOT NULL DEFAULT 'waiting'
             CHECK (state IN ('waiting', 'playing', 'settling', 'closed')),
  epoch      bigint      NOT NULL DEFAULT 1 CHECK (epoch > 0),
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  closed_at  timestamptz,
  PRIMARY KEY (opened_on, id),
  CONSTRAINT tables_id_key UNIQUE (id),
  CONSTRAINT tables_request_id_key UNIQUE (request_id),
  CONSTRAINT tables_closed_at_set CHECK ((state = 'closed') = (closed_at IS NOT NULL))
);
CREATE INDEX tables_open_key ON tables.tables (id) WHERE state <> 'closed';

COMMENT ON TABLE tables.tables IS
  'One row for each table. What happened there is in tables.events; state is a projection of it, written in the same transaction.';
COMMENT ON CONSTRAINT tables_request_id_key ON tables.tables IS 'A request makes one table.';
COMMENT ON INDEX tables.tables_open_key IS 'What a process that starts looks for.';
COMMENT ON COLUMN tables.tables.id IS 'The table''s id: UUIDv7 as text.';
COMMENT ON COLUMN tables.tables.opened_on IS
  'UTC day on which the table was made. Part of the key of everything that the table owns, so that it can be partitioned and dropped by day, a table''s whole journal in one partition.';
COMMENT ON COLUMN tables.tables.request_id IS
  'The request that made the table; for matchmaking the match id. The same request never makes a second table.';
COMMENT ON COLUMN tables.tables.variant IS 'The game''s id. An open set: checked by the service against its registry, not here.';
COMMENT ON COLUMN tables.tables.options IS 'Every option of the game, defaults included: name to value, both text.';
COMMENT ON COLUMN tables.tables.base IS 'Base stake in coins (D-SET-3).';
COMMENT ON COLUMN tables.tables.currency IS 'What is played for.';
COMMENT ON COLUMN tables.tables.state IS
  'waiting: for players or for their readiness; playing: a round is played; settling: it is over and is being scored and posted; closed: nobody plays here any more.';
COMMENT ON COLUMN tables.tables.epoch IS
  'Which ownership of the table this is. Rises with every change of owner; an append that carries another one is refused.';
COMMENT ON COLUMN tables.tables.created_at IS 'When the table was made, by the database''s clock.';
COMMENT ON COLUMN tables.tables.closed_at IS 'When it was closed, by the database''s clock; NULL while it is open.';

CREATE TABLE tables.seats (
  opened_on date        NOT NULL,
  table_id  text        NOT NULL,
  seat      smallint    NOT NULL CHECK (seat BETWEEN 0 AND 3),
  player_id text        NOT NULL CHECK (player_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  seated_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (opened_on, table_id, seat),
  CONSTRAINT seats_player_key UNIQUE (player_id),
  FOREIGN KEY (opened_on, table_id) REFERENCES tables.tables (opened_on, id)
);

COMMENT ON TABLE tables.seats IS
  'Who sits where now. A projection of the journal; a row goes when the seat is given up or the table closes. Who sat where once is in tables.rounds.';
COMMENT ON COLUMN tables.seats.opened_on IS 'The table''s opened_on.';
COMMENT ON COLUMN tables.seats.table_id IS 'The table.';
COMMENT ON COLUMN tables.seats.seat IS 'Place 0 to 3, counter-clockwise in playing order.';
COMMENT ON COLUMN tables.seats.player_id IS 'The player: the id of its wallet account.';
COMMENT ON COLUMN tables.seats.seated_at IS 'When the seat was taken, by the database''s clock.';
COMMENT ON CONSTRAINT seats_player_key ON tables.seats IS 'A player sits at one table at a time.';

CREATE TABLE tables.rounds (
  opened_on        date        NOT NULL,
  table_id         text        NOT NULL,
  number           integer     NOT NULL CHECK (number > 0),
  id               text        NOT NULL CHECK (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  rulebook_version text        NOT NULL CHECK (rulebook_version <> ''),
  base             bigint      NOT NULL CHECK (base BETWEEN 1 AND 10000),
  player_ids       text[]      NOT NULL CHECK (cardinality(player_ids) = 4),
  seed_hash        bytea       NOT NULL CHECK (length(seed_hash) = 32),
  state            text        NOT NULL DEFAULT 'playing'
                   CHECK (state IN ('playing', 'scored', 'settled', 'void')),
  began_at         timestamptz NOT NULL DEFAULT clock_timestamp(),
  ended_at         timestamptz,
  PRIMARY KEY (opened_on, table_id, number),
  CONSTRAINT rounds_id_key UNIQUE (id),
  CONSTRAINT rounds_ended_at_set CHECK ((state IN ('settled', 'void')) = (ended_at IS NOT NULL)),
  FOREIGN KEY (opened_on, table_id) REFERENCES tables.tables (opened_on, id)
);
CREATE UNIQUE INDEX rounds_live_key ON tables.rounds (opened_on, table_id) WHERE state IN ('playing', 'scored');

COMMENT ON TABLE tables.rounds IS
  'One row for each round begun. A projection of the journal, written in the same transaction: which rounds are not settled yet can be asked without reading a payload.';
COMMENT ON INDEX tables.rounds_live_key IS 'A table plays, scores or posts one round at a time.';
COMMENT ON COLUMN tables.rounds.opened_on IS 'The table''s opened_on.';
COMMENT ON COLUMN tables.rounds.table_id IS 'The table.';
COMMENT ON COLUMN tables.rounds.number IS 'Counts the table''s rounds from 1.';
COMMENT ON COLUMN tables.rounds.id IS 'The round''s id: UUIDv7 as text. The wallet posts it once under this id.';
COMMENT ON COLUMN tables.rounds.rulebook_version IS 'The rules that the round is played, and will be scored, by.';
COMMENT ON COLUMN tables.rounds.base IS 'Base stake of this round in coins.';
COMMENT ON COLUMN tables.rounds.player_ids IS 'Who plays it, by seat 0 to 3.';
COMMENT ON COLUMN tables.rounds.seed_hash IS
  'SHA-256 of the seed, shown before the deal. The seed itself is in the round''s first event, and public only once the round is over.';
COMMENT ON COLUMN tables.rounds.state IS
  'playing: until it has been scored; scored: its worth is journalled, the wallet has yet to post it; settled: posted; void: counts for nothing.';
COMMENT ON COLUMN tables.rounds.began_at IS 'When it began, by the database''s clock.';
COMMENT ON COLUMN tables.rounds.ended_at IS 'When it was settled or void, by the database''s clock; NULL until then.';

CREATE TABLE tables.events (
  opened_on  date        NOT NULL,
  table_id   text        NOT NULL,
  seq        bigint      NOT NULL CHECK (seq > 0),
  epoch      bigint      NOT NULL CHECK (epoch > 0),
  kind       text        NOT NULL CHECK (kind <> ''),
  payload    bytea       NOT NULL CHECK (length(payload) > 0),
  written_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (opened_on, table_id, seq)
);

COMMENT ON TABLE tables.events IS
  'The journal: everything that happened at a table, in order, before anyone was shown it. Append-only. Replaying it gives the table''s state.';
COMMENT ON COLUMN tables.events.opened_on IS
  'The table''s opened_on: the day by which this relation is to be partitioned. A table''s events all lie in one partition, so the key stays unique and gapless within it.';
COMMENT ON COLUMN tables.events.table_id IS 'The table.';
COMMENT ON COLUMN tables.events.seq IS 'Counts the table''s events from 1 without gaps. Not shown to players: each seat''s stream has its own numbers.';
COMMENT ON COLUMN tables.events.epoch IS 'The ownership under which it was written (tables.tables.epoch).';
COMMENT ON COLUMN tables.events.kind IS 'What the payload holds: the name of its field in mahjong.record.v1.TableRecord. For people and metrics.';
COMMENT ON COLUMN tables.events.payload IS 'mahjong.record.v1.TableRecord, serialised.';
COMMENT ON COLUMN tables.events.written_at IS 'When the row was written, by the database''s clock.';

-- Append-only, for whoever writes: rows are neither changed nor removed. (Old partitions go as a whole.)
CREATE FUNCTION tables.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '%.% is append-only: % refused', TG_TABLE_SCHEMA, TG_TABLE_NAME, TG_OP
    USING ERRCODE = 'restrict_violation';
END
$$;
COMMENT ON FUNCTION tables.refuse_change() IS 'Trigger of append-only relations: refuses whatever it is asked about.';

CREATE TRIGGER events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tables.events
  FOR EACH STATEMENT EXECUTE FUNCTION tables.refuse_change();
COMMENT ON TRIGGER events_append_only ON tables.events IS 'The journal is append-only.';

-- Checked a statement at a time: once for a whole batch, however many tables it is of. Instead of a
-- foreign key, which would be checked row by row.
CREATE FUNCTION tables.check_appended() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  fault record;
BEGIN
  -- FOR SHARE: a change of owner waits for us, or we for it, and then we see its epoch.
  SELECT a.table_id, a.epoch INTO fault
    FROM (SELECT DISTINCT opened_on, table_id, epoch FROM appended) a
    LEFT JOIN LATERAL (SELECT t.epoch FROM tables.tables t
                        WHERE t.opened_on = a.opened_on AND t.id = a.table_id
                          FOR SHARE) owner ON true
   WHERE owner.epoch IS DISTINCT FROM a.epoch
   LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'journal of table %: epoch % is not its owner''s', fault.table_id, fault.epoch
      USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'events_fenced';
  END IF;
  SELECT a.table_id, a.seq INTO fault
    FROM appended a
   WHERE a.seq > 1
     AND NOT EXISTS (SELECT 1 FROM tables.events e
                      WHERE e.opened_on = a.opened_on AND e.table_id = a.table_id
                        AND e.seq = a.seq - 1)
   LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'journal of table %: no event before %', fault.table_id, fault.seq
      USING ERRCODE = 'integrity_constraint_violation', CONSTRAINT = 'events_gapless';
  END IF;
  RETURN NULL;
END
$$;
COMMENT ON FUNCTION tables.check_appended() IS
  'Trigger of tables.events: an event is of a table that exists, under its present epoch, and follows the event before it.';

CREATE TRIGGER events_checked AFTER INSERT ON tables.events
  REFERENCING NEW TABLE AS appended
  FOR EACH STATEMENT EXECUTE FUNCTION tables.check_appended();
COMMENT ON TRIGGER events_checked ON tables.events IS 'The journal is gapless, and written by the table''s owner alone.';

-- migrate:down
DROP SCHEMA tables CASCADE;
