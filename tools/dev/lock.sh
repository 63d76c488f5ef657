#!/usr/bin/env bash
# Writes package-lock.json anew from package.json, for every platform and without any host name.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
rm -f package-lock.json
# From the registry alone: with a node_modules at hand npm leaves other platforms' binaries out.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp package.json .npmrc "$scratch/"
(cd "$scratch" && npm install --package-lock-only --ignore-scripts --loglevel=error)
node -e '
  const fs = require("fs");
  const lock = JSON.parse(fs.readFileSync(process.argv[1], "utf8"));
  for (const entry of Object.values(lock.packages)) delete entry.funding;
  fs.writeFileSync("package-lock.json", JSON.stringify(lock, null, 2) + "\n");
' "$scratch/package-lock.json"
