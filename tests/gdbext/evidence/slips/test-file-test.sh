#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A change in the file of the test may only weaken its check: it comes behind those of other files,
# and does not end the search for them.
. tests/support/samples-lib.sh
need_tool

cat >"$dir/check.c" <<'C'
#include <assert.h>
#include <math.h>
double deviation(const double *values, int n);

static int near(double got, double wanted)
{
	return fabs(got - wanted) <= 1e-7 * (1 + fabs(wanted));
}

int main(void)
{
	const double values[] = { 2, 4, 4, 4, 5, 5, 7, 9 };

	assert(near(deviation(values, 8), 2));
	return 0;
}
C
cat >"$dir/deviation.c" <<'C'
#include <math.h>

static double mean(const double *values, int n)
{
	double sum = 0;

	for (int i = 1; i < n; i++)
		sum += values[i];
	return sum / n;
}

double deviation(const double *values, int n)
{
	double middle = mean(values, n), sum = 0;

	for (int i = 0; i < n; i++)
		sum += (values[i] - middle) * (values[i] - middle);
	return sqrt(sum / n);
}
C
"$CC" -g -O0 -o "$dir/check" "$dir/check.c" "$dir/deviation.c" -lm || complain "does not compile"
"$WHY_BIN" explain --format json -- "$dir/check" >"$dir/answer" || complain "status $?"
jq -e '.failure.in_test != false and any(.suspects[]; .statements[0].file | endswith("check.c"))' "$dir/answer" \
	>"$dir/index" || complain "no line of the test is named, so nothing is shown here"
jq -e '.suspects[0] | .replay == "passes" and .size == 1 and (.statements[0].file | endswith("deviation.c"))
	and .statements[0].line == 7' "$dir/answer" >"$dir/index" ||
	complain "first: $(jq -c '[.suspects[] | [.statements[0].file, .statements[0].line, .evidence.change]]' "$dir/answer")"
finish
