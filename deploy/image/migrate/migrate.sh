#!/bin/sh
# Brings the database to the schema of this release: the migrations that it lacks, each in its own transaction. Then
# the services' roles may see which there are, so that they can wait for them (wait_for_schema.sh).
#
# /etc/mahjong/database/database.env: DATABASE_URL=postgresql://OWNER:PASSWORD@HOST:PORT/DATABASE?sslmode=…
set -eu
app=${0%/*}
. "${MIGRATE_ENV:-/etc/mahjong/database/database.env}"
export DATABASE_URL
unset PGSERVICEFILE # dbmate's driver panics at it

# A migration that waits for a lock makes everybody behind it wait, too: it had better fail, and be tried again.
export PGOPTIONS='-c lock_timeout=5s'
"$app/dbmate" --wait --wait-timeout 300s --no-dump-schema --migrations-dir "$app/migrations" up
"$app/psql" -Xq -v ON_ERROR_STOP=1 "$DATABASE_URL" -c '
  GRANT SELECT ON schema_migrations TO wallet_service, table_service, matchmaking_service, wallet_auditor'
