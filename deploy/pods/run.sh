#!/usr/bin/env bash
# Runs the pods of the Helm chart in Podman, against engines of their own. `make pod-test` runs it. Elsewhere than as root on Debian it is
# left out.
set -euo pipefail
cd "$(dirname "$0")/../.."
. tools/debian.sh

if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
  echo "LEFT OUT: the tests of the chart's pods need root on Debian, to run pods in Podman" >&2
  exit 0
fi
for program in podman runc catatonit; do
  found "$program" >/dev/null || install podman runc catatonit
  found "$program" >/dev/null || { echo "the tests of the chart's pods need $program: apt-get install podman runc catatonit" >&2; exit 1; }
done

place=$(mktemp -d /tmp/waft-pods-XXXXXX)
# Limits that most machines permit. cgroups are made by the runtime, because systemd may not run.
cat > "$place/containers.conf" <<CONF
[containers]
base_hosts_file = "$place/hosts"
log_driver = "k8s-file"
default_ulimits = ["nofile=10000:10000", "nproc=20000:20000"]
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
CONF
cat > "$place/storage.conf" <<CONF
[storage]
driver = "vfs"
graphroot = "$place/graph"
runroot = "$place/run"
CONF
# The names of engines in the values of the set small, and the name of the API's pod. In each pod, the tests listen at their ports.
echo "127.0.0.1 localhost temporal-frontend.temporal objects.storage waft-api-0.waft-api" > "$place/hosts"
export CONTAINERS_CONF=$place/containers.conf CONTAINERS_STORAGE_CONF=$place/storage.conf
# The trap deletes everything, so it must not be another storage, such as that of the machine that CONTAINER_HOST names.
if [ "$(podman info --format '{{.Store.GraphRoot}}')" != "$place/graph" ]; then
  echo "podman does not use the settings of this script: unset CONTAINER_HOST" >&2
  exit 1
fi
trap 'podman pod rm --all --force --time 0 >/dev/null; podman volume rm --all --force >/dev/null; podman rmi --all --force >/dev/null; rm -rf "$place"' EXIT

# The drivers of Google's and Azure's buckets take a minute to compile, and nothing here uses them.
TAGS= DOCKER=podman deploy/image.sh waft > build/image-pods.log 2>&1 || { tail -n 30 build/image-pods.log >&2; exit 1; }
bin/devstack exec -- go test -vet=off -count=1 -tags containers -timeout 8m -v "$@" ./deploy/pods
