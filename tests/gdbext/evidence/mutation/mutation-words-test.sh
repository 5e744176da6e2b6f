#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Small changes are told in the words of the source: enumerators by their names, a value that none
# of them has as such, and what a compiler made of a `switch' without numbers that it does not have.
. tests/support/samples-lib.sh
need_tool

program() { # NAME EXPECTED
	cat >"$dir/$1.c" <<C
#include <assert.h>

enum color { RED = 1, GREEN = 2, BLUE = 5 };

static int paint(enum color color, int sum)
{
	switch (color) {
	case RED:
		return sum + 10;
	case GREEN:
		return sum + 20;
	case BLUE:
		return sum + 50;
	}
	return sum;
}

int main(int argc, char **argv)
{
	int sum = paint(GREEN, argc);

	(void)argv;
	assert(sum == argc + $2);
	return 0;
}
C
	build "$dir/$1.c" "$dir/$1"
	"$WHY_BIN" explain --format json -- "$dir/$1" >"$dir/answer"
}
change() { # LINE CHANGE
	jq -e --argjson line "$1" --arg change "$2" \
		'any(.suspects[]; .statements[0].line == $line and .evidence.change == $change)' "$dir/answer" >/dev/null || {
		complain "not $2 in line $1"
		jq -c '.suspects[] | [.rank, .statements[0].line, .evidence.change, .evidence.effort]' "$dir/answer"
	}
}

program named 10
change 20 'RED for GREEN'
change 7 'its cases told apart otherwise'
program nameless 0
change 20 'another value for GREEN'
jq -e 'all(.suspects[]; .evidence.change // "" | test("^[0-9]+ for 2$|joined") | not)' "$dir/answer" >/dev/null ||
	complain "a number stands for an enumerator"

# A compiler compares with the number below that of the source, which has a name.
cat >"$dir/below.c" <<'C'
#include <stdio.h>

#define N 10

int main(void)
{
	int sum = 0;

	for (int i = 1; i < N; i++)
		sum += i;
	printf("%d\n", sum);
	return 0;
}
C
build "$dir/below.c" "$dir/below"
echo 55 >"$dir/right"
"$WHY_BIN" explain --format json --expect "$dir/right" -- "$dir/below" >"$dir/answer"
change 9 '11 for 10'

# A division by two is made of a shift and an addition that no source has: nobody can type another one.
cat >"$dir/halves.c" <<'C'
#include <assert.h>

static int half(int x)
{
	int h = x / 2;

	return h;
}

int main(int argc, char **argv)
{
	(void)argv;
	assert(half(175 + argc) == 0);
	return 0;
}
C
build "$dir/halves.c" "$dir/halves"
"$WHY_BIN" explain --format json -- "$dir/halves" >"$dir/answer"
jq -e 'all(.suspects[] | select(.statements[0].line == 5); .evidence.change == null)' "$dir/answer" >/dev/null ||
	complain "a change of what the compiler made: $(jq -c '[.suspects[] | [.statements[0].line, .evidence.change]]' "$dir/answer")"

# `--n' is made of a subtraction, but has no operands that anyone exchanges.
cat >"$dir/step.c" <<'C'
#include <assert.h>

static int n = 4;

static int last(void)
{
	int i = --n;

	return i;
}

int main(void)
{
	assert(last() == -3 && last() == 4);
	return 0;
}
C
build "$dir/step.c" "$dir/step"
"$WHY_BIN" explain --format json -- "$dir/step" >"$dir/answer"
jq -e 'all(.suspects[]; .evidence.change // "" | test("exchanged") | not)' "$dir/answer" >/dev/null ||
	complain "the operands of --n are exchanged: $(jq -c '[.suspects[] | [.statements[0].line, .evidence.change]]' "$dir/answer")"

# What a pointer goes to has a name by the pointer.
cat >"$dir/cut.c" <<'C'
#include <stdio.h>
#include <string.h>

int main(void)
{
	char line[] = "80 # web", *hash = strchr(line, '#');

	*hash = '\0';
	printf("<%s>\n", line);
	return 0;
}
C
build "$dir/cut.c" "$dir/cut"
echo '<80>' >"$dir/expected"
"$WHY_BIN" explain --format json --expect "$dir/expected" -- "$dir/cut" >"$dir/answer"
change 8 "\`hash[-1]' for \`*hash'"

# The only number of the line is an enumerator's: what addresses an element is none of the source.
cat >"$dir/slots.c" <<'C'
#include <assert.h>

enum state { EMPTY, USED, DELETED };
struct slot {
	enum state state;
	int key, value;
};

static int used(const struct slot *slots, int n)
{
	int count = 0;

	for (int i = 0; i < n; i++)
		if (slots[i].state == USED)
			count++;
	return count;
}

