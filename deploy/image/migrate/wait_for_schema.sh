#!/bin/sh
# Waits until the database has every migration of this release; newer ones are no matter. Asks as the service that
# waits: PGSERVICEFILE has its one section. Exit 1, with PostgreSQL's words, when it takes too long.
set -eu
app=${0%/*}
left=${WAIT_SECONDS:-600}

service=
while IFS= read -r line; do
  case $line in '['*']') service=${line#'['} service=${service%']'} ;; esac
done <"$PGSERVICEFILE"

missing=
while :; do
  if there=$("$app/psql" -XAtq "service=$service connect_timeout=5" -c 'SELECT version FROM schema_migrations' 2>&1); then
    missing=
    for file in "$app"/migrations/*.sql; do
      version=${file##*/} version=${version%%_*}
      case "
$there
" in *"
$version
"*) ;; *) missing="$missing $version" ;; esac
    done
    [ -n "$missing" ] || { echo "the schema is there" >&2; exit 0; }
    why="not yet migrated:$missing"
  else
    why=$there
  fi
  [ "$left" -gt 0 ] || { echo "gave up: $why" >&2; exit 1; }
  [ "$((left % 10))" -ne 0 ] || echo "waiting: $why" >&2
  left=$((left - 1))
  sleep 1
done
