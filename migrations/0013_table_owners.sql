-- migrate:up

-- Several processes hold tables, each its own. A process has a lease; a table names who holds it, and
-- its epoch, which rises with every change, fences the journal (tables.check_appended).
CREATE TABLE tables.owners (
  id          text        PRIMARY KEY CHECK (id ~ '^[A-Za-z0-9_-]{1,64}$'),
  instance    text        NOT NULL DEFAULT '',
  address     text        NOT NULL,
  started_at  timestamptz NOT NULL DEFAULT clock_timestamp(),
  alive_until timestamptz NOT NULL,
  retired     boolean     NOT NULL DEFAULT false
);
COMMENT ON TABLE tables.owners IS
  'Processes of the table service. A row is a lease: whoever does not prolong it in time loses its tables to others.';
COMMENT ON COLUMN tables.owners.id IS 'One run of a process: UUIDv7 as text.';
COMMENT ON COLUMN tables.owners.instance IS
  'What stays when the process is started anew; its former run''s lease ends then. Empty: nothing does.';
COMMENT ON COLUMN tables.owners.address IS 'host:port under which clients reach it; empty before it listens.';
COMMENT ON COLUMN tables.owners.started_at IS 'When it began, by the database''s clock.';
COMMENT ON COLUMN tables.owners.alive_until IS 'When its lease is over unless it is prolonged, by the database''s clock.';
COMMENT ON COLUMN tables.owners.retired IS 'It is about to end: nothing is given to it any more.';

ALTER TABLE tables.tables
  ADD COLUMN owner_id text,
  ADD COLUMN taken boolean NOT NULL DEFAULT true;
COMMENT ON COLUMN tables.tables.owner_id IS
  'Who holds the table (tables.owners): no foreign key, since a lease that is gone is a lease that is over. NULL: nobody.';
COMMENT ON COLUMN tables.tables.taken IS
  'Whether its holder has taken it; false: it was only given to it, by a process that ends.';

-- The roles are those of 0009; a schema that stands alone, as in tests, has none.
DO $$
BEGIN
  IF to_regrole('table_service') IS NOT NULL THEN
    GRANT SELECT, INSERT, UPDATE, DELETE ON tables.owners TO table_service;
  END IF;
END
$$;

-- migrate:down
ALTER TABLE tables.tables DROP COLUMN taken, DROP COLUMN owner_id;
DROP TABLE tables.owners;
