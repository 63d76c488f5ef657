#!/usr/bin/env bash
# Writes each package-lock.json anew from its package.json, for every platform and without any host name.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for folder in . examples/node; do
  rm -rf "${scratch:?}"/* "$folder/package-lock.json"
  # From the registry alone: with a node_modules at hand npm leaves other platforms' binaries out.
  cp "$folder"/package.json "$folder"/.npmrc "$scratch/"
  (cd "$scratch" && npm install --package-lock-only --ignore-scripts --loglevel=error)
  node -e '
    const fs = require("fs");
    const lock = JSON.parse(fs.readFileSync(process.argv[1], "utf8"));
    for (const entry of Object.values(lock.packages)) delete entry.funding;
    fs.writeFileSync(process.argv[2], JSON.stringify(lock, null, 2) + "\n");
  ' "$scratch/package-lock.json" "$folder/package-lock.json"
done
