#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Why a condition of the user's does not hold at a stop: statements whose change
# makes it hold there, each proven by a run that is looked at there.  timeout: 60
. tests/support/samples-lib.sh
need_tool

squeezed=' \n'

cat >"$dir/steps.c" <<'C'
#include <assert.h>
#include <stdlib.h>
struct item {
	int count;
	struct item *next;
};
static int total(struct item *list, int limit)
{
	int sum = 0;
	for (struct item *p = list; p; p = p->next) {
		if (p->count > limit)
			continue;
		sum += p->count;
	}
	return sum;
}
int main(int argc, char **argv)
{
	struct item second = { 5, NULL }, first = { 2, &second };
	int limit = argc > 1 ? 3 : 9;
	int sum = total(&first, limit);
	assert(argv && sum == 7);
	return 0;
}
C
${CC:-cc} -g -O0 -o "$dir/steps" "$dir/steps.c" || complain "steps.c does not compile"
${CC:-cc} -g -Og -o "$dir/steps-g" "$dir/steps.c" || complain "steps.c does not compile with -Og"
paper=$BUILD/samples/paper

asks 0 "\`b == 0' does not hold at samples/paper.c:30 in P b = 1 4 explanations, each proven" why not b == 0 -- "$paper" 0 0
asks 0 'if (y < 5) went true; going false, and paper.c:29 b = a + 2;' why not b == 0 -- "$paper" 0 0
asks 0 'b = a + 1; gave b = 1; with b = -2 it holds' why-not 'b == -2 && a == 0' -- "$paper" 0 0
asks 0 'a = x; gave a = 0; with a = 5 it holds' --at paper.c:26 why not a == 5 -- "$paper" 0 0
asks 0 'if (p->count > limit) went true' --at steps.c:15 why not sum == 7 -- "$dir/steps" 1
asks 0 'int limit = argc > 1 ? 3 : 9; went true; going false, it holds' --at steps.c:15 why not sum == 7 -- "$dir/steps" 1
asks 0 'struct item second = { 5, NULL }, first = { 2, &second }; gave' --at steps.c:11:2 why not '!(p->count > limit)' -- "$dir/steps" 1
asks 0 'it holds' --at steps.c:11:2 why not 'p->count <= 3' -- "$dir/steps-g" 1
asks 1 'does hold there' why not b == 1 -- "$paper" 0 0
asks 2 'cannot be called' why not 'P(0, 0) == 0' -- "$paper" 0 0
asks 2 'would change the run' why not b = 0 -- "$paper" 0 0
asks 2 'no variable' why not c == 0 -- "$paper" 0 0
asks 2 'Why not what' why not -- "$paper" 0 0
asks 3 'null pointer' --at steps.c:15 why not 'list->next->next->count' -- "$dir/steps" 1

"$WHY_BIN" ask --format json why not b == 0 -- "$paper" 0 0 |
	python3 tests/validate.py tests/answer.schema.json || complain "the JSON is not as the schema says"

# Of a record, without the program: what is not run is not proven.
"$WHY_BIN" record -o "$dir/paper.why" -- "$paper" 0 0 >/dev/null || complain "no record"
asks 0 'b = a + 1; gave b = 1' --record "$dir/paper.why" why not b == 0
asks 0 'b = 1 at' --record "$dir/paper.why" why b
finish
