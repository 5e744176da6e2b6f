#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# No small change is run twice for a single failing test, nor one of code that the test does not
# execute, nor one that costs too much to be named.  Counted on the example: 54 runs; 107 otherwise.
. tests/support/samples-lib.sh
need_tool

"$WHY_BIN" explain --stats --color never -- "$BUILD/samples/paper" 0 0 >"$dir/answer"
grep -q '0 for 1 here: the test passes with that, too' "$dir/answer" || {
	complain "the change of line 27 was not found"
	cat "$dir/answer"
}
runs=$(awk '$1 == "changes" { print $4 }' "$dir/answer")
[ "${runs:-999}" -ge 20 ] && [ "$runs" -le 75 ] || complain "there were $runs runs with small changes"

# In a long run that fails at a check, changed loops that do not end get no more time once a likely change mends.
cat >"$dir/around.c" <<'END'
#include <assert.h>
static unsigned noise;
static int twice(int x)
{
	int y = x + x + 1;
	return y;
}
int main(void)
{
	int v = 0;
	for (int i = 0; i < 3000; i++) {
		noise ^= (unsigned)i;
		if (i == 1500)
			v = twice(4);
	}
	assert(v == 8);
	return 0;
}
END
build "$dir/around.c" "$dir/around" || complain "around.c does not compile"
GDB_WHY_LOG=evidence:debug "$WHY_BIN" explain --format=json --limit slip_rest_from=100 -- "$dir/around" >"$dir/answer" 2>"$dir/log" ||
	complain "around: status $?"
grep -q 'get no more time' "$dir/log" || complain "around: runs that do not end may still take longer"
jq -e '[.suspects[] | select(.statements[0].line == 5 and .evidence.change == "0 for 1")] | length == 1' "$dir/answer" >/dev/null ||
	complain "around: $(jq -c '[.suspects[] | [.statements[0].line, .evidence.change]]' "$dir/answer")"
finish
