# shellcheck shell=bash
# Configure and build. ./dev builds as CI does, warnings as errors; MJ_WERROR=OFF relaxes it. In the
# release preset they stay warnings: what g++ 12 says of -O2 code is often about the standard library.

# build [PRESET:=dev] [TARGET...]: progress on stderr. MJ_NO_BUILD=1: the programs are taken as they are.
build() {
  [[ -z ${MJ_NO_BUILD:-} ]] || return 0
  local preset=${1:-dev} dir=$build_dir
  shift || true
  [[ $preset == dev ]] || dir=$root/build/$preset
  configure "$preset" "$dir"
  local t
  t=$(now_ms)
  NINJA_STATUS='  [%f/%t] ' cmake --build "$dir" -j "$cores" ${@:+--target "$@"} </dev/null >&2 ||
    die "the build failed (preset $preset)"
  t=$(($(now_ms) - t))
  ((t < 3000)) || note "built in $((t / 1000)) s"
}

# Ninja itself notices changed CMake files, so configuring is for a new folder or other options.
configure() {
  local preset=$1 dir=$2 werror=${MJ_WERROR:-ON} stamp=$2/configured
  [[ -z ${CI:-} ]] || werror=ON
  [[ $preset != release ]] || werror=OFF
  if [[ -f $dir/build.ninja && $stamp -nt $root/CMakePresets.json && $(<"$stamp") == "$werror" ]]; then
    return 0
  fi
  say "configuring ($preset)"
  mkdir -p "$dir"
  if ! (cd "$root" && cmake --preset "$preset" -B "$dir" -DMJ_WERROR="$werror") </dev/null >"$dir/configure.log" 2>&1; then
    cat "$dir/configure.log" >&2
    die "cmake could not configure $dir"
  fi
  printf '%s' "$werror" >"$stamp"
}

build_packages() {
  local packages=("${packages_build[@]}")
  [[ ${1:-} != tsan ]] || packages+=(clang-19 lld-19 libclang-rt-19-dev)
  need_packages "${packages[@]}"
  need_node
}
