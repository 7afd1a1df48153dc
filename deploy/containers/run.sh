#!/usr/bin/env bash
# Plays Waft in containers: builds both images from this machine's Go, and runs the tests of this folder, in the Docker daemon that runs
# or that DOCKER_HOST names, otherwise in a daemon of its own. `make image-test` runs it. Elsewhere than as root on Debian it is left out.
# With WAFT_TEST_PARENT, the server of an earlier commit, it makes an image of that too, and runs the upgrade instead: `make upgrade-test`.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tools/debian.sh

if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null || [ "$(uname -m)" != x86_64 ]; then
  echo "LEFT OUT: the tests of the container images need root on Debian x86_64, to start a Docker daemon and to make a Debian root" >&2
  exit 0
fi
PATH=$PATH:/usr/sbin
# A machine may have the packages of Docker's makers, which Debian's would replace.
found docker >/dev/null && found dockerd >/dev/null || install docker.io
found docker-compose >/dev/null || install docker-compose
for program in docker dockerd docker-compose; do
  found "$program" >/dev/null || { echo "the tests of the container images need $program: apt-get install docker.io docker-compose" >&2; exit 1; }
done
# A newer client elsewhere on the PATH may lack what this daemon's has.
DOCKER=$(found /usr/bin/docker docker)
export DOCKER

# A second daemon would give addresses of the first one's network to its containers.
if [ -z "${DOCKER_HOST:-}" ] && ! "$DOCKER" version >/dev/null 2>&1; then
  place=$(mktemp -d /tmp/waft-docker-XXXXXX)
  data=$PWD/build/docker
  mkdir -p "$data"
  # Without rules of iptables, ports are published by Docker's proxy program, which needs no kernel modules.
  cat > "$place/daemon.json" <<JSON
{
  "iptables": false, "ip6tables": false,
  "data-root": "$data", "exec-root": "$place/exec", "pidfile": "$place/pid", "hosts": ["unix://$place/sock"],
  "default-ulimits": {
    "nofile": {"Name": "nofile", "Soft": 10000, "Hard": 10000},
    "nproc": {"Name": "nproc", "Soft": 20000, "Hard": 20000}
  }
}
JSON
  dockerd --config-file "$place/daemon.json" > build/dockerd.log 2>&1 &
  daemon=$!
  trap 'kill "$daemon" 2>/dev/null || true; wait "$daemon" || true; rm -rf "$place"' EXIT
  export DOCKER_HOST=unix://$place/sock
  until "$DOCKER" version >/dev/null 2>&1; do
    kill -0 "$daemon" 2>/dev/null || { echo "dockerd does not start:" >&2; tail -n 20 build/dockerd.log >&2; exit 1; }
    sleep 0.2
  done
fi

# The drivers of Google's and Azure's buckets take a minute to compile, and nothing here uses them.
for image in waft all-in-one; do
  TAGS= deploy/image.sh "$image" > "build/image-$image.log" 2>&1 || { tail -n 30 "build/image-$image.log" >&2; exit 1; }
done
# The engines of docker-compose.yml as the tests run them.
mkdir -p build/image/engines
cp bin/versitygw deploy/containers/testdata/engines.Dockerfile build/image/engines/
DOCKER_BUILDKIT=0 "$DOCKER" build --quiet --tag waft-engines:test --file build/image/engines/engines.Dockerfile build/image/engines >/dev/null
tags=containers
if [ -n "${WAFT_TEST_PARENT:-}" ]; then
  tags=containers,upgrade
  set -- -run '^TestAnUpgrade' "$@"
  mkdir -p build/image/before
  cp "$WAFT_TEST_PARENT" build/image/before/waftd
  printf 'FROM waft:local\nCOPY waftd /usr/local/bin/waftd\n' > build/image/before/Dockerfile
  DOCKER_BUILDKIT=0 "$DOCKER" build --quiet --tag waft:before build/image/before >/dev/null
fi
go test -vet=off -count=1 -tags "$tags" -timeout "${TIMEOUT:-8m}" -v "$@" ./deploy/containers
