#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `why F(ARGS)' of a call in the line that failed: what it returned, and why.  The answer to a failure begins
# with that, and not with an argument.
set -u
. tests/support/samples-lib.sh
need_tool

cat >"$dir/most.c" <<'C'
#include <assert.h>
static int most(const int *v, int n)
{
	int m = v[0];
	for (int i = 1; i < n; i++)
		if (v[i] < m)
			m = v[i];
	return m;
}
static double half(int n)
{
	double h = n / 3.0;
	return h;
}
int main(int argc, char **argv __attribute__((unused)))
{
	int b[] = { 4, 9, 2, 7 };
	if (argc == 2)
		assert(half(9) == 4.5);
	if (argc == 3)
		assert(most(b, 2) == most(b, 3));
	assert(most(b, 4) == 9);
	assert(argc == 9); /* nothing mends both */
	return 0;
}
C
build "$dir/most.c" "$dir/most"
ask() { "$WHY_BIN" ask "$1" -- "$dir/most" "${@:2}" >"$dir/out" 2>"$dir/err"; }
ask 'why most(b, 4)' || complain "most: $(cat "$dir/err")"
grep -q '^most(b, 4) = 2 at .*most.c:22 in main' "$dir/out" && grep -q 'from .*most.c:8 .*m is 2' "$dir/out" && grep -q 'most.c:17 .*b\[2\] = 2' "$dir/out" ||
	complain "most: $(cat "$dir/out")"
ask 'why half(9)' x || complain "half: $(cat "$dir/err")"
grep -q '^half(9) = 3 at .*most.c:19 in main' "$dir/out" && grep -q 'most.c:12 .*h = 3' "$dir/out" || complain "half: $(cat "$dir/out")"
# several calls of it, and one that is not in the line
ask 'why most(b, 3)' x y && complain "several: $(cat "$dir/out")"
grep -q 'functions cannot be called' "$dir/err" || complain "several: $(cat "$dir/err")"
ask 'why half(9)' && complain "elsewhere: $(cat "$dir/out")"
"$WHY_BIN" explain -- "$dir/most" >"$dir/out" 2>&1
sed -n 3,7p "$dir/out" | tr -s '\n ' '  ' >"$dir/opening"
grep -q 'from [^ ]*most.c:8 return m; m = 2 from [^ ]*most.c:7 m = v\[i\]; m = 2 from [^ ]*most.c:17 ' "$dir/opening" || complain "opening: $(cat "$dir/out")"

# with what should be printed, a question is about the call that printed something else
cat >"$dir/print.c" <<'C'
#include <stdio.h>
int main(void)
{
	int n = 0;
	for (int i = 0; i < 3; i++) {
		n += i;
		printf("%d\n", n);
	}
	n = 90;
	printf("%d\n", n);
	return 0;
}
C
build "$dir/print.c" "$dir/print"
printf '0\n1\n4\n90\n' >"$dir/expected"
"$WHY_BIN" ask --expect "$dir/expected" 'why n' -- "$dir/print" >"$dir/out" 2>&1 || complain "print: $(cat "$dir/out")"
grep -q '^n = 3 at .*print.c:7 in main' "$dir/out" && grep -q 'print.c:6 .*n = 1' "$dir/out" || complain "print: $(cat "$dir/out")"
"$WHY_BIN" ask 'why n' -- "$dir/print" >"$dir/out" 2>&1 && complain "unasked: $(cat "$dir/out")"

# A small structure is returned in a register, which is no number.
cat >"$dir/small.c" <<'C'
#include <stdlib.h>
struct point { short x, y; };
static struct point moved(struct point p, int by)
{
	p.x += by; p.y -= by;
	return p;
}
int main(int argc, char **argv)
{
	struct point p = { 1, 2 };

	p = moved(p, atoi(argv[1]));
	if (p.y != 4)
		abort();
	return argc;
}
C
build "$dir/small.c" "$dir/small"
"$WHY_BIN" ask 'why p.y' -- "$dir/small" 5 >"$dir/out" 2>&1
grep -q 'small.c:6 .*{x = 6, y = -3}' "$dir/out" || complain "small: $(cat "$dir/out")"
[ $failures -eq 0 ]
