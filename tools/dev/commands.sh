# shellcheck shell=bash
# The commands of ./dev, apart from lint, fmt (lint.sh) and bench (bench.sh).

stack_state=${MJ_STATE:-$root/build/stack}
demo_state=${MJ_STATE:-$root/build/demo-stack}
example_state=${MJ_STATE:-$root/build/example-stack}
# Where the Node client lies, with its node_modules.
example_dir=${MJ_EXAMPLE_DIR:-$root/examples/node}
stack_targets=(mj-scoring mj-wallet mj-table mj-matchmaking mj-health mahjongctl)

command_help() {
  cat <<'HELP'
./dev COMMAND [ARGUMENTS]

  demo [--variant V]... [--rounds N] [--seed S] [--records DIR] [--attach] [--secure]
                  bots play over gRPC to the settlement in PostgreSQL: every game, or those named,
                  each at a table of its own, N rounds a table (default: 8 among the tables);
                  --records writes each round's record as DIR/<round id>.mjr;
                  --attach plays on the stack that `./dev up` runs; --secure with mutual TLS and tokens
  example [--variant V] [--rounds N] [--secure]
                  the Node client of examples/node: four of it queue, play, lose the process that holds their
                  table in the middle of a round, settle, and read their statements
  test [--long] [CTEST ARGUMENTS]
                  build and run every test; --long takes the large counts; e.g. ./dev test -R '^ledger'
  lint [--all]    format, protos, shell, lock files, and clang-tidy on changed files (--all: every file)
  fmt             format all sources and protos in place

  up [-d] [--secure] [--replicas SERVICE=N,...]
                  PostgreSQL and the four services; prints their addresses; -d leaves them running;
                  --secure: mutual TLS between services, tokens from everybody else, made by `mahjongctl keys`;
                  --replicas runs so many processes of these services, 1 to 9, e.g. table=2,matchmaking=2
  down            stop what `up` or `demo` started
  psql [ARGS]     psql on the running stack's database, else on the one that the last demo left; as its owner, or
                  with -U as finance_reader, wallet_auditor, fair_play_auditor, wallet_service, table_service,
                  matchmaking_service
  ctl ARGS        mahjongctl, with the same database and the running stack's addresses

  roll [--players N]
                  an upgrade: ends and starts each process of the running stack in turn, while players come, queue,
                  play and go in every game (default: 80 at a time); was anything lost?
  load [ARGS]     bot tables at human pace on the running stack, and what its processes use meanwhile (mj-load);
                  e.g. ./dev load --tables 500 --seconds 30

  image [--version V] [IMAGE...]
                  release build, then an OCI archive and its bill of materials for each service, in build/images
  pods [--variant V]... [--rounds N] [--seed S]
                  as root: the images, and the overlay deploy/k8s/overlays/dev with them as pods of podman, with mutual TLS
                  and tokens; the demo against it; everything is removed afterwards

  deploy-check    the Kubernetes manifests against schemas and policies, alerts against their cases,
                  dashboards against the metrics that exist
  bench           release build, every benchmark, ratios against the targets
  build [TARGETS] build only (MJ_PRESET=release|asan|tsan for another preset)
  help            this

up, down, demo, example, psql, ctl, roll and load take --state DIR (or MJ_STATE): another stack beside the usual one in
build/stack (the demo's is build/demo-stack, the example's build/example-stack).
Every command installs what it needs: Debian packages as root or through sudo, npm tools by the lock file.
HELP
}

# take_state ARGS...: takes --state DIR out of them; the others are left in `rest`.
take_state() {
  rest=() state_given=${MJ_STATE:+yes}
  while (($#)); do
    case $1 in
      --state)
        [[ -n ${2:-} ]] || misused '--state needs a folder'
        stack_state=$2 demo_state=$2 example_state=$2 state_given=yes
        shift
        ;;
      --state=?*) stack_state=${1#*=} demo_state=${1#*=} example_state=${1#*=} state_given=yes ;;
      *) rest+=("$1") ;;
    esac
    shift
  done
}

