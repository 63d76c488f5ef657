-- migrate:up

-- Of old tables nothing is known, and nothing need be: none had such a room.
ALTER TABLE tables.tables ADD COLUMN media_room_id text NOT NULL DEFAULT ''
  CHECK (media_room_id ~ '^[A-Za-z0-9_-]{0,64}$');
COMMENT ON COLUMN tables.tables.media_room_id IS
  'The id under which the client''s provider has a room in which the players see each other; empty: they do not.';

-- migrate:down
ALTER TABLE tables.tables DROP COLUMN media_room_id;
