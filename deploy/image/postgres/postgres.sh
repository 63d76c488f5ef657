#!/bin/sh
# A PostgreSQL for development: makes its cluster when there is none, then is PostgreSQL.
#
# /etc/mahjong/passwords/owner       the password of mahjong, who owns the database
# /etc/mahjong/passwords/logins.sql  what else is to log in
set -eu
bin=/usr/lib/postgresql/15/bin
data=${PGDATA:-/var/lib/postgresql/data}
passwords=${PASSWORDS:-/etc/mahjong/passwords}
export LC_ALL=C PATH="$bin:/bin:/usr/bin"

if [ ! -f "$data/ready" ]; then
  # Half of a cluster, if anything.
  rm -rf "$data"
  initdb -D "$data" -U mahjong -E UTF8 --locale=C -A scram-sha-256 --pwfile="$passwords/owner"
  {
    echo "listen_addresses = '*'"
    echo "unix_socket_directories = '/run/postgresql'"
    echo 'jit = off'
    echo 'max_connections = 200'
  } >>"$data/postgresql.conf"
  echo 'host all all all scram-sha-256' >>"$data/pg_hba.conf"
  # An empty line ends a statement; one that fails does not fail the process.
  said=$({
    printf 'CREATE DATABASE mahjong;\n\n'
    cat "$passwords/logins.sql"
  } | postgres --single -j -D "$data" postgres 2>&1)
  case $said in *ERROR:* | *FATAL:*) printf '%s\n' "$said" >&2; exit 1 ;; esac
  : >"$data/ready"
fi
exec postgres -D "$data" "$@"
