#!/usr/bin/env bash
# Every migration goes up, down to nothing, and up again to the same schema. Prints what it checks.
set -euo pipefail

here=$(dirname "${BASH_SOURCE[0]}")
for part in common packages postgres; do
  # shellcheck source=/dev/null
  source "$here/../../tools/dev/$part.sh"
done
cd "$root"

state=$(mktemp -d)
chmod 755 "$state"
finish() { pg_destroy; rm -rf "$state"; }
trap finish EXIT
trap 'exit 130' INT TERM

expect() {
  local what=$1 want=$2 got=$3
  if [[ $got != "$want" ]]; then
    printf 'FAILED: %s (expected <, got >)\n' "$what"
    diff <(printf '%s\n' "$want") <(printf '%s\n' "$got") || true
    exit 1
  fi
  printf 'ok: %s\n' "$what"
}

migrate() { DATABASE_URL=$(pg_url) "$(npm_tool dbmate)" --no-dump-schema --migrations-dir migrations "$@" 2>&1; }
query() { "$postgres_bin/psql" -XAtq "$(pg_url)" -c "$1"; }
# One line for each schema that is not PostgreSQL's, blank-separated.
schemas() { query "select coalesce(string_agg(nspname, ' ' order by nspname), '') from pg_namespace where nspname !~ '^pg_|^information_schema|^public\$'"; }
# Everything that exists, less dbmate's own table; psql guards each dump with a random word.
definition() {
  "$postgres_bin/pg_dump" --schema-only --exclude-table=public.schema_migrations "$(pg_url)" |
    grep -vE '^(\\(un)?restrict|--|$)'
}

pg_start
files=(migrations/*.sql)
all='finance matchmaking tables wallet'

migrate create >/dev/null
empty=$(definition)
expect 'a new database has no schema of ours' '' "$(schemas)"

migrate up >"$state/up.log" || { cat "$state/up.log"; exit 1; }
expect 'up makes one schema for each service, and one for finance' "$all" "$(schemas)"
expect 'every file was applied' "${#files[@]}" "$(query 'select count(*) from schema_migrations')"
expect 'nothing is made outside those schemas' '' \
  "$(query "select string_agg(relname, ' ') from pg_class where relnamespace = 'public'::regnamespace and relname !~ '^schema_migrations'")"
full=$(definition)

expect 'a second up has nothing to do' '' "$(migrate up | grep -i appl || true)"
expect 'and changes nothing' "$full" "$(definition)"

for ((i = ${#files[@]}; i > 0; --i)); do
  migrate down >"$state/down.log" || { cat "$state/down.log"; exit 1; }
  expect "down takes back ${files[i - 1]##*/}" "$((i - 1))" "$(query 'select count(*) from schema_migrations')"
done
expect 'after the last down no schema is left' '' "$(schemas)"
expect 'nor anything else' "$empty" "$(definition)"

migrate up >/dev/null
expect 'up again makes the same' "$full" "$(definition)"
