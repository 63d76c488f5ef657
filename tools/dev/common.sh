# shellcheck shell=bash
# What every command of ./dev uses: where things are, and how to speak.
# A program's own output is the only thing on stdout; all that is said here goes to stderr.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
build_dir=${MJ_BUILD_DIR:-$root/build/dev}
cores=$(nproc 2>/dev/null || echo 2)

if [[ -t 2 && -z ${NO_COLOR:-} ]]; then
  bold=$'\e[1m' dim=$'\e[2m' red=$'\e[31m' plain=$'\e[0m'
else
  bold='' dim='' red='' plain=''
fi

say() { printf '%s\n' "${bold}▸${plain} $*" >&2; }
note() { printf '%s\n' "${dim}  $*${plain}" >&2; }
complain() { printf '%s\n' "${red}✗${plain} $*" >&2; }

# die MESSAGE: something went wrong. misused MESSAGE: the command line is wrong.
die() { complain "$*"; exit 1; }
misused() { complain "$*"; printf '  see: ./dev help\n' >&2; exit 2; }

# now_ms: milliseconds since the epoch, without starting a process.
now_ms() { local t=${EPOCHREALTIME/[.,]/}; printf '%s' "$((t / 1000))"; }
