#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A floating-point constant is in memory; with a suite, too, its line is found by what the constant
# should have been.
. tests/support/samples-lib.sh
need_tool

cat >"$dir/right.c" <<'C'
#include <stdio.h>
#include <stdlib.h>

static double price(int items)
{
	double sum = items * 5.0;

	if (items > 9)
		sum = sum * 0.75;
	return sum + 1.25;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		printf("%.2f\n", price(atoi(argv[i])));
	return 0;
}
C
build "$dir/right.c" "$dir/right"
seq 0 3 >"$dir/suite"
seq 8 14 >>"$dir/suite"

# check LINE CHANGE SED: the program that SED makes is wrong; the change of that line mends all tests
check() {
	sed "$3" "$dir/right.c" >"$dir/wrong.c"
	build "$dir/wrong.c" "$dir/wrong"
	"$WHY_BIN" explain --format json --tests "$dir/suite" --golden "$dir/right" -- "$dir/wrong" >"$dir/answer" 2>"$dir/err"
	jq -e --argjson line "$1" --arg change "$2" '.suspects[0]
		| .statements[0].line == $line and .evidence.change == $change and .evidence.broken == 0' \
		"$dir/answer" >"$dir/index" || {
		complain "line $1 is not first, with $2"
		jq -c '.suspects[] | [.rank, .statements[0].line, .statements[0].witness, .evidence]' "$dir/answer"
		cat "$dir/err"
	}
}
check 6 '5 for 25' '6s/5\.0/25.0/'
check 9 '0.75 for 7.5' '9s/0\.75/7.5/'
finish
