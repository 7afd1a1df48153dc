#!/usr/bin/env bash
# Prints the folder of the programs prometheus and promtool, which the tests of alerts and dashboards run. PROMETHEUS names another folder.
# Where they are missing, Debian's package is unpacked into build/debian/prometheus.
set -euo pipefail
. "$(dirname "$0")/debian.sh"
debian=$(cd "$(dirname "$0")/.." && pwd)/build/debian/prometheus

ready() {
	local folder
	for folder in "${PROMETHEUS:-}" "$debian/usr/bin" "$(dirname "$(command -v prometheus || true)")"; do
		if [ -n "$folder" ] && [ -f "$folder/prometheus" ] && [ -x "$folder/promtool" ]; then
			echo "$folder"
			return 0
		fi
	done
	return 1
}
ready && exit 0
if command -v apt-get >/dev/null; then
	mkdir -p "$(dirname "$debian")"
	# The folder appears when it is complete, because several tests may unpack the package at the same time.
	unpacked=$(mktemp -d "$debian.XXXXXX")
	if unpack "$unpacked" prometheus; then mv -T "$unpacked" "$debian" 2>/dev/null || true; fi
	rm -rf "$unpacked"
fi
ready && exit 0
echo "the tests of alerts and dashboards need Prometheus with promtool: install it (on Debian: sudo apt-get install prometheus)," \
	"or set PROMETHEUS to the folder of the two programs" >&2
exit 1
