#!/usr/bin/env bash
# Backup and restore, as docs/operations.md has it: a base backup, the WAL that follows, an accident, the database at the
# moment before it; then the audit passes, and the suite plays on. With the services as built (MJ_BUILD_DIR, MJ_NO_BUILD=1).
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
for part in tools/dev/common tools/dev/packages tools/dev/postgres tests/dev/expect; do
  # shellcheck source=/dev/null
  source "$part.sh"
done

scratch=$(mktemp -d)
chmod 755 "$scratch"
state=$scratch/stack
receiver=
finish() {
  [[ -z $receiver ]] || kill "$receiver" 2>/dev/null || true
  ./dev down --state "$state" || true
  rm -rf "$scratch"
}
trap finish EXIT
trap 'exit 130' INT TERM

query() { ./dev psql --state "$state" -XAtqc "$1"; }
play() { ./dev demo --attach --rounds 1 --variant "$1" --state "$state" >"$scratch/demo" 2>&1 || { cat "$scratch/demo"; fail "a game of $1"; }; }
audit() { ./dev ctl --state "$state" audit >"$scratch/audit" 2>&1; }
journal() { query "select count(*) || ' rows, ' || coalesce(max(journal_no), 0) || ' the last' from wallet.journal"; }

./dev up -d --state "$state" >"$scratch/up"
play chaozhou

# The backup: who may replicate makes it, into a folder of its own, while the suite runs.
export PGPASSFILE=$state/pgpass
port=$(<"$state/postgres.port")
home=$(pg_home)
data=$home/data wal=$scratch/wal base=$scratch/base
mkdir -m 777 "$wal"
"$postgres_bin/pg_receivewal" -h 127.0.0.1 -p "$port" -U "$postgres_user" -D "$wal" --no-loop >"$scratch/receive" 2>&1 &
receiver=$!
"$postgres_bin/pg_basebackup" -h 127.0.0.1 -p "$port" -U "$postgres_user" -D "$base" -c fast -X none --no-sync 2>"$scratch/basebackup" ||
  { cat "$scratch/basebackup"; fail 'no base backup'; }

play guangdong
audit || { cat "$scratch/audit"; fail 'the books before the accident'; }
before=$(journal)
query "select pg_create_restore_point('before the accident')" >/dev/null

play shaoguan
query 'drop schema wallet cascade' 2>/dev/null
expect 'the accident has happened' '' "$(query "select to_regclass('wallet.journal')")"
if audit; then fail 'an audit of no books'; fi

last=$(query "select pg_walfile_name(pg_switch_wal())")
for ((i = 0; i < 300; ++i)); do
  [[ ! -e $wal/$last ]] || break
  sleep 0.1
done
[[ -e $wal/$last ]] || { cat "$scratch/receive"; fail "the WAL up to $last was not received"; }
kill "$receiver"
wait "$receiver" || true
receiver=
./dev down --state "$state" 2>/dev/null

# The restore.
((EUID != 0)) || chown -R postgres: "$base" "$wal"
pg_do rm -rf "$data"
pg_do cp -a "$base" "$data"
pg_do chmod 700 "$data"
pg_do sh -c "cat >>'$data/postgresql.auto.conf'" <<CONF
restore_command = 'cp "$wal/%f" "%p"'
recovery_target_name = 'before the accident'
recovery_target_action = 'promote'
CONF
pg_do touch "$data/recovery.signal"
pg_start
recovering() { [[ $("$postgres_bin/psql" -XAtq "$(pg_url)" -c 'select pg_is_in_recovery()') != f ]]; }
for ((i = 0; i < 600; ++i)); do
  recovering || break
  sleep 0.1
done
./dev up -d --state "$state" >"$scratch/up" || fail 'the suite does not start on what was restored'
expect 'the books are those of the moment before' "$before" "$(journal)"
audit || { cat "$scratch/audit"; fail 'the books after the restore'; }
expect 'which the audit says' 'right' "$(tail -n 1 "$scratch/audit")"
play jieyang
audit || { cat "$scratch/audit"; fail 'the books after playing on'; }
printf 'ok: the suite plays on, and the books balance\n'
