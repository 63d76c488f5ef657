-- What operators asked of tables: the audit trail, and, in its latest row of that kind, whether rounds may
-- begin. A row about one table is written in the transaction of the events that it led to.

-- migrate:up

CREATE TABLE tables.operations (
  number     bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  request_id text        NOT NULL CHECK (request_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  kind       text        NOT NULL
             CHECK (kind IN ('void_round', 'close_table', 'remove_player', 'stop_rounds', 'resume_rounds')),
  operator   text        NOT NULL CHECK (operator ~ '^[A-Za-z0-9_-]{1,64}$'),
  reason     text        NOT NULL CHECK (octet_length(reason) BETWEEN 1 AND 200),
  table_id   text        CHECK (table_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  round_id   text        CHECK (round_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  player_id  text        CHECK (player_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  at_once    boolean     NOT NULL DEFAULT false,
  stop_from  timestamptz,
  db_user    text        NOT NULL DEFAULT session_user,
  written_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT operations_request_key UNIQUE (request_id),
  CONSTRAINT operations_table_set CHECK
    ((table_id IS NULL) = (kind IN ('stop_rounds', 'resume_rounds'))),
  CONSTRAINT operations_round_set CHECK ((round_id IS NOT NULL) = (kind = 'void_round')),
  CONSTRAINT operations_player_set CHECK ((player_id IS NOT NULL) = (kind = 'remove_player')),
  CONSTRAINT operations_at_once_of CHECK (NOT at_once OR kind IN ('close_table', 'stop_rounds')),
  CONSTRAINT operations_stop_set CHECK ((stop_from IS NOT NULL) = (kind = 'stop_rounds'))
);
CREATE INDEX operations_table_key ON tables.operations (table_id, number) WHERE table_id IS NOT NULL;
CREATE INDEX operations_player_key ON tables.operations (player_id, number) WHERE player_id IS NOT NULL;
CREATE INDEX operations_stop_key ON tables.operations (number)
  WHERE kind IN ('stop_rounds', 'resume_rounds');

COMMENT ON TABLE tables.operations IS
  'What operators asked for, and was granted. Append-only, for ever.';
COMMENT ON COLUMN tables.operations.number IS 'Rises, with gaps.';
COMMENT ON COLUMN tables.operations.request_id IS 'The operator''s id for it: it is done once.';
COMMENT ON COLUMN tables.operations.kind IS
  'void_round, close_table, remove_player: of one table; stop_rounds, resume_rounds: of all, the latest counts.';
COMMENT ON COLUMN tables.operations.operator IS 'Who asked for it.';
COMMENT ON COLUMN tables.operations.reason IS 'Why, in the operator''s words.';
COMMENT ON COLUMN tables.operations.table_id IS 'The table; NULL: all.';
COMMENT ON COLUMN tables.operations.round_id IS 'The round that was to be void.';
COMMENT ON COLUMN tables.operations.player_id IS 'The player who was to go.';
COMMENT ON COLUMN tables.operations.at_once IS
  'close_table: the present round was to be void; stop_rounds: no time was given.';
COMMENT ON COLUMN tables.operations.stop_from IS 'From when on no round begins.';
COMMENT ON COLUMN tables.operations.db_user IS 'The role by which it was written.';
COMMENT ON COLUMN tables.operations.written_at IS 'When the row was written, by the database''s clock.';
COMMENT ON CONSTRAINT operations_request_key ON tables.operations IS 'A request is one operation.';
COMMENT ON INDEX tables.operations_table_key IS 'What was asked of a table.';
COMMENT ON INDEX tables.operations_player_key IS 'What was asked about a player.';
COMMENT ON INDEX tables.operations_stop_key IS 'Whether rounds may begin.';

CREATE TRIGGER operations_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tables.operations
  FOR EACH STATEMENT EXECUTE FUNCTION tables.refuse_change();
COMMENT ON TRIGGER operations_append_only ON tables.operations IS 'The trail is never altered.';

-- The roles are those of 0009; a schema that stands alone, as in tests, has none.
DO $$
BEGIN
  IF to_regrole('table_service') IS NOT NULL THEN
    GRANT SELECT, INSERT ON tables.operations TO table_service;
  END IF;
END
$$;

-- migrate:down
DROP TABLE tables.operations;
