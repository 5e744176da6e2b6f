#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What a caged run of a small program costs, in processor time of all its processes, by kind of run:
# as the system spreads them over its processors, and all on one processor.  With the folder of
# another checkout, which must be built: beside what it costs there.
#
# Both are measured in turns, RUNS runs each time, and the ratio is the median of the ratios of the
# ROUNDS pairs: what else the machine does meets both of a pair alike.
set -u
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
base=${1:-}
# What this shell was given would be opened anew, or copied, for each caged run.
for fd in /proc/$$/fd/*; do
	fd=${fd##*/}
	[ "$fd" -lt 3 ] || [ "$fd" = 255 ] || eval "exec $fd>&-"
done
few=10 many=$((10 + ${RUNS:-150}))
program=$BUILD/samples/paper
TIMEFORMAT='%U %S'

cost() { # driver, recorder, kind: milliseconds a run
	local n at=()
	for n in $few $many; do
		at+=("$({ time $alone "$1" "$2" "$3" $n "$program" 0 0 >/dev/null 2>"$tmp/said" || echo bad; } 2>&1)")
	done
	case ${at[*]} in *bad*) cat "$tmp/said" >&2; return 1 ;; esac
	echo "${at[*]}" | awk -v n=$((many - few)) '{ printf "%.3f\n", ($3 + $4 - $1 - $2) * 1000 / n }'
}
if [ -n "$base" ]; then
	(cd "$base" && ${CC:-gcc} -O2 $CPPFLAGS -o "$tmp/base" "$OLDPWD/tests/drivers/run-cost.c" \
		build/plain/libwhy.a $LIBS) || exit 1
fi
median() { # of the lines of a file
	sort -n "$1" | awk '{ v[NR] = $1 } END { printf "%.2f", v[int((NR + 1) / 2)] }'
}
one=$(taskset -cp $$ 2>/dev/null | sed -n 's/.*: \([0-9]*\).*/\1/p')
for kind in unrecorded recorded native; do
	for way in spread one; do
		alone=
		[ $way = spread ] || alone="taskset -c ${one:-0}"
		: >"$tmp/here" >"$tmp/there" >"$tmp/ratio"
		for ((round = 0; round < ${ROUNDS:-11}; round++)); do
			here=$(cost "$BUILD/tests/drivers/run-cost" "$BUILD/gdb-why-agent.so" $kind) || exit 1
			echo "$here" >>"$tmp/here"
			[ -n "$base" ] || continue
			there=$(cost "$tmp/base" "$base/build/plain/gdb-why-agent.so" $kind) || exit 1
			echo "$there" >>"$tmp/there"
			awk -v h="$here" -v t="$there" 'BEGIN { if (t > 0) print h / t }' >>"$tmp/ratio"
		done
		printf '%-10s  %-13s  %s ms' $kind "$([ $way = one ] && echo one processor || echo spread)" \
			"$(median "$tmp/here")"
		[ -z "$base" ] || printf '  there %s ms, ratio %s' "$(median "$tmp/there")" "$(median "$tmp/ratio")"
		echo
	done
done
