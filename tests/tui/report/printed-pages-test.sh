#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 120
#
# The page of a calculator of 80 lines is printed on two sheets of A4.  Chromium counts them, where it
# is there.  Otherwise a rule does, which holds for the sizes that the page has in print: a sheet has
# room for 774 points; a line of source takes 8 points, an explanation that is folded 15, one that is
# open 45 and half of its drawing (of 0.75 points a pixel), and what stands around them 120.
. tests/support/samples-lib.sh
need_tool

cat >"$dir/calc.c" <<'C'
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
enum kind { NUMBER, PLUS, MINUS, TIMES, DIVIDE, OPEN, CLOSE, END };
struct token {
	enum kind kind;
	int value;
};
static const char *input;
static struct token now;
static void advance(void)
{
	while (*input == ' ')
		input++;
	now.value = 0;
	if (isdigit((unsigned char)*input)) {
		now.kind = NUMBER;
		while (isdigit((unsigned char)*input))
			now.value = now.value * 10 + (*input++ - '0');
		return;
	}
	switch (*input ? *input++ : 0) {
	case '+': now.kind = PLUS; break;
	case '-': now.kind = MINUS; break;
	case '*': now.kind = TIMES; break;
	case '/': now.kind = DIVIDE; break;
	case '(': now.kind = OPEN; break;
	case ')': now.kind = CLOSE; break;
	default: now.kind = END; break;
	}
}
static int sum(void);
static int factor(void)
{
	int v = now.value;
	if (now.kind == OPEN) {
		advance();
		v = sum();
	}
	advance();
	return v;
}
static int product(void)
{
	int v = factor();
	while (now.kind == TIMES || now.kind == DIVIDE) {
		enum kind op = now.kind;
		advance();
		if (op == TIMES)
			v *= factor();
		else
			v /= factor();
	}
	return v;
}
static int sum(void)
{
	int v = product();
	while (now.kind == PLUS || now.kind == MINUS) {
		enum kind op = now.kind;
		advance();
		if (op == PLUS)
			v += product();
		else
			v = product() - v;
	}
	return v;
}
int main(int argc, char **argv)
{
	int v;
	if (argc != 3)
		return 2;
	input = argv[1];
	advance();
	v = sum();
	printf("%d\n", v);
	assert(v == atoi(argv[2]));
	return 0;
}
C
build "$dir/calc.c" "$dir/calc" || complain "calc.c does not compile"
"$WHY_BIN" explain --limit mutant_runs=0 --format html -o "$dir/calc.html" -- "$dir/calc" '2*(3+4)-5-(1+1)' 7 ||
	complain "no explanation"
points=$(awk '
	/<tr id="f/ { n += 8 }
	/<details>/ { n += 15 }
	/<li id="s/ { n += 45 }
	match($0, /<svg [^>]*height="[0-9]+/) { h = substr($0, RSTART, RLENGTH); sub(/.*"/, "", h); drawing = h * 0.75 / 2 }
	/<\/svg>/ { if (!folded) n += drawing; drawing = 0 }
	/<details>/ { folded = 1; n -= 45 }
	/<\/li>/ { folded = 0 }
	END { print n + 120 }' "$dir/calc.html")
[ "${points%.*}" -gt 800 ] && [ "${points%.*}" -le 1548 ] || ! default_limits || complain "by the rule it takes $points points"
if command -v chromium >/dev/null; then
	HOME=$dir timeout 100 chromium --headless --no-sandbox --disable-gpu --print-to-pdf="$dir/calc.pdf" \
		"file://$dir/calc.html" >"$dir/said" 2>&1
	pages=$(grep -ac '/Type */Page\b' "$dir/calc.pdf")
	[ "$pages" = 2 ] || ! default_limits || complain "it is printed on $pages pages"
fi
finish
