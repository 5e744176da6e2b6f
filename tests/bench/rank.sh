#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# How high the faulty line of each version of a sample family ranks, by every
# technique.
#
#   tests/bench/rank.sh [-s SCHEME] [-k FILE] [-t TECHNIQUES] [-f WHICH] FAMILY DIR [VERSION...]
#
# FAMILY is advisory, totals, queue or subst, DIR what its build.sh made; all its inputs are the
# suite, those of the totals by size, so that small ones are explained.  The first two check
# themselves, the others pass when they print what the golden version prints.
# Techniques are all, ofc, ofc+cw and joint; the last three explain the failing
# tests that WHICH says (3) and take most of the time.  Ranks are by SCHEME
# (average); FILE keeps the rank of each version by each technique, tab-separated.
# Prints a row a version, of the usual technique:
#
#   line, lines       the faulty line, how many are ranked.  ~: a statement was lost that left no code
#                     in its line; the better of the two lines with code around it counts
#   failed            tests that fail
#   rank              of the faulty line
#   time, plain       ms for the whole suite, ranked, and of the golden version without gdb-why
#   cpu, a test       ms of all processors' time, and of that for one failing test
#                     by one technique that explains
#
# and a row a technique, best mean first: over these versions, mean and median of its rank, how many rank it at most 1, 3, 5, 10, and the
# mean share of the lines that has to be looked at (EXAM).  Then the time a version
# and, of what explains, a failing test.
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
usage='usage: rank.sh [-s SCHEME] [-k FILE] [-t TECHNIQUES] [-f WHICH] FAMILY DIR [VERSION...]'
family=${1:?$usage}
from=${2:?$usage}
shift 2
table=samples/$family/versions.tsv
[ -r "$table" ] || { echo "$usage" >&2; exit 2; }
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

# The suite, in the words of `gdb-why rank --tests`.
golden=
case $family in
advisory) cp "$from/inputs.txt" "$work/suite" ;;
totals)
	while read -r name wanted; do
		echo "$(wc -c <"$from/inputs/$name") {} $wanted <$(realpath "$from")/inputs/$name"
	done <"$from/tests.txt" | sort -n -s -k 1,1 | sed 's/^[0-9]* //' >"$work/suite"
	;;
queue | subst)
	cp "$from/suite.txt" "$work/suite"
	golden="--golden $from/golden"
	;;
*) echo "$usage" >&2; exit 2 ;;
esac

# The same without gdb-why, one test after the other on each processor: of the
# golden version, since no test of it crashes.
plain_ms() {
	began=$(now_ms)
	sed "s/^[0-9]*: //; /{}/!s|^|{} |; s|{}|$from/golden|" "$work/suite" |
		split -n "r/$(nproc)" --filter='sh >/dev/null' -
	echo $(($(now_ms) - began))
}

# What its children took so far, CPU time in ms, to the file: `times` must not run in a
# shell of its own.
note_cpu() {
	times >"$work/times.now"
	awk 'NR == 2 { gsub(/[ms]/, " "); print int(($1 * 60 + $2 + $3 * 60 + $4) * 1000) }' \
		"$work/times.now" >"$1"
}

# Those of $techniques that explain failing tests, and those that do not.
explaining=$(echo "$techniques" | tr , '\n' | grep -x 'ofc\|ofc+cw\|joint' | paste -sd , -)
others=$(echo "$techniques" | tr , '\n' | grep -vx 'ofc\|ofc+cw\|joint' | paste -sd , -)

# rank_by TECHNIQUES VERSION LINE: technique, rank, lines ranked of each technique.
rank_by() {
	[ -n "$1" ] || return 0
	# shellcheck disable=SC2086
	"$why" rank --no-cache $golden --technique "$1" --failing "$which" --scheme "$scheme" --format=json \
		--tests "$work/suite" -- "$from/$2" >"$work/answer" || return 1
	jq -r --arg version "$2" --argjson line "$3" '
		. as $r | (.lines | length) as $n
		| [.lines[] | select(.file | endswith("/" + $version + ".c"))] as $own
		| [$own[] | select(.line == $line)][0] as $exact
		| ([$own[] | select(.line < $line)] | max_by(.line)) as $before
		| ([$own[] | select(.line > $line)] | min_by(.line)) as $behind
		| range(.techniques | length)
		| . as $t | ($exact | not) as $lost
		| [if $lost then $before, $behind else $exact end | select(.) | .scores[$t].rank] as $ranks
		| [$version, $r.techniques[$t], ($ranks | min // "-"), $n, if $lost then "~" else "" end] | @tsv' \
		"$work/answer"
}

# measure VERSION LINE: the same of all techniques; CPU times go to $work/cpu.N.
measure() {
	note_cpu "$work/cpu.0"
	rank_by "$others" "$1" "$2" || return 1
	note_cpu "$work/cpu.1"
	rank_by "$explaining" "$1" "$2" || return 1
	note_cpu "$work/cpu.2"
}

# CPU ms a failing test and explaining technique; profiling comes with both parts.
cpu_a_test() {
	if [ -z "$explaining" ] || [ "$which" = "${which#[0-9]}" ]; then
		echo -
		return
	fi
	awk -v failed="$(jq .counts.failed "$work/answer")" -v which="$which" \
		-v techniques="$(echo "$explaining" | tr , '\n' | wc -l)" -v others="$others" '
		{ at[FILENAME] = $1; last = $1; if (FNR == NR) first = $1 }
		END {
			n = (which < failed ? which : failed) * techniques
			profile = others == "" ? 0 : at[ARGV[2]] - first
			printf "%.0f\n", n ? (last - at[ARGV[2]] - profile) / n : 0
		}' "$work/cpu.0" "$work/cpu.1" "$work/cpu.2"
}

tab=$(printf '\t')
printf '%-5s %5s %6s %7s %6s %8s %9s %8s %8s\n' '' line lines failed rank 'time ms' 'plain ms' 'cpu ms' 'a test'
tail -n +2 "$table" | while IFS=$tab read -r version line _; do
	case " $* " in "  " | *" $version "*) ;; *) continue ;; esac
	began=$(now_ms)
	if measure "$version" "$line" >"$work/row"; then
		took=$(($(now_ms) - began))
		cpu=$(($(cat "$work/cpu.2") - $(cat "$work/cpu.0")))
		printf '%-5s %5s %6s %7s %6s %8s %9s %8s %8s\n' "$version" "$line$(head -n 1 "$work/row" | cut -f 5)" \
			"$(head -n 1 "$work/row" | cut -f 4)" "$(jq .counts.failed "$work/answer")" \
			"$(head -n 1 "$work/row" | cut -f 3)" "$took" "$(plain_ms)" "$cpu" "$(cpu_a_test)" |
			tee -a "$work/times"
		cat "$work/row" >>"$work/rows"
	else
		echo "$version: not ranked" >&2
	fi
done
[ -s "$work/rows" ] || { echo "rank.sh: no such version" >&2; exit 2; }
awk -f tests/bench/rank-totals.awk "$work/rows"
awk '{ n += $6; m += $7; cpu += $8 } END {
	printf "\n%.0f ms a version (%.0f of CPU), %.2f times the suite alone\n", n / NR, cpu / NR, n / m }' "$work/times"
awk '$9 != "-" { print $9 }' "$work/times" | sort -n | awk '{ a[NR] = $1 } END {
	if (NR) printf "%d ms of CPU a failing test and explaining technique (median of the versions)\n", a[int((NR + 1) / 2)] }'
[ -z "$keep" ] || cp "$work/rows" "$keep"
