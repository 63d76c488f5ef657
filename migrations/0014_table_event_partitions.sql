-- The journal by days. A table's events lie in the partition of the day on which it was made, so that
-- old days can go as a whole; see 0015 for when.

-- migrate:up

ALTER TABLE tables.events RENAME TO events_before;
ALTER TABLE tables.events_before RENAME CONSTRAINT events_pkey TO events_before_pkey;
CREATE TABLE tables.events (LIKE tables.events_before INCLUDING DEFAULTS INCLUDING CONSTRAINTS
                            INCLUDING COMMENTS, PRIMARY KEY (opened_on, table_id, seq))
  PARTITION BY RANGE (opened_on);
COMMENT ON TABLE tables.events IS
  'The journal: everything that happened at a table, in order, before anyone was shown it. Append-only. Replaying it gives the table''s state.';
COMMENT ON COLUMN tables.events.opened_on IS
  'The table''s opened_on: the day of the partition. A table''s events all lie in one, so the key is unique and gapless within it.';

-- Where a table's rounds begin and end, and what its stakes were, without reading its whole journal.
CREATE INDEX events_round_key ON tables.events (opened_on, table_id, seq)
  WHERE kind IN ('round_begun', 'round_posted', 'round_voided', 'stakes_proposed');
COMMENT ON INDEX tables.events_round_key IS 'What makes a round''s record finds it by this.';

CREATE FUNCTION tables.add_partition(parent text, name text, bounds text) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog AS $$
BEGIN
  EXECUTE format('CREATE TABLE tables.%I (LIKE tables.%I INCLUDING DEFAULTS INCLUDING CONSTRAINTS '
                 'INCLUDING INDEXES INCLUDING STORAGE INCLUDING COMMENTS)', name, parent);
  EXECUTE format('COMMENT ON TABLE tables.%I IS %L', name,
                 'Rows ' || bounds || '. Read and written through tables.' || parent || ' only.');
  EXECUTE format('CREATE TRIGGER append_only BEFORE INSERT OR UPDATE OR DELETE OR TRUNCATE '
                 'ON tables.%I FOR EACH STATEMENT EXECUTE FUNCTION tables.refuse_change()', name);
  EXECUTE format('ALTER TABLE tables.%I ATTACH PARTITION tables.%I %s', parent, name, bounds);
END
$$;
COMMENT ON FUNCTION tables.add_partition(text, text, text) IS
  'One partition of a relation of this schema, with a trigger that refuses whatever does not come through the relation itself.';

CREATE FUNCTION tables.add_day(parent text, day date) RETURNS boolean
LANGUAGE plpgsql SET search_path = pg_catalog AS $$
DECLARE
  name text := parent || to_char(day, '_YYYY_MM_DD');
  misplaced boolean := false;
BEGIN
  IF to_regclass(format('tables.%I', name)) IS NOT NULL THEN
    RETURN false;
  END IF;
  -- What fell into the default partition keeps the day there: an operator has to move it.
  IF parent = 'events' THEN
    SELECT EXISTS (SELECT FROM tables.events_default WHERE opened_on = day) INTO misplaced;
  END IF;
  IF misplaced THEN
    RAISE WARNING 'tables.%_default holds rows of %', parent, day;
    RETURN false;
  END IF;
  PERFORM tables.add_partition(parent, name,
                               format('FOR VALUES FROM (%L) TO (%L)', day, day + 1));
  RETURN true;
END
$$;
COMMENT ON FUNCTION tables.add_day(text, date) IS
  'Makes the partition of a day, unless it is there; tells whether it did.';

CREATE FUNCTION tables.make_partitions(days_ahead integer) RETURNS integer
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
COMMENT ON FUNCTION tables.make_partitions(integer) IS
  'Makes the partitions of today (UTC) and so many days after it that are not there yet, as the owner of the schema, and tells how many it made. Whoever reads and writes goes on meanwhile.';

SELECT tables.add_partition('events', 'events_default', 'DEFAULT');
COMMENT ON TABLE tables.events_default IS
  'Events of days that have no partition: has to stay empty. Made visible by a metric.';
CREATE FUNCTION tables.misplaced_events() RETURNS bigint
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = pg_catalog AS $$
  SELECT count(*) FROM (SELECT FROM tables.events_default LIMIT 1000) misplaced
$$;
COMMENT ON FUNCTION tables.misplaced_events() IS
  'How many events lie in the default partition, at most 1,000 are counted; 0 is right.';
SELECT tables.make_partitions(7);
SELECT tables.add_day('events', day) FROM (SELECT DISTINCT opened_on FROM tables.events_before) e(day);
INSERT INTO tables.events SELECT * FROM tables.events_before;
DROP TABLE tables.events_before;

CREATE TRIGGER events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tables.events
  FOR EACH STATEMENT EXECUTE FUNCTION tables.refuse_change();
COMMENT ON TRIGGER events_append_only ON tables.events IS 'The journal is append-only.';
CREATE TRIGGER events_checked AFTER INSERT ON tables.events
  REFERENCING NEW TABLE AS appended
  FOR EACH STATEMENT EXECUTE FUNCTION tables.check_appended();
COMMENT ON TRIGGER events_checked ON tables.events IS 'The journal is gapless, and written by the table''s owner alone.';

REVOKE ALL ON FUNCTION tables.add_partition(text, text, text), tables.add_day(text, date),
  tables.make_partitions(integer), tables.misplaced_events() FROM PUBLIC;
DO $$
BEGIN
  IF to_regrole('table_service') IS NOT NULL THEN
    GRANT SELECT, INSERT ON tables.events TO table_service;
    GRANT EXECUTE ON FUNCTION tables.make_partitions(integer), tables.misplaced_events()
      TO table_service;
  END IF;
END
$$;

-- migrate:down
ALTER TABLE tables.events RENAME TO events_by_day;
ALTER TABLE tables.events_by_day RENAME CONSTRAINT events_pkey TO events_by_day_pkey;
CREATE TABLE tables.events (LIKE tables.events_by_day INCLUDING DEFAULTS INCLUDING CONSTRAINTS
                            INCLUDING COMMENTS, PRIMARY KEY (opened_on, table_id, seq));
INSERT INTO tables.events SELECT * FROM tables.events_by_day;
DROP TABLE tables.events_by_day;
DROP FUNCTION tables.misplaced_events();
DROP FUNCTION tables.make_partitions(integer);
DROP FUNCTION tables.add_day(text, date);
DROP FUNCTION tables.add_partition(text, text, text);
COMMENT ON TABLE tables.events IS
  'The journal: everything that happened at a table, in order, before anyone was shown it. Append-only. Replaying it gives the table''s state.';
COMMENT ON COLUMN tables.events.opened_on IS
  'The table''s opened_on: the day by which this relation is to be partitioned. A table''s events all lie in one partition, so the key stays unique and gapless within it.';
CREATE TRIGGER events_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON tables.events
  FOR EACH STATEMENT EXECUTE FUNCTION tables.refuse_change();
COMMENT ON TRIGGER events_append_only ON tables.events IS 'The journal is append-only.';
CREATE TRIGGER events_checked AFTER INSERT ON tables.events
  REFERENCING NEW TABLE AS appended
  FOR EACH STATEMENT EXECUTE FUNCTION tables.check_appended();
COMMENT ON TRIGGER events_checked ON tables.events IS 'The journal is gapless, and written by the table''s owner alone.';
DO $$
BEGIN
  IF to_regrole('table_service') IS NOT NULL THEN
    GRANT SELECT, INSERT ON tables.events TO table_service;
  END IF;
END
$$;
