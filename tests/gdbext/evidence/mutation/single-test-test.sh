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
# Those that do not even come to the check wait until other changes were tried, so they get no more time at all.
grep -q 'does not come to the failed check' "$dir/log" || complain "around: no run was found that is stuck before the check"

# What is executed behind a loop is changed there, without the loop.
cat >"$dir/behind.c" <<'END'
#include <assert.h>
static unsigned noise;
static int twice(int x)
{
	int y = x + x + 1;
	return y;
}
int main(void)
{
	for (int i = 0; i < 2000000; i++)
		noise = noise * 31 + (unsigned)i;
	int v = twice(4);
	assert(v == 8);
	return 0;
}
END
build "$dir/behind.c" "$dir/behind" || complain "behind.c does not compile"
GDB_WHY_LOG=replay:debug "$WHY_BIN" explain --format=json -- "$dir/behind" >"$dir/answer" 2>"$dir/log" || complain "behind: status $?"
grep -q 'changed runs start behind 2' "$dir/log" || complain "behind: no changed run starts behind the loop"
jq -e '[.suspects[] | select(.statements[0].line == 5 and .evidence.change == "0 for 1")] | length == 1' "$dir/answer" >/dev/null ||
	complain "behind: $(jq -c '[.suspects[] | [.statements[0].line, .evidence.change]]' "$dir/answer")"

# A line on which the failure does not depend has only its likely changes tried in a long run: two rounds of five.
cat >"$dir/beside.c" <<'END'
#include <assert.h>
static unsigned noise;
static void spin(int n)
{
	for (int i = 0; i < n; i++)
		noise = noise * 31 + (unsigned)i;
}



static int twice(int x)
{
	int y = x + x + 1;
	return y;
}
int main(void)
{
	spin(20000);
	int v = twice(4);
	assert(v == 8);
	return 0;
}
END
build "$dir/beside.c" "$dir/beside" || complain "beside.c does not compile"
GDB_WHY_LOG=evidence:debug "$WHY_BIN" explain --format=json -- "$dir/beside" >"$dir/answer" 2>"$dir/log" || complain "beside: status $?"
beside=$(grep -c 'beside.c:6: parts' "$dir/log")
[ "$beside" -ge 1 ] && [ "$beside" -le 2 ] || complain "beside: line 6 was looked at $beside times"
jq -e '[.suspects[] | select(.statements[0].line == 13 and .evidence.change == "0 for 1")] | length == 1' "$dir/answer" >/dev/null ||
	complain "beside: $(jq -c '[.suspects[] | [.statements[0].line, .evidence.change]]' "$dir/answer")"

# Where nothing likely mends the check, they get it: with its right bound, this loop takes thirty times as long.
cat >"$dir/slow.c" <<'END'
#include <assert.h>
static volatile unsigned noise;
static int rounds(int n)
{
	int done = 0;
	for (int i = 0; i < 6000000; i++) {
		noise += (unsigned)i;
		if (i > n)
			break;
		done++;
	}
	return done;
}
int main(void)
{
	assert(rounds(200000) == 6000000);
	return 0;
}
END
build "$dir/slow.c" "$dir/slow" || complain "slow.c does not compile"
GDB_WHY_LOG=evidence:debug "$WHY_BIN" explain --format=json -- "$dir/slow" >"$dir/answer" 2>"$dir/log" || complain "slow: status $?"
grep -q 'does not come to the failed check' "$dir/log" || complain "slow: no run was found that is stuck before the check"
jq -e '[.suspects[] | select(.statements[0].line == 8 and .evidence.change)] | length > 0' "$dir/answer" >/dev/null ||
	complain "slow: $(jq -c '[.suspects[] | [.statements[0].line, .evidence.change]]' "$dir/answer")"
finish
