#!/usr/bin/env bash
# Lints the files that differ from HEAD. `make lint` lints everything.
set -euo pipefail
changed=$(git diff --name-only --diff-filter=d HEAD; git ls-files --others --exclude-standard)
of() { grep -E "$1" <<<"$changed" || true; }

for module in . devstack bench bench/flags tools/dashboards tools/packages tools/suite deploy/helm/tests; do
	folders=$(of '\.go$' | xargs -r -n 1 dirname | sort -u | while read -r folder; do
		root=$folder
		while [ "$root" != . ] && [ ! -f "$root/go.mod" ]; do root=$(dirname "$root"); done
		if [ "$root" = "$module" ]; then realpath --relative-to="$module" "$folder" | sed 's|^|./|'; fi
	done)
	if [ -n "$folders" ]; then
		[ -x bin/golangci-lint ] || (cd tools/lint && go build -o ../../bin/ github.com/golangci/golangci-lint/v2/cmd/golangci-lint)
		# shellcheck disable=SC2086 # one argument a folder
		(linter=$PWD/bin/golangci-lint config=$PWD/.golangci.yml; cd "$module" && "$linter" run --allow-parallel-runners --config "$config" $folders)
	fi
done
tools/lint/speed.sh
if [ -n "$(of '^dashboard/.*\.(ts|tsx)$')" ]; then
	(cd dashboard && npx tsc && of '^dashboard/.*\.(ts|tsx)$' | sed 's|^dashboard/||' | xargs npx eslint)
fi
if [ -n "$(of '^docs/.*\.(ts|mts|vue)$')" ]; then make --no-print-directory lint-docs; fi
if [ -n "$(of '^sdk/.*\.(ts|tsx)$')" ]; then (cd sdk && npm run lint --loglevel=error); fi
if [ -n "$(of '\.(go|ts|tsx|mts|md)$')" ]; then
	[ -x bin/vale ] && [ -x bin/words ] || (cd tools/lint && go build -o ../../bin/ ./words github.com/vale-cli/vale/v3/cmd/vale)
	bin/words
fi
