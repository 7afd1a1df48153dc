#!/usr/bin/env bash
# Runs `make test` until N runs of this commit are recorded, each in a random order of its own, without reruns, and beside a loop
# that keeps one processor busy. Then it prints what failed how often. A run that was interrupted does not count.
#
#   soak.sh N
set -euo pipefail
cd "$(dirname "$0")/.."
wanted=$1
if [ -n "$(git status --porcelain)" ]; then
	echo "soak.sh: commit your changes first: runs are recorded for each commit" >&2
	exit 1
fi
runs=$PWD/build/soak/$(git rev-parse HEAD)
mkdir -p "$runs"

(while :; do :; done) &
busy=$!
trap 'kill "$busy" 2>/dev/null || true' EXIT

for ((i = 1; i <= wanted; i++)); do
	run=$runs/$i
	if [ -f "$run/status" ]; then continue; fi
	rm -rf "$run"
	mkdir -p "$run/results"
	seed=$((RANDOM * 32768 + RANDOM + 1))
	echo "run $i of $wanted: SHUFFLE=$seed; the output is in $run/log"
	status=0
	began=$SECONDS
	WAFT_TEST_SCALE=5 make --no-print-directory test SHORT= RERUNS=0 SHUFFLE="$seed" RESULTS="$run/results" >"$run/log" 2>&1 || status=$?
	echo "run $i: exit $status after $((SECONDS - began)) s: $(tail -n 1 "$run/log")"
	echo "$status" >"$run/status"
done

bin/suite table $(seq -f "$runs/%g/results" "$wanted")
for ((i = 1; i <= wanted; i++)); do
	if [ "$(cat "$runs/$i/status")" != 0 ]; then
		echo "soak.sh: not every run was green; the logs are in $runs" >&2
		exit 1
	fi
done
