#!/usr/bin/env bash
# Two stacks side by side, from up to down, with the services as built (MJ_BUILD_DIR, MJ_NO_BUILD=1).
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=/dev/null
source tests/dev/expect.sh

scratch=$(mktemp -d)
chmod 755 "$scratch"
a=$scratch/a b=$scratch/b
finish() {
  [[ -z ${foreground:-} ]] || kill -TERM "$foreground" 2>/dev/null || true
  ./dev down --state "$a" || true
  ./dev down --state "$b" || true
  rm -rf "$scratch"
}
trap finish EXIT
trap 'exit 130' INT TERM

query() { ./dev psql --state "$1" -XAtqc "$2"; }
service_pid() { cut -d' ' -f1 "$1/$2.pid"; }
# The command lines that hold a path below $1, of processes that have not ended (those have none).
left_running() {
  local file line
  for file in /proc/[0-9]*/cmdline; do
    line=$(tr '\0' ' ' 2>/dev/null <"$file") || continue
    [[ $file == "/proc/$/"* || $line != *"$1/"* ]] || printf '%s\n' "$line"
  done
}

left_running "$scratch" | grep -q . && fail 'the test begins with nothing running'
printed=$(./dev up -d --state "$a")
for name in scoring wallet table matchmaking; do
  expect_match "up prints the address of $name" "$name +127\.0\.0\.1:[0-9]+ " "$printed"
done
expect_match 'and of the database' 'database +postgresql://mahjong@127\.0\.0\.1:[0-9]+/' "$printed"
expect 'the schemas are in place' 'finance matchmaking tables wallet' \
  "$(query "$a" "select string_agg(nspname, ' ' order by nspname) from pg_namespace where nspname in ('finance', 'wallet', 'tables', 'matchmaking')")"
expect 'each service connects as its own role' 'matchmaking_service table_service wallet_service' \
  "$(query "$a" "select string_agg(distinct usename::text, ' ' order by usename::text) from pg_stat_activity where datname = current_database() and usename <> current_user")"
as_role() { ./dev psql --state "$a" -U "$1" -XAtqc "$2"; }
expect 'finance reads its views' '0 0' \
  "$(as_role finance_reader "select string_agg(balance::text, ' ') from finance.trial_balance where account_kind = 'total'")"
for refused in 'finance_reader select from wallet.entries' 'finance_reader select from tables.events' \
  'wallet_service update wallet.entries set coins = 1' 'wallet_service delete from wallet.entries' \
  'wallet_service truncate wallet.entries' 'wallet_service select from tables.events'; do
  if said=$(as_role "${refused%% *}" "${refused#* }" 2>&1); then fail "not refused: $refused"; fi
  expect_match "refused: $refused" 'permission denied' "$said"
done
expect 'a second up starts nothing' "$printed" "$(./dev up -d --state "$a")"

