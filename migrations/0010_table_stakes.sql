-- migrate:up

-- A table whose players have yet to find their base has none.
ALTER TABLE tables.tables DROP CONSTRAINT tables_base_check,
  ADD CONSTRAINT tables_base_check CHECK (base BETWEEN 0 AND 10000);
COMMENT ON COLUMN tables.tables.base IS
  'Base stake in coins, as it stands (D-SET-3); 0 while the players have yet to find one.';
COMMENT ON COLUMN tables.tables.options IS
  'Every option of the game as it stands, defaults included: name to value, both text.';

-- migrate:down
UPDATE tables.tables SET base = 1 WHERE base = 0;
ALTER TABLE tables.tables DROP CONSTRAINT tables_base_check,
  ADD CONSTRAINT tables_base_check CHECK (base BETWEEN 1 AND 10000);
COMMENT ON COLUMN tables.tables.base IS 'Base stake in coins (D-SET-3).';
COMMENT ON COLUMN tables.tables.options IS 'Every option of the game, defaults included: name to value, both text.';
