#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Behind `next' no breakpoint tells the time: a variable of the file does, where those of the function
# are the same each time.  timeout: 120
set -u
. tests/support/samples-lib.sh
need_tool

cat >"$dir/count.c" <<'C'
#include <stdio.h>
static int errors, rest = 6;
static void read_one(void)
{
	rest--;
	if (rest == 2)
		errors = 1;
}
int main(void)
{
	while (rest > 0) {
		read_one();
		if (errors)
			puts("error");
	}
	return 0;
}
C
build "$dir/count.c" "$dir/count"
printf '%s\n' 'break 14' run next 'print rest' 'why errors' 'why rest' 'why line 14' quit |
	"$WHY_BIN" -q "$dir/count" >"$dir/said" 2>&1
tr -s '\n ' '  ' <"$dir/said" >"$dir/words"
grep -q '\$1 = 2' "$dir/said" || complain "it does not stand there: $(cat "$dir/said")"
grep -qE '1 from count.c:7 errors = 1; errors = 1 ' "$dir/words" || complain "why errors: $(cat "$dir/said")"
grep -qE 'rest = 2 at [^ ]*count.c:11 in main 1 from count.c:5 rest--; rest = 2 ' "$dir/words" || complain "why rest: $(cat "$dir/said")"
grep -qE 'since count.c:13 if \(errors\) true|when count.c:13 if \(errors\) true' "$dir/words" ||
	complain "why line: $(cat "$dir/said")"
[ $failures -eq 0 ]