int main(void)
{
	struct slot slots[8] = { { USED, 1, 2 }, { USED, 3, 4 }, { DELETED, 5, 6 } };

	assert(used(slots, 4) == 1);
	return 0;
}
C
build "$dir/slots.c" "$dir/slots"
"$WHY_BIN" explain --format json -- "$dir/slots" >"$dir/answer"
change 14 'DELETED for USED'

# A member is taken for a variable of its name.
cat >"$dir/boxes.c" <<'C'
#include <assert.h>
#include <stddef.h>

struct box {
	int size;
	struct box *inner;
};

static int sum(const struct box *b, int size)
{
	if (!b)
		return size;
	return size + sum(b->inner, size);
}

int main(int argc, char **argv)
{
	struct box in = { 30, NULL }, out = { 70, &in };

	(void)argv;
	assert(sum(&out, argc) == 101);
	return 0;
}
C
build "$dir/boxes.c" "$dir/boxes"
"$WHY_BIN" explain --format json -- "$dir/boxes" >"$dir/answer"
change 13 "\`b->size' passed as argument 2"
# A wrong truth value, as the source has it.
cat >"$dir/truth.c" <<'C'
#include <assert.h>
#include <stdbool.h>

static bool has(const int *n, int size, int what)
{
	for (int i = 0; i < size; i++)
		if (n[i] == what)
			return false;
	return false;
}

int main(void)
{
	int n[] = { 3, 5, 8 };

	assert(!has(n, 3, 4));
	assert(has(n, 3, 5));
	assert(has(n, 3, 8) && !has(n, 3, 9));
	return 0;
}
C
build "$dir/truth.c" "$dir/truth"
"$WHY_BIN" explain --format json -- "$dir/truth" >"$dir/answer"
change 8 "\`true' for \`false'"

# An index that the source has as a number is a number that may be wrong; who writes `*end' does not
# mean the element beside it.
cat >"$dir/end.c" <<'C'
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static char *trim(char *s)
{
	char *end = s + strlen(s);

	while (end > s && isspace((unsigned char)end[0]))
		end--;
	*end = 0;
	return s;
}

int main(void)
{
	char text[] = "demo  ";

	printf("[%s]\n", trim(text));
	return 0;
}
C
build "$dir/end.c" "$dir/end" -w
echo '[demo]' >"$dir/expected"
"$WHY_BIN" explain --format json --expect "$dir/expected" -- "$dir/end" >"$dir/answer"
jq -e '.suspects[0] | .statements[0].line == 9 and .evidence.effort < 2 and
	.evidence.change == "`end[-1]'"'"' for `end[0]'"'"'"' "$dir/answer" >/dev/null ||
	complain "end[-1]: $(jq -c '[.suspects[] | [.statements[0].line, .evidence.change, .evidence.effort]]' "$dir/answer")"

# Of what strcmp gives nobody asks whether it is 2.
cat >"$dir/asked.c" <<'C'
#include <string.h>

static int price(int n)
{
	return 2 * n + 1;
}

int main(int argc, char **argv)
{
	if (strcmp(argv[1], "--help") == 0)
		return 0;
	return price(argc) != 4;
}
C
build "$dir/asked.c" "$dir/asked" -fno-builtin
"$WHY_BIN" explain --format json -- "$dir/asked" --jelp >"$dir/answer"
change 5 '0 for 1'
jq -e 'all(.suspects[]; .statements[0].line != 10 or (.evidence.change // "" | test(" for 0$") | not))' "$dir/answer" >/dev/null ||
	complain "strcmp is asked for a number: $(jq -c '[.suspects[] | [.statements[0].line, .evidence.change]]' "$dir/answer")"
# What a statement behind the loop would name has to be seen there.
cat >"$dir/block.c" <<'C'
#include <stdio.h>
static const int heights[] = { 3, 1, 2, 2 };
int main(void)
{
	int before = 0, ups = 0;

	for (int i = 0; i < 4; i++) {
		int now = heights[i];
		if (now > before)
			ups++;
		before = now;
	}
	printf("%d\n", ups);
	return 0;
}
C
sed 's/int before = 0,/int now, before = 0,/; s/int now = heights/now = heights/' "$dir/block.c" >"$dir/outside.c"
echo 4 >"$dir/expected"
for name in block outside; do
	build "$dir/$name.c" "$dir/$name" -w
	"$WHY_BIN" explain --format json --all --expect "$dir/expected" -- "$dir/$name" >"$dir/answer"
	jq -r '.suspects[].evidence.change | select(. != null)' "$dir/answer" | grep -c 'moved behind the loop' >"$dir/$name.moved"
done
[ "$(cat "$dir/block.moved")" = 0 ] || complain "block: $(jq -c '[.suspects[].evidence.change]' "$dir/answer")"
! default_limits || [ "$(cat "$dir/outside.moved")" = 1 ] || complain "outside: $(jq -c '[.suspects[].evidence.change]' "$dir/answer")"
finish
