#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What calls in the failed line returned is what GDB gets when it calls them there: whichever
# operand was evaluated first, nested calls, calls of earlier rounds, and floating-point results.
. tests/support/samples-lib.sh
need_tool
need_gdb_calls

cat >"$dir/calls.c" <<'END'
#include <assert.h>
#include <stdlib.h>
static int f(int n) { return n * n; }
static double half(int n) { return n / 2.0; }
static float third(int n) { return n / 3.0f; }
static int g(int n) { return n - 1; }
static int pick(int a, int b, const int *from) { return from[a] - b; }
static int deep(int n)
{
	if (n > 0)
		assert(g(n) < 0 || deep(n - 1) > 5);
	return 7 - n;
}
int main(int argc, char **argv)
{
	int a = argc + 1, b = argc + 4, table[] = { 4, 9, 1 };

	switch (atoi(argv[1])) {
	case 1: assert(f(f(2)) + f(3) == g(a) * 5); break;
	case 2: assert(f(a) == f(b)); break;
	case 3: assert(half(a) > half(b) && third(a) > 0); break;
	case 4: for (int i = 1; i < 4; i++)
			assert(f(i) < 9 && g(i) >= 0);
		break;
	case 5: assert(f(a) + g(b) == f(b) + g(a)); break;
	case 6: assert(pick(0, 1, table) == pick(0, 2, table)); break;
	case 7: assert(third(a) == third(b)); break;
	case 8: assert(deep(3) < 0); break;
	}
	return 0;
}
END
"$CC" -g -O0 -o "$dir/calls" "$dir/calls.c" || exit 1

# known NUMBER COUNT FUNCTION: in that case, results of so many calls are said, and GDB says the
# same in the function.
known() {
	"$WHY_BIN" explain --format json --max-suspects 1 -- "$dir/calls" "$1" >"$dir/answer" 2>/dev/null
	jq -r '.failure | (.line | tostring), (.values[] | select(.name | test("\\(")) | .name, .value)' \
		"$dir/answer" >"$dir/said"
	line=$(sed 1q "$dir/said")
	sed 1d "$dir/said" | awk 'NR % 2' >"$dir/names"
	sed 1d "$dir/said" | awk 'NR % 2 == 0' >"$dir/values"
	[ "$(wc -l <"$dir/names")" -eq "$2" ] ||
		complain "case $1: not $2 results: $(jq -c .failure.values "$dir/answer")"
	{
		echo "set confirm off"
		echo "run"
		echo "frame function $3"
		while read -r name; do
			printf '%s\n' 'echo @' "output $name" 'echo \n'
		done <"$dir/names"
	} >"$dir/script"
	gdb -nx -batch -x "$dir/script" --args "$dir/calls" "$1" 2>/dev/null |
		sed -n 's/^@//p' >"$dir/gdb"
	cmp -s "$dir/gdb" "$dir/values" ||
		complain "case $1, line $line: $(paste -d' ' "$dir/names" "$dir/values" "$dir/gdb")"
}

known 1 3 main
known 2 2 main
known 3 2 main
known 4 1 main
known 5 4 main
known 6 2 main
known 8 1 deep
finish
