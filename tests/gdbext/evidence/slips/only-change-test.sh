#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 120
# Values mend a wrong status in many places, but the only change of the code is a statement that is
# missing: it comes first, and typed it mends, too.
set -u
. tests/support/samples-lib.sh
need_tool

cat >"$dir/parser.c" <<'C'
#include <ctype.h>
#include <stdlib.h>
struct parser {
	const char *text;
	int pos;
};
static int sum(struct parser *p);
static int number(struct parser *p)
{
	char c = p->text[p->pos++];

	if (isdigit((unsigned char)c))
		return c - '0';
	if (c == '(') {
		int n = sum(p);

		return n; /* fault */
	}
	exit(2);
}
static int product(struct parser *p)
{
	int n = number(p);

	while (p->text[p->pos] == '*') {
		p->pos++;
		n *= number(p);
	}
	return n;
}
static int sum(struct parser *p)
{
	int n = product(p);

	while (p->text[p->pos] == '+' || p->text[p->pos] == '-') {
		char sign = p->text[p->pos++];
		int m = product(p);

		n = sign == '+' ? n + m : n - m;
	}
	return n;
}
int main(int argc, char **argv)
{
	struct parser p = { argv[1], 0 };

	if (sum(&p) != atoi(argv[argc - 1]))
		return 1;
	return 0;
}
C
build "$dir/parser.c" "$dir/parser" || complain "it does not compile"
fault=$(grep -n '/\* fault \*/' "$dir/parser.c" | cut -d: -f1)
"$WHY_BIN" explain --format=json -- "$dir/parser" '2*(1+3)-5*(7-4)+6' -1 >"$dir/answer" 2>"$dir/err"
[ "$(jq -r '.suspects[0] | "\(.statements[0].line) \(.evidence.change)"' "$dir/answer")" = \
	"$fault \`p->pos++' put before it" ] ||
	complain "$(jq -c '[.suspects[] | [.statements[0].line, .evidence.change]]' "$dir/answer")"
sed "${fault}s/return n;/p->pos++; return n;/" "$dir/parser.c" >"$dir/typed.c"
build "$dir/typed.c" "$dir/typed" && "$dir/typed" '2*(1+3)-5*(7-4)+6' -1 || complain "typed, it does not pass"
[ $failures -eq 0 ]
