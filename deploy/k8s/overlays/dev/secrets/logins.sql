-- The logins of migrations/0009 and 0019, before the migrations: those take a role that is there as it is.
CREATE ROLE wallet_service LOGIN PASSWORD 'dev-wallet';
CREATE ROLE table_service LOGIN PASSWORD 'dev-table';
CREATE ROLE matchmaking_service LOGIN PASSWORD 'dev-matchmaking';
CREATE ROLE finance_reader LOGIN PASSWORD 'dev-finance';
CREATE ROLE wallet_auditor LOGIN PASSWORD 'dev-auditor';
CREATE ROLE fair_play_auditor LOGIN PASSWORD 'dev-fair-play';
