#!/usr/bin/env bash
# Builds the waftd of the commit UPGRADE_FROM, the parent unless given, and prints its path. It prints nothing in a clone that lacks
# the commit.
set -euo pipefail
cd "$(dirname "$0")/.."
from=${UPGRADE_FROM:-HEAD^}
if ! commit=$(git rev-parse --verify --quiet "$from^{commit}"); then
  echo "the upgrade is not tested: this clone lacks the commit $from; get it with 'git fetch --unshallow'" >&2
  exit 0
fi
built=$PWD/build/parent/$commit/waftd
if [ ! -x "$built" ]; then
  tree=$(mktemp -d)
  trap 'git worktree remove --force "$tree"' EXIT
  git worktree add --quiet --detach "$tree" "$commit"
  CGO_ENABLED=0 go -C "$tree" build -trimpath -ldflags="-s -w" -o "$built" ./cmd/waftd
fi
echo "$built"