command_build() {
  local preset=${MJ_PRESET:-dev}
  build_packages "$preset"
  build "$preset" "$@"
}

command_test() {
  local long=${MJ_TEST_LONG:-} arguments=()
  while (($#)); do
    case $1 in
      --long) long=1 ;;
      *) arguments+=("$1") ;;
    esac
    shift
  done
  local preset=${MJ_PRESET:-dev}
  build_packages "$preset"
  need_packages "${packages_database[@]}" "${packages_terminal[@]}" "${packages_image[@]}" "${packages_deploy[@]}"
  want_packages "tests/browser is left out" "${packages_browser[@]}"
  need_npm_tools
  say "building everything"
  build "$preset"
  local dir=$build_dir
  [[ $preset == dev ]] || dir=$root/build/$preset
  # Debian's libraries are not instrumented; see CONTRIBUTING for the rooms in which TSan tells the truth.
  [[ $preset != tsan ]] || export TSAN_OPTIONS=${TSAN_OPTIONS:-ignore_noninstrumented_modules=1}
  [[ ! -t 1 ]] || arguments+=(--progress)
  say "testing${long:+ with the large counts}"
  rm -f "$dir/Testing/Temporary/LastTestsFailed.log"
  run_tests "${arguments[@]}" || try_again_over_grpc
}

run_tests() {
  MJ_TEST_LONG=$long MJ_BUILD_DIR=$dir ctest --test-dir "$dir" -j "$cores" --output-on-failure \
    --no-tests=error "$@"
}

# gRPC 1.51 aborts now and then inside its own reference counts when a connection is refused. In CI such a test gets
# a second try, which is seen in the output; any other, and more than three at once, has failed.
try_again_over_grpc() {
  local failed=$dir/Testing/Temporary/LastTestsFailed.log
  [[ -n ${CI:-} && -s $failed && $(wc -l <"$failed") -le 3 ]] || return 1
  ! grep -qvE ':([a-z]+_rpc|[a-z]+_peers|rpc|health|scoring|wallet|table|matchmaking|e2e|node|cli)\.' "$failed" || return 1
  say "once more, since gRPC may have failed and not we: $(paste -sd' ' "$failed")"
  run_tests --rerun-failed
}

command_up() {
  take_state "$@"
  set -- "${rest[@]}"
  local detach=no replicas='' secure=no
  while (($#)); do
    case $1 in
      -d) detach=yes ;;
      --secure) secure=yes ;;
      --replicas) replicas=$(replicas_of "${2:-}") || exit 2; shift ;;
      --replicas=*) replicas=$(replicas_of "${1#*=}") || exit 2 ;;
      *) misused "up: what is '$1'?" ;;
    esac
    shift
  done
  prepare_stack
  use_state "$stack_state"
  if stack_running; then
    [[ $secure == no ]] || is_secure || die "it runs already, without --secure: ./dev down first"
    say "it runs already"
    stack_print
    return 0
  fi
  stack_stop
  # shellcheck disable=SC2086
  stack_replicas $replicas
  [[ $detach == yes ]] || tied=yes
  stop_at_exit
  say "starting the stack"
  stack_start
  stack_print
  if [[ $detach == yes ]]; then
    trap - EXIT INT TERM HUP
    release_state
    note "./dev down stops it"
    return 0
  fi
  remember_pid supervisor $$
  release_state
  note "Ctrl-C, or ./dev down from elsewhere, stops it"
  wait -n || true
  local name
  for name in "${services[@]}"; do
    pid_of "$name" >/dev/null || complain "$name has ended by itself; its log is $state/$name.log"
  done
  exit 1
}

