-- Seats that became free at tables between rounds, and the tickets that are sent there.

-- migrate:up

CREATE TABLE matchmaking.open_tables (
  table_id   text        PRIMARY KEY CHECK (table_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  match_id   text        NOT NULL REFERENCES matchmaking.matches (id),
  address    text        NOT NULL,
  player_ids text[]      NOT NULL CHECK (cardinality(player_ids) = 4),
  changed_at timestamptz NOT NULL DEFAULT now()
);
COMMENT ON TABLE matchmaking.open_tables IS
  'Tables made for a match of the open queue that wait between rounds with a seat free, as the table service told it last. A row goes when the table is full, plays or closes, and when it refuses somebody who was sent there.';
COMMENT ON COLUMN matchmaking.open_tables.table_id IS 'The table.';
COMMENT ON COLUMN matchmaking.open_tables.match_id IS 'The match for which it was made: what is played there.';
COMMENT ON COLUMN matchmaking.open_tables.address IS
  'host:port of the process that held it then; empty: nobody did. Whoever is asked there tells where it has gone.';
COMMENT ON COLUMN matchmaking.open_tables.player_ids IS
  'Who sat at seats 0 to 3; an empty text is a free seat. One for which a place is held in live_seats is not free any more.';
COMMENT ON COLUMN matchmaking.open_tables.changed_at IS 'When the table service told so, by the database''s clock.';

ALTER TABLE matchmaking.matches
  ADD COLUMN refill_table   text CHECK (refill_table ~ '^[A-Za-z0-9_-]{1,64}$'),
  ADD COLUMN refill_address text,
  ADD CONSTRAINT matches_refill_set CHECK ((refill_table IS NULL) = (refill_address IS NULL)),
  ADD CONSTRAINT matches_refill_kept CHECK (table_id = refill_table);
COMMENT ON COLUMN matchmaking.matches.refill_table IS
  'The table at which its one member is to take a seat; NULL: a table is made for its four.';
COMMENT ON COLUMN matchmaking.matches.refill_address IS 'host:port of the process that held that table, or empty.';
CREATE INDEX matches_refill_key ON matchmaking.matches (refill_table) WHERE refill_table IS NOT NULL;
COMMENT ON INDEX matchmaking.matches_refill_key IS 'Who has been sent to a table.';

DO $$
BEGIN
  IF to_regrole('matchmaking_service') IS NOT NULL THEN
    GRANT SELECT, INSERT, UPDATE, DELETE ON matchmaking.open_tables TO matchmaking_service;
  END IF;
END
$$;

-- migrate:down
ALTER TABLE matchmaking.matches DROP COLUMN refill_table, DROP COLUMN refill_address;
DROP TABLE matchmaking.open_tables;
