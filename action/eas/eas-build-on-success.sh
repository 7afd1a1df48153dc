#!/bin/sh
# Publishes the app after a successful EAS Build, so that devices with the last binary get the same JavaScript. EAS Build has no ID tokens:
# set WAFT_API_KEY, a key of the role editor, and WAFT_URL, WAFT_PROJECT and WAFT_CHANNEL as variables of the build's environment.
set -eu

if [ -z "${WAFT_CHANNEL:-}" ]; then
  echo "waft: WAFT_CHANNEL is not set for the profile ${EAS_BUILD_PROFILE:-}, so this build is not published"
  exit 0
fi
code=0
"${WAFT_CLI:-waft}" publish --export --channel "$WAFT_CHANNEL" --platform "${EAS_BUILD_PLATFORM:?}" \
  --git-commit "${EAS_BUILD_GIT_COMMIT_HASH:-}" ${WAFT_POLICY:+--policy "$WAFT_POLICY"} || code=$?
if [ "$code" = 4 ]; then
  echo "waft: the publish waits for approval"
  exit 0
fi
exit "$code"
