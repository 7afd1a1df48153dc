# Functions of the scripts that find programs for tests, which source this file.

# found NAME… prints the path of the first program that exists.
found() {
	for name in "$@"; do
		if [ -n "$name" ] && command -v "$name"; then return 0; fi
	done
	return 1
}

# install PACKAGE… installs Debian packages where that works without a password.
install() {
	command -v apt-get >/dev/null || return 0
	local as=()
	if [ "$(id -u)" = 0 ]; then
		as=(env)
	elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
		as=(sudo -n env)
	else
		return 0
	fi
	"${as[@]}" apt-get update -qq >&2 &&
		"${as[@]}" DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >&2 || true
}

# unpack FOLDER PACKAGE… unpacks Debian packages, and the packages that they need and this machine lacks, into a folder. It
# installs nothing.
unpack() {
	local folder=$1 list
	shift
	local wanted=(apt-get install --print-uris -qq -y --no-install-recommends "$@")
	list=$("${wanted[@]}" 2>/dev/null) || { apt-get update -qq >&2 && list=$("${wanted[@]}"); }
	mkdir -p "$folder/packages"
	local names=()
	while read -r _ file _; do names+=("${file%%_*}"); done <<<"$list"
	(cd "$folder/packages" && apt-get download -qq "${names[@]}" >&2)
	for file in "$folder"/packages/*.deb; do dpkg-deb --extract "$file" "$folder"; done
	rm -r "$folder/packages"
}
