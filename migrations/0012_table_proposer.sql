-- migrate:up

-- A base that a player proposed goes with that player; the lobby must not show it any longer.
ALTER TABLE tables.tables ADD COLUMN proposer_seat smallint CHECK (proposer_seat BETWEEN 0 AND 3);
COMMENT ON COLUMN tables.tables.proposer_seat IS
  'Whose the base is, where the players agree on it or the first of them names it: it is void when that seat is given up. NULL: nobody''s.';

-- migrate:down
ALTER TABLE tables.tables DROP COLUMN proposer_seat;
