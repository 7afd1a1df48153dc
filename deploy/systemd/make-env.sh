#!/bin/sh
# Writes the settings of a new installation into a folder, with random keys: make-env.sh FOLDER GROUP. Only root and the group can
# read them. It leaves files that exist alone.
set -eu
umask 077
templates=$(dirname "$0")
folder=$1
group=$2

hex() { od -An -v -tx1 -N"$1" /dev/urandom | tr -d ' \n'; }

for name in waft api worker; do
	file=$folder/$name.env
	[ ! -e "$file" ] || continue
	sed -e "s|@WAFT_SECRET_KEY@|$(head -c32 /dev/urandom | base64)|" \
		-e "s|@WAFT_ROOT_KEY@|waft_$(hex 4)_$(hex 32)|" "$templates/$name.env" >"$file.new"
	chgrp "$group" "$file.new"
	chmod 0640 "$file.new"
	mv "$file.new" "$file"
done
