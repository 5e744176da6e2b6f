#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What profiles cost.
#
#   tests/bench/profile.sh [VERSION...]
#
# All tests of versions (v01 v20 v40) of the advisory, one after the other on one
# processor: tests a second plain and profiled (fork and exec, a file each), the ratio,
# and profiles read a second.
set -u
profile=${BUILD:-build/plain}/tests/drivers/run-profile
export GDB_WHY_AGENT="${WHY_AGENT:-$PWD/build/plain/gdb-why-agent.so}"
[ -x "$profile" ] || { echo "profile.sh: $profile is not there" >&2; exit 2; }
work=$(mktemp -d "${TMPDIR:-/dev/shm}/gdb-why-bench.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
ulimit -c 0
samples/advisory/build.sh "$work" >"$work/log" 2>&1 || { cat "$work/log" >&2; exit 1; }
one=
command -v taskset >/dev/null && one="taskset -c 0"
printf '%-8s %6s %8s %10s %6s %10s\n' version tests plain/s profiled/s ratio reading/s
for version in ${*:-v01 v20 v40}; do
	$one "$profile" --bench="$work/inputs.txt" "$work/profile" "$work/$version" |
		awk -v version="$version" '{ printf "%-8s %6d %8.0f %10.0f %6.2f %10.0f\n",
			version, $1, $1 / $2, $1 / $3, $3 / $2, $1 / $4 }'
done
