#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A small change of the test's own file lets all tests pass, since it weakens the check: the
# condition that the program lacks is looked for before, and once it is known the check is not
# changed at all.
. tests/support/samples-lib.sh
need_tool

cat >"$dir/check.c" <<'C'
#include <assert.h>
#include <math.h>
#include <stdlib.h>

double pay(int hours, int nights, int *days);

static int near(double got, double wanted)
{
	return fabs(got - wanted) <= 1e-7 * (1 + fabs(wanted));
}

int main(int argc, char **argv)
{
	int days = 0;
	double got;

	if (argc < 5)
		return 0;
	got = pay(atoi(argv[1]), atoi(argv[2]), &days);
	assert(days == atoi(argv[4]));
	assert(near(got, atof(argv[3])));
	return 0;
}
C
cat >"$dir/pay.c" <<'C'
double pay(int hours, int nights, int *days)
{
	double sum = hours * 2.5;

	(void)nights;
	*days = hours / 8;
	if (hours % 8)
		*days = *days + 1;
	if (hours > 40)
		sum = sum + *days;
	return sum;
}
C
$CC -g -O0 -o "$dir/wrong" "$dir/check.c" "$dir/pay.c" -lm || exit 1
for hours in 3 10 17 24 31 38 45 52 59 66; do
	for nights in 0 1 2 3 4 5; do
		awk -v h="$hours" -v n="$nights" 'BEGIN {
			days = int((h + 7) / 8)
			printf "%d %d %.12g %d\n", h, n, h * 2.5 + (h > 40 && n > 2 ? days : 0), days }'
	done
done >"$dir/suite"
check_is_kept='[.suspects[] | select(.statements[0].file | endswith("check.c"))
	| select(.evidence.mended != null)] | length == 0'
# whether a change weakens the check, other changes tell: here nobody asks
"$WHY_BIN" explain --format json --limit vacuity_least=0 --tests "$dir/suite" -- "$dir/wrong" >"$dir/answer" 2>"$dir/err"
jq -e '.suspects[0] | .statements[0].line == 9 and (.statements[0].file | endswith("pay.c"))
	and .evidence.change == "`&& nights >= 3'"'"' added"' "$dir/answer" >"$dir/index" &&
	jq -e "$check_is_kept" "$dir/answer" >"$dir/index" || {
	complain "the missing condition is not first, or the check was changed beside it"
	jq -c '.suspects[] | [.rank, .statements[0].file, .statements[0].line, .evidence]' "$dir/answer"
	cat "$dir/err"
}
# The same where a common slip mends all tests.
sed 's/hours > 40/hours >= 45/' "$dir/pay.c" >"$dir/slip.c"
$CC -g -O0 -o "$dir/slip" "$dir/check.c" "$dir/slip.c" -lm || exit 1
for hours in 3 10 17 24 31 38 45 52 59 66; do
	awk -v h="$hours" 'BEGIN {
		days = int((h + 7) / 8)
		for (n = 0; n < 6; n++) printf "%d %d %.12g %d\n", h, n, h * 2.5 + (h > 45 ? days : 0), days }'
done >"$dir/suite"
"$WHY_BIN" explain --format json --tests "$dir/suite" -- "$dir/slip" >"$dir/answer" 2>"$dir/err"
jq -e '.suspects[0] | .statements[0].line == 9 and .evidence.change != null' \
	"$dir/answer" >"$dir/index" &&
	jq -e "$check_is_kept" "$dir/answer" >"$dir/index" || {
	complain "the boundary is not first, or the check was changed beside it"
	jq -c '.suspects[] | [.rank, .statements[0].file, .statements[0].line, .evidence]' "$dir/answer"
	cat "$dir/err"
}
finish
