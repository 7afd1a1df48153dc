#!/usr/bin/env bash
# Exports one version of the app for both platforms, ready to be uploaded to Waft.
#
#   export.sh VERSION OUTDIR [OPTION...]
#
# VERSION is `stable`, `broken` (fails soon after its start) or any other label. OUTDIR gets the output of
# `expo export` (metadata.json, bundles with their source maps, assets) and expoConfig.json, the app's
# public configuration. OPTIONs are passed to `expo export`, such as --no-bytecode for bundles of plain JavaScript, or
# --platform web for a web page instead of both platforms.
# A folder that already contains this version of the same sources is not changed. OUTDIR.stamp identifies the sources.
set -euo pipefail

fail() {
  echo "export.sh: $*" >&2
  exit 1
}

[ $# -ge 2 ] || { echo "usage: export.sh VERSION OUTDIR [OPTION...]" >&2; exit 2; }
version=$1
options=("${@:3}")
case " ${options[*]-} " in
  *" --platform "*) platforms=() main=index.html ;;
  *) platforms=(--platform ios --platform android) main=metadata.json ;;
esac
package=../../sdk/expo
case $2 in
  /*) out=${2%/} ;;
  *) out=$PWD/${2%/} ;;
esac
[ -n "$out" ] || fail "OUTDIR may not be the root folder"

cd "$(dirname "${BASH_SOURCE[0]}")"
command -v node >/dev/null || fail "Node.js is not installed"
command -v npm >/dev/null || fail "npm is not installed"

# Only npm may use the network, the tools must not ask questions, and .env files must not change the result.
export CI=1 EXPO_NO_TELEMETRY=1 EXPO_OFFLINE=1 EXPO_NO_DOTENV=1 EXPO_NO_METRO_WORKSPACE_ROOT=1
export NODE_ENV=production

# Two exports at the same time would share node_modules and src/version.json, so the second one waits.
mkdir -p .export "$(dirname "$out")" 2>/dev/null || fail "cannot write to $(dirname "$out")"
exec 9>.export/lock
if command -v flock >/dev/null; then
  flock 9
fi

log=$PWD/.export/log
: >"$log"
# Runs a step with its output in the log. If the step fails, shows the most informative line.
step() {
  local name=$1
  shift
  "$@" >>"$log" 2>&1 9>&- </dev/null && return
  local cause
  cause=$(grep -vE '^npm error( code .*)?$|Bundling failed' "$log" |
    grep -iE -m 1 'error|cannot|not found|fail|no space|killed' || tail -n 1 "$log")
  fail "$name failed: ${cause:-no output} (log: $log)"
}

[ -f "$package/dist/index.js" ] || fail "@waft/expo is not built: run \`make exports\` in the repository, which builds it"
if [ -e "$out" ] && [ ! -f "$out/$main" ] && [ -n "$(ls -A "$out")" ]; then
  fail "$out is not empty and holds no export"
fi

step "writing the version" node scripts/write-version.mjs "$version"
sources=$(node scripts/stamp.mjs sources 2>>"$log") || fail "cannot read the app's sources (log: $log)"
wanted="$version ${options[*]-} $sources"
if [ -f "$out/$main" ] && [ -f "$out.stamp" ] &&
  [ "$(cat "$out.stamp")" = "$wanted $(node scripts/stamp.mjs output "$out")" ]; then
  echo "export.sh: $version is up to date in $out"
  exit 0
fi

# npm writes this file last, so an interrupted installation is repeated.
installed=node_modules/.package-lock.json
if [ ! -f "$installed" ] || [ package-lock.json -nt "$installed" ]; then
  step "npm ci" npm ci --include=dev --no-audit --no-fund
fi
# npm has installed an earlier state of the package. This copies its current state.
installed=node_modules/@waft/expo
for part in package.json app.plugin.cjs app.plugin.d.cts asyncstorage.cjs native dist; do
  if ! diff -qr "$package/$part" "$installed/$part" >>"$log" 2>&1; then
    rm -rf "${installed:?}/$part"
    step "installing @waft/expo" cp -R "$package/$part" "$installed/$part"
  fi
done

# Renaming makes the complete folder appear in one step.
tmp=$(mktemp -d "$out.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
step "expo export" node_modules/.bin/expo export ${platforms[@]+"${platforms[@]}"} --dump-sourcemap \
  ${options[@]+"${options[@]}"} --output-dir "$tmp/export"
config() {
  node_modules/.bin/expo config --json --type public >"$tmp/export/expoConfig.json"
}
step "expo config" config
[ -s "$tmp/export/$main" ] || fail "expo export wrote no $main (log: $log)"

rm -rf "$out" "$out.stamp"
mv "$tmp/export" "$out"
echo "$wanted $(node scripts/stamp.mjs output "$out")" >"$out.stamp"
echo "export.sh: $version is in $out"
