#!/bin/bash
# Uploads the bundle and the source map of a release build. The phase that the config plugin adds to the Xcode project runs it, after
# Xcode has bundled the app and with Xcode's settings in the environment. The arguments are the plugin's `url` and `project`.
set -euo pipefail
url=$1 project=$2

case "$CONFIGURATION" in
  *Debug*) exit 0 ;;
esac
if [ -n "${SKIP_BUNDLING:-}" ]; then
  exit 0 # The build has no bundle.
fi

cd "${PROJECT_ROOT:-$PROJECT_DIR/..}"
product="$CONFIGURATION_BUILD_DIR/$UNLOCALIZED_RESOURCES_FOLDER_PATH"

# expo-updates writes its manifest beside its pod. CocoaPods copies it into the app, maybe in a later phase.
pod="${PODS_CONFIGURATION_BUILD_DIR:-$CONFIGURATION_BUILD_DIR}/EXUpdates"
manifest="$pod/EXUpdates.bundle/app.manifest"
for bundle in "$pod/EXUpdates.bundle" "$pod/EXUpdates.framework/EXUpdates.bundle" "$product/EXUpdates.bundle" \
  "$product/Frameworks/EXUpdates.framework/EXUpdates.bundle"; do
  if [ -f "$bundle/app.manifest" ]; then
    manifest="$bundle/app.manifest"
    break
  fi
done

map=()
if [ -n "${SOURCEMAP_FILE:-}" ]; then
  map=(--source-map "$SOURCEMAP_FILE")
fi
exec "${NODE_BINARY:-node}" "$(dirname "${BASH_SOURCE[0]}")/upload.cjs" "$PWD" "$url" "$project" --platform ios \
  --bundle "$product/${BUNDLE_NAME:-main}.jsbundle" --manifest "$manifest" ${map[@]+"${map[@]}"}
