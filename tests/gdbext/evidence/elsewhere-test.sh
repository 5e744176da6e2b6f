#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# With a suite: a line that no explanation names, because the values that it compares go through
# tsearch, comes first when a small change of it mends all failing tests and breaks no passing one.
. tests/support/samples-lib.sh
need_tool

cat >"$dir/tree.c" <<'C'
#include <search.h>
#include <stdio.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
	const int *x = a, *y = b;

	return *y - *x;
}

static void show(const void *node, VISIT order, int depth)
{
	(void)depth;
	if (order == postorder || order == leaf)
		printf("%d\n", **(int *const *)node);
}

int main(int argc, char **argv)
{
	static int values[16];
	void *root = NULL;
	int n = 0;

	for (int i = 1; i < argc; i++) {
		values[n] = atoi(argv[i]);
		tsearch(&values[n++], &root, by_value);
	}
	twalk(root, show);
	return 0;
}
C
sed 's/\*y - \*x/*x - *y/' "$dir/tree.c" >"$dir/right.c"
build "$dir/tree.c" "$dir/tree"
build "$dir/right.c" "$dir/right"
printf '%s\n' '1 2' '2 1' '3' '5 5' '3 9 4' '7 7 7' '' '8 2 1' >"$dir/suite"

"$WHY_BIN" explain --format json --golden "$dir/right" --tests "$dir/suite" -- "$dir/tree" >"$dir/answer" 2>"$dir/err"
python3 tests/validate.py tests/answer.schema.json <"$dir/answer" || complain "not by the schema"
jq -e '.suspects[0] | .replay == "passes" and .statements[0].line == 9 and .statements[0].kind == "code"
	and .evidence.change == "the operands of `-'"'"' exchanged" and .evidence.broken == 0' "$dir/answer" >/dev/null || {
	complain "line 9 is not first"
	jq -c '.suspects[] | [.rank, .statements[0].line, .statements[0].witness, .evidence]' "$dir/answer"
	cat "$dir/err"
}
"$WHY_BIN" rank --format json --no-cache --golden "$dir/right" --technique ofc+cw --tests "$dir/suite" -- "$dir/tree" >"$dir/ranks" 2>"$dir/err"
jq -e '[.lines[] | select(.line == 9)][0].scores[0].rank == 1' "$dir/ranks" >/dev/null || {
	complain "line 9 does not rank first"
	jq -c '.lines[:5]' "$dir/ranks"
	cat "$dir/err"
}

# Of a suite with more tests the search is over when such a line is found after the first look.
cp "$dir/suite" "$dir/more"
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; do
	echo "$((i % 5)) $((i * 7 % 11)) $((i * i % 13))"
done >>"$dir/more"
# looks SUITE LIMIT WANTED: is line 9 first, and did the first look end the search?
looks() {
	"$WHY_BIN" explain --format json --limit first_look=1 --limit "$2" --golden "$dir/right" --tests "$1" -- "$dir/tree" \
		>"$dir/answer" 2>"$dir/err"
	jq -e --argjson wanted "$3" '.suspects[0].statements[0].line == 9 and
		([.stats.limits[] | select(.name == "first_look")][0].reached > 0) == $wanted' "$dir/answer" >/dev/null || {
		complain "$2: not as it should be"
		jq -c '[.suspects[].statements[0].line], .stats.limits' "$dir/answer"
	}
}
looks "$dir/more" elsewhere_runs=2000 true
[ -z "${THOROUGH:-}" ] || looks "$dir/more" elsewhere_runs=0 false
looks "$dir/suite" elsewhere_runs=2000 false

# Beside a named line that a common slip mends, others are told that such a slip mends as well: which
# of them is wrong, the tests do not tell.
cat >"$dir/wrong.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char text[16];

static void take(const char *from)
{
	int i = 0;

	text[i++] = from[0];
	text[i + 1] = '\0';
}

static int kind(void)
{
	if (text[1] == '\0' && strchr("()", text[0]))
		return 3;
	return text[0] == '4' ? 5 : 4;
}

int main(int argc, char **argv)
{
	memset(text, '-', 15);
	for (int i = 1; i < argc; i++) {
		take(argv[i]);
		printf("%d\n", kind());
	}
	return 0;
}
C
sed 's/text\[i + 1\] = /text[i] = /' "$dir/wrong.c" >"$dir/mended.c"
build "$dir/wrong.c" "$dir/wrong"
build "$dir/mended.c" "$dir/mended"
for test in '(' ')' 4 a b '4 5' 'a (' 'a )' '4 a b' ') )' a4 '4 4' 'c d' 'd 4' e f '4 f' g 'h 4' 'i 4' '4 4 4' j; do
	echo "$test" | sed "s/[()]/'&'/g"
done >"$dir/tests"
# scored LIMIT: which of the lines 12 (the faulty one), 17 and 24 have a score.
scored() {
	"$WHY_BIN" rank --format json --no-cache --golden "$dir/mended" --technique ofc+cw --limit "beside_runs=$1" --tests "$dir/tests" \
		-- "$dir/wrong" 2>"$dir/err" |
		jq -c '[.lines[] | select(.scores[0].score > 0.5) | .line | select(IN(12, 17, 24))] | sort'
}
[ "$(scored 600)" = "[12,17,24]" ] || complain "beside: $(scored 600) $(cat "$dir/err")"
[ "$(scored 0)" = "[12,17]" ] || complain "without beside_runs: $(scored 0) $(cat "$dir/err")"

# Of many failing tests that such a change mends, the first ones are explained, unless each has to be.
cp "$dir/suite" "$dir/few"
printf '%s\n' '1 2 3' '1 2 3 4' '2 3 4' '2 3' 4 6 9 8 11 12 13 '2 2' '4 4' '6 6' '9 9' 14 15 >>"$dir/few"
"$WHY_BIN" explain --format json --golden "$dir/right" --failing all --tests "$dir/few" -- "$dir/tree" >"$dir/all" 2>"$dir/err"
jq -e '.suspects[0].statements[0].line == 9 and (.tests.explained | length) < .tests.failed
	and ([.notes[] | select(contains("mended_each"))] | length) == 1' "$dir/all" >/dev/null ||
	complain "not the first ones only: $(jq -c '[.tests, .notes]' "$dir/all") $(cat "$dir/err")"

# The common slips of all lines are tried before the solver is asked for long.
quickly() {
	"$WHY_BIN" explain --format json --no-cache --golden "$dir/right" --tests "$dir/few" --limit quick_look=1 --limit "quick_runs=$1" -- "$dir/tree" 2>"$dir/err" |
		jq -c '[.suspects[0].statements[0].line, .stats.checks > 0]'
}
[ "$(quickly 1500)" = "[9,false]" ] || complain "not quickly: $(quickly 1500) $(cat "$dir/err")"
[ "$(quickly 0)" = "[9,true]" ] || complain "without quick_runs: $(quickly 0) $(cat "$dir/err")"
[ "${THOROUGH:-}" ] || finish
"$WHY_BIN" explain --format json --golden "$dir/right" --failing all --limit mended_each=0 --tests "$dir/few" -- "$dir/tree" >"$dir/each" 2>"$dir/err"
jq -e '.suspects[0].statements[0].line == 9 and (.tests.explained | length) == .tests.failed' "$dir/each" >/dev/null ||
	complain "not each: $(jq -c '[.tests, .notes]' "$dir/each") $(cat "$dir/err")"
finish
