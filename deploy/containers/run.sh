#!/usr/bin/env bash
# Plays Waft in containers: builds both images from this machine's Go, and runs the tests of this folder, in a Docker daemon of its own
# unless DOCKER_HOST names one. `make image-test` runs it. Elsewhere than as root on Debian it is left out.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tools/debian.sh

if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null || [ "$(uname -m)" != x86_64 ]; then
  echo "LEFT OUT: the tests of the container images need root on Debian x86_64, to start a Docker daemon and to make a Debian root" >&2
  exit 0
fi
[ -x /usr/sbin/dockerd ] && [ -x /usr/bin/docker ] || install docker.io
found docker-compose >/dev/null || install docker-compose
if ! [ -x /usr/sbin/dockerd ] || ! [ -x /usr/bin/docker ] || ! found docker-compose >/dev/null; then
  echo "LEFT OUT: the tests of the container images need Debian's packages docker.io and docker-compose, which could not be installed" >&2
  exit 0
fi
# A newer client elsewhere on the PATH may lack what this daemon's has.
export DOCKER=/usr/bin/docker

if [ -z "${DOCKER_HOST:-}" ]; then
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
  /usr/sbin/dockerd --config-file "$place/daemon.json" > build/dockerd.log 2>&1 &
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
go test -vet=off -count=1 -tags containers -timeout "${TIMEOUT:-8m}" -v "$@" ./deploy/containers
