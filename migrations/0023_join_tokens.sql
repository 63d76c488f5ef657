-- migrate:up

ALTER TABLE matchmaking.match_members ADD COLUMN join_token text NOT NULL DEFAULT ''
  CHECK (join_token ~ '^([0-9a-f]{32})?$');
COMMENT ON COLUMN matchmaking.match_members.join_token IS
  'The secret that opens this player''s seat, told to nobody else: 128 random bits, of which the table has the SHA-256. Empty: of a match that was made before there were any; its seats need none.';

-- migrate:down
ALTER TABLE matchmaking.match_members DROP COLUMN join_token;
