#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A run that goes another way has other blocks of the heap where the failing run has its own.  A
# store or a pointer that is moved into a block of another size, only because the other run stores
# there, explains nothing: no such explanation is proven.
. tests/support/samples-lib.sh
need_tool

cat >"$dir/layout.c" <<'C'
#include <assert.h>
#include <stdlib.h>

static int *numbers, *result, *spare;

static void make(int mode)
{
	if (mode > 3)
		spare = malloc(24);
	numbers = malloc(16 * sizeof(int));
	result = malloc(4 * sizeof(int));
}

int main(int argc, char **argv)
{
	int mode = argc > 1 ? atoi(argv[1]) : 1, at = 12;

	make(mode);
	result[0] = mode;
	result[1] = 0;
	numbers[at] = 7; /* astray */
	assert(result[0] == 7);
	return 0;
}
C
build "$dir/layout.c" "$dir/layout"
"$WHY_BIN" explain --limit mutant_runs=0 --format=json --max-suspects 0 -- "$dir/layout" 1 >"$dir/answer.json" 2>"$dir/err" ||
	complain "exit status $?: $(cat "$dir/err")"
line=$(grep -nF '/* astray */' "$dir/layout.c" | cut -d: -f1)
jq -r '.suspects[] | select(.replay == "passes") | [.statements[].line] | @csv' "$dir/answer.json" >"$dir/proven"
grep -q "\b$line\b" "$dir/proven" && complain "line $line is proven: $(cat "$dir/proven")"
# What the two blocks have to do with the fault is still found: the values, and their order in one block.
for right in 'result[0] = mode' 'result[1] = 0'; do
	grep -qx "$(grep -nF "$right" "$dir/layout.c" | cut -d: -f1)" "$dir/proven" || complain "$right is not proven"
done
finish
