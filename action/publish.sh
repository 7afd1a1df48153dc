#!/usr/bin/env bash
# Exports the app, publishes it, and puts what was published into the outputs. waft exchanges the job's ID token for a key.
set -euo pipefail

published=${RUNNER_TEMP:-/tmp}/waft-published.json
arguments=(--channel "$INPUT_CHANNEL" --platform "$INPUT_PLATFORM" --json)
[ -z "$INPUT_RUNTIME_VERSION" ] || arguments+=(--runtime-version "$INPUT_RUNTIME_VERSION")
[ -z "$INPUT_POLICY" ] || arguments+=(--policy "$INPUT_POLICY")
[ -z "$INPUT_MESSAGE" ] || arguments+=(--message "$INPUT_MESSAGE")
# A pull request is checked out as a commit that merges it, without a branch. A tag is not a branch.
branch=${GITHUB_HEAD_REF:-}
[ -n "$branch" ] || [ "${GITHUB_REF_TYPE:-}" != branch ] || branch=${GITHUB_REF_NAME:-}
[ -z "$branch" ] || arguments+=(--git-branch "$branch")
if [ -n "$INPUT_EXPORT" ]; then
  arguments+=(-- "$INPUT_EXPORT")
else
  arguments+=(--export --app "$INPUT_APP")
fi

code=0
"$WAFT_CLI" publish "${arguments[@]}" >"$published" || code=$?
if [ "$code" = 4 ]; then
  echo "::notice title=Waft::the publish waits for approval"
elif [ "$code" != 0 ]; then
  exit "$code"
fi
echo "published=$published" >>"$GITHUB_OUTPUT"
"$WAFT_CLI" ci outputs "$published" >>"$GITHUB_OUTPUT"
