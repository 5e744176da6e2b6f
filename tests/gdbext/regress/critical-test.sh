#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Critical predicates: what `d = c' is caused by are the branch around it (line 9, direct) and the one
# that was not taken and could have changed c (line 10, indirect), not the one inside, which was not
# executed (line 11).  So a change that no executed statement of the first cause stands on is found.
set -u
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0
mkdir old
cat >old/p.c <<'C'
#include <assert.h>
#include <stdlib.h>

int main(int n, char **v)
{
	int a = n > 1, b = n > 2, c = atoi(v[1]), d = 7;
	int k = 5;

	if (a) {
		if (b || n == 2) {
			if (c != k)
				c = k;
		}
		d = c;
	}
	assert(d == k);
	return 0;
}
C
printf 'p: p.c\n\t%s -g -O0 -o p p.c\n' "${CC:-gcc}" >old/Makefile
cp -a old new
sed -i -e 's/b || n == 2/b || n == 3/' -e 's/^#include <assert.h>/&\n#include <stdio.h>/' new/p.c

"$WHY_BIN" regress --old old --new new --run ./p --format json -- 1 >out 2>err ||
	{ echo "no answer"; cat err; exit 1; }
check() {
	jq -e "$2" out >/dev/null || { echo "not so: $1"; jq '.root, .causes' out; failed=1; }
}
check "the root is the condition, found by causes" \
	'(.root | length) == 1 and (.root[0].text | contains("n == 3")) and .basis == "causes"'
check "the first cause does not hold it" '.causes[0].changes == []'
check "it is why the indirect predicate went false" \
	'[.causes[] | select(.relevant and .effect == 0 and .statements[-1].line == 11)] | length >= 1'
check "the branch around is a predicate, too" '[.causes[] | select(.effect == 0 and .statements[-1].line == 10)] | length == 1'
check "what was not executed is none" '[.causes[].statements[].line] | index(12) == null'
exit $failed
