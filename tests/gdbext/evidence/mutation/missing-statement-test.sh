#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A statement that is missing altogether is found, also where the function has none like it: with a suite,
# and of a single test, where nothing else mends that.
. tests/support/samples-lib.sh
need_tool

cat >"$dir/right.c" <<'C'
#include <stdio.h>
#include <stdlib.h>

struct stack {
	int values[16];
	int n;
};

static int dropped;

static void push(struct stack *s, int value)
{
	if (s->n == 4) {
		printf("no room for %d\n", value);
		dropped++;
		return;
	}
	s->values[s->n] = value;
	s->n++;
}

static int pop(struct stack *s)
{
	int value = s->values[s->n - 1];

	s->n--;
	return value;
}

int main(int argc, char **argv)
{
	struct stack s = { { 0 }, 0 };

	for (int i = 1; i < argc; i++) {
		int k = atoi(argv[i]);

		if (k)
			push(&s, k);
		else if (s.n)
			printf("%d\n", pop(&s));
	}
	printf("%d left, %d dropped\n", s.n, dropped);
	return 0;
}
C
build "$dir/right.c" "$dir/right"
for i in 1 2 3 4 5; do
	echo "$i 5 7"
	echo "$i $((i + 1)) 0 $((i * 3)) 0 0"
	echo "1 2 $i 4 5 6 0 0"
	echo "$i 0 $i 0 8"
done >"$dir/suite"

# finds LINE CHANGE...: without that line, one of these changes is the first suspect.
finds() {
	sed "$1s/.*/;/" "$dir/right.c" >"$dir/lost.c"
	build "$dir/lost.c" "$dir/lost"
	lost=$1
	shift
	"$WHY_BIN" explain --timeout 240 --format json --golden "$dir/right" --tests "$dir/suite" -- "$dir/lost" >"$dir/answer" 2>"$dir/err"
	python3 tests/validate.py tests/answer.schema.json <"$dir/answer" || complain "not by the schema"
	found=$(jq -r '.suspects[0] | select(.replay == "passes" and .evidence.broken == 0) |
		"\(.statements[0].line) \(.evidence.change)"' "$dir/answer")
	for wanted; do
		[ "$found" = "$wanted" ] && return
	done
	complain "without line $lost: $found"
	cat "$dir/err"
}
[ -z "${THOROUGH:-}" ] || finds 15 "14 \`dropped++' put before it" "16 \`dropped++' put before it"
finds 26 "27 \`s->n--' put before it" "24 \`s->n--' put behind it"

# In a ranking a line counts beside which it is missing.
"$WHY_BIN" rank --timeout 240 --format json --no-cache --golden "$dir/right" --technique ofc+cw --tests "$dir/suite" -- "$dir/lost" >"$dir/ranks" 2>"$dir/err"
jq -e '[.lines[] | select(.line == 27)][0].scores[0].first == 1' "$dir/ranks" >/dev/null || {
	complain "line 27 does not rank first"
	jq -c '.lines[:5]' "$dir/ranks"
}

# Where that is switched off, a count that nobody keeps is not found.
sed '15s/.*/;/' "$dir/right.c" >"$dir/lost.c"
build "$dir/lost.c" "$dir/lost"
"$WHY_BIN" explain --timeout 240 --format json --limit insertion_runs=0 --golden "$dir/right" --tests "$dir/suite" -- "$dir/lost" >"$dir/answer" 2>"$dir/err"
jq -e '[.suspects[].evidence.change // "" | select(contains("dropped++"))] | length == 0' "$dir/answer" >/dev/null ||
	complain "found without the runs for it"

# An assignment like which no other stands in the program.
sed -e 's/	s->n++;/	s->n++;\n	s->top = value;/' -e 's/	int n;/	int n;\n	int top;/' \
	-e 's/printf("%d left, %d dropped\\n", s.n, dropped)/printf("%d left, %d dropped, %d on top\\n", s.n, dropped, s.top)/' \
	-e 's/{ { 0 }, 0 }/{ { 0 }, 0, 0 }/' "$dir/right.c" >"$dir/top.c"
cp "$dir/top.c" "$dir/right.c"
build "$dir/right.c" "$dir/right"
finds 21 "19 \`s->top = value' put before it" "20 \`s->top = value' put before it" "22 \`s->top = value' put before it"


cat >"$dir/purse.c" <<'C'
#include <assert.h>

struct purse { long cents; int owes, used; };

static int take(struct purse *a, long cents)
{
	if (a->cents - cents < -5000)
		return -1;
	a->cents -= cents;
	a->used++;
	a->owes = a->cents < 0;
	return 0;
}

static void put(struct purse *a, long cents)
{
	a->cents += cents;
	a->used++;
}

int main(void)
{
	struct purse a = { 1000, 0, 0 }, b = { 9000, 0, 0 };

	assert(take(&a, 3000) == 0);
	put(&b, 3000);
	assert(a.owes && !b.owes);
	assert(take(&b, 13000) == 0);
	put(&a, 13000);
	assert(b.owes && b.cents == -1000);
	assert(a.cents == 11000 && a.used == 2);
	assert(!a.owes);
	return 0;
}
C
build "$dir/purse.c" "$dir/purse"
"$WHY_BIN" explain --format json -- "$dir/purse" >"$dir/answer"
jq -e 'any(.suspects[]; .statements[0].function == "put" and
	(.evidence.change // "" | test("^`a->owes = .* put before it")))' "$dir/answer" >/dev/null ||
	complain "no statement is missing in put(): $(jq -c '[.suspects[] | [.statements[0].line, .evidence.change]]' "$dir/answer")"
finish
