#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A condition at a place of the run, required on the command line.
set -u
. tests/support/samples-lib.sh
need_tool

cat >"$dir/steps.c" <<'C'
#include <stdio.h>
int main(void)
{
	int level = 10;

	for (int i = 0; i < 4; i++) {
		level -= 2 * i;
		printf("%d\n", level);
	}
	return 0;
}
C
"$CC" -g -O0 -o "$dir/steps" "$dir/steps.c"

explain() { # requirement
	"$WHY_BIN" explain --format=json --require "$1" -- "$dir/steps" >"$dir/answer" 2>"$dir/err"
}

# The level is 10, 8, 4 and -2: the fourth time it is too low.
explain 'steps.c:8 level >= 0' || complain "status $?: $(cat "$dir/err")"
jq -e '.failure | .kind == "condition" and .requirement == "level >= 0" and .line == 8 and .values == [{"name": "level", "value": "-2"}]' \
	"$dir/answer" >"$dir/index" || complain "$(jq -c .failure "$dir/answer")"
jq -e '[.suspects[] | select(.replay == "passes") | .statements[].line] | index(7)' "$dir/answer" >"$dir/index" ||
	complain "line 7 is not found: $(jq -c '[.suspects[].statements[].line]' "$dir/answer")"

# With a count, that time is meant.
explain 'steps.c:8:2 level == 9' || complain "count: status $?: $(cat "$dir/err")"
jq -e '.failure.values == [{"name": "level", "value": "8"}]' "$dir/answer" >"$dir/index" || complain "count: $(jq -c .failure "$dir/answer")"

explain 'steps.c:8 level < 100'
[ $? -eq 1 ] && grep -q 'did not fail: .* holds each time' "$dir/err" || complain "holds: $(cat "$dir/err")"
explain 'steps.c:8:1 level == 10'
[ $? -eq 1 ] && grep -q 'holds at' "$dir/err" || complain "holds there: $(cat "$dir/err")"
explain 'steps.c:8'
[ $? -eq 2 ] && grep -q 'takes a place and a condition' "$dir/err" || complain "no condition: $(cat "$dir/err")"
explain 'steps.c:8:1 nothing == 1'
[ $? -eq 2 ] && grep -q 'cannot be required' "$dir/err" || complain "no such name: $(cat "$dir/err")"

[ $failures -eq 0 ]
