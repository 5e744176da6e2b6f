#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A single failing test tells a missing condition: of one line, of two, one to leave the function
# by, and one in a loop's own that is far from what is printed.  What is told is typed into the source, which then passes.
. tests/support/samples-lib.sh
need_tool

cat >"$dir/stock.c" <<'C'
#include <assert.h>
#include <stdio.h>
#include <string.h>
#define SHELF 40

struct item {
	char name[12];
	int count, price;
};
static struct item items[3] = { { "nails", 30, 10 }, { "saw", 2, 150 }, { "glue", 5, 40 } };

static void sell(const char *name, int n)
{
	for (int i = 0; i < 3; i++) {
		struct item *it = &items[i];

		if (strcmp(it->name, name) == 0)
			it->count -= n; /* line 18 */
	}
}

static int move(struct item *from, struct item *to, int n)
{
	if (!from->count)
		return -1;
	from->count -= n; /* line 26 */
	to->count += n;
	return 0;
}

static int value(void)
{
	int sum = 0;

	for (int i = 0; i < 3; i++)
		sum += items[i].count * items[i].price;
	return sum;
}

int main(int argc, char **argv)
{
	(void)argv;
	if (argc > 1) {
		sell("nails", 10);
		sell("saw", 3);
		sell("glue", 1);
		printf("%d\n", value());
		assert(value() == 660);
	} else {
		move(&items[0], &items[1], 5);
		move(&items[2], &items[1], 9);
		move(&items[0], &items[2], 7);
		printf("%d %d %d\n", items[0].count, items[1].count, items[2].count);
	}
	return 0;
}
C
build "$dir/stock.c" "$dir/stock"

# The words that are told of a line.
told() { # LINE
	jq -r --argjson line "$1" '[.suspects[] | select(.replay == "passes")
		| select([.statements[].line] | all(. == $line)) | .evidence.change // empty][0]' "$dir/answer"
}

"$WHY_BIN" explain --format json -- "$dir/stock" assert >"$dir/answer"
words=$(told 18)
[ "$words" = "\`if (it->count >= n)' before it" ] || complain "the line with the lost condition has: $words"
sed '18s/it->count/if (it->count >= n) &/' "$dir/stock.c" >"$dir/mended.c"
build "$dir/mended.c" "$dir/mended"
"$dir/mended" assert >/dev/null || complain "with the condition that was told the test fails"

echo "18 7 12" >"$dir/expected"
"$WHY_BIN" explain --format json --expect "$dir/expected" -- "$dir/stock" >"$dir/answer"
words=$(told 26)
case $words in
"\`if (from->count >= n)' before it, down to line 27") sed '26s/.*/if (from->count >= n) {\n&/; 27s/$/}/' "$dir/stock.c" ;;
"\`if (from->count < n) return -1;' before it" | "\`if (n > from->count) return -1;' before it")
	sed '26s/.*/if (from->count < n) return -1;\n&/' "$dir/stock.c"
	;;
*) cat "$dir/stock.c" ;;
esac >"$dir/mended.c"
build "$dir/mended.c" "$dir/mended"
[ "$("$dir/mended")" = "18 7 12" ] || complain "the first of two lines has: $words; with it, $("$dir/mended") is printed"

cat >"$dir/words.c" <<'C'
#include <stdio.h>
#include <string.h>
static const char *at;

static int next(void)
{
	return *at ? *at++ : EOF;
}

static int skip(void)
{
	int c = next();

	while (c == ' ' || c == '\n') /* line 14 */
		c = next();
	return c;
}

static int ends(int c)
{
	return c == EOF || strchr(" \t\n,;", c) != NULL;
}

static int word(char *out)
{
	int n = 0, c = skip();

	if (c == EOF)
		return 0;
	do
		out[n++] = (char)c;
	while (!ends(c = next()));
	if (c != EOF)
		at--;
	out[n] = 0;
	return n;
}

int main(int argc, char **argv)
{
	char text[100];

	for (int i = 1; i < argc; i++)
		for (at = argv[i]; word(text);)
			printf("<%s>\n", text);
	return 0;
}
C
build "$dir/words.c" "$dir/words"
printf '<one>\n<two>\n<b>\n<;c>\n' >"$dir/expected"
"$WHY_BIN" explain --format json --expect "$dir/expected" -- "$dir/words" "$(printf ' one\t\ttwo \t')" "$(printf 'b\n;c')" >"$dir/answer"
words=$(told 14)
case $words in
"\`|| c == 9' added" | "\`|| c < 10' added" | "\`|| c <= 9' added") ;;
*) complain "the loop has: $words" ;;
esac
sed "14s/c == ' '/& || c == 9/" "$dir/words.c" >"$dir/mended.c"
build "$dir/mended.c" "$dir/mended"
"$dir/mended" "$(printf ' one\t\ttwo \t')" "$(printf 'b\n;c')" | cmp -s - "$dir/expected" || complain "with || c == 9 the test fails"
finish
