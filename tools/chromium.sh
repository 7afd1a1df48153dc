#!/usr/bin/env bash
# Prints the path of a Chromium for the browser tests. CHROMIUM names another one. The headless
# shell is taken first: it draws no windows, so tests take a quarter less processor time. Where it is
# missing, Debian's package is installed when that works without a password.
set -euo pipefail
. "$(dirname "$0")/debian.sh"

found "${CHROMIUM:-}" chromium-headless-shell && exit 0
install chromium-headless-shell
found chromium-headless-shell chromium chromium-browser google-chrome && exit 0
echo "the browser tests need Chromium: install it (on Debian: sudo apt-get install chromium-headless-shell), or set CHROMIUM to its path" >&2
exit 1