# replicas_of SERVICE=N,...: the same with blanks.
replicas_of() {
  local part wrong=
  for part in ${1//,/ }; do
    [[ $part =~ ^(scoring|wallet|table|matchmaking)=[1-9]$ ]] || wrong=yes
  done
  [[ -n $1 && -z $wrong ]] || misused "up: --replicas wants SERVICE=N,..., as table=2,matchmaking=2, 1 to 9; got '$1'"
  printf '%s' "${1//,/ }"
}

prepare_stack() {
  build_packages
  need_packages "${packages_database[@]}"
  need_npm_tools
  say "building the services"
  build dev "${stack_targets[@]}" "$@"
}

command_down() {
  take_state "$@"
  set -- "${rest[@]}"
  (($# == 0)) || misused "down: what is '$1'?"
  local folder
  if [[ -n $state_given ]]; then
    down_one "$stack_state"
  else
    for folder in "$stack_state" "$demo_state" "$example_state"; do down_one "$folder"; done
  fi
}

down_one() {
  [[ -d $1 ]] || return 0
  use_state "$1"
  local pid end
  if pid=$(pid_of supervisor); then
    kill -TERM "$pid" 2>/dev/null || true
    end=$(($(now_ms) + stop_limit_ms * 4))
    while pid_of supervisor >/dev/null && (($(now_ms) < end)); do sleep 0.05; done
  fi
  if anything_running; then
    stack_stop
    say "stopped the stack in $state"
  elif [[ -n $pid ]]; then
    say "stopped the stack in $state"
  else
    note "nothing runs in $state"
  fi
  release_state
}

command_demo() {
  local attach=no secure=no arguments=()
  take_state "$@"
  set -- "${rest[@]}"
  while (($#)); do
    case $1 in
      --attach) attach=yes; shift ;;
      --secure) secure=yes; shift ;;
      --variant | --rounds | --seed | --records)
        [[ -n ${2:-} ]] || misused "demo: $1 needs a value"
        arguments+=("$1" "$2"); shift 2 ;;
      --variant=?* | --rounds=?* | --seed=?* | --records=?*) arguments+=("${1%%=*}" "${1#*=}"); shift ;;
      *) misused "demo: what is '$1'?" ;;
    esac
  done
  prepare_stack mj-demo
  if [[ $attach == yes ]]; then
    use_state "$stack_state"
    stack_running || die "no stack runs in $state: start one with ./dev up"
    [[ $secure == no ]] || is_secure || die "the stack in $state asks nobody who it is: ./dev up --secure starts one that does"
    release_state
    export PGPASSFILE=$state/pgpass
  else
    fresh_stack "$demo_state"
  fi
  local flags
  mapfile -t flags < <(stack_arguments && { [[ $secure == no ]] || identity_arguments; })
  say "playing"
  play_and_exit "$build_dir/bin/mj-demo" "${flags[@]}" "${arguments[@]}"
}

# fresh_stack DIR [TABLES]: a stack with an empty database, at a quick pace, which ends with this shell.
fresh_stack() {
  use_state "$1"
  stack_stop
  stack_replicas "table=${2:-1}"
  tied=yes
  stop_at_exit
  remember_pid supervisor $$
  pg_destroy
  say "starting the stack"
  # Rounds at a pace for people would take minutes.
  export MJ_TABLE_SETTING=claim_pause_ms=20
  stack_start
  release_state
}

# play_and_exit COMMAND...: in the background, so that a signal reaches this shell meanwhile.
play_and_exit() {
  local status=0
  "$@" 9>&- &
  demo_pid=$!
  wait "$demo_pid" || status=$?
  demo_pid=
  exit "$status"
}

