#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Why a line was reached, and why not: decisions in its function, and at calls of
# functions that were never entered.
. tests/support/samples-lib.sh
need_tool

squeezed=' '

cat >"$dir/away.c" <<'C'
#include <assert.h>
#include <stdlib.h>
static int never(int x)
{
	return x + 1;
}
static int twice(int x)
{
	if (x > 9)
		return never(x);
	return 2 * x;
}
int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0, sum = 0;
	for (int i = 0; i < n; i++)
		sum += twice(i);
	assert(sum != 12);
	return 0;
}
C
${CC:-cc} -g -O0 -o "$dir/away" "$dir/away.c" || complain "away.c does not compile"
paper=$BUILD/samples/paper

asks 0 'samples/paper.c:27 in P was reached' why line 27 -- "$paper" 0 0
asks 0 'when paper.c:26 if (y < 5)' why line 27 -- "$paper" 0 0
asks 0 'samples/paper.c:29 in P was not reached' why not line 29 -- "$paper" 0 0
asks 0 'since paper.c:26 if (y < 5)' why not line paper.c:29 -- "$paper" 0 0
asks 0 'false' why not line 10 -- "$dir/away" 4
asks 0 'since away.c:9 ' --depth 2 why not line 10 -- "$dir/away" 4
asks 0 'since away.c:9 ' --depth 2 why not line 5 -- "$dir/away" 4
asks 0 'x = 3' --depth 2 why not line 5 -- "$dir/away" 4
asks 0 'when away.c:16 for' --depth 2 --at away.c:18 why line 17 -- "$dir/away" 4
asks 3 'does come to' why not line 27 -- "$paper" 0 0
asks 3 'does not come to' why line 29 -- "$paper" 0 0
asks 2 'no code at' why line 2 -- "$paper" 0 0
asks 2 'is not a line' why line x -- "$paper" 0 0
asks 2 'Which line' why line -- "$paper" 0 0

# one call of several
cat >"$dir/calls.c" <<'C'
#include <assert.h>
static int best;
static int deep(int n)
{
	int k = n > 0 ? deep(n - 1) : 0;
	if (n == 2)
		k += 10;
	return k;
}
static void visit(int n)
{
	int k = n * 2;
	if (k > 5)
		best = k;
}
int main(void)
{
	for (int i = 0; i < 5; i++)
		visit(4 - i);
	assert(best + deep(3) == 5);
	return 0;
}
C
${CC:-cc} -g -O0 -o "$dir/calls" "$dir/calls.c" || complain "calls.c does not compile"
asks 0 'not reached in call 4 of 5 of visit' why not line 14 in visit:4 -- "$dir/calls"
asks 0 'since calls.c:13 if (k > 5) false' --depth 2 why not line 14 in visit:4 -- "$dir/calls"
asks 0 'k = 2' --depth 2 why not line 14 in visit:4 -- "$dir/calls"
asks 0 'k = 4' --depth 2 --at calls.c:15:3 why not line 14 -- "$dir/calls"
asks 3 'does come to calls.c:14, in call 2 of 5 of visit' why not line 14 in visit:2 -- "$dir/calls"
asks 3 '`why not line calls.c:14 in visit:5'"'"' why not in that call' why not line 14 -- "$dir/calls"
asks 3 'does come to calls.c:19; `why line calls.c:19'\''' why not line 19 -- "$dir/calls"
asks 3 'the run calls it 5 times' why not line 14 in visit:6 -- "$dir/calls"
asks 2 'is no call of the function that has the line' why not line 14 in main:1 -- "$dir/calls"
asks 2 'why a call did not come' why line 14 in visit:1 -- "$dir/calls"
# calls inside do not count: the 2nd call of deep is that with n = 2
asks 3 'does come to calls.c:7, in call 2 of 4 of deep' why not line 7 in deep:2 -- "$dir/calls"
asks 0 'n = 3' --depth 2 why not line 7 in deep:1 -- "$dir/calls"
asks 0 'n = 1' --depth 2 why not line 7 in deep:3 -- "$dir/calls"

# what the program stands before has no decision to blame
cat >"$dir/rounds.c" <<'C'
#include <assert.h>
static int total, big, last;
static void add(int n)
{
	total += n;
}
static void late(void)
{
	last = total;
}
int main(void)
{
	int done = 0;
	if (total == 0) {
		for (int i = 0; i < 4; i++) {
			add(i);
			if (i == 2)
				big = 1;
			if (i > 5)
				done = 1;
		}
		last = done;
		late();
	}
	assert(total == 0);
	return big;
}
C
${CC:-cc} -g -O0 -o "$dir/rounds" "$dir/rounds.c" || complain "rounds.c does not compile"
asks 3 'away from rounds.c:18, in this call of main: the program stands before it, at rounds.c:16.' \
	--at rounds.c:16:2 why not line 18 -- "$dir/rounds"
asks 0 'since rounds.c:17 if (i == 2) false' --at rounds.c:19:2 why not line 18 -- "$dir/rounds"
asks 3 'away from rounds.c:18, in this round of the loop: the program stands before it, at rounds.c:16.' \
	--at rounds.c:16:4 why not line 18 -- "$dir/rounds"
asks 0 'not reached in this round of the loop' --at rounds.c:19:4 why not line 18 -- "$dir/rounds"
asks 0 'since rounds.c:17 if (i == 2) false' --at rounds.c:19:4 why not line 18 -- "$dir/rounds"
asks 3 'does come to rounds.c:18; `why line rounds.c:18'\''' --at rounds.c:19:3 why not line 18 -- "$dir/rounds"
asks 3 'away from rounds.c:22, in this call of main: the program stands before it, at rounds.c:16.' \
	--at rounds.c:16:2 why not line 22 -- "$dir/rounds"
asks 3 'away from rounds.c:22: the program stands before it, at rounds.c:16.' --at add:2 why not line 22 -- \
	"$dir/rounds"
asks 3 'away from rounds.c:9: the program stands before it, at rounds.c:16.' --at rounds.c:16:2 \
	why not line 9 -- "$dir/rounds"
asks 3 'away from rounds.c:5, in this call of add: the program stands before it, at' --at add+0 \
	why not line 5 -- "$dir/rounds"
asks 0 'since rounds.c:25' why not line 26 -- "$dir/rounds"

"$WHY_BIN" ask --format json why not line 29 -- "$paper" 0 0 |
	python3 tests/validate.py tests/causes.schema.json || complain "the JSON is not as the schema says"
finish
