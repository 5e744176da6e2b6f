#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Wherever a walk with step, next and finish ends, `why' is about that time: it shows what GDB shows.
# timeout: 240
. tests/support/samples-lib.sh
need_tool
command -v gdb >/dev/null || { echo "gdb is not installed"; exit 77; }
command -v python3 >/dev/null || { echo "python3 is not installed"; exit 77; }
export HOME="$dir" DEBUGINFOD_URLS=

cat >"$dir/bag.c" <<'C'
#include <stdio.h>
#include <string.h>
struct bag {
	int n, most, sum, moved;
	int items[8];
};
static int put(struct bag *b, int v)
{
	int at = b->n;

	while (at > 0 && b->items[at - 1] > v) {
		b->items[at] = b->items[at - 1];
		at--;
	}
	b->items[at] = v;
	b->n++;
	if (v > b->most)
		b->most = v;
	return at;
}
int main(void)
{
	struct bag b = { 0 };
	char line[32];
	int v;

	while (fgets(line, sizeof line, stdin)) {
		if (sscanf(line, "%d", &v) != 1)
			continue;
		b.moved += put(&b, v) < b.n - 1;
		b.sum += v;
	}
	for (int i = 0; i < b.n; i++)
		printf("%d ", b.items[i]);
	printf("%d %d\n", b.sum, b.moved);
	return b.most != 9;
}
C
printf '%s\n' 5 3 x 9 1 7 >"$dir/in"
build "$dir/bag.c" "$dir/bag" || complain "bag.c does not compile"
python3 tests/support/walk.py "$WHY_BIN" "$dir/bag" "$dir/bag.c" 24 6 "$dir/in" >"$dir/walked" 2>&1
tail -n 1 "$dir/walked"
grep -q '^[1-9][0-9]* asked, 0 false, 0 not known$' "$dir/walked" || complain "$(cat "$dir/walked")"
finish
