#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What an explanation costs when most of the run has nothing to do with the failure.
#
#   tests/bench/long.sh [-O LEVEL] [ROUNDS...]
#
# Explains programs/beside-loop.c, compiled with -OLEVEL (0), with loops of ROUNDS (10000 100000
# 1000000 10000000) before, behind and around the wrong value, and prints a row each: the faulty
# line's rank among the suspected lines, processor time and memory, the processor time of `ask why
# v' and of GDB, which only runs the program, and two ratios: explain's time to that of `ask why',
# and that of `ask why' less a second to GDB's.
set -u
level=0
while getopts O: option; do
	case $option in
	O) level=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- 10000 100000 1000000 10000000
why=${WHY_BIN:-build/plain/gdb-why}
source=tests/bench/programs/beside-loop.c
fault=$(grep -n '/\* fault \*/' "$source" | cut -d: -f1)
work=$(mktemp -d "${TMPDIR:-/tmp}/gdb-why-long.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
ulimit -c 0

# cpu_s COMMAND...: its processor time with its children's, in seconds.
cpu_s() {
	("$@" >"$work/out" 2>"$work/err" </dev/null; times >"$work/times")
	awk 'NR == 2 { split($0, t, /[ms ]+/); print t[1] * 60 + t[2] + t[3] * 60 + t[4] }' "$work/times"
}

printf '%-7s %10s %5s %9s %8s %9s %8s %8s %8s\n' "-O$level" rounds rank 'explain s' MB 'ask why s' \
	'gdb s' 'e / ask' 'ask / gdb'
for rounds; do
	for where in 0 1 2; do
		${CC:-gcc} -g -O"$level" -DN="$rounds" -DWHERE=$where -o "$work/program" "$source" || exit 1
		took=$(cpu_s "$why" explain --format=json -- "$work/program")
		row=$(jq -r --argjson fault "$fault" '
			[(([.lines[].line] | index($fault)) // -2) + 1, (.stats.memory_kb / 1024 | floor)] | @tsv' \
			"$work/out" 2>"$work/err") || row=$(printf -- '-\t-')
		asked=$(cpu_s "$why" ask 'why v' -- "$work/program")
		gdb=$(cpu_s gdb -nx -batch -ex run "$work/program")
		case $where in 0) name=before ;; 1) name=behind ;; 2) name=around ;; esac
		ratios=$(awk -v e="$took" -v a="$asked" -v g="$gdb" \
			'BEGIN { printf "%8.1f %8.1f", e / (a + 0.001), a < 1 ? 0 : (a - 1) / (g + 0.001) }')
		printf '%-7s %10s %5s %9.2f %8s %9.2f %8.2f %s\n' "$name" "$rounds" "${row%	*}" "$took" \
			"${row#*	}" "$asked" "$gdb" "$ratios"
	done
done
