-- migrate:up

-- Which room a table belongs to in the lobby: whoever sits down needs enough for it. The base of a
-- Chaozhou or Jieyang table follows its players' coins; its room does not.
ALTER TABLE tables.tables ADD COLUMN room_base bigint CHECK (room_base BETWEEN 0 AND 10000);
UPDATE tables.tables SET room_base = base;
ALTER TABLE tables.tables ALTER COLUMN room_base SET NOT NULL;
COMMENT ON COLUMN tables.tables.room_base IS
  'Base of the room for which whoever sits down needs enough coins; 0: of the game''s least room.';

ALTER TABLE tables.tables ADD COLUMN watchable boolean NOT NULL DEFAULT true;
COMMENT ON COLUMN tables.tables.watchable IS 'Whether whoever has no seat may watch.';

CREATE INDEX tables_lobby_key ON tables.tables (variant, currency, id) WHERE state <> 'closed';
COMMENT ON INDEX tables.tables_lobby_key IS 'Open tables of a game, the oldest first: the lobby.';

-- migrate:down
DROP INDEX tables.tables_lobby_key;
ALTER TABLE tables.tables DROP COLUMN watchable, DROP COLUMN room_base;
