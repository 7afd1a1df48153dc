#!/bin/sh
# Writes .env for docker-compose.yml: keys and passwords of this installation, made at random.
# It leaves an .env that is there alone.
set -eu
cd "$(dirname "$0")/.."
umask 077
if [ -e .env ]; then
  echo "make-env.sh: .env is there already: it has the keys of an installation. Move it away to make a new one." >&2
  exit 1
fi
# hex N prints N random bytes with the programs that every system has.
hex() { od -An -v -tx1 -N "$1" /dev/urandom | tr -d ' \n'; }
{
  echo "# Keep a copy apart from the backups of the databases: docs/operations/secrets.md."
  echo "WAFT_ROOT_KEY=waft_$(hex 4)_$(hex 32)"
  echo "WAFT_SECRET_KEY=$(head -c 32 /dev/urandom | base64)"
  for name in POSTGRES_PASSWORD CLICKHOUSE_PASSWORD S3_SECRET_KEY; do
    echo "$name=$(hex 32)"
  done
} > .env.new
mv .env.new .env
echo "keys and passwords are in .env"
