#!/usr/bin/env bash
# The migration Job and the wait for it, out of their image, on a private PostgreSQL; then a service that finds its
# password as a pod does. Prints what it checks. MJ_BUILD_DIR has the built programs.
set -euo pipefail

here=$(dirname "${BASH_SOURCE[0]}")
for part in common packages postgres; do
  # shellcheck source=/dev/null
  source "$here/../../tools/dev/$part.sh"
done
# shellcheck source=/dev/null
source "$here/../dev/expect.sh"
cd "$root"

state=$(mktemp -d)
chmod 755 "$state"
wallet_pid='' database=''
finish() {
  [[ ! -s $database/data/postmaster.pid ]] || kill -INT "$(head -n 1 "$database/data/postmaster.pid")" 2>/dev/null || true
  [[ -z $wallet_pid ]] || kill "$wallet_pid" 2>/dev/null || true
  pg_destroy
  rm -rf "$state"
}
trap finish EXIT
trap 'exit 130' INT TERM

# The image's files. Without root in a user namespace, in which we are root.
image=$state/image
mkdir "$image"
node - "$image" "$build_dir/bin" >/dev/null <<'JS'
const [folder, bin] = process.argv.slice(2);
import('./tools/image/build.mjs').then(async ({ build }) => {
  const { untar } = await import('./tools/image/tar.mjs');
  const { execFileSync } = await import('node:child_process');
  const { archive } = build('migrate', { bin, version: 'test', time: 0 });
  for (const [at, { data }] of untar(archive)) {
    if (at.startsWith('blobs/') && data.length > 65536) execFileSync('tar', ['-xf', '-', '-C', folder], { input: data });
  }
});
JS
run() {
  local enter=(/usr/sbin/chroot) variables=()
  ((EUID == 0)) || enter=(unshare --map-root-user /usr/sbin/chroot)
  while [[ $1 == *=* ]]; do variables+=("$1"); shift; done
  env -i PATH="$PATH" PGSERVICEFILE=/etc/mahjong/database/pg_service.conf "${variables[@]}" "${enter[@]}" "$image" "$@" 2>&1
}
query() { "$postgres_bin/psql" -XAtq "$(pg_url)" -c "$1"; }

# As the overlay dev sets its database up: logins first, an owner who is no superuser and makes no roles.
pg_start
port=$(<"$state/postgres.port")
secrets=deploy/k8s/overlays/dev/secrets
"$postgres_bin/psql" -Xq -v ON_ERROR_STOP=1 "$(pg_url | sed 's,/mahjong?,/postgres?,')" <<SQL
CREATE ROLE owner LOGIN PASSWORD 'of-it';
CREATE DATABASE mahjong OWNER owner;
\i $secrets/logins.sql
SQL
place() { sed -e "s/^host=.*/host=127.0.0.1/; s/^port=.*/port=$port/" "$secrets/$1.conf"; }
mounted=$image/etc/mahjong/database
mkdir -p "$mounted"
echo "DATABASE_URL=postgresql://owner:of-it@127.0.0.1:$port/mahjong?sslmode=disable" >"$mounted/database.env"
place wallet >"$mounted/pg_service.conf"

got=$(run WAIT_SECONDS=0 /app/wait-for-schema) && fail "waiting ended without a schema: $got"
expect_match 'without a schema it gives up, with the reason' 'gave up: .*schema_migrations' "$got"