command_example() {
  take_state "$@"
  set -- "${rest[@]}"
  local arguments=() secure=no
  while (($#)); do
    case $1 in
      --secure) secure=yes; shift ;;
      --variant | --rounds)
        [[ -n ${2:-} ]] || misused "example: $1 needs a value"
        arguments+=("$1" "$2"); shift 2 ;;
      --variant=?* | --rounds=?*) arguments+=("${1%%=*}" "${1#*=}"); shift ;;
      *) misused "example: what is '$1'?" ;;
    esac
  done
  prepare_stack
  need_example_packages
  fresh_stack "$example_state" 2
  disown -a # or this shell tells of the process that is killed
  if [[ $secure == yes ]]; then arguments+=(--ca "$state/keys/ca.pem" --signing-key "$state/keys/signing.json"); fi
  say "playing"
  export MJ_PROTOS=$root/protos
  play_and_exit node "$example_dir/main.js" --wallet "$(address_of wallet)" \
    --matchmaking "$(address_of matchmaking)" --table "$(addresses_of table)" \
    --disturb "bash '$root/tools/dev/kill_holder.sh' '$state'" "${arguments[@]}"
}

# with_database COMMAND...: runs it with $state's database up, started for it if need be.
with_database() {
  local started=no status=0
  if ! pg_running; then
    pg_start
    started=yes
  fi
  release_state
  export PGPASSFILE=$state/pgpass
  # The program deals with Ctrl-C as it likes; the database is stopped after it in any case.
  trap : INT
  [[ $started == no ]] || trap 'pg_stop' EXIT
  "$@" 9>&- || status=$?
  exit "$status"
}

# choose_database: the running stack's, else the one that the last demo left, else what `up` left.
choose_database() {
  local folder
  for folder in "$stack_state" "$demo_state"; do
    [[ -d $folder ]] || continue
    use_state "$folder"
    if stack_running; then return 0; fi
  done
  for folder in "$demo_state" "$stack_state"; do
    [[ -d $folder ]] || continue
    use_state "$folder"
    if pg_exists; then return 0; fi
  done
  return 1
}

command_psql() {
  take_state "$@"
  set -- "${rest[@]}"
  need_packages "${packages_database[@]}"
  choose_database || die "there is no database yet: ./dev demo or ./dev up makes one"
  with_database run_psql "$@"
}

# Without a user in the URL, which would take precedence over -U.
run_psql() { PGUSER=$postgres_user "$postgres_bin/psql" "postgresql://$(pg_place)" "$@"; }

command_ctl() {
  take_state "$@"
  set -- "${rest[@]}"
  build_packages
  build dev mahjongctl
  case ${1:-} in
    # These need no stack, or name the service they ask by --target.
    '' | -* | score | round | tournament | variants | verify | replay | completion | keys) exec "$build_dir/bin/mahjongctl" "$@" ;;
  esac
  need_packages "${packages_database[@]}"
  choose_database || die "there is no database yet: ./dev demo or ./dev up makes one"
  with_database run_ctl "$@"
}

command_load() {
  take_state "$@"
  build_packages
  build dev mj-load
  use_state "$stack_state"
  stack_running || die "no stack runs in $state: start one with ./dev up"
  release_state
  local flags
  mapfile -t flags < <(load_arguments)
  exec "$build_dir/bin/mj-load" "${flags[@]}" "${rest[@]}"
}

