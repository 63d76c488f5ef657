-- How far matchmaking has followed what the table service tells of all tables, and who met by it.
-- Ratings, and the rounds that have gone into them, are in 0003.

-- migrate:up

CREATE TABLE matchmaking.feeds (
  feed       text        PRIMARY KEY CHECK (feed IN ('rounds', 'seats')),
  position   text        NOT NULL DEFAULT '',
  holder     text        NOT NULL DEFAULT '',
  held_until timestamptz NOT NULL DEFAULT '-infinity',
  changed_at timestamptz NOT NULL DEFAULT now()
);
INSERT INTO matchmaking.feeds (feed) VALUES ('rounds'), ('seats');
COMMENT ON TABLE matchmaking.feeds IS
  'Where each feed of the table service goes on. What a batch led to is written in the transaction that moves the position, by compare-and-set: whoever follows, and however often, each batch counts once.';
COMMENT ON COLUMN matchmaking.feeds.feed IS 'rounds: WatchRounds; seats: WatchOpenSeats.';
COMMENT ON COLUMN matchmaking.feeds.position IS
  'The position of the last batch dealt with, as the table service gave it; empty: from the oldest that it keeps.';
COMMENT ON COLUMN matchmaking.feeds.holder IS
  'The replica that follows it, so that not all of them read the same; nothing is right or wrong by this.';
COMMENT ON COLUMN matchmaking.feeds.held_until IS
  'From when on another replica may follow it, by the database''s clock.';
COMMENT ON COLUMN matchmaking.feeds.changed_at IS 'When the position last changed, by the database''s clock.';

CREATE TABLE matchmaking.meetings (
  player_id text        NOT NULL CHECK (player_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  other_id  text        NOT NULL CHECK (other_id ~ '^[A-Za-z0-9_-]{1,64}$'),
  met_at    timestamptz NOT NULL,
  PRIMARY KEY (player_id, other_id),
  CONSTRAINT meetings_in_one_order CHECK (player_id < other_id COLLATE "C")
);
CREATE INDEX meetings_age_key ON matchmaking.meetings (met_at);
COMMENT ON TABLE matchmaking.meetings IS
  'Who played a round with whom last, and when it ended, however the two came to the table; for as long as it may keep them apart.';
COMMENT ON COLUMN matchmaking.meetings.player_id IS 'One player.';
COMMENT ON COLUMN matchmaking.meetings.other_id IS 'The other, whose id is the greater one, as bytes compare.';
COMMENT ON COLUMN matchmaking.meetings.met_at IS 'When their last round ended, as the table service told it.';
COMMENT ON INDEX matchmaking.meetings_age_key IS 'Which may be forgotten.';

CREATE INDEX matches_table_key ON matchmaking.matches (table_id) WHERE state = 'assigned';
COMMENT ON INDEX matchmaking.matches_table_key IS 'Whose seats end with a table''s.';

DO $$
BEGIN
  IF to_regrole('matchmaking_service') IS NOT NULL THEN
    GRANT SELECT, UPDATE ON matchmaking.feeds TO matchmaking_service;
    GRANT SELECT, INSERT, UPDATE, DELETE ON matchmaking.meetings TO matchmaking_service;
  END IF;
END
$$;

-- migrate:down
DROP INDEX matchmaking.matches_table_key;
DROP TABLE matchmaking.meetings;
DROP TABLE matchmaking.feeds;
