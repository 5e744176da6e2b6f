#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Faults in the structures of samples/specs: the rank of the faulty line by technique, the rounds and
# tests that were chosen, and the time.  A rank of 11 is: not among the ten that are shown.  Of a version
# with one fault the first answer counts; of one with two, for each fault the answer that ranks it best,
# and the version has the worse of both.
#
#     make bench-specs             all techniques; ONLY=bst one program, INPUT=argv arguments alone
set -u
CC=${CC:-gcc} INPUT=${INPUT:-heap} TECHNIQUES=${TECHNIQUES:-sat-tar sat tar-dt tar-rand}
samples=$PWD/samples/specs
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
ulimit -c 0

# The line that the macro turns on.
line_of() { # PROGRAM FAULT
	awk -v "fault=#ifdef $2" '$0 == fault { print NR + 1; exit }' "$samples/$1.c"
}
measure() { # TECHNIQUE PROGRAM FAULTS SPEC FUNCTION ARGS...
	local technique=$1 program=$2 faults=$3 spec=$4 at=$5 options=() fault ranks= worst=0 tests
	shift 5
	[ "$at" = - ] || options=(--at "$at")
	TIMEFORMAT='%U %S'
	time_spent=$( { time "$WHY_BIN" specs "${options[@]}" --input "$INPUT" --technique "$technique" \
		--spec "$samples/$spec" -- "./$program-$faults" "$@" >out 2>err </dev/null; } 2>&1)
	time_spent=$(awk '{ printf "%.2f", $1 + $2 }' <<<"$time_spent")
	[ "$faults" = "${faults/,/}" ] && sed -i '/^another fault/,$d' out
	for fault in ${faults//,/ }; do
		rank=$(sed -nE "s/^ +([0-9]+)  [0-9.]+ [0-9.]+  $program.c:$(line_of "$program" "$fault")  .*/\\1/p" out | sort -n | head -1)
		ranks="$ranks ${rank:-11}"
		[ "${rank:-11}" -gt $worst ] && worst=${rank:-11}
	done
	tests=$(grep -cE '^  [0-9]+: ' out)
	printf '%-6s %-26s %-8s %8s %5d %7s\n' "$program" "$faults" "$technique" "$ranks" "$tests" "$time_spent"
	[ "$faults" = "${faults/,/}" ] && fault=one || fault=two
	echo "$technique $worst $tests $time_spent $fault" >>all
}
printf '%-6s %-26s %-8s %8s %5s %7s\n' program faults technique rank tests 'CPU s'
: >all
while read -r program faults spec at arguments; do
	[ "${program:0:1}" = "#" ] && continue
	[ -z "${ONLY:-}" ] || [ "$ONLY" = "$program" ] || continue
	# shellcheck disable=SC2046,SC2086
	$CC -g -O0 $(for f in ${faults//,/ }; do echo "-D$f"; done) -o "$program-$faults" "$samples/$program.c" || exit 1
	for technique in $TECHNIQUES; do
		# shellcheck disable=SC2086
		measure "$technique" "$program" "$faults" "$spec" "$at" $arguments
	done
done <"$samples/faults.txt"
awk '{ k = $1 " " $5; n[k]++; sum[k] += $2; first[k] += $2 == 1; tests[k] += $3; time[k] += $4; slow[k] += $4 > 2 }
END { for (k in n) { split(k, w, " "); printf "%-8s %d versions with %s: rank 1 in %.0f %%, mean rank %.2f, %.1f tests, %.1f s, %d longer than 2 s\n", w[1], n[k], w[2] == "one" ? "one fault" : "two faults", 100 * first[k] / n[k], sum[k] / n[k], tests[k] / n[k], time[k] / n[k], slow[k] } }' all | sort
