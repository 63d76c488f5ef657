# shellcheck shell=bash
# The stack of one state folder ($state): PostgreSQL and the four services, each its own process.
#
#   $state/lock              held (descriptor 9) while something starts or stops
#   $state/NAME.pid          "PID START-TIME" of a service; the start time tells a reused PID from ours
#   $state/NAME.address      where it serves gRPC       $state/NAME.metrics   where it serves /metrics
#   $state/NAME.log          what it said
#   $state/secure            there when it runs with mutual TLS and tokens: the folder $state/keys has what proves who calls
#   $state/services          the services' names, one a line: table-2, table-3… are more processes of that service
#   $state/supervisor.pid    the ./dev that runs it in the foreground, if one does

services=(scoring wallet table matchmaking)
# stack_replicas SERVICE=N...: how many processes of these services a stack that is started has; of others one.
stack_replicas() {
  local name i count part
  services=()
  for name in scoring wallet table matchmaking; do
    count=1
    for part in "$@"; do [[ $part != "$name="* ]] || count=${part#*=}; done
    services+=("$name")
    for ((i = 2; i <= count; ++i)); do services+=("$name-$i"); done
  done
}
start_limit_ms=30000
# A service may take drain_seconds from TERM to its end; one that takes longer than the limit is killed.
drain_seconds=5
stop_limit_ms=10000

# use_state DIR: makes it the state folder of this run. Creates it; holds its lock.
use_state() {
  mkdir -p "$1"
  state=$(cd "$1" && pwd -P)
  exec 9>"$state/lock"
  flock -w 60 9 || die "another ./dev is starting or stopping the stack in $state"
  [[ ! -s $state/services ]] || mapfile -t services <"$state/services"
}
# is_secure: whether what runs in $state asks its callers who they are.
is_secure() { [[ -e $state/secure ]]; }

# make_keys: with secure=yes, an authority, certificates and a signing key, anew for each start.
make_keys() {
  rm -rf "$state/keys" "$state/secure"
  [[ ${secure:-no} == yes ]] || return 0
  "$build_dir/bin/mahjongctl" keys dev --out "$state/keys" 2>/dev/null || die "mahjongctl keys has failed"
  : >"$state/secure"
}
release_state() { flock -u 9; }

address_of() { cat "$state/$1.address"; }
# processes_of SERVICE: the names of its processes, one a line.
processes_of() {
  local name
  for name in "${services[@]}"; do [[ $name != "$1"* ]] || printf '%s\n' "$name"; done
}
# addresses_of SERVICE: where its processes serve gRPC, with commas in between.
addresses_of() {
  local name all=()
  for name in $(processes_of "$1"); do all+=("$(address_of "$name")"); done
  (IFS=, && printf '%s' "${all[*]}")
}
# target_of SERVICE: all of its processes, as gRPC resolves several.
target_of() {
  local all
  all=$(addresses_of "$1")
  [[ $all != *,* ]] || all=ipv4:$all
  printf '%s' "$all"
}
metrics_of() { cat "$state/$1.metrics"; }

# process_start PID: when it started, in clock ticks since boot; fails if there is none.
process_start() {
  local stat
  { stat=$(<"/proc/$1/stat"); } 2>/dev/null || return 1
  # After the command's closing bracket, which is the only field that may hold blanks.
  set -- ${stat##*) }
  [[ $1 != Z ]] && printf '%s' "${20}"
}

# pid_of NAME: the PID of the live process that NAME.pid names; fails if there is none.
pid_of() {
  local pid start
  read -r pid start 2>/dev/null <"$state/$1.pid" || return 1
  [[ $(process_start "$pid") == "$start" ]] && printf '%s' "$pid"
}

remember_pid() { printf '%s %s\n' "$2" "$(process_start "$2")" >"$state/$1.pid"; }

stack_running() { local s; for s in "${services[@]}"; do pid_of "$s" >/dev/null || return 1; done; }
anything_running() {
  local s
  for s in "${services[@]}"; do pid_of "$s" >/dev/null && return 0; done
  pg_running
}

# service_start NAME: returns at once; whom it calls listens already. With tied=yes it ends with this shell, however
# that ends; with listen=HOST:PORT it serves there.
service_start() {
  local name=$1 command
  command=("$build_dir/bin/mj-${name%-*}" --listen "${listen:-127.0.0.1:0}" --address-file "$state/$name.address"
    --metrics 127.0.0.1:0 --metrics-address-file "$state/$name.metrics"
    --drain-seconds "$drain_seconds" --reflection)
  case $name in
    wallet*) command+=(--database "$(pg_url wallet_service)") ;;
    table*) command+=(--database "$(pg_url table_service)" --instance "$name"
      --scoring-address "$(target_of scoring)" --wallet-address "$(target_of wallet)") ;;
    matchmaking*) command+=(--database "$(pg_url matchmaking_service)"
      --wallet-address "$(target_of wallet)" --table-address "$(target_of table)") ;;
  esac
  if is_secure; then
    command+=(--tls-ca "$state/keys/ca.pem" --tls-cert "$state/keys/${name%-*}.pem" --tls-key "$state/keys/${name%-*}.key"
      --jwks "$state/keys/jwks.json" --reload-seconds 1)
  fi
  [[ ${tied:-no} == no ]] || command=(setpriv --pdeathsig TERM "${command[@]}")
  rm -f "$state/$name.address" "$state/$name.metrics"
  # A session of its own: Ctrl-C reaches ./dev alone, which then stops everything in order.
  setsid "${command[@]}" </dev/null >"$state/$name.log" 2>&1 9>&- &
  remember_pid "$name" $!
}

