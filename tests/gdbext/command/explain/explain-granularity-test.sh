#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What is changed as one: one execution of a statement, a statement, a line, a
# function.  The loop's sum is 12 and should be 10.
. tests/support/samples-lib.sh
need_tool

cat >"$dir/loop.c" <<'C'
#include <assert.h>
#include <stdlib.h>

static int twice(int v)
{
	return 2 * v;
}

int main(int argc, char **argv)
{
	int sum = 0;

	for (int i = 1; i < argc; i++) {
		int v = twice(atoi(argv[i])); sum += v;
	}
	assert(sum == 10);
	return 0;
}
C
gcc -g -O0 -o "$dir/loop" "$dir/loop.c"

# The answers of one statement, a line each: line, execution, what, before, after.
answers() { # unit
	"$WHY_BIN" explain --format=json --max-size 1 --max-suspects 0 --granularity "$1" \
		-- "$dir/loop" 1 2 3 >"$dir/answer.json" 2>"$dir/err" || {
		complain "$1: exit status $?"
		cat "$dir/err"
	}
	jq -r '.suspects[] | select(.replay == "passes") | .statements[] |
		"\(.line) \(.execution) \(.clause) \(.actual) \(.witness)"' "$dir/answer.json" | sort
}

expect() { # unit; the answers on standard input
	sort >"$dir/expected"
	answers "$1" >"$dir/answers"
	diff -u "$dir/expected" "$dir/answers" || complain "$1: other answers"
}

expect instance <<'ANSWERS'
11 1 sum 0 -2
14 1 sum 2 0
14 1 v 2 0
14 2 sum 6 4
14 2 v 4 2
14 3 sum 12 10
14 3 v 6 4
6 1 2 * v 2 0
6 2 2 * v 4 2
6 3 2 * v 6 4
ANSWERS

expect row <<'ANSWERS'
11 1 sum 0 -2
14 3 sum 12 10
14 3 v 6 4
6 3 2 * v 6 4
ANSWERS

expect line <<'ANSWERS'
11 1 sum 0 -2
14 3 sum 12 10
6 3 2 * v 6 4
ANSWERS

# Of a function, what changes is up to the solver.
answers function | cut -d' ' -f1 >"$dir/answers"
[ "$(wc -l <"$dir/answers")" -eq 2 ] && grep -qx 6 "$dir/answers" ||
	complain "function: not one answer for each"

"$WHY_BIN" explain --all --color never --granularity instance -- "$dir/loop" 1 2 3 >"$dir/text"
tr -s ' \n' ' ' <"$dir/text" | grep -qF 'gave sum = 12 the 3rd of 3 times; with sum = 10 the test passes' || {
	complain "the text does not say which time"
	cat "$dir/text"
}
finish
