#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# How high the faulty line of each version of the advisory ranks, by every
# technique.
#
#   tests/bench/rank.sh [-s SCHEME] [-k FILE] [-t TECHNIQUES] [-f WHICH] DIR [VERSION...]
#
# Techniques are all, ofc, ofc+cw and joint; the last three explain the failing
# tests that WHICH says (3) and take most of the time.
# DIR is what samples/advisory/build.sh made; all its inputs are the suite.  Ranks
# are by SCHEME (average); FILE keeps the rank of each version by each technique,
# tab-separated.  Prints a row a version, of the usual technique:
#
#   line, lines       the faulty line, how many are ranked
#   failed            tests that fail
#   rank              of the faulty line
#   time, plain       ms for the whole suite, ranked, and of the golden version without gdb-why
#
# and a row a technique, best mean first: over the versions whose faulty line has
# code, mean and median of its rank, how many rank it at most 1, 3, 5, 10, and the
# mean share of the lines that has to be looked at (EXAM).
set -u
scheme=average keep= techniques=all,ofc,ofc+cw,joint which=3
while getopts s:k:t:f: option; do
	case $option in
	s) scheme=$OPTARG ;;
	k) keep=$OPTARG ;;
	t) techniques=$OPTARG ;;
	f) which=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
from=${1:?usage: rank.sh [-s SCHEME] [-k FILE] [-t TECHNIQUES] [-f WHICH] DIR [VERSION...]}
shift
why=${WHY_BIN:-build/plain/gdb-why}
for tool in jq "$why"; do
	command -v "$tool" >/dev/null || { echo "rank.sh: $tool is not there" >&2; exit 2; }
done
work=$(mktemp -d "${TMPDIR:-/tmp}/gdb-why-bench.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
ulimit -c 0

now_ms() {
	echo $(($(date +%s%N) / 1000000))
}

# The suite without gdb-why, as many tests at once: of the golden version, since
# xargs ends at a test that crashes.
plain_ms() {
	began=$(now_ms)
	xargs -P "$(nproc)" -L 1 "$from/golden" <"$from/inputs.txt" >/dev/null
	echo $(($(now_ms) - began))
}

# measure VERSION LINE: technique, rank, lines ranked of each technique.
measure() {
	"$why" rank --no-cache --technique "$techniques" --failing "$which" --scheme "$scheme" --format=json \
		--tests "$from/inputs.txt" -- "$from/$1" >"$work/answer" || return 1
	jq -r --arg version "$1" --argjson line "$2" '
		. as $r | (.lines | length) as $n
		| [.lines[] | select(.line == $line and (.file | endswith("/" + $version + ".c")))][0] as $l
		| range(.techniques | length)
		| [$version, $r.techniques[.], (if $l then $l.scores[.].rank else "-" end), $n] | @tsv' \
		"$work/answer"
}

tab=$(printf '\t')
printf '%-5s %5s %6s %7s %6s %8s %9s\n' '' line lines failed rank 'time ms' 'plain ms'
tail -n +2 samples/advisory/versions.tsv | while IFS=$tab read -r version line _; do
	case " $* " in "  " | *" $version "*) ;; *) continue ;; esac
	began=$(now_ms)
	if measure "$version" "$line" >"$work/row"; then
		took=$(($(now_ms) - began))
		printf '%-5s %5s %6s %7s %6s %8s %9s\n' "$version" "$line" \
			"$(head -n 1 "$work/row" | cut -f 4)" "$(jq .counts.failed "$work/answer")" \
			"$(head -n 1 "$work/row" | cut -f 3)" "$took" "$(plain_ms)" |
			tee -a "$work/times"
		cat "$work/row" >>"$work/rows"
	else
		echo "$version: not ranked" >&2
	fi
done
[ -s "$work/rows" ] || { echo "rank.sh: no such version" >&2; exit 2; }
awk -f tests/bench/rank-totals.awk "$work/rows"
awk '{ n += $6; m += $7 } END { printf "\n%.0f ms a version, %.2f times the suite alone\n", n / NR, n / m }' "$work/times"
[ -z "$keep" ] || cp "$work/rows" "$keep"