# wait_address NAME: until the service has written where it listens.
wait_address() {
  local name=$1 end
  end=$(($(now_ms) + start_limit_ms))
  until [[ -s $state/$name.address ]]; do
    pid_of "$name" >/dev/null || start_failed "$name" "ended before it listened"
    (($(now_ms) < end)) || start_failed "$name" "does not listen after $((start_limit_ms / 1000)) s"
    sleep 0.01
  done
}

start_failed() {
  complain "$1 $2; the end of $state/$1.log:"
  tail -n 20 "$state/$1.log" >&2
  exit 1
}

# service_restart NAME: ends it as an upgrade does, and starts it at the same address, until it says SERVING.
service_restart() {
  local name=$1 health=() listen
  listen=$(address_of "$name")
  services_end "$name"
  service_start "$name"
  wait_address "$name"
  if is_secure; then health=(--ca "$state/keys/ca.pem"); fi
  "$build_dir/bin/mj-health" --wait-ms "$start_limit_ms" "${health[@]}" "$listen" >&2 || start_failed "$name" 'is not healthy'
}

# services_start: all of them, until each says SERVING. PostgreSQL runs and is migrated already.
services_start() {
  local name health=()
  printf '%s\n' "${services[@]}" >"$state/services"
  make_keys
  if is_secure; then health=(--ca "$state/keys/ca.pem"); fi
  for name in $(processes_of scoring) $(processes_of wallet); do service_start "$name"; done
  for name in $(processes_of scoring) $(processes_of wallet); do wait_address "$name"; done
  for name in $(processes_of table); do service_start "$name"; done
  for name in $(processes_of table); do wait_address "$name"; done
  for name in $(processes_of matchmaking); do service_start "$name"; done
  for name in $(processes_of matchmaking); do wait_address "$name"; done
  for name in "${services[@]}"; do health+=("$(address_of "$name")"); done
  "$build_dir/bin/mj-health" --wait-ms "$start_limit_ms" "${health[@]}" >&2 ||
    die "not every service became healthy; the logs are $state/*.log"
}

# services_stop: those that call before those that they call, so that what is under way can end.
services_stop() {
  local name processes
  for name in matchmaking table wallet scoring; do
    mapfile -t processes < <(processes_of "$name")
    services_end "${processes[@]}"
  done
  for name in "${services[@]}"; do rm -f "$state/$name".{pid,address,metrics}; done
  rm -f "$state/services" "$state/secure"
}

# services_end NAME...: TERM to all of them, KILL to those that are still there when the time is up.
services_end() {
  local name pid end left alive
  for name in "$@"; do
    if pid=$(pid_of "$name"); then kill -TERM "$pid" 2>/dev/null || true; fi
  done
  left=("$@")
  end=$(($(now_ms) + stop_limit_ms))
  while true; do
    alive=()
    for name in "${left[@]}"; do
      if pid_of "$name" >/dev/null; then alive+=("$name"); fi
    done
    left=("${alive[@]}")
    ((${#left[@]})) || return 0
    (($(now_ms) < end)) || break
    sleep 0.02
  done
  for name in "${left[@]}"; do
    complain "$name did not stop within $((stop_limit_ms / 1000)) s and is killed"
    if pid=$(pid_of "$name"); then kill -KILL "$pid" 2>/dev/null || true; fi
  done
}

# stack_start: everything, from nothing to ready.
stack_start() {
  local t
  t=$(now_ms)
  pg_start
  pg_migrate
  services_start
  note "ready in $(($(now_ms) - t)) ms"
}

stack_stop() {
  services_stop
  pg_stop
}

# stop_at_exit: whatever ends this shell, the stack of $state ends with it.
stop_at_exit() {
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  trap leave EXIT
}

# leave: the end of a shell that owns a stack, however it comes.
leave() {
  local status=$?
  set +e
  trap '' INT TERM HUP
  [[ -z ${demo_pid:-} ]] || kill -TERM "$demo_pid" 2>/dev/null
  stack_stop
  rm -f "$state/supervisor.pid"
  exit "$status"
}

stack_print() {
  local name
  for name in "${services[@]}"; do
    printf '%-15s%-22s metrics http://%s/metrics\n' "$name" "$(address_of "$name")" "$(metrics_of "$name")"
  done
  printf "%-15s%s (password: PGPASSFILE=%s)\n" database "$(pg_url)" "$state/pgpass"
  if is_secure; then printf '%-15s%s\n' keys "$state/keys"; fi
  printf '%-15s%s\n' state "$state"
}

# stack_arguments: the flags by which a client program finds the stack, one per line.
stack_arguments() {
  local name
  for name in scoring wallet table matchmaking; do
    printf -- '--%s-address\n%s\n' "$name" "$(target_of "$name")"
  done
  # The demo reads the books, and changes nothing in them.
  printf -- '--database\n%s\n' "$(pg_url wallet_auditor)"
}

# identity_arguments: the flags by which a client program is a backend of the secure stack, one per line.
identity_arguments() { printf -- '--ca\n%s\n--signing-key\n%s\n' "$state/keys/ca.pem" "$state/keys/signing.json"; }
