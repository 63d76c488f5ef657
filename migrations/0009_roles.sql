-- Who may do what: a role for each service and its schema, one that reads finance, one that audits.
-- They cannot log in; a deployment makes logins that are members of them, or lets them log in (as
-- ./dev does). Roles belong to the cluster, not to a database: one that is there already is taken
-- as it is, and going down takes the rights back but leaves the roles, for other databases may use
-- them.

-- migrate:up

DO $$
DECLARE
  name text;
  meaning text;
BEGIN
  FOR name, meaning IN VALUES
    ('wallet_service', 'What mj-wallet connects as: adds to schema wallet, alters no history.'),
    ('table_service', 'What mj-table connects as: schema tables.'),
    ('matchmaking_service', 'What mj-matchmaking connects as: schema matchmaking.'),
    ('finance_reader', 'Reads schema finance and nothing else.'),
    ('wallet_auditor', 'Reads schema wallet, to recompute its hashes. Changes nothing.')
  LOOP
    CONTINUE WHEN to_regrole(name) IS NOT NULL;
    BEGIN
      EXECUTE format('CREATE ROLE %I NOLOGIN', name);
      EXECUTE format('COMMENT ON ROLE %I IS %L', name, meaning);
    EXCEPTION WHEN duplicate_object OR unique_violation THEN
      NULL;  -- another database's migration was faster
    END;
  END LOOP;
END
$$;

-- The wallet -------------------------------------------------------------------------------------

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA wallet FROM PUBLIC;
GRANT USAGE ON SCHEMA wallet TO wallet_service, wallet_auditor;

-- Partitions of entries have no rights of their own: they are reached through wallet.entries alone,
-- those to come too.
DO $$
DECLARE
  relation regclass;
BEGIN
  FOR relation IN SELECT oid FROM pg_class WHERE relnamespace = 'wallet'::regnamespace
                    AND relkind IN ('r', 'p', 'v') AND NOT relispartition LOOP
    EXECUTE format('GRANT SELECT ON %s TO wallet_service, wallet_auditor', relation);
  END LOOP;
END
$$;
GRANT INSERT ON wallet.accounts, wallet.balances, wallet.journal, wallet.entries,
  wallet.settlements, wallet.settlement_transfers, wallet.settlement_set_offs, wallet.shortfalls,
  wallet.penalties, wallet.money_movements, wallet.requests, wallet.stake_tiers, wallet.rulebooks,
  wallet.rounds, wallet.round_players, wallet.round_closes, wallet.reservations,
  wallet.account_events, wallet.ledger_days TO wallet_service;
GRANT UPDATE (coins, held, last_sequence, frozen, closed, reservation_no, held_table, held_until,
              round_no) ON wallet.balances TO wallet_service;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA wallet TO wallet_service;
-- make_partitions calls it, as the owner.
REVOKE EXECUTE ON FUNCTION wallet.add_partition(text, text) FROM wallet_service;
GRANT EXECUTE ON FUNCTION wallet.canonical(bigint), wallet.canonical_field(text),
  wallet.canonical_micros(timestamptz) TO wallet_auditor;

-- Finance ----------------------------------------------------------------------------------------

REVOKE ALL ON ALL FUNCTIONS IN SCHEMA finance FROM PUBLIC;
GRANT USAGE ON SCHEMA finance TO finance_reader;
GRANT SELECT ON ALL TABLES IN SCHEMA finance TO finance_reader;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA finance TO finance_reader;

-- Tables, matchmaking ----------------------------------------------------------------------------

GRANT USAGE ON SCHEMA tables TO table_service;
GRANT SELECT, INSERT ON ALL TABLES IN SCHEMA tables TO table_service;
GRANT UPDATE ON tables.tables, tables.rounds, tables.seats TO table_service;
GRANT DELETE ON tables.seats TO table_service;

GRANT USAGE ON SCHEMA matchmaking TO matchmaking_service;
GRANT SELECT, INSERT, UPDATE ON ALL TABLES IN SCHEMA matchmaking TO matchmaking_service;
GRANT DELETE ON matchmaking.live_seats TO matchmaking_service;

-- migrate:down

REVOKE ALL ON ALL TABLES IN SCHEMA wallet, finance, tables, matchmaking
  FROM wallet_service, wallet_auditor, finance_reader, table_service, matchmaking_service;
REVOKE ALL ON ALL FUNCTIONS IN SCHEMA wallet, finance
  FROM wallet_service, wallet_auditor, finance_reader;
REVOKE ALL ON SCHEMA wallet, finance, tables, matchmaking
  FROM wallet_service, wallet_auditor, finance_reader, table_service, matchmaking_service;
GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA wallet, finance TO PUBLIC;
