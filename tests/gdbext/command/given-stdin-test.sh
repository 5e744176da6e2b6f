#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A file behind `<' is the test's standard input, as it is without gdb-why, in all commands that run
# a test; a pipe is not read, and that is said; nor is the rest of a file that the shell reads.
. tests/support/samples-lib.sh
need_tool

cat >"$dir/sum.c" <<'C'
#include <assert.h>
#include <stdio.h>

int main(void)
{
	int n, sum = 0;

	while (scanf("%d", &n) == 1)
		sum = n;
	printf("%d\n", sum);
	assert(sum != 4);
	return 0;
}
C
build "$dir/sum.c" "$dir/sum"
echo 1 3 4 >"$dir/in"

# says WHAT STATUS TEXT COMMAND...: of the command with the file behind `<'
says() {
	what=$1 status=$2 text=$3
	shift 3
	"$WHY_BIN" "$@" <"$dir/in" >"$dir/out" 2>&1
	got=$?
	[ $got = "$status" ] || complain "$what: status $got"
	grep -qF "$text" "$dir/out" || { complain "$what: no $text"; cat "$dir/out"; }
}
says explain 0 'sum = 4' explain --color never -- "$dir/sum"
says ask 0 'sum' ask 'why sum' -- "$dir/sum"
says record 0 'sum' record -o "$dir/sum.why" -- "$dir/sum"
says try 0 'passes' try --set 'sum = 5' --at sum.c:10 -- "$dir/sum"
# --stdin is stronger
echo 7 >"$dir/other"
says 'explain --stdin' 1 'did not fail' explain --stdin "$dir/other" -- "$dir/sum"

# The number would let the test fail if it were read.
echo 4 | "$WHY_BIN" explain -- "$dir/sum" >"$dir/out" 2>"$dir/err"
[ $? = 1 ] || complain "a pipe was read"
grep -q -- '--stdin FILE' "$dir/err" || { complain "nothing is said of the pipe"; cat "$dir/err"; }
: | "$WHY_BIN" explain -- "$dir/sum" >"$dir/out" 2>"$dir/err"
! grep -q -- '--stdin' "$dir/err" || complain "something is said of an empty pipe"
printf '1\n4\n' | while read -r _; do
	"$WHY_BIN" explain -- "$dir/sum" >"$dir/out" 2>/dev/null
	echo "$?"
done >"$dir/loop"
printf '1\n1\n' | cmp -s - "$dir/loop" || { complain "the loop's lines were taken"; cat "$dir/loop"; }
printf '1\n4\n' >"$dir/lines"
while read -r _; do
	"$WHY_BIN" explain -- "$dir/sum" >"$dir/out" 2>/dev/null
	echo "$?"
done <"$dir/lines" >"$dir/loop"
printf '1\n1\n' | cmp -s - "$dir/loop" || { complain "the file's lines were taken"; cat "$dir/loop"; }
finish
