#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# Where the value with which the test passes is the one that the variable held before, or that another
# variable holds, or has the other sign, the answer says so; a leftover of the stack is none that it held.
. tests/support/samples-lib.sh
need_tool

cat >"$dir/fee.c" <<'C'
#include <assert.h>
#include <stdlib.h>

static int fee(int kg)
{
	int r = 3;

	if (kg > 10)
		r = 7;
	if (kg > 5)
		r = 5;
	return r;
}

static int apart(int a, int b)
{
	int d = a - b;

	return d;
}

static int leave(int n)
{
	int x = n;

	return x + 1;
}

static int enter(int n)
{
	int x = n + 3;

	return x;
}

static int top;

static int clamp(int x, int low, int high)
{
	int r = x;

	if (x > high)
		r = low;
	return r;
}

static double part(double x, int whole)
{
	double r = x / 4;

	return whole < 0 ? 0 : r;
}

int main(int argc, char **argv)
{
	int n = atoi(argv[1]);

	if (argc == 5)
		top = atoi(argv[4]);
	if (argc >= 4)
		assert(clamp(n, atoi(argv[2]), atoi(argv[3])) == 60);
	else if (argc == 3)
		assert(apart(n, atoi(argv[2])) == 4);
	else if (n == 1000)
		assert(part(8, 3) == 3);
	else if (n < 0)
		assert(leave(5) == 6 && enter(-n) == 5);
	else
		assert(fee(n) == 7);
	return 0;
}
C
build "$dir/fee.c" "$dir/fee"

# says LINE WHAT ARGS...: what the answer says of the value that the line should have given
says() {
	line=$1 what=$2
	shift 2
	"$WHY_BIN" explain --all --format json -- "$dir/fee" "$@" >"$dir/answer"
	python3 tests/validate.py tests/answer.schema.json <"$dir/answer" || complain "$*: not by the schema"
	jq -e --argjson line "$line" --arg what "$what" 'first(.suspects[] | select(.size == 1) | .statements[0]
		| select(.line == $line and (.kind | . == "assignment" or . == "return"))) | (.witness_is // "") == $what' "$dir/answer" >"$dir/index" || {
		complain "line $line with $*: not '$what'"
		jq -c '.suspects[] | [.statements[] | [.line, .kind, .actual, .witness, .witness_is]]' "$dir/answer"
	}
}
says 11 'as before this line' 12
says 17 'the other sign' 3 7
says 31 '' -1
says 43 "the value of \`high'" 75 20 60
says 44 "the value of \`high'" 75 20 60
# two variables have the value, so neither is told
says 43 '' 75 20 60 60
# a whole number is no floating-point one
says 49 '' 1000
"$WHY_BIN" explain --color never -- "$dir/fee" 12 >"$dir/text"
tr -s ' \n' ' ' <"$dir/text" | grep -qF 'gave r = 5; with r = 7 (as before this line) the test passes' ||
	{ complain "the text does not say so"; cat "$dir/text"; }

# What is stored elsewhere may be an address, whose number tells a person nothing.
gcc -g -Og -w -o "$dir/bst" samples/bst.c || complain "bst.c does not compile"
arguments samples/bst.c
# shellcheck disable=SC2086
"$WHY_BIN" explain --format json --max-suspects 0 -- "$dir/bst" $arguments >"$dir/answer" 2>"$dir/err"
jq -e 'any(.suspects[].statements[]; .witness == "16 bytes before it, another value")' "$dir/answer" >"$dir/index" || ! default_limits ||
	complain "bst: $(jq -c '[.suspects[].statements[] | .witness]' "$dir/answer")"
finish
