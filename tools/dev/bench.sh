# shellcheck shell=bash
# bench: a release build, every benchmark of the rooms, and what only a whole stack can show.

bench_starts=${MJ_BENCH_STARTS:-7}
bench_tables=${MJ_BENCH_TABLES:-500}
bench_seconds=${MJ_BENCH_SECONDS:-30}
bench_repetitions=${MJ_BENCH_REPETITIONS:-7}

command_bench() {
  (($# == 0)) || misused "bench: what is '$1'?"
  build_packages
  need_packages "${packages_database[@]}"
  need_npm_tools
  say "building (release)"
  build release mj_benches mj-bench-report mj-load "${stack_targets[@]}"
  build_dir=$root/build/release
  local out=$root/build/bench binary name
  rm -rf "$out"
  mkdir -p "$out"
  while IFS= read -r binary; do
    name=${binary##*/}
    say "$name"
    # Interleaved repetitions: whatever else the machine does meets ours and the reference alike.
    # From the top of the tree, where some read the golden cases; with the large counts.
    (cd "$root" && MJ_TEST_LONG=1 "$binary" --benchmark_out="$out/$name.json" --benchmark_out_format=json \
      --benchmark_repetitions="$bench_repetitions" --benchmark_enable_random_interleaving=true >&2)
  done < <(find "$build_dir" -name 'mj_*_bench' -type f -executable | sort)
  say "starting the stack $bench_starts times"
  bench_start "$out/start.json"
  say "$bench_tables tables at human pace"
  bench_tables_at_pace "$out/tables.json"
  "$build_dir/bin/mj-bench-report" --out "$out/report.json" "$out"/*.json
  note "as JSON: build/bench/report.json"
}

# Row P10: from the first service's exec until all four say SERVING, the schema in place; then what
# each keeps resident after a quiet second.
bench_start() {
  local name t starts=() rows=()
  use_state "$root/build/bench-stack"
  stack_stop
  tied=yes
  stop_at_exit
  pg_destroy
  pg_start
  pg_migrate
  while ((${#starts[@]} < bench_starts)); do
    t=$(now_ms)
    services_start
    starts+=("$(($(now_ms) - t))")
    ((${#starts[@]} == bench_starts)) || services_stop
  done
  sleep 1
  rows+=("$(bench_row 'four services, start until ready' ms 2000 "${starts[@]}")")
  for name in "${services[@]}"; do
    rows+=("$(bench_row "$name, resident when idle" MiB 40 "$(resident_mib "$(pid_of "$name")")")")
  done
  trap - EXIT INT TERM HUP
  stack_stop
  local IFS=,
  printf '{"rows": [%s]}\n' "${rows[*]}" >"$1"
}

# Row P8: live tables of bots that answer after 3 s, on a stack with durable commits. On the same machine as the bots
# and the database, so the table service's own processor time is what says how many a core bears.
bench_tables_at_pace() {
  local figures name rows=() flags
  use_state "$root/build/bench-stack"
  stack_stop
  tied=yes
  stop_at_exit
  stack_start
  mapfile -t flags < <(load_arguments)
  figures=$("$build_dir/bin/mj-load" "${flags[@]}" --tables "$bench_tables" --seconds "$bench_seconds" --json)
  printf '%s\n' "$figures" >&2
  rows+=("$(row=P8 bench_row "table service, of a core for 1,000 tables" permille 200 \
    $(($(figure table_core_permille) * 1000 / bench_tables)))")
  rows+=("$(row=P8 bench_row 'an action at the other seats, p50' us 3000 "$(figure heard_by_others_p50_us)")")
  rows+=("$(row=P8 bench_row 'an action at the other seats, p99' us 50000 "$(figure heard_by_others_p99_us)")")
  # 64 KiB, and 17 for each of four streams.
  rows+=("$(row=P8 bench_row 'table service, resident for a table' KiB 132 "$(figure table_kib_per_table)")")
  trap - EXIT INT TERM HUP
  stack_stop
  local IFS=,
  printf '{"rows": [%s]}\n' "${rows[*]}" >"$1"
}

# figure NAME: the number of that name in $figures.
figure() { sed -n "s/.*\"$1\": \(-\{0,1\}[0-9]*\).*/\1/p" <<<"$figures"; }

# bench_row WHAT UNIT AT_MOST VALUE...: of row $row
bench_row() {
  local what=$1 unit=$2 at_most=$3 IFS=,
  shift 3
  printf '{"row": "%s", "what": "%s", "unit": "%s", "values": [%s], "at_most": %s}' \
    "${row:-P10}" "$what" "$unit" "$*" "$at_most"
}

# resident_mib PID: VmRSS with one decimal.
resident_mib() {
  local key kib _
  while read -r key kib _; do
    if [[ $key == VmRSS: ]]; then
      printf '%d.%d' "$((kib / 1024))" "$((kib % 1024 * 10 / 1024))"
      return
    fi
  done <"/proc/$1/status"
}