# load_arguments: mj-load's flags for the running stack, one per line. Each run's players are new ones.
# roll [--players N]: each process ends and starts anew while players come and go. Its last line is the verdict.
command_roll() {
  take_state "$@"
  set -- "${rest[@]}"
  local players=80
  while (($#)); do
    case $1 in
      --players) players=${2:-}; shift ;;
      --players=?*) players=${1#*=} ;;
      *) misused "roll: what is '$1'?" ;;
    esac
    shift
  done
  [[ $players =~ ^[1-9][0-9]{0,4}$ ]] && ((players % 16 == 0)) || misused "roll: --players wants a multiple of 16, got '$players'"
  prepare_stack
  use_state "$stack_state"
  stack_running || die "no stack runs in $state: start one with ./dev up -d --replicas scoring=2,wallet=2,table=2,matchmaking=2"
  export PGPASSFILE=$state/pgpass
  # Once: every process comes back to its address, which is in no file meanwhile.
  ctl_addresses
  MJ_CTL_DATABASE=$(pg_url wallet_auditor)
  export MJ_CTL_DATABASE
  local name t game crowds=()
  rm -rf "$state/roll"
  mkdir "$state/roll"
  for game in chaozhou guangdong shaoguan jieyang; do
    roll_crowds "$((players / 4))" "$game" 9>&- &
    crowds+=("$!")
  done
  trap ': >"$state/roll/over"; kill -TERM "${crowds[@]}" 2>/dev/null' EXIT
  for name in "${services[@]}"; do
    # For as long as it takes an upgrade on a cluster to go on to the next one, at least.
    sleep 2
    t=$(now_ms)
    service_restart "$name"
    printf '%-15s restarted in %5d ms\n' "$name" "$(($(now_ms) - t))"
  done
  : >"$state/roll/over"
  wait "${crowds[@]}" || true
  trap - EXIT
  release_state
  local runs=("$state"/roll/*.ok) failed=("$state"/roll/*.failed)
  [[ -e ${runs[0]} ]] || runs=()
  [[ -e ${failed[0]} ]] || failed=()
  for name in "${failed[@]}"; do complain "${name##*/}:"; tail -n 20 "$name" >&2; done
  printf '%-15s %d crowds of %d players came, %d at a time, one in each game\n' meanwhile "$((${#runs[@]} + ${#failed[@]}))" "$((players / 4))" 4
  ((${#failed[@]} == 0 && ${#runs[@]} > 0)) || die "${#failed[@]} crowds lost something; what they said is in $state/roll"
  printf 'OK: everybody was seated once, every round was closed, the books balance\n'
}

# roll_crowds PLAYERS GAME: crowds one after the other until the file over is there; each leaves GAME-NUMBER.ok or
# GAME-NUMBER.failed with what it said.
roll_crowds() {
  local number=0 said
  until [[ -e $state/roll/over ]]; do
    said=$state/roll/$2-$number
    if "$build_dir/bin/mahjongctl" queue --players "$1" --over-seconds 3 --variant "$2" >"$said" 2>&1; then mv "$said" "$said.ok"; else mv "$said" "$said.failed"; fi
    number=$((number + 1))
  done
}

load_arguments() {
  local name
  printf -- '--wallet-address\n%s\n--table-address\n%s\n' "$(target_of wallet)" "$(target_of table)"
  printf -- '--prefix\nload-%s\n' "$(now_ms)"
  if is_secure; then identity_arguments; fi
  for name in "${services[@]}"; do printf -- '--process\n%s=%s\n' "$name" "$(pid_of "$name")"; done
}

# The database, and the addresses of a running stack, are in the environment as mahjongctl's flags are:
# MJ_CTL_DATABASE, MJ_CTL_WALLET_ADDRESS, ….
run_ctl() {
  ctl_addresses
  # What only reads cannot write, whatever is wrong with it; a day is sealed as the wallet would.
  local role=wallet_auditor
  [[ " $* " != *" --seal"[\ =]* ]] || role=wallet_service
  [[ " $* " != *" --collusion "* ]] || role=fair_play_auditor
  MJ_CTL_DATABASE=$(pg_url "$role") "$build_dir/bin/mahjongctl" "$@"
}

# ctl_addresses: exports where mahjongctl finds the running stack, if one runs, and who it is there.
ctl_addresses() {
  local name
  if stack_running; then
    for name in scoring wallet table; do export "MJ_CTL_${name^^}_ADDRESS=$(target_of "$name")"; done
    MJ_CTL_MATCHMAKING_ADDRESS=$(addresses_of matchmaking)
    export MJ_CTL_MATCHMAKING_ADDRESS
    if is_secure && [[ -z ${MJ_CTL_TOKEN_FILE:-} ]]; then
      export MJ_CTL_CA=${MJ_CTL_CA-$state/keys/ca.pem} MJ_CTL_SIGNING_KEY=${MJ_CTL_SIGNING_KEY-$state/keys/signing.json}
    fi
  fi
}
