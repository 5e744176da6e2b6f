#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A block that grows is too small each time, because the size of an element was forgotten: the call
# that asks for its bytes is the first suspect, and with the change that is told the program prints
# what the mended one does.
. tests/support/samples-lib.sh
need_tool

cat >"$dir/grow.c" <<'C'
#include <stdio.h>
#include <stdlib.h>

static long *all;
static size_t n, room;

static void add(long x)
{
	if (n == room) {
		room = room ? room * 2 : 4;
		all = realloc(all, room * SIZE);
	}
	all[n++] = x;
}

int main(void)
{
	long sum = 0;

	for (int i = 0; i < 40; i++)
		add(i * 3L);
	for (size_t i = 0; i < n; i++)
		sum += all[i];
	printf("%ld\n", sum);
	return 0;
}
C
gcc -g -O0 -w -DSIZE=1 -o "$dir/grow" "$dir/grow.c" && gcc -g -O0 -w "-DSIZE=sizeof(long)" -o "$dir/mended" "$dir/grow.c" ||
	complain "grow.c does not compile"
"$dir/mended" >"$dir/expected"
"$WHY_BIN" explain --format json --expect "$dir/expected" -- "$dir/grow" >"$dir/answer" 2>"$dir/said"
jq -e '.suspects[0] | .statements[0].line == 11 and .replay == "passes" and
	.evidence.change == "8 times the size for realloc"' "$dir/answer" >"$dir/index" ||
	complain "$(jq -c '.suspects[] | [.statements[0].line, .evidence.change]' "$dir/answer") $(cat "$dir/said")"
"$WHY_BIN" try --suspect "$dir/answer:1" -- "$dir/grow" >"$dir/tried" 2>"$dir/said"
grep -q "$(cat "$dir/expected")" "$dir/tried" || complain "try: $(cat "$dir/tried" "$dir/said")"
finish
