#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A value with which the failing test passes, and which the line has in all passing tests, is said to be
# so; one of several that passing tests have is not.  Where the value was read from a table, the table's
# entry is tried with it, and comes first; without the suite, another variable mends that run, too.
. tests/support/samples-lib.sh
need_tool

cat >"$dir/pay.c" <<'C'
#include <assert.h>
#include <stdlib.h>

static const int rates[] = { 7, 7, 7, 3 };

static int pay(int age, int hours)
{
	int rate = rates[age / 20];
	int sum = rate * hours;

	return sum;
}

int main(int argc, char **argv)
{
	int hours = atoi(argv[2]);

	(void)argc;
	assert(pay(atoi(argv[1]), hours) == 7 * hours);
	return 0;
}
C
build "$dir/pay.c" "$dir/pay"
printf '{} %s\n' '70 5' '10 5' '30 6' '50 5' '20 8' >"$dir/suite"
"$WHY_BIN" explain --all --no-cache --format json --tests "$dir/suite" -- "$dir/pay" >"$dir/answer" 2>"$dir/err" || cat "$dir/err"
is() { # LINE WHAT
	jq -e --argjson line "$1" --arg what "$2" 'first(.suspects[] | select(.size == 1) | .statements[0]
		| select(.line == $line)) | (.witness_is // "") == $what' "$dir/answer" >"$dir/index" || {
		complain "line $1: not '$2'"
		jq -c '.suspects[] | [.statements[] | [.line, .kind, .actual, .witness, .witness_is]]' "$dir/answer"
	}
}
is 8 'as in passing tests'
is 9 ''
# within MOST WHEN: the table's entry is among the first
within() {
	jq -e --argjson most "$1" 'any(.suspects[:$most][]; .statements[0].line == 4 and
		.evidence.change == "7 for 3 in rates[3]")' "$dir/answer" >"$dir/index" || {
		complain "$2: the table's entry is not among the first $1"
		jq -c '.suspects[] | [.rank, .statements[0].line, .evidence.change]' "$dir/answer"
	}
}
within 1 'with the suite'
"$WHY_BIN" explain --format json -- "$dir/pay" 70 5 >"$dir/answer"
within 2 'without'
finish
