# shellcheck shell=bash
# One private PostgreSQL cluster per state folder ($state): its own port, its own password, never the
# system's cluster. Run as root it belongs to the user postgres (PostgreSQL refuses root), else to us.
#
#   $state/postgres        the cluster: data/, socket/, log; or a file that names the folder outside,
#                          when user postgres cannot walk to $state or its path is too long for a socket
#   $state/pgpass          libpq's password file, readable by us alone: the owner's password, and one for
#                          each role of migrations/
#   $state/postgres.port   the port of the running cluster

postgres_bin=/usr/lib/postgresql/15/bin
postgres_user=mahjong
postgres_database=mahjong
# What the services connect as, and what people may (./dev psql -U ROLE).
postgres_roles=(wallet_service table_service matchmaking_service finance_reader wallet_auditor
  fair_play_auditor)

pg_do() {
  if ((EUID == 0)); then
    (cd / && runuser -u postgres -- "$@")
  else
    (cd / && "$@")
  fi
}

pg_home() {
  if [[ -f $state/postgres ]]; then
    cat "$state/postgres"
  else
    printf '%s' "$state/postgres"
  fi
}

pg_exists() { pg_do test -f "$(pg_home)/data/PG_VERSION" 2>/dev/null; }
pg_running() { pg_exists && pg_do "$postgres_bin/pg_ctl" -D "$(pg_home)/data" status >/dev/null 2>&1; }
# pg_url [ROLE]: as that role, else as the owner of everything.
pg_url() { printf 'postgresql://%s@%s' "${1:-$postgres_user}" "$(pg_place)"; }
pg_place() { printf '127.0.0.1:%s/%s?sslmode=disable' "$(<"$state/postgres.port")" "$postgres_database"; }
pg_password() { od -An -N16 -tx1 /dev/urandom | tr -d ' \n'; }

# pg_create: an empty cluster in $state; UTF8, C locale, password needed even on loopback.
pg_create() {
  local home=$state/postgres password
  # 107 bytes are the longest path of a Unix socket; ".s.PGSQL.65535" is ours.
  if ! pg_do test -x "$state" 2>/dev/null || ((${#home} + 22 > 107)); then
    home=$(mktemp -d /var/tmp/mahjong-postgres.XXXXXX)
    printf '%s' "$home" >"$state/postgres"
  fi
  mkdir -p "$home"
  password=$(pg_password)
  (umask 077 && printf '%s' "$password" >"$home/password" &&
    printf '*:*:*:%s:%s\n' "$postgres_user" "$password" >"$state/pgpass")
  ((EUID != 0)) || chown -R postgres: "$home"
  pg_do mkdir -m 700 "$home/data" "$home/socket"
  pg_do "$postgres_bin/initdb" -D "$home/data" -U "$postgres_user" -E UTF8 --locale=C --no-sync \
    -A scram-sha-256 --pwfile="$home/password" >"$state/initdb.log" 2>&1 || {
    cat "$state/initdb.log" >&2
    die "initdb failed"
  }
  rm -f "$home/password"
}

# pg_start: creates the cluster if there is none, and starts it on a free port. Sets PGPASSFILE.
pg_start() {
  export PGPASSFILE=$state/pgpass
  pg_exists || pg_create
  if pg_running && [[ -s $state/postgres.port ]]; then return 0; fi
  local home port try
  home=$(pg_home)
  # Below the range from which the kernel gives ports away; a taken one makes PostgreSQL refuse to start.
  for try in {1..20}; do
    port=$((20000 + RANDOM % 12000))
    if pg_do "$postgres_bin/pg_ctl" -D "$home/data" -l "$home/log" -s -w -t 30 \
      -o "-p $port -k '$home/socket' -c listen_addresses=127.0.0.1" start </dev/null >/dev/null 2>&1 9>&-; then
      printf '%s\n' "$port" >"$state/postgres.port"
      return 0
    fi
    pg_do tail -n 5 "$home/log" 2>/dev/null | grep -q 'already in use' || break
  done
  pg_do tail -n 20 "$home/log" >&2 || true
  die "PostgreSQL did not start (try $try); its log is $home/log"
}

pg_stop() {
  pg_running || return 0
  local control=("$postgres_bin/pg_ctl" -D "$(pg_home)/data" -s -w stop)
  pg_do "${control[@]}" -m fast -t 20 >/dev/null 2>&1 || pg_do "${control[@]}" -m immediate -t 10 >/dev/null 2>&1 ||
    complain "PostgreSQL in $(pg_home) does not stop"
  rm -f "$state/postgres.port"
}

# pg_destroy: the cluster is stopped and its data deleted.
pg_destroy() {
  pg_stop
  rm -rf -- "$(pg_home)" "$state/postgres" "$state/pgpass"
}

# pg_migrate: the schemas of migrations/ are in place afterwards, and their roles can log in.
pg_migrate() {
  local log=$state/dbmate.log
  if ! (cd "$root" && DATABASE_URL=$(pg_url) "$(npm_tool dbmate)" --no-dump-schema --migrations-dir migrations up) \
    </dev/null >"$log" 2>&1; then
    cat "$log" >&2
    die "the migrations failed"
  fi
  pg_logins
}

# pg_logins: gives each role that has none yet a password, and puts it into $state/pgpass.
pg_logins() {
  local role password statements='' lines=''
  for role in "${postgres_roles[@]}"; do
    if grep -q "^\*:\*:\*:$role:" "$state/pgpass"; then continue; fi
    password=$(pg_password)
    statements+="ALTER ROLE $role LOGIN PASSWORD '$password';"
    lines+="*:*:*:$role:$password"$'\n'
  done
  [[ -n $lines ]] || return 0
  "$postgres_bin/psql" -Xq -v ON_ERROR_STOP=1 "$(pg_url)" <<<"$statements" || die "the roles cannot log in"
  printf '%s' "$lines" >>"$state/pgpass"
}
