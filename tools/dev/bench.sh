# shellcheck shell=bash
# bench: a release build, every benchmark of the rooms, and what only a whole stack can show.

bench_starts=${MJ_BENCH_STARTS:-7}
bench_repetitions=${MJ_BENCH_REPETITIONS:-7}

command_bench() {
  (($# == 0)) || misused "bench: what is '$1'?"
  build_packages
  need_packages "${packages_database[@]}"
  need_npm_tools
  say "building (release)"
  build release mj_benches mj-bench-report "${stack_targets[@]}"
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

# bench_row WHAT UNIT AT_MOST VALUE...
bench_row() {
  local what=$1 unit=$2 at_most=$3 IFS=,
  shift 3
  printf '{"row": "P10", "what": "%s", "unit": "%s", "values": [%s], "at_most": %s}' \
    "$what" "$unit" "$*" "$at_most"
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
