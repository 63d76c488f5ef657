# shellcheck shell=bash
# lint and fmt. Every check runs; the command fails at the end if one of them did.

command_fmt() {
  need_packages "${packages_lint[@]}"
  need_npm_tools
  cd "$root" || exit
  cpp_sources | xargs -0r clang-format-19 -i
  "$(npm_tool buf)" format -w protos >&2
}

command_lint() {
  local every=no
  case ${1:-} in
    --all) every=yes; shift ;;
  esac
  (($# == 0)) || misused "lint: what is '$1'?"
  build_packages
  need_packages "${packages_lint[@]}"
  need_npm_tools
  cd "$root" || exit
  local failed=()
  lint_one 'C++ format' lint_format
  lint_one 'protos' lint_protos
  lint_one 'promises' lint_breaking
  lint_one 'shell' lint_shell
  lint_one 'lock files' lint_lock
  lint_one 'left-overs' lint_leftovers
  lint_one 'clang-tidy' lint_tidy "$every"
  if ((${#failed[@]})); then
    complain "lint: $(printf '%s, ' "${failed[@]}" | sed 's/, $//')"
    return 1
  fi
  say "lint: nothing to complain about"
}

# lint_one WHAT FUNCTION ARGUMENTS...: what it prints is what it found.
lint_one() {
  local what=$1
  shift
  say "$what"
  "$@" >&2 || failed+=("$what")
}

cpp_sources() { git ls-files -z --cached --others --exclude-standard -- '*.cc' '*.h'; }

# Names each file that differs, with its first line that does.
lint_format() {
  local bad
  bad=$(cpp_sources | xargs -0r clang-format-19 --dry-run -Werror 2>&1 |
    sed -n 's/^\([^ ]*:[0-9]*\):[0-9]*: error:.*/  \1/p' | sort -u -t: -k1,1)
  [[ -n $bad ]] || return 0
  printf '%s\n  cure: ./dev fmt\n' "$bad"
  return 1
}

lint_protos() {
  local buf
  buf=$(npm_tool buf)
  "$buf" lint && "$buf" format -d --exit-code || { echo '  cure for the format: ./dev fmt'; false; }
}

# What the last release promised: names, numbers, types. CONTRIBUTING says when the baseline may be renewed.
lint_breaking() {
  "$(npm_tool buf)" breaking --against protos/baseline.binpb ||
    { echo '  cure: leave what was there as it was, and add beside it (CONTRIBUTING: what is stored or sent)'; false; }
}

lint_shell() {
  local file bad=0
  while IFS= read -r -d '' file; do
    bash -n "$file" || bad=1
  done < <(git ls-files -z --cached --others --exclude-standard -- dev .ci/run '*.sh')
  return "$bad"
}

# The lock files install from whatever registry a machine is set up with: they name no host.
lint_lock() {
  if git ls-files -z --cached --others --exclude-standard -- '*package-lock.json' |
    xargs -0r grep -nE '://|"resolved"'; then
    echo '  cure: tools/dev/lock.sh writes the lock files without hosts'
    return 1
  fi
}

lint_leftovers() {
  if git grep --untracked -nIwE 'FIXM[E]' -- . ':!*package-lock.json' ':!tests/tidy'; then
    echo '  cure: mend it, or say in an issue what is to be done'
    return 1
  fi
}

# The changed files against the branch's base (in CI, where that is the commit itself, its parent), or all.
lint_tidy() {
  local files=() limit=0 left=0
  mapfile -t files < <(tidy_candidates "$1")
  if [[ -n ${CI:-} && $1 == no ]]; then limit=16; fi
  if ((limit && ${#files[@]} > limit)); then
    left=$((${#files[@]} - limit))
    files=("${files[@]:0:limit}")
  fi
  ((${#files[@]})) || { note 'no C++ file has changed'; return 0; }
  configure dev "$build_dir"
  # Its includes have to exist; the build needs them anyway.
  build dev mj_protos
  note "${#files[@]} files$( ((left)) && echo ", $left more left out (./dev lint --all looks at every file)")"
  printf '%s\0' "${files[@]}" |
    xargs -0 -n 1 -P "$cores" clang-tidy-19 --quiet --extra-arg=-Wno-error -p "$build_dir" 2> >(grep -vE '^[0-9]+ warnings? (generated|treated)' >&2)
}

# Prints the files that clang-tidy looks at: those that the build compiles, the latest changed first.
tidy_candidates() {
  local base
  if [[ $1 == yes ]]; then
    git ls-files -- '*.cc'
    return
  fi
  base=$(git merge-base HEAD origin/main 2>/dev/null || true)
  if [[ -z $base || $base == "$(git rev-parse HEAD)" ]]; then
    base=$(git rev-parse -q --verify HEAD~1 || true)
  fi
  { git diff --name-only --diff-filter=d ${base:+"$base"} -- '*.cc'
    git ls-files --others --exclude-standard -- '*.cc'; } | sort -u
}
