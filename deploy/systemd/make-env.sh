#!/bin/sh
# Writes the settings of a new installation into a folder, with random keys: make-env.sh FOLDER GROUP. Only root can read those of the
# API, and only root and the group the others. It leaves files that exist alone.
set -eu
umask 077
templates=$(dirname "$0")
folder=$1
group=$2

hex() { od -An -v -tx1 -N"$1" /dev/urandom | tr -d ' \n'; }

for name in waft api worker; do
	file=$folder/$name.env
	[ ! -e "$file" ] || continue
	# The keys are not in an argument, because every user of the machine can read the arguments of a process.
	sed -f - "$templates/$name.env" >"$file.new" <<-END
		s|@WAFT_SECRET_KEY@|$(head -c32 /dev/urandom | base64)|
		s|@WAFT_ROOT_KEY@|waft_$(hex 4)_$(hex 32)|
	END
	# systemd reads all of them as root. The worker runs in the group, and must not read the root key.
	if [ "$name" != api ]; then
		chgrp "$group" "$file.new"
		chmod 0640 "$file.new"
	fi
	mv "$file.new" "$file"
done
