#!/usr/bin/env bash
# Prints the path of a Chromium for the browser tests. CHROMIUM names another one. Where
# there is none, Debian's package is installed when that needs no password.
set -euo pipefail

found() {
	for name in "${CHROMIUM:-}" chromium chromium-browser google-chrome; do
		if [ -n "$name" ] && command -v "$name"; then return 0; fi
	done
	return 1
}

found && exit 0
install() { DEBIAN_FRONTEND=noninteractive apt-get "$@" >&2; }
if command -v apt-get >/dev/null; then
	if [ "$(id -u)" = 0 ]; then
		install update -qq && install install -y -qq --no-install-recommends chromium
	elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
		sudo -n apt-get update -qq >&2 && sudo -n apt-get install -y -qq --no-install-recommends chromium >&2
	fi
fi
found && exit 0
echo "the browser tests need Chromium: install it (on Debian: sudo apt-get install chromium), or set CHROMIUM to its path" >&2
exit 1
