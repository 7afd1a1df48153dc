#!/usr/bin/env bash
# Measures the all-in-one container from `docker run` on an empty volume to the end of the main job, with the commands of docs/operations/docker.md.
# Prints the seconds at which each part ended. docs/contribute/benchmarks.md has results.
#
#   deploy/containers/time.sh [IMAGE]
set -euo pipefail
docker=${DOCKER:-docker}
image=${1:-waft-all-in-one:local}
name=waft-time-$$
trap '"$docker" rm --force --volumes "$name" >/dev/null' EXIT

began=$(date +%s%N)
# ended PART prints the seconds since the beginning.
ended() {
  local past=$((($(date +%s%N) - began) / 100000000))
  printf '%3d.%d s  %s\n' $((past / 10)) $((past % 10)) "$1"
}

"$docker" run --detach --name "$name" "$image" >/dev/null
ended "the container runs"
until "$docker" logs "$name" 2>&1 | grep -q 'first account'; do
  [ "$("$docker" inspect --format '{{.State.Running}}' "$name")" = true ] || { "$docker" logs "$name" >&2; exit 1; }
  sleep 0.2
done
ended "the setup link is printed"
"$docker" exec "$name" devstack run -- waft demo-project --env-file /tmp/demo.env >/dev/null
ended "the project exists"
"$docker" exec "$name" sh -c '. /tmp/demo.env; export WAFT_URL WAFT_PROJECT WAFT_API_KEY; waft demo --fast' |
  while read -r line; do
    case $line in
      *\ [123].\ * | *✗* | *expectations\ were\ met*) ended "${line#* }" ;;
    esac
  done
