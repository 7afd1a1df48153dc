#!/bin/sh
# Prints the build flags of devstack: with a recent enough Temporal CLI on the PATH
# devstack runs its server and need not compile one, which is most of the work.
# WAFT_EMBEDDED_TEMPORAL=1 compiles one all the same.
[ -z "$WAFT_EMBEDDED_TEMPORAL" ] || exit 0
command -v temporal >/dev/null || exit 0
# "temporal version 1.6.0 (Server 1.31.0, UI 2.45.0)"
minor=$(temporal --version 2>/dev/null | sed -n 's/.*Server 1\.\([0-9]*\)\..*/\1/p')
[ "${minor:-0}" -lt 31 ] || echo "-tags=temporalcli"
