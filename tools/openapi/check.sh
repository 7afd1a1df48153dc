#!/usr/bin/env bash
# Lints both forms of the OpenAPI document as a binary prints them, generates clients from them as strangers would, and compiles these.
# It needs the packages of this folder; `make lint-openapi` installs them.
#
#   tools/openapi/check.sh [path of waftd]
set -euo pipefail
cd "$(dirname "$0")/../.."
work=build/_openapi # the underscore keeps it out of ./...
rm -rf "$work" && mkdir -p "$work/stranger"
server=${1:-}
if [ -z "$server" ]; then
  server=$work/waftd
  go build -o "$server" ./cmd/waftd
fi
"$server" openapi --version 3.1 > "$work/openapi-3.1.json"
"$server" openapi --version 3.0 > "$work/openapi-3.0.json"

(
  cd tools/openapi
  export REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true
  npx redocly lint --config redocly.yaml "../../$work"/openapi-3.{0,1}.json
  npx spectral lint --ruleset .spectral.yaml --fail-severity warn --quiet "../../$work"/openapi-3.{0,1}.json
)
(
  cd "$work" # as a stranger's, without Redocly's settings
  ../../tools/openapi/node_modules/.bin/openapi-typescript openapi-3.1.json --output openapi.ts
)
(cd tools/openapi && npx tsc --project tsconfig.json)
(cd "$work/stranger" && go tool -modfile=../../../tools/go.mod oapi-codegen -config ../../../tools/openapi/oapi-codegen.yaml ../openapi-3.0.json)
go vet "./$work/stranger"
