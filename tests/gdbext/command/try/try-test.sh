#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# limits: any
# gdb-why try: a branch turned, a variable changed, and what that changes.
set -u
. tests/support/limits.sh
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0
cat >t.c <<'C'
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
struct point {
	short x, y;
};
int main(int argc, char **argv)
{
	struct point p = { 1, 2 };
	double half = 0.5;
	float third = 3;
	int sum = 0, *nowhere = NULL;

	for (int i = 0; i < 3; i++)
		sum = sum + i;
	if (argc > 2 && sum == 3)
		p.x = p.x + 1;
	printf("%d %d %d %g %g\n", sum, p.x, p.y, half, (double)third);
	fflush(stdout);
	if (p.y < 0)
		*nowhere = 1;
	if (p.y > 100)
		exit(7);
	assert(sum != 3);
	return argv == NULL;
}
C
${CC:-gcc} -g -O0 -o t t.c || exit 1

expect() { # status, lines that must be there; the rest: arguments
	status=$1 lines=$2
	shift 2
	"$WHY_BIN" try "$@" -- ./t >out 2>&1
	got=$?
	[ $got = "$status" ] || { echo "try $*: status $got"; cat out; failed=1; }
	while IFS= read -r line; do
		grep -qxF -- "$line" out || { echo "try $*: not said: $line"; cat out; failed=1; }
	done <<<"$lines"
}

expect 0 "t.c:14: \`i < 3' goes false instead of true, the 1st of 4 times
it passes (exit status 0); before: it fails an assertion
  was  3 1 2 0.5 3
  is   0 1 2 0.5 3" --flip t.c:14:1
expect 0 "t.c:14: \`i < 3' goes false instead of true, the 2nd of 4 times" --flip t.c:14:2
expect 0 "t.c:14: \`i < 3' goes true instead of false, the 4th of 4 times
  is   6 1 2 0.5 3" --flip t.c:14
expect 0 "  is   6 1 2 0.5 3" --flip t.c:14:last
if default_limits; then
	expect 0 "t.c:14: \`i < 3' goes the other way, each of 4 times: 1 true, 3 false; this run executed 1 of them
  is   0 1 2 0.5 3" --flip t.c:14:all
fi
expect 0 "t.c:14: \`i < 3' goes false instead of true, the first 2 of 4 times (--limit turned_branches=4 turns all); this run executed 1 of them
  is   0 1 2 0.5 3" --limit turned_branches=2 --flip t.c:14:all
expect 0 "it is killed by SIGSEGV at t.c:21 in main; before: it fails an assertion" --flip t.c:20
expect 0 "t.c:16: \`argc > 2' goes true instead of false
it fails an assertion, as before
  is   3 2 2 0.5 3" --flip t.c:16
expect 0 "t.c:15: sum = 7 after that line
it passes (exit status 0); before: it fails an assertion
  is   9 1 2 0.5 3" --set 'sum = 7' --after t.c:15:2
expect 0 "t.c:15: sum = sum * 2 + 7 before that line
  is   10 1 2 0.5 3" --set 'sum = sum * 2 + 7' --at t.c:15:2
expect 0 "it is killed by SIGSEGV at t.c:21 in main; before: it fails an assertion
  is   3 1 -5 0.5 3" --set 'p.y=-5' --at t.c:18
expect 0 "it exits with status 7; before: it fails an assertion" --set 'p.y = 101' --at t.c:22
expect 0 "its output is the same" --set 'p.y = 101' --at t.c:22
expect 0 "  is   3 1 2 4 3" --set 'half = 4' --at t.c:18
expect 0 "  is   3 1 2 0.5 2.5" --set 'third = 2.5' --at t.c:18
expect 0 "  is   3 2 2 0.5 3" --set 'p.x = 2.75' --at t.c:18

expect 2 'gdb-why: The branch of t.c:14 is executed only 4 times.' --flip t.c:14:5
expect 2 'gdb-why: The run never comes to t.c:23.' --flip t.c:23
expect 2 'gdb-why: The run executed no branch of t.c:15 at that time.' --flip t.c:15
expect 2 'gdb-why: The run comes to t.c:15 only 3 times.' --set 'sum = 1' --at t.c:15:4
expect 2 "gdb-why: \`sum == 3' is not an assignment; say LVALUE = VALUE." --set 'sum == 3' --at t.c:18
expect 2 "gdb-why: \`p' is not a number or pointer in memory there." --set 'p = 3' --at t.c:18
for wrong in "" "--flip t.c:14:1 --set sum=1 --at t.c:18" "--set sum=1" "--flip t.c:14 --at t.c:15" \
	"--set sum=1 --at t.c:18 --after t.c:18"; do
	# shellcheck disable=SC2086
	"$WHY_BIN" try $wrong -- ./t >out 2>&1
	[ $? = 2 ] && grep -q 'say what is tried' out || { echo "try $wrong:"; cat out; failed=1; }
done

# From a record.
"$WHY_BIN" record -o t.why -- ./t >/dev/null 2>&1
"$WHY_BIN" try --record t.why --flip t.c:14:1 >out 2>&1
grep -q '^it passes (exit status 0); before' out || { echo "from a record:"; cat out; failed=1; }
exit $failed