./dev up -d --state "$b" >/dev/null
mapfile -t addresses < <(cat "$a"/*.address "$b"/*.address)
expect 'two stacks have eight addresses' 8 "$(printf '%s\n' "${addresses[@]}" | sort -u | wc -l)"
"$MJ_BUILD_DIR/bin/mj-health" "${addresses[@]}" || fail 'all eight are healthy'
for name in scoring wallet table matchmaking; do
  exec 3<>"/dev/tcp/127.0.0.1/$(cut -d: -f2 "$a/$name.metrics")"
  printf 'GET /metrics HTTP/1.0\r\n\r\n' >&3
  expect_match "$name serves /metrics" ' 200 ' "$(head -n 1 <&3)"
  exec 3<&-
done
query "$a" 'create table here (x int)'
expect 'they do not share a database' '' "$(query "$b" "select to_regclass('here')")"
if PGPASSFILE=/dev/null psql -w "$(sed -n 's/^database  *\([^ ]*\).*/\1/p' <<<"$printed")" -c 'select 1' 2>/dev/null; then
  fail 'the database asks for no password'
fi

kill -KILL "$(service_pid "$a" wallet)"
before=$(service_pid "$a" wallet)
./dev up -d --state "$a" >/dev/null
[[ $(service_pid "$a" wallet) != "$before" ]] || fail 'a killed service is replaced'
expect 'the data is kept' 'here' "$(query "$a" "select to_regclass('here')")"

./dev down --state "$a"
expect 'down leaves nothing running' '' "$(left_running "$a")"
"$MJ_BUILD_DIR/bin/mj-health" $(cat "$b"/*.address) || fail 'and not the other stack alone'
expect 'psql starts what up left' 'here' "$(query "$a" "select to_regclass('here')")"
expect 'and stops it again' '' "$(left_running "$a")"
./dev down --state "$b"
expect 'nor does the other down' '' "$(left_running "$b")"

printed=$(./dev up -d --replicas table=2 --state "$b")
expect_match 'a stack may have two processes of the table service' 'table-2 +127\.0\.0\.1:[0-9]+ ' "$printed"
expect 'both hold a lease' 'table table-2' \
  "$(query "$b" "select string_agg(instance, ' ' order by instance) from tables.owners where alive_until > clock_timestamp()")"
./dev down --state "$b"
expect 'down ends both' '' "$(left_running "$b")"
if said=$(./dev up -d --replicas table=0 --state "$b" 2>&1); then fail 'no process at all'; fi
expect_match 'which is said' 'SERVICE=N,.*1 to 9' "$said"
if said=$(./dev up -d --replicas bank=2 --state "$b" 2>&1); then fail 'two processes of no service'; fi
expect_match 'which is said too' "got 'bank=2'" "$said"

# Bots that think briefly: a round is soon over.
export MJ_TABLE_SETTING=claim_pause_ms=20
printed=$(./dev up -d --replicas scoring=2,wallet=2,matchmaking=2,table=2 --state "$b")
expect_match 'a stack may have two processes of matchmaking' 'matchmaking-2 +127\.0\.0\.1:[0-9]+ ' "$printed"
summary=$(./dev ctl --state "$b" queue --players 8 --over-seconds 1 --variant chaozhou --json 2>"$scratch/moments") ||
  fail "not everybody was seated once: $summary"
expect_match 'eight players are seated once' '"players":8,.*"tables":2,.*"ok":true' "$summary"
expect_match 'and are counted meanwhile' 'queued +[0-9]+ +wait p50' "$(<"$scratch/moments")"
rolled=$(./dev roll --players 16 --state "$b" 2>"$scratch/roll") || { cat "$scratch/roll"; fail "an upgrade under load: $rolled"; }
expect_match 'each process is upgraded under load' 'scoring-2 +restarted.*wallet-2 +restarted.*table-2 +restarted.*matchmaking-2 +restarted' \
  "$(tr '\n' ' ' <<<"$rolled")"
expect_match 'and nothing is lost' '^OK: ' "$(tail -n 1 <<<"$rolled")"
unset MJ_TABLE_SETTING
./dev down --state "$b"
expect 'down ends them all' '' "$(left_running "$b")"

printed=$(MJ_SCORING_LOG_LEVEL=debug MJ_WALLET_LOG_LEVEL=debug MJ_TABLE_LOG_LEVEL=debug MJ_MATCHMAKING_LOG_LEVEL=debug \
  ./dev up -d --secure --state "$b")
expect_match 'a secure stack says where its keys are' 'keys +[^ ]*/keys' "$printed"
for name in scoring wallet table matchmaking; do
  expect "$name shows a certificate" 0 "$("$MJ_BUILD_DIR/bin/mj-health" --ca "$b/keys/ca.pem" --wait-ms 5000 "$(cat "$b/$name.address")" >/dev/null 2>&1; echo $?)"
  expect "$name speaks no plaintext" 1 "$("$MJ_BUILD_DIR/bin/mj-health" --wait-ms 1000 "$(cat "$b/$name.address")" >/dev/null 2>&1; echo $?)"
done
# speaks VERSION: whether the wallet shakes hands in this version of TLS.
speaks() {
  node -e 'const { connect } = require("node:tls");
    const socket = connect({ host: "127.0.0.1", port: Number(process.argv[1]), rejectUnauthorized: false, ALPNProtocols: ["h2"],
      ciphers: "DEFAULT@SECLEVEL=0", minVersion: process.argv[2], maxVersion: process.argv[2] }, () => process.exit(0));
    socket.on("error", () => process.exit(1));' "$(cut -d: -f2 "$b/wallet.address")" "$1"
}
for version in TLSv1.2 TLSv1.3; do speaks "$version" || fail "$version is not spoken"; done
for version in TLSv1 TLSv1.1; do if speaks "$version"; then fail "$version is spoken"; fi; done
ctl="$MJ_BUILD_DIR/bin/mahjongctl"
score=(score --cases tests/cases/cases.json --target "$(cat "$b/scoring.address")")
if said=$("$ctl" --ca "$b/keys/ca.pem" "${score[@]}" 2>&1); then fail 'served without a token'; fi
expect_match 'which is said' 'UNAUTHENTICATED_CALLER' "$said"
"$ctl" keys token --signing-key "$b/keys/signing.json" --role player --player ann >"$scratch/ann"
if said=$("$ctl" --ca "$b/keys/ca.pem" --token-file "$scratch/ann" "${score[@]}" 2>&1); then fail "a player scores rounds"; fi
expect_match 'which is said, too' 'ROLE_NOT_ALLOWED' "$said"
"$ctl" --ca "$b/keys/ca.pem" --signing-key "$b/keys/signing.json" "${score[@]}" >"$scratch/scored" || fail 'not served with a token'
# People on duty, in their own names.
ops() { "$ctl" --ca "$b/keys/ca.pem" "${identity[@]}" ops "$@" --target "$(cat "$b/table.address")"; }
identity=(--signing-key "$b/keys/signing.json")
ops stop-rounds --in 3600 --operator eve --reason upkeep >/dev/null || fail 'an operator may not stop rounds'
"$ctl" keys token --signing-key "$b/keys/signing.json" --role operator --name max >"$scratch/max"
identity=(--token-file "$scratch/max")
if said=$(ops resume-rounds --operator eve --reason over 2>&1); then fail "max acts as eve"; fi
expect_match 'nobody acts in another name' 'NOT_YOUR_NAME' "$said"
ops resume-rounds --operator max --reason over >/dev/null || fail 'an operator with a token may not let rounds begin'
expect_match 'the trail has both' 'max .*eve ' "$(ops trail | tr '\n' ' ')"
identity=(--token-file "$scratch/ann")
if said=$(ops trail 2>&1); then fail "a player reads the operators' trail"; fi
expect_match 'players do not read it' 'ROLE_NOT_ALLOWED' "$said"
if ./dev demo --attach --variant chaozhou --rounds 1 --state "$b" >/dev/null 2>&1; then fail 'a demo without a token'; fi
./dev demo --secure --attach --variant chaozhou --rounds 1 --state "$b" >"$scratch/demo" 2>&1 ||
  fail "the demo with mutual TLS and tokens: $(tail -n 20 "$scratch/demo")"
expect_no_secrets "$b"
# The check is known to see.
while read -r secret; do
  printf '%s\n' "$secret" >"$scratch/planted.log"
  if node tests/dev/log_secrets.mjs "$scratch/planted.log" >"$scratch/found"; then fail "a log may hold $secret"; fi
done <<'EOF'
{"msg":"call","hand":"123m"}
{"msg":"call","detail":"drew 7m"}
{"msg":"call","detail":"Bearer x"}
{"msg":"call","detail":"eyJhbGciOiJFUzI1NiJ9"}
{"msg":"call","error":"q3Zl0JkH1mVb2nRt5yUi8oPa7sDf4gHj6kLz9xCv"}
{"msg":"call","error":"0123456789abcdef0123456789abcdef"}
{"msg":"call","join_token":"x"}
no JSON
EOF
./dev down --state "$b"
expect 'down ends a secure stack' '' "$(left_running "$b")"

./dev up --state "$b" >"$scratch/up" &
foreground=$!
until grep -q '^state ' "$scratch/up"; do
  kill -0 "$foreground" 2>/dev/null || fail 'up in the foreground ended'
  sleep 0.1
done
[[ -n $(left_running "$b") ]] || fail 'up in the foreground runs'
./dev down --state "$b"
wait "$foreground" || true
foreground=
expect 'down ends an up in the foreground too' '' "$(left_running "$b")"
