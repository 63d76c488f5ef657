#!/usr/bin/env bash
# kill_holder.sh STATE ADDRESS: kills the process of the table service that serves at ADDRESS in the stack of
# the state folder, without a warning, as a machine that fails does.
set -euo pipefail
for file in "$1"/table*.address; do
  [[ $(<"$file") == "$2" ]] || continue
  read -r pid _ <"${file%.address}.pid"
  kill -KILL "$pid"
  name=${file##*/}
  printf '    process %s of the table service (%s) is killed\n' "$pid" "${name%.address}"
  exit 0
done
printf 'kill_holder.sh: nothing serves at %s in %s\n' "$2" "$1" >&2
exit 1
