-- Who is kept apart in the open queue, as the collusion report proposed it; and the role that makes the report.

-- migrate:up
CREATE TABLE matchmaking.kept_apart (
  player_id text COLLATE "C" NOT NULL CHECK (player_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  other_id  text COLLATE "C" NOT NULL CHECK (other_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  kinds     text[]      NOT NULL CHECK (cardinality(kinds) > 0),
  round_ids text[]      NOT NULL,
  found_at  timestamptz NOT NULL DEFAULT now(),
  ends_at   timestamptz NOT NULL,
  PRIMARY KEY (player_id, other_id),
  CONSTRAINT kept_apart_in_order CHECK (player_id < other_id),
  CONSTRAINT kept_apart_ends_later CHECK (ends_at > found_at)
);
COMMENT ON TABLE matchmaking.kept_apart IS
  'Two who may be playing for each other: the open queue does not seat them at one table. Each of them plays with everybody else, and friends who ask together, or who know a room''s code, are not parted: it is no ban.';
COMMENT ON COLUMN matchmaking.kept_apart.player_id IS 'The one of the two, the first by name.';
COMMENT ON COLUMN matchmaking.kept_apart.other_id IS 'The other.';
COMMENT ON COLUMN matchmaking.kept_apart.kinds IS 'Why: the kinds of findings (libs/collusion).';
COMMENT ON COLUMN matchmaking.kept_apart.round_ids IS 'The rounds that are the evidence.';
COMMENT ON COLUMN matchmaking.kept_apart.found_at IS 'When it was found last, by the database''s clock.';
COMMENT ON COLUMN matchmaking.kept_apart.ends_at IS 'From when on they may meet again, by the database''s clock.';

-- The roles are those of 0009; a schema that stands alone, as in tests, has none of them.
DO $$
BEGIN
  IF to_regrole('matchmaking_service') IS NULL THEN
    RETURN;
  END IF;
  GRANT SELECT ON matchmaking.kept_apart TO matchmaking_service;
  IF to_regrole('fair_play_auditor') IS NULL THEN
    BEGIN
      CREATE ROLE fair_play_auditor NOLOGIN;
      COMMENT ON ROLE fair_play_auditor IS
        'Makes the collusion report: reads who sat where and what was played, and keeps pairs apart. Changes nothing else.';
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL;  -- another database's migration was faster
    END;
  END IF;
  GRANT USAGE ON SCHEMA matchmaking TO fair_play_auditor;
  GRANT SELECT ON matchmaking.tickets, matchmaking.matches, matchmaking.match_members,
    matchmaking.kept_apart TO fair_play_auditor;
  GRANT INSERT, UPDATE ON matchmaking.kept_apart TO fair_play_auditor;
  IF to_regclass('tables.records') IS NOT NULL THEN
    GRANT USAGE ON SCHEMA tables TO fair_play_auditor;
    GRANT SELECT ON tables.records TO fair_play_auditor;
  END IF;
END
$$;

-- migrate:down
DO $$
BEGIN
  IF to_regrole('fair_play_auditor') IS NOT NULL THEN
    REVOKE ALL ON ALL TABLES IN SCHEMA matchmaking FROM fair_play_auditor;
    REVOKE ALL ON SCHEMA matchmaking FROM fair_play_auditor;
    IF to_regclass('tables.records') IS NOT NULL THEN
      REVOKE ALL ON tables.records FROM fair_play_auditor;
      REVOKE ALL ON SCHEMA tables FROM fair_play_auditor;
    END IF;
  END IF;
END
$$;
DROP TABLE matchmaking.kept_apart;
