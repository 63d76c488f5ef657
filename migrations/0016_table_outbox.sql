-- What other services follow of all tables. A row is written in the transaction of the event that it
-- follows from, without a number; numbers are handed out afterwards, by one transaction at a time, to
-- rows that are committed. So they are in the order of commits, without gaps, and whoever has seen a
-- number has been shown all below it.

-- migrate:up

CREATE TABLE tables.outbox (
  feed    text   PRIMARY KEY CHECK (feed IN ('rounds', 'seats')),
  last    bigint NOT NULL DEFAULT 0,
  dropped bigint NOT NULL DEFAULT 0,
  CONSTRAINT outbox_dropped_before_last CHECK (dropped BETWEEN 0 AND last)
);
INSERT INTO tables.outbox (feed) VALUES ('rounds'), ('seats');
COMMENT ON TABLE tables.outbox IS
  'How far each feed has come. Its row is locked by whoever hands out numbers, until that is committed.';
COMMENT ON COLUMN tables.outbox.feed IS 'rounds: tables.ended_rounds; seats: tables.seat_changes.';
COMMENT ON COLUMN tables.outbox.last IS 'The highest number handed out.';
COMMENT ON COLUMN tables.outbox.dropped IS 'Rows up to this number are not kept any more.';

CREATE TABLE tables.ended_rounds (
  id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  number      bigint      CHECK (number > 0),
  round_id    text        NOT NULL CHECK (round_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  coins       bigint[]    NOT NULL CHECK (cardinality(coins) = 4),
  void_reason text        CHECK (void_reason <> ''),
  written_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT ended_rounds_number_key UNIQUE (number),
  CONSTRAINT ended_rounds_round_key UNIQUE (round_id)
);
CREATE INDEX ended_rounds_new_key ON tables.ended_rounds (id) WHERE number IS NULL;
COMMENT ON TABLE tables.ended_rounds IS
  'The feed of rounds that are settled or void, each once; what is not said here is in tables.rounds.';
COMMENT ON COLUMN tables.ended_rounds.id IS
  'In the order of writing, which is not that of commits: numbers are handed out in this order to what is committed.';
COMMENT ON COLUMN tables.ended_rounds.number IS 'Place in the feed; NULL: not handed out yet.';
COMMENT ON COLUMN tables.ended_rounds.round_id IS 'The round.';
COMMENT ON COLUMN tables.ended_rounds.coins IS
  'Coins received minus paid by seat 0 to 3, rake included; of a void round what the escape cost.';
COMMENT ON COLUMN tables.ended_rounds.void_reason IS 'Why it is void; NULL: it is settled.';
COMMENT ON COLUMN tables.ended_rounds.written_at IS 'When the row was written, by the database''s clock.';
COMMENT ON CONSTRAINT ended_rounds_round_key ON tables.ended_rounds IS 'A round ends once.';
COMMENT ON INDEX tables.ended_rounds_new_key IS 'What has no number yet.';

CREATE TABLE tables.seat_changes (
  id         bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  number     bigint      CHECK (number > 0),
  table_id   text        NOT NULL CHECK (table_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  state      text        NOT NULL CHECK (state IN ('waiting', 'playing', 'settling', 'closed')),
  player_ids text[]      NOT NULL CHECK (cardinality(player_ids) = 4),
  left_ids   text[]      NOT NULL,
  written_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT seat_changes_number_key UNIQUE (number)
);
CREATE INDEX seat_changes_new_key ON tables.seat_changes (id) WHERE number IS NULL;
COMMENT ON TABLE tables.seat_changes IS
  'The feed of who sits where: a row when somebody sits down or leaves, when a table closes, and when one with a free seat begins to wait or gets other stakes.';
COMMENT ON COLUMN tables.seat_changes.id IS 'As in tables.ended_rounds.';
COMMENT ON COLUMN tables.seat_changes.number IS 'As in tables.ended_rounds.';
COMMENT ON COLUMN tables.seat_changes.table_id IS 'The table.';
COMMENT ON COLUMN tables.seat_changes.state IS 'As in tables.tables, after the change.';
COMMENT ON COLUMN tables.seat_changes.player_ids IS
  'Who sits at seats 0 to 3 after the change; an empty text is a free seat.';
COMMENT ON COLUMN tables.seat_changes.left_ids IS 'Who gave up a seat by the change.';
COMMENT ON COLUMN tables.seat_changes.written_at IS 'When the row was written, by the database''s clock.';
COMMENT ON INDEX tables.seat_changes_new_key IS 'What has no number yet.';

DO $$
BEGIN
  IF to_regrole('table_service') IS NOT NULL THEN
    GRANT SELECT ON tables.outbox, tables.ended_rounds, tables.seat_changes TO table_service;
    GRANT INSERT, DELETE ON tables.ended_rounds, tables.seat_changes TO table_service;
    GRANT UPDATE ON tables.outbox TO table_service;
    GRANT UPDATE (number) ON tables.ended_rounds, tables.seat_changes TO table_service;
  END IF;
END
$$;

-- migrate:down
DROP TABLE tables.seat_changes;
DROP TABLE tables.ended_rounds;
DROP TABLE tables.outbox;
