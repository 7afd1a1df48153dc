#!/usr/bin/env bash
# Prints the path of a folder with nginx, haproxy and caddy, which the test of deploy/proxies runs. A program that this machine
# lacks comes from its Debian package, which is unpacked into build/debian and not installed.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/debian.sh
export PATH="$PATH:/usr/sbin"

unpacked=$PWD/build/debian
mkdir -p "$unpacked/programs"
missing=()
for name in nginx haproxy caddy; do
	if [ -x "$unpacked/programs/$name" ]; then
		continue
	elif path=$(found "$name"); then
		ln -sf "$path" "$unpacked/programs/$name"
	else
		missing+=("$name")
	fi
done
if [ ${#missing[@]} -gt 0 ]; then
	if ! command -v apt-get >/dev/null; then
		echo "the test of proxies needs ${missing[*]}: install them, or run the test on Debian" >&2
		exit 1
	fi
	unpack "$unpacked" "${missing[@]}"
	libraries=$(echo "$unpacked"/usr/lib/*-linux-gnu*)
	for name in "${missing[@]}"; do
		path=$(find "$unpacked/usr/sbin" "$unpacked/usr/bin" -name "$name" | head -n 1)
		printf '#!/bin/sh\nLD_LIBRARY_PATH=%q exec %q "$@"\n' "$libraries" "$path" >"$unpacked/programs/$name"
		chmod +x "$unpacked/programs/$name"
	done
fi
echo "$unpacked/programs"
