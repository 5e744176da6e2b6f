#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Values go through qsort, memset and realloc: what is shown is what GDB prints at the failure, and
# the row below says which statement of the program gave it.
. tests/support/samples-lib.sh
need_tool
command -v gdb >/dev/null || { echo "gdb is not installed"; exit 77; }

cat >"$dir/through.c" <<'C'
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct item { int key; char name[12]; };
static int by_key(const void *a, const void *b)
{
	return ((const struct item *)a)->key - ((const struct item *)b)->key;
}
int main(int argc, char **argv)
{
	struct item all[4];
	int *v = malloc(2 * sizeof *v), *beside, least, fill = argc * 2;
	char letters[8];
	for (int i = 0; i < 4; i++) {
		all[i].key = atoi(argv[i + 1]);
		strcpy(all[i].name, argv[i + 1]);
	}
	v[0] = all[2].key;
	v[1] = 5;
	beside = malloc(64);
	*beside = 1;
	v = realloc(v, 4000 * sizeof *v);
	qsort(all, 4, sizeof all[0], by_key);
	memset(letters, 'a' + fill, sizeof letters);
	least = all[0].key;
	assert(least + v[0] + v[1] + all[3].key + letters[3] == *beside);
	return 0;
}
C
${CC:-gcc} -g -O0 -w -o "$dir/through" "$dir/through.c" || complain "through.c does not compile"
set -- 30 -10 45 20
"$WHY_BIN" record -o "$dir/record" -- "$dir/through" "$@" >"$dir/said" 2>&1

# goes EXPRESSION LINE: its value is that of GDB, and a row at the line is below it
goes() {
	answer=$("$WHY_BIN" ask --record "$dir/record" --depth 6 --color never why "$1" -- "$dir/through" 2>&1)
	shown=$(printf '%s\n' "$answer" | sed -n '1s/^[^=]* = \(.*\) at .*/\1/p')
	gdb=$(gdb -nx -batch -ex run -ex 'frame function main' -ex 'printf "@@"' -ex "output $1" --args "$dir/through" \
		30 -10 45 20 2>/dev/null | sed -n "s/.*@@\([0-9]* \)\{0,1\}//p")
	[ -n "$shown" ] && [ "$shown" = "$gdb" ] || complain "$1: \`$shown', but GDB says \`$gdb': $answer"
	printf '%s\n' "$answer" | tail -n +2 | head -n 4 | grep -q "from  *through.c:$2 .*$3" ||
		complain "$1: not from line $2: $answer"
}
goes least 15 '= -10$'
goes 'all[0].key' 15 'all\[1\].key = -10$'
goes 'all[3].key' 15 'all\[2\].key = 45$'
goes 'letters[3]' 12 'fill = 10$'
goes 'v[0]' 18 '= 45$'
goes 'v[1]' 19 '= 5$'

# the formula goes through realloc, too
"$WHY_BIN" explain --all -- "$dir/through" "$@" >"$dir/answer" 2>"$dir/said"
grep -q 'through.c:19 ' "$dir/answer" || complain "explain: $(cat "$dir/answer" "$dir/said")"
finish
