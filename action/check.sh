#!/usr/bin/env bash
# Checks the inputs before anything is installed or exported.
set -euo pipefail

# fail shows an error. Its escapes keep a line break of an input from being a command of the runner.
fail() {
  local text=$*
  text=${text//'%'/%25}
  text=${text//$'\r'/%0D}
  echo "::error title=Waft::${text//$'\n'/%0A}"
  exit 2
}

# matches NAME VALUE PATTERN WHAT
matches() {
  [[ $2 =~ ^($3)$ ]] || fail "the input $1 must be $4"
}

matches url "$WAFT_URL" 'https?://[A-Za-z0-9.:_/-]+|https?://\[[0-9a-f:]+\][0-9:]*' "an http or https address, such as https://ota.example.com"
matches project "$WAFT_PROJECT" '[a-z0-9][a-z0-9-]*' "the slug of a project"
[ -n "$INPUT_CHANNEL" ] || fail "the input channel is empty"
matches platform "$INPUT_PLATFORM" 'ios|android|all' "ios, android or all"
matches follow "$INPUT_FOLLOW" 'published|first-stage|end' "published, first-stage or end"
matches follow-minutes "$INPUT_FOLLOW_MINUTES" '[1-9][0-9]{0,3}' "a number of minutes from 1 to 9999"
matches comment "$INPUT_COMMENT" 'true|false' "true or false"
matches cli-version "$INPUT_CLI_VERSION" '[A-Za-z0-9][A-Za-z0-9.+-]*' "a version or a tag of the npm package"
if [ -n "$INPUT_EXPORT" ]; then
  [ -d "$INPUT_EXPORT" ] || fail "the folder $INPUT_EXPORT of the input export does not exist"
else
  [ -f "$INPUT_APP/package.json" ] || fail "the folder $INPUT_APP of the input app has no package.json: check the repository out first"
fi
