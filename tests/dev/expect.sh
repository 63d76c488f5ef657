# shellcheck shell=bash
# expect WHAT WANT GOT; fail WHAT: the two ways for a shell test to end badly. expect_no_secrets STATE: the logs of that
# stack's services hold nothing that an outsider may not read (log_secrets.mjs).

fail() {
  printf 'FAILED: %s\n' "$*"
  exit 1
}

expect() {
  if [[ $3 != "$2" ]]; then
    diff <(printf '%s\n' "$2") <(printf '%s\n' "$3") || true
    fail "$1 (expected <, got >)"
  fi
  printf 'ok: %s\n' "$1"
}

expect_match() {
  [[ $3 =~ $2 ]] || fail "$1: no match for '$2' in: $3"
  printf 'ok: %s\n' "$1"
}

expect_no_secrets() {
  local name logs=()
  for name in "$1"/{scoring,wallet,table,matchmaking}*.log; do
    [[ ! -e $name ]] || logs+=("$name")
  done
  ((${#logs[@]} >= 4)) || fail "not every service has a log in $1"
  node tests/dev/log_secrets.mjs "${logs[@]}" || fail "a log in $1 holds what it must not"
  printf 'ok: the logs in %s hold no secrets\n' "$1"
}
