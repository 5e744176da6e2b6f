#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# limits: any
#
# Where main is about to return, its variables are those that it has, although its frame pointer is
# the caller's again; a name that is not in sight is said to be elsewhere; a name means what it means
# there; and what a debugger tells of arguments as they were is not compared.
# timeout: 120
. tests/support/samples-lib.sh
need_tool
command -v gdb >/dev/null || { echo "gdb is not installed"; exit 77; }

cat >"$dir/scope.c" <<'C'
#include <stdlib.h>
__attribute__((noinline)) static int twice(int n)
{
	int sum = n;

	for (int i = 0; i < n; i++)
		sum += i > 7 ? n : 1;
	n = sum + 1;
	return n - 1;
}
int main(int argc, char **argv)
{
	int got = twice(argc);

	if (got != atoi(argv[1]))
		return 1;
	return 0;
}
C
squeezed=" \n"
for compiler in "$CC" clang; do
	command -v "$compiler" >/dev/null || continue
	"$compiler" -g -O0 -o "$dir/scope" "$dir/scope.c" || complain "scope.c does not compile with $compiler"
	value=$(gdb -nx -batch -ex 'break 15' -ex 'run 5' -ex 'printf "@@"' -ex 'output got' "$dir/scope" 2>/dev/null | sed -n 's/.*@@//p')
	asks 0 "got = ${value:-nothing} at" 'why got' -- "$dir/scope" 5
	asks 0 "scope.c:13 int got = twice(argc); got = ${value:-nothing}" 'why got' -- "$dir/scope" 5
done
asks 2 "no variable \`sum' in sight there, but there is one in twice" 'why sum' -- "$dir/scope" 5
asks 2 "no variable \`nothing' in sight there." 'why nothing' -- "$dir/scope" 5

# A name that means another variable there is none for what lies in the outer one, and neither is one
# that two functions have for a static variable of theirs.
cat >"$dir/hidden.c" <<'C'
#include <stdlib.h>
int x = 3;
int *where(void) { return &x; }
static int first(void) { static int calls = 5; return ++calls; }
static int second(void) { static int calls = 70; return ++calls; }
int main(int argc, char **argv)
{
	int x = atoi(argv[1]), *q = where(), *p = &x;

	*q = x + first() + second();
	{
		int x = argc;

		*p += x;
	}
	return *q != *p;
}
C
"$CC" -g -O0 -o "$dir/hidden" "$dir/hidden.c" || complain "hidden.c does not compile"
asks 0 "hidden.c:10 *q = x + first() + second(); *q = 82" --at hidden.c:14 'why *q' -- "$dir/hidden" 5
asks 0 "hidden.c:14 *p += x; *p = 7" --at hidden.c:16 'why *p' -- "$dir/hidden" 5
asks 2 "no variable \`calls' in sight there, but there is one in second at hidden.c:5, and others" 'why calls' -- "$dir/hidden" 5

# gcc's copy of total for calls with 2 describes n twice.
cat >"$dir/counted.c" <<'C'
#include <stdarg.h>
#include <stdlib.h>
static int total(int n, ...)
{
	va_list list;
	int sum = 0;

	va_start(list, n);
	while (n-- > 0)
		sum += va_arg(list, int);
	va_end(list);
	return sum % 1000;
}
int main(int argc, char **argv)
{
	int got = total(2, argc, atoi(argv[1]));

	return got != total(2, got, argc);
}
C
gcc -g -O2 -o "$dir/counted" "$dir/counted.c" || complain "counted.c does not compile"
value=$(gdb -nx -batch -ex 'break counted.c:12' -ex 'run 5' -ex 'printf "@@"' -ex 'output n' "$dir/counted" 2>/dev/null | sed -n 's/.*@@//p')
asks 0 "n = ${value:-nothing} at" --at counted.c:12 'why n' -- "$dir/counted" 5

# A debugger tells n@entry, where the code is optimized.
cat >"$dir/entry.c" <<'C'
#include <stdlib.h>
static int weights[] = { 3, 4, 5 };
__attribute__((noinline)) static int half(int n) { return n / 2 + weights[0]; }
__attribute__((noinline)) static int total(const int *v, int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++)
		sum += half(v[i]);
	return sum;
}
int main(int argc, char **argv)
{
	int t = total(weights, 3);

	(void)argc;
	return t != atoi(argv[1]);
}
C
"$CC" -g -Og -o "$dir/entry" "$dir/entry.c" || complain "entry.c does not compile with -Og"
gdb -nx -batch -ex 'break 10' -ex 'run 5' "$dir/entry" 2>&1 | grep -q 'n@entry' || complain "GDB tells no n@entry"
printf '%s\n' 'break 10' 'run 5' 'why n' quit | "$WHY_BIN" -nx -q "$dir/entry" >"$dir/said" 2>&1
grep -q 'cannot be compared' "$dir/said" && complain "session: $(cat "$dir/said")"
grep -q 'n = 3 at ' "$dir/said" || ! default_limits || complain "session, why n: $(cat "$dir/said")"
finish
