#!/usr/bin/env bash
# Prints the packages whose tests use no engine: what they import, directly or not, does not contain enginetest.
set -euo pipefail
go list -test -f '{{if .ForTest}}{{.ForTest}} {{join .Deps " "}}{{end}}' ./... |
	awk '{ uses[$1] = uses[$1] || /\/internal\/lab\/enginetest/ } END { for (p in uses) if (!uses[p]) print p }' | sort
