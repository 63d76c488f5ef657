# shellcheck shell=bash
# expect WHAT WANT GOT; fail WHAT: the two ways for a shell test to end badly.

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
