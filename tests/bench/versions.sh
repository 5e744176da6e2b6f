#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# How well and how fast the faulty versions of a sample family are explained.
#
#   tests/bench/versions.sh [-so] [-n TESTS] [-t SECONDS] [-k FILE] FAMILY DIR [VERSION...]
#
# FAMILY is advisory or totals, DIR what its build.sh made.  Explains TESTS (3) failing tests
# of each version, spread over all its failing inputs (-s: those of the totals with the
# smallest inputs; -o: by output alone, no assertions, against the golden version), and prints a row a version.  SECONDS (60) is the limit of one explanation; FILE keeps the
# measurements of each test, tab-separated.
#
#   rank      of the faulty line among all suspected lines, average rank in
#             ties, mean over the tests in which it is suspected
#   found     tests in which the faulty line is suspected
#   answers   explanations a test (mean)
#   proven    share of them whose replay passes
#   single    of the answers of one line: proven, of how many
#   runs, iterations   mean over the tests
#   time, gdb wall-clock of the explanation and of a plain `gdb -batch -ex run`
#             of the same test (median of 3); medians over the tests
set -u
tests=3 limit=60 keep='' smallest='' output=
while getopts son:t:k: option; do
	case $option in
	s) smallest=1 ;;
	o) output=1 ;;
	n) tests=$OPTARG ;;
	t) limit=$OPTARG ;;
	k) keep=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
usage='usage: versions.sh [-so] [-n TESTS] [-t SECONDS] [-k FILE] FAMILY DIR [VERSION...]'
family=${1:?$usage}
from=${2:?$usage}
shift 2
why=${WHY_BIN:-build/plain/gdb-why}
table=samples/$family/versions.tsv
[ -r "$table" ] || { echo "$usage" >&2; exit 2; }
for tool in jq gdb "$why"; do
	command -v "$tool" >/dev/null || { echo "versions.sh: $tool is not there" >&2; exit 2; }
done
work=$(mktemp -d "${TMPDIR:-/tmp}/gdb-why-bench.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
ulimit -c 0

now_ms() {
	echo $(($(date +%s%N) / 1000000))
}

# plain_gdb_ms INPUT PROGRAM ARGS...: the median of three.
plain_gdb_ms() {
	input=$1
	shift
	for _ in 1 2 3; do
		began=$(now_ms)
		gdb -nx -batch -ex run --args "$@" >/dev/null 2>&1 <"$input"
		echo $(($(now_ms) - began))
	done | sort -n | sed -n 2p
}

# What one answer says, tab-separated: rank to iterations.
facts='
	(.lines | map(select(.line == $line and (.file | split("/") | last) == $file) | .score) | max) as $s
	| [ (if $s == null then "-" else
	        ([.lines[] | select(.score > $s)] | length) as $above
	        | ([.lines[] | select(.score == $s)] | length) as $tied
	        | $above + ($tied + 1) / 2 end),
	    (.suspects | length),
	    ([.suspects[] | select(.replay == "passes")] | length),
	    ([.suspects[] | select(.size == 1)] | length),
	    ([.suspects[] | select(.size == 1 and .replay == "passes")] | length),
	    .stats.runs, .stats.iterations ]
	| @tsv'

# measure VERSION LINE KIND INPUT ARGS...: one line of measurements.
measure() {
	version=$1 line=$2 kind=$3 input=$4
	shift 4
	program=$from/$version golden=
	if [ "$output" ]; then
		golden=$from/golden
		case $family in
		advisory) program=$program-print golden=$golden-print ;;
		totals) set -- ;; # without them they are printed
		esac
	fi
	began=$(now_ms)
	timeout -k 5 $((limit + 30)) "$why" explain --format=json --stats --max-suspects 0 \
		--timeout "$limit" --stdin "$input" ${golden:+--golden "$golden"} -- "$program" "$@" >"$work/answer" 2>"$work/errors" </dev/null
	status=$?
	took=$(($(now_ms) - began))
	if [ "$status" = 0 ] && row=$(jq -r --argjson line "$line" --arg file "$version.c" "$facts" \
		"$work/answer"); then
		:
	else
		echo "$version $*: status $status: $(head -n 1 "$work/errors")" >&2
		row=$(printf -- '-\t0\t0\t0\t0\t0\t0')
	fi
	printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$version" "$line" "$kind" "$row" "$took" \
		"$(plain_gdb_ms "$input" "$program" "$@")" "$status"
}

# all_failing_FAMILY VERSION: its failing tests, an input and arguments each.
all_failing_advisory() {
	"$from/$1-batch" <"$from/inputs.txt" | sed 's|^|/dev/null |'
}
all_failing_totals() {
	"$from/$1-batch" "$from"/inputs/* | sed 's|.*/||' >"$work/names"
	awk -v dir="$from/inputs/" 'NR == FNR { failing[$1] = 1; next } $1 in failing { print dir $0 }' \
		"$work/names" "$from/tests.txt" >"$work/tests.failing"
	while read -r input words; do
		echo "$(wc -c <"$input") $input $words"
	done <"$work/tests.failing" | if [ "$smallest" ]; then sort -n -s -k 1,1; else cat; fi |
		sed 's/^[0-9]* //'
}

# failing_tests VERSION: up to $tests of its failing tests, evenly spread or the first.
failing_tests() {
	"all_failing_$family" "$1" >"$work/failing"
	if [ "$smallest" ]; then
		head -n "$tests" "$work/failing"
		return
	fi
	awk -v tests="$tests" -v all="$(wc -l <"$work/failing")" '
		BEGIN { if (tests > all) tests = all }
		picked < tests && NR >= 1 + int(picked * all / tests) { print; picked++ }' "$work/failing"
}

start=$(now_ms)
tab=$(printf '\t')
: >"$work/rows"
printf '%-5s %4s  %-16s %5s %5s %7s %6s %7s %5s %5s %8s %7s %6s\n' '' line kind rank found answers \
	proven single runs iter. 'time ms' 'gdb ms' ratio
tail -n +2 "$table" | while IFS=$tab read -r version line kind _; do
	case " $* " in "  " | *" $version "*) ;; *) continue ;; esac
	failing_tests "$version" >"$work/tests"
	while read -r words; do
		# shellcheck disable=SC2086
		measure "$version" "$line" "$kind" $words
	done <"$work/tests" | tee -a "$work/rows" | awk -F '\t' -f tests/bench/versions-row.awk
done
[ -s "$work/rows" ] || { echo "versions.sh: no such version" >&2; exit 2; }
awk -F '\t' -f tests/bench/versions-summary.awk "$work/rows"
[ -z "$keep" ] || cp "$work/rows" "$keep"
echo "$((($(now_ms) - start) / 1000)) s in all"
