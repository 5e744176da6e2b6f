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

# ranks LINE: by ofc+cw it is the first of all, though it has no code
ranks() {
	"$WHY_BIN" rank --no-cache --format json --technique ochiai,ofc+cw --tests "$dir/suite" --golden "$dir/right" \
		-- "$dir/wrong" >"$dir/ranking" 2>"$dir/err"
	jq -e --argjson line "$1" '[.lines[] | select(.line == $line)] | length == 1
		and .[0].scores[1].last == 1 and .[0].failed == 0' "$dir/ranking" >"$dir/index" &&
		jq -e '.cut == null' "$dir/ranking" >"$dir/index" || {
		complain "rank: line $1 is not first"
		jq -c '.lines[:5][] | [.line, .scores]' "$dir/ranking"
		cat "$dir/err"
	}
}
check_first 6 '5 for 25' '6s/5\.0/25.0/'
[ -z "${THOROUGH:-}" ] || check_first 9 '0.75 for 7.5' '9s/0\.75/7.5/'

# Equal numbers are kept once, so one is changed for its line alone; and the least change of a line
# is told: `||' in the place of `&&' would mend all tests, too.
cat >"$dir/right.c" <<'C'
#include <stdio.h>
#include <stdlib.h>

static int is_size(double size)
{
	return size >= 1.0 && size <= 12.0;
}

static double price(double size)
{
	double sum = size * 2.0;

	return sum + 3.0;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (is_size(atoi(argv[i])))
			printf("%.2f\n", price(atoi(argv[i])));
	return 0;
}
C
build "$dir/right.c" "$dir/right"
seq 1 12 >"$dir/suite"
[ -z "${THOROUGH:-}" ] || check_first 11 '2 for 3' '11s/2\.0/3.0/'
check_first 6 '1 for 2' '6s/1\.0/2.0/'

# Numbers of a table and of a variable: the line of a declaration, which has no code.
cat >"$dir/right.c" <<'C'
#include <stdio.h>
#include <stdlib.h>

static const int first[4] = { 0, 1000, 5000, 10000 };
static int rates[4] = { 19,
	25,
	7,
	44 };

static int rate(int of)
{
	int i = 3;

	while (i && of < first[i])
		i--;
	return rates[i];
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		printf("%d\n", rate(atoi(argv[i])));
	return 0;
}
C
build "$dir/right.c" "$dir/right"
seq 1 611 12000 >"$dir/suite"
check_first 4 '10000 for 1000 in first[3]' '4s/10000/1000/'
[ -z "${THOROUGH:-}" ] || ranks 4
check_first 6 '25 for 52 in rates[1]' '6s/25/52/'
ranks 6

# Where an entry is wrong, another step under some condition mends all tests, too.
cat >"$dir/right.c" <<'C'
#include <stdio.h>
#include <stdlib.h>

static const int first[] = { 0, 1000, 5000, 10000, 20000 };

static int band_of(int height)
{
	int band = 0;

	while (band + 1 < 5 && height >= first[band + 1])
		band++;
	return band;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		printf("%d\n", band_of(atoi(argv[i])));
	return 0;
}
C
build "$dir/right.c" "$dir/right"
seq 100 917 29000 >"$dir/suite"
check_first 4 '10000 for 1000 in first[3]' '4s/10000/1000/'

# What the time cuts is said.
"$WHY_BIN" rank --no-cache --timeout 0.05 --format json --technique ofc+cw --tests "$dir/suite" --golden "$dir/right" \
	-- "$dir/wrong" >"$dir/ranking" 2>"$dir/err"
jq -e '.cut | contains("--timeout 0.05")' "$dir/ranking" >"$dir/index" || {
	complain "rank does not say that its time was up"
	cat "$dir/err"
}
finish
