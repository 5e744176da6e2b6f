#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a caged run of a small program costs, in processor time of all its processes, by kind of run.
# With the folder of another checkout, which must be built: beside what it costs there.
set -u
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
base=${1:-}
few=10 many=${RUNS:-310}
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
median() { # of the lines of a file
	sort -n "$1" | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'
}
# In turns, and the medians: what else the machine does meets both alike.
for kind in unrecorded recorded native; do
	: >"$tmp/here" >"$tmp/there"
	for ((round = 0; round < ${ROUNDS:-7}; round++)); do
		cost "$BUILD/tests/drivers/run-cost" "$BUILD/gdb-why-agent.so" $kind >>"$tmp/here" || exit 1
		[ -z "$base" ] || cost "$tmp/base" "$base/build/plain/gdb-why-agent.so" $kind >>"$tmp/there" || exit 1
	done
	printf '%-10s  %s ms' $kind "$(median "$tmp/here")"
	[ -z "$base" ] || printf '  there %s ms, ratio %s' "$(median "$tmp/there")" \
		"$(awk -v h="$(median "$tmp/here")" -v t="$(median "$tmp/there")" 'BEGIN { printf "%.2f", h / t }')"
	echo
done
