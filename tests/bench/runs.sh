#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a caged run of a small program costs, in processor time of all its processes, by kind of run.
# With the folder of another checkout, which must be built: beside what it costs there.
set -u
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
base=${1:-}
few=10 many=${RUNS:-210}
program=$BUILD/samples/paper

seconds() { # of processor time
	perl -e 'my $p = fork(); if (!$p) { exec @ARGV } waitpid($p, 0); exit 1 if $?;
		my @t = times(); printf "%.3f\n", $t[2] + $t[3]' "$@"
}
cost() { # driver, recorder, kind: milliseconds a run
	a=$(seconds "$1" "$2" "$3" $few "$program" 0 0) && b=$(seconds "$1" "$2" "$3" "$many" "$program" 0 0) || return
	awk -v a="$a" -v b="$b" -v n=$((many - few)) 'BEGIN { printf "%.2f\n", (b - a) * 1000 / n }'
}
if [ -n "$base" ]; then
	(cd "$base" && ${CC:-gcc} -O2 $CPPFLAGS -o "$tmp/base" "$OLDPWD/tests/drivers/run-cost.c" \
		build/plain/libwhy.a $LIBS) || exit 1
fi
for round in 1 2 3; do
	for kind in unrecorded recorded native; do
		here=$(cost "$BUILD/tests/drivers/run-cost" "$BUILD/gdb-why-agent.so" $kind) || exit 1
		printf '%-10s  %s ms' $kind "$here"
		if [ -n "$base" ]; then
			there=$(cost "$tmp/base" "$base/build/plain/gdb-why-agent.so" $kind) || exit 1
			awk -v h="$here" -v t="$there" 'BEGIN { printf "  there %s ms, ratio %.2f", t, h / t }'
		fi
		echo
	done
done
