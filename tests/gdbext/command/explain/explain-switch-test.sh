#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A word of the wrong kind is printed by the wrong case of a `switch', and no run ever comes to the
# right one: the value that leads there is told, once or in all rounds that need it.
. tests/support/samples-lib.sh
need_tool

cat >"$dir/kinds.c" <<'C'
#include <ctype.h>
#include <stdio.h>
#include <string.h>
enum kind { UNKNOWN, NAME, SIGN, COLOUR, NUMBER, END };

static enum kind kind_of(const char *w)
{
	if (*w == '#')
		return COLOUR;
	if (isalpha((unsigned char)*w))
		return NAME;
	if (ispunct((unsigned char)*w))
		return SIGN;
	/* numbers are forgotten */
	return UNKNOWN; /* line 15 */
}

static void show(const char *w)
{
	enum kind kind = kind_of(w); /* line 20 */

	switch (kind) {
	case NAME:
		printf("name %s\n", w);
		break;
	case SIGN:
		printf("sign %c\n", *w);
		break;
	case COLOUR:
		printf("colour %s\n", w + 1);
		break;
	case NUMBER:
		printf("number %s.\n", w);
		break;
	default:
		printf("unknown %s\n", w);
		break;
	}
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		show(argv[i]);
	puts("end");
	return 0;
}
C
build "$dir/kinds.c" "$dir/kinds"
sed '15s/UNKNOWN/isdigit((unsigned char)*w) ? NUMBER : UNKNOWN/' "$dir/kinds.c" >"$dir/right.c"
build "$dir/right.c" "$dir/right"

# told LINE: "passes 4 2", how its suspect ends, its value and in how many executions.
told() {
	jq -r --argjson line "$1" '[.suspects[] | select(.size == 1 and .statements[0].line == $line)
		| "\(.replay) \(.statements[0].witness) \(.instances | length)"][0]' "$dir/answer"
}

explain() { # WORDS...
	"$dir/right" "$@" >"$dir/expected"
	"$WHY_BIN" explain --format json --expect "$dir/expected" -- "$dir/kinds" "$@" >"$dir/answer"
}

# ' ' is unknown, rightly
explain a ' ' 12 '#red'
for line in 15 20; do
	case $(told $line) in
	"passes "*NUMBER*" 1" | "passes 4 1") ;;
	*) complain "one number, line $line: $(told $line)" ;;
	esac
done
explain a 12 ' ' '#' 7
case $(told 20) in
"passes "*NUMBER*" 2" | "passes 4 2") ;;
*) complain "two numbers: $(told 20)" ;;
esac
finish
