#!/usr/bin/env bash
# Fails when a Go test asserts speed: when a line of a test calls Less, LessOrEqual, Lessf or LessOrEqualf and has
# `time.`, or a name with elapsed, took or since. A busy machine fails such a test. Wait for the event with a generous
# limit instead, and measure durations in bench/, beside a baseline of the same run.
set -euo pipefail
cd "$(git rev-parse --show-toplevel)"

calls='\b(Less|LessOrEqual)f?\('
durations='time\.|[Ee][Ll][Aa][Pp][Ss][Ee][Dd]|[Tt][Oo][Oo][Kk]|[Ss][Ii][Nn][Cc][Ee]'

found=$(git grep -nE "$calls.*($durations)|($durations).*$calls" -- '*_test.go') || [ $? -eq 1 ]
if [ -n "$found" ]; then
  printf '%s\n' "$found"
  echo "these lines of tests assert speed; see tools/lint/speed.sh" >&2
  exit 1
fi
