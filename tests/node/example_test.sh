#!/usr/bin/env bash
# The Node client as a newcomer has it: its files alone, a fresh `npm ci`, `./dev example`. Then the same client on
# bad networks (rough.mjs). With the services as built (MJ_BUILD_DIR, MJ_NO_BUILD=1).
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=/dev/null
source tests/dev/expect.sh

scratch=$(mktemp -d)
chmod 755 "$scratch"
finish() {
  ./dev down --state "$scratch/stack" || true
  rm -rf "$scratch"
}
trap finish EXIT
trap 'exit 130' INT TERM

mkdir "$scratch/node"
git ls-files -z --cached --others --exclude-standard -- examples/node | xargs -0 cp -t "$scratch/node"
export MJ_EXAMPLE_DIR=$scratch/node MJ_PROTOS=$PWD/protos

told=$(./dev example --state "$scratch/stack") || fail "./dev example: $told"
printf '%s\n' "$told"
[[ -d $scratch/node/node_modules/@grpc/grpc-js ]] || fail 'npm ci has installed nothing'
for line in 'an, bao, chen, dong have an account each' 'seated together: table [^ ]+' 'begins; its seed is promised' \
  '\(TABLE_MOVED\); asks at 127\.0\.0\.1' 'is killed' 'lost the table after event [0-9]+ \((gRPC code 14|UNAVAILABLE)\)' \
  'none missing, none twice' 'has played 1 round; the statement' 'deposit +\+5,000' 'every balance is what the table said'; do
  expect_match 'the example says' "$line" "$told"
done
if said=$(node "$scratch/node/main.js" --table x 2>&1); then fail 'a wrong command line'; fi
expect_match 'which is said' '--wallet is missing' "$said"

expect_no_secrets "$scratch/stack"

# The same with mutual TLS and tokens; without a token it is refused, and says so.
told=$(./dev example --secure --state "$scratch/stack") || fail "./dev example --secure: $told"
for line in 'lost the table after event' 'none missing, none twice' 'every balance is what the table said'; do
  expect_match 'the secure example says' "$line" "$told"
done
./dev up -d --secure --state "$scratch/stack" >"$scratch/up"
if said=$(node "$scratch/node/main.js" --ca "$scratch/stack/keys/ca.pem" --wallet "$(cat "$scratch/stack/wallet.address")" \
  --table "$(cat "$scratch/stack/table.address")" --matchmaking "$(cat "$scratch/stack/matchmaking.address")" 2>&1); then
  fail 'the example without a token'
fi
expect_match 'which is refused' 'UNAUTHENTICATED_CALLER' "$said"
./dev down --state "$scratch/stack"
expect_no_secrets "$scratch/stack"

MJ_TABLE_SETTING=claim_pause_ms=20 ./dev up -d --replicas table=2 --state "$scratch/stack" >"$scratch/up"
address() { cat "$scratch/stack/$1.address"; }
MJ_EXAMPLE=$scratch/node MJ_WALLET=$(address wallet) MJ_MATCHMAKING=$(address matchmaking) \
  MJ_TABLES=$(address table),$(address table-2) node --test tests/node/rough.test.mjs || fail 'the client on bad networks'
expect_no_secrets "$scratch/stack"
