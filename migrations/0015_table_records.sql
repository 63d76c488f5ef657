-- The record of each round that is over: made once from its journal, kept when the events go.

-- migrate:up

ALTER TABLE tables.rounds ADD COLUMN recorded_at timestamptz, ADD COLUMN record_tried_at timestamptz,
  ADD CONSTRAINT rounds_recorded_over CHECK (recorded_at IS NULL OR state IN ('settled', 'void'));
COMMENT ON COLUMN tables.rounds.recorded_at IS
  'When its record was made, by the database''s clock; NULL until then. A row of tables.records says the same, for as long as that is kept.';
COMMENT ON COLUMN tables.rounds.record_tried_at IS
  'When somebody last set about making it, by the database''s clock: for a while nobody else does.';
CREATE INDEX rounds_unrecorded_key ON tables.rounds (ended_at)
  WHERE state IN ('settled', 'void') AND recorded_at IS NULL;
COMMENT ON INDEX tables.rounds_unrecorded_key IS 'Whose record is to be made.';

CREATE TABLE tables.records (
  ended_on   date        NOT NULL,
  round_id   text        NOT NULL CHECK (round_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  table_id   text        NOT NULL CHECK (table_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  number     integer     NOT NULL CHECK (number > 0),
  variant    text        NOT NULL CHECK (variant <> ''),
  base       bigint      NOT NULL CHECK (base BETWEEN 1 AND 10000),
  currency   text        NOT NULL CHECK (currency IN ('COIN', 'PRACTICE')),
  player_ids text[]      NOT NULL CHECK (cardinality(player_ids) = 4),
  state      text        NOT NULL CHECK (state IN ('settled', 'void')),
  began_at   timestamptz NOT NULL,
  ended_at   timestamptz NOT NULL,
  format     smallint    NOT NULL CHECK (format > 0),
  payload    bytea       NOT NULL CHECK (length(payload) > 0),
  written_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (ended_on, round_id),
  CONSTRAINT records_of_their_day CHECK (ended_on = (ended_at AT TIME ZONE 'UTC')::date)
) PARTITION BY RANGE (ended_on);
ALTER TABLE tables.records ALTER COLUMN payload SET STORAGE EXTERNAL;  -- compressed already
CREATE INDEX records_table_key ON tables.records (table_id, ended_on, ended_at, round_id);

COMMENT ON TABLE tables.records IS
  'What is kept of a round that is over: all that verifies and replays it, all four hands included. Append-only; old days go as a whole.';
COMMENT ON INDEX tables.records_table_key IS 'A table''s rounds, newest first.';
COMMENT ON COLUMN tables.records.ended_on IS 'UTC day of ended_at: the day of the partition.';
COMMENT ON COLUMN tables.records.round_id IS 'The round.';
COMMENT ON COLUMN tables.records.table_id IS 'Its table.';
COMMENT ON COLUMN tables.records.number IS 'Counts the table''s rounds from 1.';
COMMENT ON COLUMN tables.records.variant IS 'The game''s id.';
COMMENT ON COLUMN tables.records.base IS 'Base stake of the round in coins.';
COMMENT ON COLUMN tables.records.currency IS 'What was played for.';
COMMENT ON COLUMN tables.records.player_ids IS 'Who played it, by seat 0 to 3.';
COMMENT ON COLUMN tables.records.state IS 'settled: paid; void: counts for nothing.';
COMMENT ON COLUMN tables.records.began_at IS 'As in tables.rounds.';
COMMENT ON COLUMN tables.records.ended_at IS 'As in tables.rounds.';
COMMENT ON COLUMN tables.records.format IS 'Format of the record (mahjong.record.v1.RoundRecord).';
COMMENT ON COLUMN tables.records.payload IS
  'mahjong.record.v1.RoundRecord, serialised, as a Zstandard frame.';
COMMENT ON COLUMN tables.records.written_at IS 'When the row was written, by the database''s clock.';

CREATE TABLE tables.record_players (
  ended_on  date        NOT NULL,
  player_id text        NOT NULL CHECK (player_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  ended_at  timestamptz NOT NULL,
  round_id  text        NOT NULL,
  PRIMARY KEY (player_id, ended_on, ended_at, round_id)
) PARTITION BY RANGE (ended_on);

COMMENT ON TABLE tables.record_players IS
  'Which rounds a player played, newest first when read backwards: four rows for each of tables.records. Append-only.';
COMMENT ON COLUMN tables.record_players.ended_on IS 'As in tables.records.';
COMMENT ON COLUMN tables.record_players.player_id IS 'The player.';
COMMENT ON COLUMN tables.record_players.ended_at IS 'As in tables.records.';
COMMENT ON COLUMN tables.record_players.round_id IS 'The round.';

CREATE TRIGGER records_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tables.records
  FOR EACH STATEMENT EXECUTE FUNCTION tables.refuse_change();
COMMENT ON TRIGGER records_append_only ON tables.records IS 'A record is never changed.';
CREATE TRIGGER record_players_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tables.record_players
  FOR EACH STATEMENT EXECUTE FUNCTION tables.refuse_change();
COMMENT ON TRIGGER record_players_append_only ON tables.record_players IS 'As of tables.records.';

CREATE OR REPLACE FUNCTION tables.make_partitions(days_ahead integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog SET lock_timeout = '2s' AS $$
DECLARE
  today date := (clock_timestamp() AT TIME ZONE 'UTC')::date;
  day date;
  made integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('tables.partitions'));
  FOR day IN SELECT today + i FROM generate_series(0, days_ahead) i LOOP
    made := made + tables.add_day('events', day)::integer + tables.add_day('records', day)::integer
                 + tables.add_day('record_players', day)::integer;
  END LOOP;
  -- A record is of the day on which its round ended, however late it is made.
  FOR day IN SELECT DISTINCT (ended_at AT TIME ZONE 'UTC')::date FROM tables.rounds
              WHERE state IN ('settled', 'void') AND recorded_at IS NULL LOOP
    made := made + tables.add_day('records', day)::integer
                 + tables.add_day('record_players', day)::integer;
  END LOOP;
  RETURN made;
END
$$;

CREATE FUNCTION tables.partition_days(parent regclass)
RETURNS TABLE (partition regclass, day date) LANGUAGE sql STABLE SET search_path = pg_catalog AS $$
  SELECT i.inhrelid::regclass, to_date(right(c.relname, 10), 'YYYY_MM_DD')
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = parent AND c.relname ~ '_\d{4}_\d\d_\d\d$'
$$;
COMMENT ON FUNCTION tables.partition_days(regclass) IS
  'The partitions of one day each, and which day.';

CREATE FUNCTION tables.drop_events(keep_days integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog SET lock_timeout = '2s' AS $$
DECLARE
  today date := (clock_timestamp() AT TIME ZONE 'UTC')::date;
  old record;
  dropped integer := 0;
BEGIN
  IF keep_days < 1 THEN
    RAISE EXCEPTION 'events are kept for a day at least' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('tables.partitions'));
  FOR old IN SELECT p.partition, p.day FROM tables.partition_days('tables.events') p
              WHERE p.day < today - keep_days ORDER BY p.day LOOP
    CONTINUE WHEN EXISTS (
      SELECT FROM tables.tables t
       WHERE t.opened_on = old.day
         AND (t.state <> 'closed'
              OR t.closed_at > clock_timestamp() - make_interval(days => keep_days)));
    CONTINUE WHEN EXISTS (
      SELECT FROM tables.rounds r WHERE r.opened_on = old.day AND r.recorded_at IS NULL);
    EXECUTE format('DROP TABLE %s', old.partition);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END
$$;
COMMENT ON FUNCTION tables.drop_events(integer) IS
  'Drops the events of days that are over, as the owner of the schema: where every table of that day has been closed for so many days, and each of their rounds has its record. Tells of how many days.';

CREATE FUNCTION tables.drop_records(keep_days integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog SET lock_timeout = '2s' AS $$
DECLARE
  today date := (clock_timestamp() AT TIME ZONE 'UTC')::date;
  old record;
  dropped integer := 0;
BEGIN
  IF keep_days < 1 THEN
    RAISE EXCEPTION 'records are kept for a day at least' USING ERRCODE = 'invalid_parameter_value';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('tables.partitions'));
  FOR old IN SELECT p.partition, p.day FROM tables.partition_days('tables.records') p
              WHERE p.day < today - keep_days
             UNION ALL
             SELECT p.partition, p.day FROM tables.partition_days('tables.record_players') p
              WHERE p.day < today - keep_days
             ORDER BY 2 LOOP
    CONTINUE WHEN EXISTS (
      SELECT FROM tables.rounds r
       WHERE r.state IN ('settled', 'void') AND r.recorded_at IS NULL
         AND (r.ended_at AT TIME ZONE 'UTC')::date = old.day);
    EXECUTE format('DROP TABLE %s', old.partition);
    dropped := dropped + 1;
  END LOOP;
  RETURN dropped;
END
$$;
COMMENT ON FUNCTION tables.drop_records(integer) IS
  'Drops the records of days that ended more than so many days ago, as the owner of the schema, unless a round of that day is still to be recorded. Tells how many partitions went.';

SELECT tables.make_partitions(7);

REVOKE ALL ON FUNCTION tables.partition_days(regclass), tables.drop_events(integer),
  tables.drop_records(integer) FROM PUBLIC;
DO $$
BEGIN
  IF to_regrole('table_service') IS NOT NULL THEN
    GRANT SELECT, INSERT ON tables.records, tables.record_players TO table_service;
    GRANT EXECUTE ON FUNCTION tables.partition_days(regclass), tables.drop_events(integer),
      tables.drop_records(integer) TO table_service;
  END IF;
END
$$;

-- migrate:down
DROP FUNCTION tables.drop_records(integer);
DROP FUNCTION tables.drop_events(integer);
DROP FUNCTION tables.partition_days(regclass);
DROP TABLE tables.record_players;
DROP TABLE tables.records;
ALTER TABLE tables.rounds DROP COLUMN recorded_at, DROP COLUMN record_tried_at;
CREATE OR REPLACE FUNCTION tables.make_partitions(days_ahead integer) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog SET lock_timeout = '2s' AS $$
DECLARE
  today date := (clock_timestamp() AT TIME ZONE 'UTC')::date;
  day date;
  made integer := 0;
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('tables.partitions'));
  FOR day IN SELECT today + i FROM generate_series(0, days_ahead) i LOOP
    made := made + tables.add_day('events', day)::integer;
  END LOOP;
  RETURN made;
END
$$;
