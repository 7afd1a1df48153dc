#!/usr/bin/env bash
# Makes a Debian root filesystem of the machine's release with debootstrap: debian-root.sh FOLDER PACKAGE…
# It has Debian's required packages and the named ones. A folder that has them already stays as it is. Only root may make one.
set -euo pipefail
. "$(dirname "$0")/debian.sh"

folder=$1
shift
packages=$(IFS=,; echo "$*")
stamp=$folder.packages
if [ -d "$folder" ] && [ "$(cat "$stamp" 2>/dev/null)" = "$packages" ]; then exit 0; fi

found debootstrap >/dev/null || install debootstrap
found debootstrap >/dev/null || { echo "a Debian root needs debootstrap: apt-get install debootstrap" >&2; exit 1; }
release=$(. /etc/os-release && echo "${VERSION_CODENAME:-stable}")
downloads=$(dirname "$folder")/debian-downloads
mkdir -p "$downloads"
rm -rf "$folder" "$folder.new" "$stamp"
debootstrap --variant=minbase --cache-dir="$(realpath "$downloads")" ${packages:+--include="$packages"} "$release" "$folder.new" >"$folder.log" || {
	tail -n 20 "$folder.log" >&2
	exit 1
}
mv "$folder.new" "$folder"
printf %s "$packages" >"$stamp"
