#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# In a long run the least changes of lines that are not near the failure are tried, too, where nothing
# near it mends the output.
. tests/support/samples-lib.sh
need_tool

# What a loop did not do leaves nothing that the output depends on.
cat >"$dir/range.c" <<'C'
#include <stdio.h>
static char set[64];
static void add_range(int from, int to)
{
	for (int i = from; i < to; i++) /* <= */
		set[i] = 1;
}
int main(void)
{
	add_range(3, 9);
	for (int i = 0; i < 64; i++)
		if (set[i])
			printf("%d ", i);
	return 0;
}
C
printf '3 4 5 6 7 8 9 ' >"$dir/right"
line=$(grep -n '/\* <= \*/' "$dir/range.c" | cut -d: -f1)
gcc -g -O0 -o "$dir/range" "$dir/range.c" || exit 1

# tried MANY: tells whether the line was mended with so many far lines, and two near ones.
tried() {
	GDB_WHY_LOG=evidence:debug "$WHY_BIN" explain --limit slip_lines=2 --limit slip_far_from=1 \
		--limit slip_far_lines="$1" --limit slip_data=0 --limit slip_texts=0 \
		--expect "$dir/right" -- "$dir/range" >"$dir/out" 2>"$dir/log"
	grep -q "range\.c:$line: parts 0 to 1 .*mended" "$dir/log" # parts 0 to 2: since the formula named it
}
tried 100 || complain "line $line was not tried: $(cat "$dir/log" "$dir/out")"
! tried 0 || complain "line $line is near, so the test tells nothing: $(cat "$dir/log")"
[ "$failures" -eq 0 ]
