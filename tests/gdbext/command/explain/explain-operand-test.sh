#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Of the operands of what failed, the one that can explain it is followed: what was divided by, and
# of a comparison what the program computed, not what the test expects.
# timeout: 300
. tests/support/samples-lib.sh
need_tool

# opens NAME LINES PROG ARGS...: the lines of the first rows.
opens() {
	name=$1
	want=$2
	shift 2
	"$WHY_BIN" explain --timeout 20 --max-suspects 1 --limit nearby_from=0 --limit mutant_runs=0 --format=json -- "$@" >"$dir/answer" 2>"$dir/err"
	got=$(jq -r '[.opening[].line] | map(tostring) | join(" ")' "$dir/answer")
	case "$got " in
	"$want "*) ;;
	*) complain "$name: the opening is at lines $got, not $want: $(jq -c '[.failure, .opening]' "$dir/answer")" ;;
	esac
}

cat >"$dir/divide.c" <<'END'
#include <limits.h>
#include <stdlib.h>
#include <string.h>
static int share[2];
__attribute__((noipa)) static int half(int n)
{
	return n / 2;
}
__attribute__((noipa)) static int quotient(int a, int b)
{
	return a / b;
}
int main(int argc, char **argv)
{
	int n = atoi(argv[2]), m;

	if (!strcmp(argv[1], "element")) {
		share[argc - 3] = half(n);
		m = n % share[0];
	} else if (!strcmp(argv[1], "large")) {
		m = quotient(INT_MIN + n - 1, -n);
	} else {
		m = half(n) - half(n + 1);
		n = quotient(n * 3, m);
	}
	return n + m;
}
END
for level in -O0 -O1; do
	build "$dir/divide.c" "$dir/divide" $level || complain "divide.c does not compile"
	opens "variable $level" "24 23" "$dir/divide" variable 8
	opens "element $level" "18 7" "$dir/divide" element 1
	# the divisor is not 0, but the quotient is too large
	opens "large $level" 21 "$dir/divide" large 1
done

# The failed comparison of a test, written in both ways, and as a condition.
cat >"$dir/compare.c" <<'END'
#include <assert.h>
#include <stdlib.h>
#include <string.h>
static int product(int a, int b)
{
	return a * b + 1;
}
int main(int argc, char **argv)
{
	int got = product(argc, 3);
	int expected = atoi(argv[2]);

	if (!strcmp(argv[1], "left"))
		assert(got == atoi(argv[2]));
	if (!strcmp(argv[1], "right"))
		assert(atoi(argv[2]) == got);
	if (!strcmp(argv[1], "variable"))
		assert(expected == got);
	if (!strcmp(argv[1], "both"))
		assert(product(argc, 4) - 1 == got);
	if (!strcmp(argv[1], "status") && expected != got)
		return 1;
	if (!strcmp(argv[1], "call") && got != atoi(argv[2]))
		return 1;
	return 0;
}
END
build "$dir/compare.c" "$dir/compare" || complain "compare.c does not compile"
for how in left right variable; do
	opens "$how" "10 6" "$dir/compare" $how 9
done
opens both "6 20" "$dir/compare" both 9
opens status "22 21 10 6" "$dir/compare" status 9
opens call "24 23 10 6" "$dir/compare" call 9

# A sum goes on with what the program computed, not with a constant that was added last.
cat >"$dir/sum.c" <<'END'
#include <assert.h>
#include <stdlib.h>
static int fee(int n)
{
	return n > 100 ? 5 : 1;
}
static int total(const int *v, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++) {
		int rate = v[i] * (i + 2);
		sum += rate;
		sum += fee(v[i]);
	}
	return sum;
}
int main(int argc, char **argv)
{
	int v[] = { 10, 20, 30 + argc };
	int t = total(v, 3);
	assert(t == atoi(argv[1]));
	return 0;
}
END
build "$dir/sum.c" "$dir/sum" || complain "sum.c does not compile"
opens sum "21 16 14 13 12" "$dir/sum" 200

finish
