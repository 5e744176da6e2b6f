#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# --trace-lib: the fault is in a shared library, the failing assertion in the
# program, or in another library.
. tests/support/samples-lib.sh
need_tool

cat >"$dir/average.c" <<'C'
/* longer than what uses it */
static int sum(const int *values, int n)
{
	int s = 0;

	for (int i = 1; i < n; i++)
		s += values[i];
	return s;
}

int average(const int *values, int n)
{
	return n ? sum(values, n) / n : 0;
}
C
cat >"$dir/check.c" <<'C'
#include <assert.h>
int average(const int *values, int n);

void check(const int *values, int n)
{
	int twice = 2 * average(values, n);

	assert(twice == 8);
}
C
cat >"$dir/main.c" <<'C'
#include <assert.h>
int average(const int *values, int n);
int main(void) { int values[] = { 6, 4, 2 }; assert(average(values, 3) == 4); return 0; }
C
cat >"$dir/other.c" <<'C'
void check(const int *values, int n);
int main(void) { int values[] = { 6, 4, 2 }; check(values, 3); return 0; }
C
library() { # name, libraries...
	name=$1
	shift
	gcc -g -O0 -fPIC -shared -o "lib$name.so" "$name.c" -L. -Wl,-rpath,"$dir" "$@"
}
top=$PWD
cd "$dir" || exit 1
library average
library check -laverage
gcc -g -O0 -o main main.c -L. -Wl,-rpath,"$dir" -laverage
gcc -g -O0 -o other other.c -L. -Wl,-rpath,"$dir" -lcheck -laverage
cd "$top" || exit 1

text() { # arguments...
	"$WHY_BIN" explain --all --color never --max-suspects 0 "$@" >"$dir/text" 2>&1
}

says() { # what: wherever the lines break
	tr -s ' \n' ' ' <"$dir/text" | grep -qF -- "$1" || {
		complain "it does not say: $1"
		cat "$dir/text"
	}
}

# Without it, what the library returned is taken as it was.
text -- "$dir/main"
[ $? -eq 3 ] || complain "explained without a look into the library"
if grep -q 'average\.c' "$dir/text"; then
	complain "the library is looked into unasked"
fi

# By its path, by a relative one, and its executions apart.
text --trace-lib "$dir/libaverage.so" -- "$dir/main"
says 'average(values, 3) = 2'
says 's += values[i]; gave s = 6 the 2nd of 2 times; with s = 12 the test passes'
says 'return s; returned 6; returning 12, the test passes'
text -C "$dir" --trace-lib ./libaverage.so --granularity instance -- ./main
says 's += values[i]; gave s = 6 the 2nd of 2 times; with s = 12 the test passes'

# The assertion of a library is no one's to change, and its function is named.
text --trace-lib "$dir/libaverage.so" --trace-lib "$dir/libcheck.so" -- "$dir/other"
says 'check.c:8 in check twice = 4'
says 'int twice = 2 * average(values, n); gave twice = 4; with twice = 8 the test passes'
says 'average.c:4 int s = 0; gave s = 0; with s = 6 the test passes'
if grep -E '^ *([0-9]+ |and ) *check\.c:8 ' "$dir/text"; then
	complain "an assertion is a suspect"
fi
text -- "$dir/other"
says 'in check'

# The runs re-compute to what they were; a library that is not there is one line.
"$WHY_BIN" explain --check --trace-lib "$dir/libaverage.so" -- "$dir/main" >"$dir/text" 2>&1 ||
	complain "--check: $(cat "$dir/text")"
text --trace-lib "$dir/nothing.so" -- "$dir/main"
[ $? -eq 2 ] && [ "$(wc -l <"$dir/text")" -eq 1 ] ||
	complain "a missing library: $(cat "$dir/text")"
finish
