#!/usr/bin/env bash
# Prints the path of WebKit's driver, which one browser test uses. WEBKIT_DRIVER names another one. The driver's browser
# draws on Xvfb, because it does not run without a screen. Where one of them is missing, Debian's packages are
# installed when that works without a password.
set -euo pipefail
. "$(dirname "$0")/debian.sh"

ready() { command -v Xvfb >/dev/null && found "${WEBKIT_DRIVER:-}" WebKitWebDriver; }
ready && exit 0
install webkit2gtk-driver xvfb
ready && exit 0
echo "the browser tests need WebKit's driver and Xvfb: install them (on Debian: sudo apt-get install webkit2gtk-driver xvfb)," \
	"or install Xvfb and set WEBKIT_DRIVER to the path of the driver" >&2
exit 1
