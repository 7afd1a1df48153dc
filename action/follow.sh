#!/usr/bin/env bash
# Follows the rollouts, and keeps one comment on the pull request up to date.
set -euo pipefail

arguments=(--channel "$INPUT_CHANNEL" --until "$INPUT_FOLLOW" --timeout "${INPUT_FOLLOW_MINUTES}m")
[ "$INPUT_COMMENT" != true ] || arguments+=(--comment)
exec "$WAFT_CLI" ci follow "$WAFT_PUBLISHED" "${arguments[@]}"
