#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# The branch that let a statement be executed is a switch with a table of jumps, and another one around
# it was taken many times before: the change is what the switch is about.
set -u
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
failed=0
mkdir old
cat >old/p.c <<'C'
#include <assert.h>
#include <stdlib.h>

static int step(int command, int value)
{
	switch (command) {
	case 0:
		value = value + 1;
		break;
	case 1:
		value = value + 2;
		break;
	case 2:
		value = value * 2;
		break;
	case 3:
		value = value * 3;
		break;
	case 4:
		value = -value;
		break;
	case 5:
		value = value - 1;
		break;
	case 6:
		value = 0;
		break;
	default:
		value = value + 7;
	}
	return value;
}

static int command_of(int code)
{
	return code & 7;
}

int main(int n, char **v)
{
	int value = atoi(v[1]);

	for (int i = 0; i < 60; i++)
		value = step(i == 59 ? command_of(n + 1) : 0, value);
	assert(value == 183);
	return 0;
}
C
printf 'p: p.c\n\t%s -g -O0 -o p p.c\n' "${CC:-gcc}" >old/Makefile
cp -a old new
sed -i -e 's/return code & 7;/return code \& 6;/' -e 's/^#include <assert.h>/&\n#include <stdio.h>/' \
	-e 's/int value = atoi(v\[1\]);/int value = (atoi(v[1]));/' new/p.c

"$WHY_BIN" regress --old old --new new --run ./p --format json -- 2 >out 2>err ||
	{ echo "no answer"; cat err; exit 1; }
check() {
	jq -e "$2" out >/dev/null || { echo "not so: $1"; jq '.root, .basis, .stats, .causes' out; failed=1; }
}
check "the root is what the switch is about, found by causes" \
	'(.root | length) == 1 and (.root[0].text | contains("code & 6")) and .basis == "causes"'
check "it was the first that was built, because the other executed one is the same code" '.stats.builds == 4'
check "a cause tells the switch" '[.causes[] | select((.predicate // "") | contains("switch"))] | length >= 1'
exit $failed
