#!/usr/bin/env bash
# What ./dev does with its command line, and with packages that are missing.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
# shellcheck source=/dev/null
source tests/dev/expect.sh

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# run COMMAND...: sets out, err and status.
run() {
  status=0
  out=$("$@" 2>"$scratch/err" </dev/null) || status=$?
  err=$(<"$scratch/err")
}

run ./dev
expect 'without a command it helps' 0 "$status"
for name in demo test lint fmt up down psql ctl bench build help; do
  grep -q "^  $name" <<<"$out" || fail "help does not list $name"
done
run ./dev fly
expect 'an unknown command is refused' 2 "$status"
expect 'and nothing is on stdout' '' "$out"
run ./dev up --fast
expect 'an unknown option is refused before any set-up' 2 "$status"
expect_match 'and named' "'--fast'" "$err"
run ./dev demo --rounds
expect 'a value that is missing is noticed' 2 "$status"
run ./dev down --state "$scratch/none"
expect 'down without a stack is no error' 0 "$status"
run ./dev psql --state "$scratch/none" -c 'select 1'
expect 'psql without a database says so' 1 "$status"
expect_match 'and how to get one' './dev demo' "$err"

# The packages, with stand-ins that note what they were asked.
mkdir "$scratch/bin"
stand_in() {
  printf '#!/bin/bash\n%s\n' "$2" >"$scratch/bin/$1"
  chmod +x "$scratch/bin/$1"
}
# Knows g++ alone, and half-removed cmake.
stand_in dpkg-query 'for p in "$@"; do case $p in
  g++) printf "|g++=installed|" ;; cmake) printf "|cmake=config-files|" ;; esac; done; exit 1'
stand_in apt-get "printf '%s\n' \"\$*\" >>$scratch/apt"

# need USER-ID PACKAGE...: need_packages in a shell that believes to be that user.
need() {
  local user=$1
  shift
  run env PATH="$scratch/bin:$PATH" bash -c '
    set -euo pipefail
    source tools/dev/common.sh
    source <(sed "s/EUID/FAKE_EUID/g" tools/dev/packages.sh)
    FAKE_EUID=$1; shift
    need_packages "$@"' need "$user" "$@"
}

need 0 g++
expect 'what is there is not installed again' 0 "$status"
[[ ! -e $scratch/apt ]] || fail 'apt-get was called for nothing'
need 0 g++ cmake mold
expect 'root installs what is missing' 0 "$status"
expect_match 'and only that, without what is merely recommended' \
  ' -y --no-install-recommends install cmake mold$' "$(<"$scratch/apt")"
expect_match 'after an update of the lists' ' update' "$(head -n 1 "$scratch/apt")"

rm "$scratch/apt"
stand_in sudo 'exit 1'
need 1000 g++ cmake mold
expect 'without the right to, it gives up with 2' 2 "$status"
expect_match 'and prints what is missing' 'install --no-install-recommends cmake mold' "$err"
[[ ! -e $scratch/apt ]] || fail 'apt-get was called without the right to'
expect 'on stderr only' '' "$out"

stand_in sudo '[[ $1 == -n ]] && shift; exec "$@"'
need 1000 g++ cmake
expect 'sudo will do' 0 "$status"
expect_match 'sudo installs it too' 'install cmake$' "$(<"$scratch/apt")"

stand_in apt-get 'exit 100'
need 0 cmake
expect 'an apt-get that fails is an error' 1 "$status"
expect_match 'that names the packages' 'cmake' "$err"
