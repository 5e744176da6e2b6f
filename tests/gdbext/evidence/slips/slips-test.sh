#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Without a suite: the slip that mends the failing test is named and comes first; a change
# that only keeps the run from the check is none; three are shown, --all shows the others.
. tests/support/samples-lib.sh
need_tool

cat >"$dir/slip.c" <<'C'
#include <assert.h>
#include <stdlib.h>

static int total(const int *a, int n)
{
	int sum = 0;

	for (int i = 1; i < n; i++)
		sum += a[i];
	return sum;
}

int main(int argc, char **argv)
{
	int a[4], n = 0, sum;

	for (int i = 2; i < argc; i++)
		a[n++] = atoi(argv[i]);
	sum = total(a, n);
	if (argc > 1)
		assert(sum == atoi(argv[1]));
	return 0;
}
C
build "$dir/slip.c" "$dir/slip"
"$WHY_BIN" explain --format json -- "$dir/slip" 6 1 2 3 >"$dir/answer"

has() { # what; a filter of jq that is to be true
	jq -e "$2" "$dir/answer" >/dev/null || {
		complain "$1"
		jq -c '.suspects[] | [.rank, .statements[0].line, .evidence]' "$dir/answer"
	}
}
has "0 for 1 in line 8 is not among the first two" \
	'any(.suspects[:2][]; .statements[0].line == 8 and .evidence.change == "0 for 1" and .evidence.effort == 1)'
has "the first two have no common slip" \
	'all(.suspects[:2][]; .evidence != null and .evidence.effort == 1)'
has "a slip is said to be tried on other tests" \
	'all(.suspects[] | .evidence | select(. != null); .failing == 1 and .passing == 0 and .mended == 1)'
has "leaving the check out counts as a slip" \
	'all(.suspects[] | select(.statements[0].line == 19); .evidence == null)'
has "ranks and scores do not agree" '[.suspects[].score] | . == (sort | reverse)'

n=$(jq '.suspects | length' "$dir/answer")
[ "$n" -ge 5 ] || complain "only $n suspects"
"$WHY_BIN" explain --color never -- "$dir/slip" 6 1 2 3 >"$dir/text"
grep -q '^ 3  ' "$dir/text" && ! grep -q '^ 4  ' "$dir/text" && grep -q "^ *$((n - 3)) more: --all\$" "$dir/text" || {
	complain "three and the number of the others are not shown"
	cat "$dir/text"
}
tr -s ' \n' ' ' <"$dir/text" | grep -qF 'with 0 for 1 the test passes' ||
	complain "the text does not name the slip"
"$WHY_BIN" explain --all --color never -- "$dir/slip" 6 1 2 3 >"$dir/text"
grep -q "^ *$n  " "$dir/text" || { complain "--all does not show all $n"; cat "$dir/text"; }

# A compiler's constant is not always the source's: `i < 10' becomes `i <= 9', two elements 8 bytes.
cat >"$dir/words.c" <<'C'
#include <assert.h>

int main(int argc, char **argv)
{
	int a[4] = { 1, 2, 3, 4 }, sum = 0;
	int *p = a + argc - 1;

	for (int i = 0; i < 10; i++)
		sum += i;
	p = p + 2;
	(void)argv;
	assert(sum == 36 || *p == 4);
	return 0;
}
C
build "$dir/words.c" "$dir/words"
"$WHY_BIN" explain --format json -- "$dir/words" >"$dir/answer"
has "not 9 for 10 in line 8" \
	'any(.suspects[]; .statements[0].line == 8 and .evidence.change == "9 for 10")'
has "not 3 elements for 2 in line 10" \
	'any(.suspects[]; .statements[0].line == 10 and .evidence.change == "3 for 2")'

# Behind a pointer the type says which member another one is.
cat >"$dir/grid.c" <<'C'
#include <stdio.h>

struct grid {
	int rows, columns, cells[6];
};

static int *cell(struct grid *g, int row, int column)
{
	return &g->cells[row * g->rows + column];
}

int main(void)
{
	struct grid g = { 2, 3, { 1, 2, 3, 4, 5, 6 } };

	for (int row = 0; row < g.rows; row++)
		printf("%d\n", *cell(&g, row, 0) + *cell(&g, row, 2));
	return 0;
}
C
build "$dir/grid.c" "$dir/grid"
printf '4\n10\n' >"$dir/expected"
"$WHY_BIN" explain --format json --expect "$dir/expected" -- "$dir/grid" >"$dir/answer"
has "not \`columns' for \`rows' in line 9" \
	'any(.suspects[]; .statements[0].line == 9 and .evidence.change == "`columns'\'' for `rows'\''")'
finish
