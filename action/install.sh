#!/usr/bin/env bash
# Installs the command waft, unless its path is given, and puts the path into the output `cli`.
set -euo pipefail

cli=$INPUT_CLI
if [ -z "$cli" ]; then
  folder=${RUNNER_TEMP:-/tmp}/waft-cli
  npm install --global --prefix "$folder" --ignore-scripts --no-audit --no-fund --loglevel=error "@waft/cli@$INPUT_CLI_VERSION"
  cli=$folder/bin/waft
fi
if ! "$cli" version; then
  echo "::error title=Waft::the command waft cannot run: check the inputs cli and cli-version"
  exit 1
fi
echo "cli=$cli" >>"$GITHUB_OUTPUT"
