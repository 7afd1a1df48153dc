#!/usr/bin/env bash
# Runs every fuzz target of both modules for a time each:
#
#   tools/fuzz.sh 10s
set -euo pipefail
cd "$(dirname "$0")/.."
for module in . devstack; do
  (
    cd "$module"
    find . \( -name node_modules -o -path ./devstack \) -prune -o -name '*_test.go' -print0 |
      xargs -0 grep -HoE '^func Fuzz\w+' | sed -E 's|/[^/]+:func | |' | while read -r package target; do
      echo "== $module/${package#./} $target"
      go test "$package" -run '^$' -fuzz "^$target\$" -fuzztime "$1" </dev/null
    done
  )
done
