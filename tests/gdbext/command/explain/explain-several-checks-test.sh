#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 240
# limits: any
# One fault, and two checks that fail: the change with which the whole test passes comes first, and is told as that.
set -u
. tests/support/samples-lib.sh
need_tool

cat >"$dir/sums.c" <<'C'
#include <stdio.h>
static int fails;
static const char *at;
static int rank_of(char op)
{
	switch (op) {
	case '+': case '-': return 1;
	case '*': case '/': return 2;
	}
	return 0;
}
static int parse(int least)
{
	int left = *at++ - '0';
	while (rank_of(*at) >= least) {
		char op = *at++;
		int right = parse(rank_of(op)); /* fault */
		switch (op) {
		case '+': left += right; break;
		case '-': left -= right; break;
		case '*': left *= right; break;
		case '/': left /= right; break;
		}
	}
	return left;
}
static int value(const char *text)
{
	at = text;
	return parse(1);
}
static void check(const char *text, int want)
{
	int got = value(text);
	if (got != want) {
		printf("%s: got %d, want %d\n", text, got, want);
		fails++;
	}
}
int main(void)
{
	check("4", 4);
	check("1+2", 3);
	check("2+3*4", 14);
	check("9-4-3", 2);
	check("8/2*3-1", 11);
	printf("%d failed\n", fails);
	return fails != 0;
}
C
fault=$(grep -n '/\* fault \*/' "$dir/sums.c" | cut -d: -f1)
"$CC" -g -w -O0 -o "$dir/sums" "$dir/sums.c" || complain "sums.c does not compile"
"$WHY_BIN" explain --format=json -- "$dir/sums" >"$dir/answer" 2>"$dir/err"
explained_or_cut $? || complain "$(cat "$dir/err")"
if default_limits; then
	jq -e --argjson fault "$fault" '.suspects[0].statements[0].line == $fault and .suspects[0].evidence.whole' \
		"$dir/answer" >/dev/null || complain "first: $(jq -c '.suspects[0] | [.statements[0].line, .evidence]' "$dir/answer")"
	"$WHY_BIN" explain -- "$dir/sums" >"$dir/text" 2>&1
	tr -s '\n ' '  ' <"$dir/text" | grep -q "\`+ 1' added to argument 1 of \`parse' here: the whole test passes with that" ||
		complain "told: $(cat "$dir/text")"
fi
# What mends the first check alone is told as that: of each change that is told so, the other check still fails.
sed 's/parse(rank_of(op))/parse(rank_of(op) + 1)/' "$dir/sums.c" >"$dir/mended.c"
"$CC" -g -w -o "$dir/mended" "$dir/mended.c" && "$dir/mended" >"$dir/out" || complain "typed: $(cat "$dir/out")"
jq -e 'all(.suspects[].evidence; . == null or (.whole | type) == "boolean")' "$dir/answer" >/dev/null ||
	complain "whole: $(jq -c '[.suspects[].evidence]' "$dir/answer")"
[ $failures -eq 0 ]