run WAIT_SECONDS=120 /app/wait-for-schema >"$state/wait.log" &
waiting=$!
run /app/migrate >"$state/migrate.log" || { cat "$state/migrate.log"; fail 'the Job failed'; }
files=(migrations/*.sql)
expect 'the Job applies every migration' "${#files[@]}" "$(query 'select count(*) from schema_migrations')"
wait "$waiting" || { cat "$state/wait.log"; fail 'the wait failed'; }
expect_match 'who waited goes on' 'the schema is there' "$(<"$state/wait.log")"
expect 'no role is more than it was' '' \
  "$(query "select string_agg(rolname, ' ') from pg_roles where rolsuper and rolname in ('owner', 'wallet_service')")"

run /app/migrate >"$state/migrate.log" || { cat "$state/migrate.log"; fail 'the second run failed'; }
expect 'a second run has nothing to do' '' "$(grep -i '^applying' "$state/migrate.log" || true)"

query "insert into schema_migrations values ('9998')"
expect 'an older release does not mind a newer schema' 'the schema is there' "$(run WAIT_SECONDS=0 /app/wait-for-schema)"
: >"$image/app/migrations/9999_later.sql"
got=$(run WAIT_SECONDS=0 /app/wait-for-schema) && fail "waiting ended too early: $got"
expect 'a newer release waits for what it brings' 'gave up: not yet migrated: 9999' "$got"
rm "$image/app/migrations/9999_later.sql"

for role in table matchmaking; do
  place $role >"$mounted/pg_service.conf"
  expect "$role may wait, too" 'the schema is there' "$(run WAIT_SECONDS=0 /app/wait-for-schema)"
done
sed -i 's/^password=.*/password=wrong/' "$mounted/pg_service.conf"
got=$(run WAIT_SECONDS=0 /app/wait-for-schema) && fail 'a wrong password is good enough'
expect_match 'a wrong password is told' 'password authentication failed' "$got"

# The settings of the overlay with nothing but the ports and the place of the keys changed. A service file may be read by a group, as fsGroup
# makes it; a password file may not.
place wallet >"$state/pg_service.conf"
chmod 640 "$state/pg_service.conf"
set -a
# shellcheck source=/dev/null
source deploy/k8s/base/wallet/settings.env
set +a
"$build_dir/bin/mahjongctl" keys dev --out "$state/keys" 2>/dev/null || fail 'no keys'
export MJ_WALLET_TLS_CA=$state/keys/ca.pem MJ_WALLET_TLS_CERT=$state/keys/wallet.pem MJ_WALLET_TLS_KEY=$state/keys/wallet.key
export MJ_WALLET_JWKS=$state/keys/jwks.json MJ_WALLET_HEALTH=127.0.0.1:0
PGPASSFILE=/dev/null PGSERVICEFILE=$state/pg_service.conf MJ_WALLET_LISTEN=127.0.0.1:0 MJ_WALLET_METRICS=127.0.0.1:0 \
  "$build_dir/bin/mj-wallet" --address-file "$state/wallet.address" >"$state/wallet.log" 2>&1 &
wallet_pid=$!
for ((i = 0; i < 600; ++i)); do
  [[ ! -s $state/wallet.address ]] || break
  kill -0 "$wallet_pid" 2>/dev/null || { cat "$state/wallet.log"; fail 'the wallet ended'; }
  sleep 0.05
done
"$build_dir/bin/mj-health" --wait-ms 30000 --ca "$MJ_WALLET_TLS_CA" "$(<"$state/wallet.address")" || { cat "$state/wallet.log"; fail 'no health'; }
expect 'the wallet serves, as its own role' 'wallet_service' \
  "$(query "select distinct usename from pg_stat_activity where application_name = 'mj-wallet'")"

# The script of the overlay's own database makes the roles that the services log in as, or says why not.
database=$state/database
mkdir "$database" "$database/run"
cp $secrets/owner $secrets/logins.sql deploy/image/postgres/postgres.sh "$database"
chmod 644 "$database"/*.sh "$database"/owner "$database"/logins.sql
echo 'CREATE ROLE wallet_service;' >>"$database/logins.sql"
((EUID != 0)) || chown -R postgres: "$database"
start_database() {
  pg_do env PGDATA="$database/data" PASSWORDS="$database" sh "$database/postgres.sh" -p "$((port - 12000))" -k "$database/run" "$@"
}
got=$(start_database --version 2>&1) && fail "a database without its logins: $got"
expect_match 'a login that fails is told' 'ERROR: +role "wallet_service" already exists' "$got"
cp $secrets/logins.sql "$database/logins.sql"
start_database >"$state/database.log" 2>&1 &
database_pid=$!
as() { PGPASSWORD=$2 "$postgres_bin/psql" -wXAtq "host=127.0.0.1 port=$((port - 12000)) user=$1 dbname=mahjong" -c 'select current_user' 2>&1; }
for ((i = 0; i < 600; ++i)); do
  ! "$postgres_bin/pg_isready" -q -h 127.0.0.1 -p "$((port - 12000))" || break
  kill -0 "$database_pid" 2>/dev/null || { cat "$state/database.log"; fail 'the database ended'; }
  sleep 0.05
done
expect 'its owner logs in' 'mahjong' "$(as mahjong "$(<$secrets/owner)")"
for role in wallet table matchmaking; do
  password=$(sed -n 's/^password=//p' "$secrets/$role.conf")
  expect "so does the $role" "${role}_service" "$(as "${role}_service" "$password")"
done
expect_match 'by the right password alone' 'password authentication failed' "$(as wallet_service wrong || true)"
