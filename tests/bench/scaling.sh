#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# How the cost of an explanation grows with the data that the failure depends on.
#
#   tests/bench/scaling.sh [-m EXPONENT] [SIZE...]
#
# Explains programs/sum-list.c, prefix-array.c and sum-tree.c with SIZE elements (50 100 200 400),
# prints the processor time of each (user and system, children included) and the exponent e of
# the line through them on a log-log scale: time grows as SIZE^e.  With -m it fails when e is
# larger than EXPONENT for one of the programs, or when nothing is explained.
set -u
limit=
while getopts m: option; do
	case $option in
	m) limit=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- 50 100 200 400
why=${WHY_BIN:-build/plain/gdb-why}
work=$(mktemp -d "${TMPDIR:-/tmp}/gdb-why-scaling.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
ulimit -c 0

# seconds PROGRAM SIZE: of one explanation.
seconds() {
	${CC:-gcc} -g -O0 -DN="$2" -o "$work/$1-$2" "tests/bench/programs/$1.c" || return 1
	(
		"$why" explain --timeout 600 --limit mutant_runs=0 -- "$work/$1-$2" >"$work/answer" 2>&1 </dev/null || exit 1
		times >"$work/times"
	) || {
		echo "$1 of $2 elements: $(head -n 1 "$work/answer")" >&2
		return 1
	}
	awk 'NR == 2 { split($0, t, /[ms ]+/); print t[1] * 60 + t[2] + t[3] * 60 + t[4] }' "$work/times"
}

bad=0
printf '%-14s' 'elements'
printf ' %8s' "$@" exponent
echo
for program in sum-list prefix-array sum-tree; do
	printf '%-14s' "$program"
	: >"$work/rows"
	for size; do
		took=$(seconds "$program" "$size") || { bad=1; continue; }
		printf ' %8.2f' "$took"
		echo "$size $took" >>"$work/rows"
	done
	exponent=$(awk '{ x = log($1); y = log($2); n++; sx += x; sy += y; sxx += x * x; sxy += x * y }
		END { if (n > 1) printf "%.2f", (n * sxy - sx * sy) / (n * sxx - sx * sx) }' "$work/rows")
	printf ' %8s\n' "$exponent"
	[ -z "$limit" ] || awk -v e="$exponent" -v m="$limit" 'BEGIN { exit !(e != "" && e + 0 <= m) }' || {
		echo "$program: grows as SIZE^$exponent, not at most as SIZE^$limit" >&2
		bad=1
	}
done
exit $bad
