#!/usr/bin/env bash
# Builds a container image with this machine's Go, without a registry. `make image` and `make image-all-in-one` run it.
#
#   deploy/image.sh waft                              # waft:local, the stage `compiled` of the Dockerfile
#   deploy/image.sh all-in-one                        # waft-all-in-one:local, with the engines; as root on Debian, linux/amd64 only
#   ARCH=arm64 TAG=waft:arm64 deploy/image.sh waft    # for the other architecture, which needs BuildKit
#
# DOCKER is the program to build with. VERSION is a release that the binaries are to name. TAGS are the build tags, by default those that
# add the bucket drivers of Google and Azure.
set -euo pipefail
cd "$(dirname "$0")/.."
docker=${DOCKER:-docker}
own=$(go env GOHOSTARCH)
arch=${ARCH:-$own}

# compile FOLDER builds static binaries.
compile() {
  CGO_ENABLED=0 GOOS=linux GOARCH=$arch go build -trimpath -tags="${TAGS-clouds}" -o "$1/" \
    -ldflags="-s -w -X github.com/waft-ota/waft/internal/base/version.released=${VERSION:-}" ./cmd/waftd ./cmd/waft
}

# context NAME makes an empty folder, with what both images begin with, and prints its path.
context() {
  local folder=build/image/$1
  rm -rf "$folder"
  install -d "$folder/rootfs/usr/local/bin" "$folder/rootfs/var/lib"
  install -d -m 1777 "$folder/rootfs/tmp"
  install -d -m 0750 "$folder/data"
  echo "$folder"
}

waft() {
  local folder
  folder=$(context "$arch")
  compile "$folder/rootfs/usr/local/bin"
  # The classic builder comes with every Docker, and builds for its own architecture only.
  local buildkit=0
  if [ "$arch" != "$own" ]; then buildkit=1; fi
  DOCKER_BUILDKIT=$buildkit "$docker" build --platform "linux/$arch" --tag "${TAG:-waft:local}" --target compiled --file Dockerfile "$folder"
}

all_in_one() {
  if [ "$arch" != amd64 ]; then
    echo "image.sh: the all-in-one image exists for amd64 only, because ClickHouse's library does" >&2
    exit 1
  fi
  tools/debian-root.sh build/debian-root
  local folder engines
  folder=$(context all-in-one)
  engines=$folder/rootfs/opt/waft
  compile "$folder/rootfs/usr/local/bin"
  install -d "$engines/bin"
  # A server of Temporal is compiled in, even where the Temporal CLI is installed.
  go -C devstack build -ldflags='-s -w' -o "$PWD/$engines/bin/" ./cmd/devstack
  WAFT_DEVSTACK_MODULES=$PWD/devstack/node_modules "$engines/bin/devstack" prepare
  install -d "$engines/node_modules"
  cp -a devstack/node_modules/. "$engines/node_modules/"
  tar --directory build/debian-root --create --file "$folder/debian.tar" --one-file-system \
    --exclude=./var/cache/apt/archives/*.deb --exclude=./var/lib/apt/lists/* --exclude=./usr/share/doc --exclude=./usr/share/locale \
    --exclude=./usr/share/man --exclude=./dev/* --exclude=./proc/* --exclude=./sys/* .
  DOCKER_BUILDKIT=0 "$docker" build --tag "${TAG:-waft-all-in-one:local}" --file deploy/all-in-one.Dockerfile "$folder"
}

case ${1:-} in
  waft) waft ;;
  all-in-one) all_in_one ;;
  *) echo "usage: deploy/image.sh waft|all-in-one" >&2; exit 2 ;;
esac
