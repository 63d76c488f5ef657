#!/usr/bin/env bash
# What `./dev lint` says when a proto breaks a promise: tried on a copy, with the real buf.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=/dev/null
source tests/dev/expect.sh

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp -r protos buf.yaml "$scratch"
mkdir "$scratch/tools"
cp -r tools/dev "$scratch/tools"
ln -s "$PWD/node_modules" "$scratch/node_modules"
cp package-lock.json "$scratch"
touch -d @0 "$scratch/package-lock.json"
service=$scratch/protos/mahjong/table/v1/table_service.proto

# breaking: what lint says, with $? of it.
breaking() {
  bash -c 'cd "$1"; for part in common packages lint; do source "tools/dev/$part.sh"; done; lint_breaking 2>&1' _ "$scratch"
}

breaking >"$scratch/said" || fail "the protos keep their promises: $(<"$scratch/said")"
# Something new is no break.
printf '\n// New.\nmessage Further {\n  // A field.\n  int64 field = 1;\n}\n' >>"$service"
breaking >"$scratch/said" || fail "what is added breaks nothing: $(<"$scratch/said")"
before=$(sha256sum <"$scratch/protos/baseline.binpb")
"$scratch/tools/dev/baseline.sh" 2>/dev/null
[[ $(sha256sum <"$scratch/protos/baseline.binpb") != "$before" ]] || fail 'the baseline takes what is new'
echo 'ok: what is new is promised from then on'

for change in 's/uint64 decision_id = 3;/uint64 decision_id = 33;/' 's/uint64 decision_id = 3;/string decision_id = 3;/' \
  's/int64 field = 1;//' 's/rpc TakeOver(/rpc TakeItOver(/' 's/BASE_SOURCE_AGREEMENT = 2/BASE_SOURCE_AGREEMENT = 22/'; do
  cp "$service" "$scratch/kept"
  sed -i "$change" "$service"
  ! cmp -s "$service" "$scratch/kept" || fail "changes nothing: $change"
  if said=$(breaking); then fail "breaks a promise: $change"; fi
  expect_match "seen: $change" 'cure: leave what was there as it was' "$said"
  if "$scratch/tools/dev/baseline.sh" 2>/dev/null; then fail "the baseline forgets a promise: $change"; fi
  mv "$scratch/kept" "$service"
done
sed -i 's/int64 field = 1;//' "$service"
"$scratch/tools/dev/baseline.sh" --break 2>/dev/null
breaking >"$scratch/said" || fail "unless it is told to: $(<"$scratch/said")"
echo 'ok: unless it is told to'
