#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A change with which the run goes on behind the failed check: how often a statement was executed, and
# what it did, is told of the failing run, as GDB counts it.
set -u
. tests/support/samples-lib.sh
need_tool

cat >"$dir/more.c" <<'END'
#include <assert.h>
static int left = 500;
static int take(int n)
{
	if (n < left)
		return 0;
	left -= n;
	return 1;
}
static int rest(void)
{
	return left;
}
int main(void)
{
	take(100);
	assert(rest() == 400);
	take(50);
	assert(rest() == 350);
	take(400);
	assert(rest() == 350);
	return 0;
}
END
build "$dir/more.c" "$dir/more"
"$WHY_BIN" explain --format json --max-suspects 0 -- "$dir/more" >"$dir/answer" 2>"$dir/err" || complain "$(cat "$dir/err")"
jq -r '.suspects[] | .statements[] | select(.executions > 0) | "\(.line) \(.executions) \(.actual)"' "$dir/answer" |
	sort -u >"$dir/told"
jq -r '[.suspects[].instances[].execution] | max' "$dir/answer" >"$dir/last"
[ "$(cat "$dir/last")" -gt 1 ] || complain "no change goes on: $(cat "$dir/told")"
grep -q '^5 1 true' "$dir/told" || complain "line 5: $(cat "$dir/told")"
while read -r line executions actual; do
	gdb -q -batch -ex "break $line" -ex 'ignore 1 1000' -ex run -ex 'info breakpoints' "$dir/more" >"$dir/gdb" 2>&1
	hits=$(sed -nE 's/.*already hit ([0-9]+) time.*/\1/p' "$dir/gdb")
	[ "$executions" -eq "${hits:-0}" ] || complain "line $line: $executions times, GDB: ${hits:-0}"
done <"$dir/told"
"$WHY_BIN" explain --all -- "$dir/more" >"$dir/text" 2>&1
tr -s '\n ' '  ' <"$dir/text" >"$dir/words"
grep -qF "if (n < left) with \`>' for \`<' the test passes" "$dir/words" &&
	grep -qF "left -= n; with left = " "$dir/words" || complain "$(cat "$dir/text")"
[ $failures -eq 0 ]
