-- migrate:up

-- A row of match_members has this from its beginning, and is not written a second time when its match is assigned.
COMMENT ON COLUMN matchmaking.match_members.seated_at IS
  'When the player was put into the match, by the database''s clock. Who was seated together has met: the match was assigned. NULL: it was released, or was made by an older program and is not assigned yet.';

-- migrate:down
COMMENT ON COLUMN matchmaking.match_members.seated_at IS
  'When the match was assigned its table, by the database''s clock: who was seated together has met.';
