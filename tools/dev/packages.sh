# shellcheck shell=bash
# Debian packages and npm tools: looked for first, installed only when missing.

# What compiling, linking and ctest need.
packages_build=(
  g++ cmake ninja-build pkg-config ccache mold
  libgrpc++-dev protobuf-compiler protobuf-compiler-grpc libprotobuf-dev grpc-proto
  libabsl-dev libpqxx-dev libpq-dev prometheus-cpp-dev libcurl4-openssl-dev
  libspdlog-dev libfmt-dev libcli11-dev nlohmann-json3-dev libsodium-dev libssl-dev libcpp-jwt-dev
  libzstd-dev
  libgtest-dev libgmock-dev libbenchmark-dev
)
# A private PostgreSQL; nothing here ever uses the system's own cluster.
packages_database=(postgresql-15)
# promtool. Nothing here asks the Prometheus that comes with it.
packages_deploy=(prometheus)
# A browser without a window, for the page of a recorded round.
packages_browser=(chromium-headless-shell)
# A terminal without a window, for the game that a person plays at one.
packages_terminal=(tmux)
# What images are made with: strip, and the time zones of the image of PostgreSQL. Of the rest each has what it needs.
packages_image=(postgresql-15 postgresql-client-15 binutils dash coreutils tzdata)
packages_lint=(clang-format-19 clang-tidy-19 git)

# need_packages PACKAGE...: installs those that are missing, as root or through sudo.
# Without either it prints them and exits 2.
need_packages() {
  if ! command -v dpkg-query >/dev/null; then
    complain "this is no Debian machine; what is needed there is called: $*"
    exit 2
  fi
  local installed missing=() package
  installed=$(dpkg-query -W -f='|${Package}=${db:Status-Status}|' "$@" 2>/dev/null || true)
  for package in "$@"; do
    [[ $installed == *"|$package=installed|"* ]] || missing+=("$package")
  done
  ((${#missing[@]})) || return 0

  local as_root=(env DEBIAN_FRONTEND=noninteractive)
  if ((EUID != 0)); then
    if ! may_sudo; then
      complain "these Debian packages are missing, and there is no right to install them:"
      printf '    apt-get install --no-install-recommends %s\n' "${missing[*]}" >&2
      exit 2
    fi
    as_root=(sudo "${as_root[@]}")
  fi
  say "installing Debian packages: ${missing[*]}"
  local options=(-q -o DPkg::Lock::Timeout=300)
  "${as_root[@]}" apt-get "${options[@]}" update </dev/null >&2 ||
    note "apt-get update failed; trying with the lists at hand"
  "${as_root[@]}" apt-get "${options[@]}" -y --no-install-recommends install "${missing[@]}" \
    </dev/null >&2 || die "apt-get could not install: ${missing[*]}"
}

# want_packages WITHOUT PACKAGE...: the same; where they cannot be had, says WITHOUT and goes on.
want_packages() {
  local without=$1
  shift
  (need_packages "$@") || note "$without: there is no $*"
}

# May we become root? Asks for a password only where there is someone to type it.
may_sudo() {
  command -v sudo >/dev/null || return 1
  sudo -n true 2>/dev/null && return 0
  [[ -t 0 && -t 2 ]] && sudo -v >&2
}

# need_node: node and npm, whoever's they are, if new enough; else Debian's.
need_node() {
  local major
  major=$(node -p 'process.versions.node.split(".")[0]' 2>/dev/null || echo 0)
  ((major >= 18)) && command -v npm >/dev/null || need_packages nodejs npm
}

# need_npm_tools: buf, dbmate and the Node client in node_modules, as the lock file pins them.
need_npm_tools() {
  need_node
  # npm writes node_modules/.package-lock.json last, so it stands for a complete install.
  local done=$root/node_modules/.package-lock.json
  [[ $done -nt $root/package-lock.json ]] && return 0
  say "installing npm tools (npm ci)"
  # No tool of ours needs its install script: the binaries ship inside the packages.
  (cd "$root" && npm ci --ignore-scripts --loglevel=error </dev/null >&2) || die "npm ci failed"
  touch "$done"
}

# need_example_packages: what the Node client is made of, in its own node_modules, as its own lock file says.
need_example_packages() {
  need_node
  local done=$example_dir/node_modules/.package-lock.json
  [[ $done -nt $example_dir/package-lock.json ]] && return 0
  say "installing the example's packages (npm ci)"
  (cd "$example_dir" && npm ci --ignore-scripts --prefer-offline --loglevel=error </dev/null >&2) ||
    die "npm ci failed in $example_dir"
  touch "$done"
}

# npm_tool NAME: the path of a tool's own binary, past its Node wrapper where there is one.
npm_tool() {
  local binary
  for binary in "$root"/node_modules/@{dbmate/*,bufbuild/buf-*}/bin/"$1"; do
    [[ -x $binary ]] && { printf '%s' "$binary"; return; }
  done
  printf '%s' "$root/node_modules/.bin/$1"
}
