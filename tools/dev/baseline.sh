#!/usr/bin/env bash
# Writes protos/baseline.binpb anew: what `./dev lint` holds the protos to. Refuses while they break the present one;
# --break takes a change of what was promised, which CONTRIBUTING allows for what was in no release.
set -euo pipefail

parts=$(dirname "${BASH_SOURCE[0]}")
for part in common packages; do
  # shellcheck source=/dev/null
  source "$parts/$part.sh"
done

case ${1:-} in
  '') broken=no ;;
  --break) broken=yes ;;
  *) complain "baseline.sh: what is '$1'?"; exit 2 ;;
esac
need_npm_tools
cd "$root"
buf=$(npm_tool buf)
if [[ $broken == no && -e protos/baseline.binpb ]]; then
  "$buf" breaking --against protos/baseline.binpb >&2 || die 'the protos break what was promised: the baseline stays'
fi
# Comments are no promise, and would change the file with every word.
"$buf" build --exclude-source-info -o protos/baseline.binpb
say 'protos/baseline.binpb is what the protos say now'
