# Functions of the scripts that find a browser, which source this file.

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
