#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What the new version does not have any more: no statement of its failing run stands there, and none
# beside it is a cause.  The old version's run tells what was lost.  And both runs are aligned by rounds
# of loops and by calls, not by how often a line was executed.
set -u
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0
make_old() {
	rm -rf old new
	mkdir old
	cat >old/p.c
	printf 'p: p.c\n\t%s -g -O0 -o p p.c\n' "${CC:-gcc}" >old/Makefile
	cp -a old new
}
regress() { # arguments of the program
	"$WHY_BIN" regress --old old --new new --run ./p --format json --jobs 1 -- "$@" >out 2>err ||
		{ echo "no answer"; cat err out; failed=1; }
}
check() {
	jq -e "$2" out >/dev/null || { echo "not so: $1"; jq '.basis, .root, .causes' out; failed=1; }
}

# A store that went: x at the assertion comes from far above.
make_old <<'C'
#include <assert.h>
#include <stdlib.h>
int main(int n, char **v)
{
	int x = atoi(v[1]), y = 0, z = 0;

	for (y = 0; y < 3; y++)
		z += y;
	if (n > 1)
		x = 7;
	for (y = 0; y < 3; y++)
		z += y;
	z += n;
	assert(x == 7);
	return z > 100;
}
C
sed -i -e '/if (n > 1)/d' -e '/x = 7;/d' -e 's/z > 100/z > 101/' new/p.c
regress 3
check "a store that went is found by causes" \
	'.basis == "causes" and (.root | length) == 1 and (.root[0].text | contains("-\t\tx = 7;"))'
check "it counts at the statement that rested on it" '.causes[0].changes == [1]'

# A check that went: the old run did not come to the division.
make_old <<'C'
#include <stdlib.h>
static int share(int all, int n)
{
	if (n == 0)
		return 0;
	all += 1;
	all -= 1;
	return all / n;
}
int main(int n, char **v)
{
	(void)n;
	return share(6, atoi(v[1])) == 3;
}
C
sed -i -e '/n == 0/d' -e '/return 0;/d' -e 's/(void)n;/(void)n; (void)v;/' new/p.c
regress 0
check "a check that went is found by causes" \
	'.basis == "causes" and (.root | length) == 1 and (.root[0].text | contains("-\tif (n == 0)"))'

# The new version calls add() once more before: its third call is the old one's second.
make_old <<'C'
#include <assert.h>
static int add(int a, int b)
{
	int sum = a + b;

	return sum;
}
int main(int n, char **v)
{
	int x = 1, y = 0, i;

	(void)v;
	for (i = 0; i < 3; i++)
		y = add(y, x);
	x = add(y, n);
	assert(x == 4);
	return 0;
}
C
sed -i -e 's/(void)v;/y = add(n, n);/' new/p.c
sed -i -e 's/y = 0, i/y = 0, i = 0 * **v/' old/p.c new/p.c
regress
check "the root is the call more" '(.root | length) == 1 and (.root[0].text | contains("add(n, n)"))'
check "values of the same round are compared" '[.causes[0].statements[] | select(.line == 4) | [.value, .before]] as $s |
	($s | index([["3", "1"]])) != null and ($s | index([["6", "4"]])) != null'
exit $failed
