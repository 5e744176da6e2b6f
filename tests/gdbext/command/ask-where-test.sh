#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# limits: any
#
# timeout: 60
# --where chooses the time that a place is reached at by what variables held.
B=${BUILD:-build/plain}
WHY=$WHY_BIN
[ -x "$WHY" ] || { echo "SKIP: $WHY is not built"; exit 77; }
command -v gdb >/dev/null || { echo "SKIP: gdb is not there"; exit 77; }
dir=$(mktemp -d "${TMPDIR:-/tmp}/gdb-why-where.XXXXXX")
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
failed=0

cat >sums.c <<'C'
static int sum(int n)
{
	int s = 0;

	for (int i = 0; i < n; i++)
		s += i;
	return s;
}

int main(void)
{
	return sum(3) + sum(5) != 13;
}
C
gcc -g -O0 -o sums sums.c || exit 1

ask() { # status, text that it says; arguments
	local status=$1 text=$2
	shift 2
	"$WHY" ask "$@" -- ./sums >out 2>&1
	[ $? = "$status" ] && grep -qF -- "$text" out && return
	echo "FAILED $*: not status $status and: $text"
	cat out
	failed=1
}

ask 0 's = 1 at sums.c:6' --at sums.c:6 --where 'n == 5' --where 'i == 2' why s
ask 0 's = 3 at sums.c:6' --at sums.c:6 --where 'i == 3' why s
ask 0 's = 3 at sums.c:7' --at sums.c:7 --where 'n == 3' why s
# the third time is the first call's last
ask 0 's = 0 at sums.c:6' --at sums.c:6:4 --where 'n == 5' why s
ask 3 'reaches the same stop with other values: n is 5, not 3' --at sums.c:6:4 --where 'n == 3' why s
ask 0 'with other values: i is 0, not 7' --at sums.c:6 --where 'n == 5' --where 'i == 7' why s
ask 0 'with other values: i is 0, not 7; s is 0, not 9.' --at sums.c:6 --where 'n == 5' --where 'i == 7' --where 's == 9' why s
ask 3 'The replay does not come to sums.c:6 so often' --at sums.c:6:9 --where 'n == 5' why s
ask 0 '`nosuch == 1'\'' cannot be compared' --at sums.c:6 --where 'nosuch == 1' why s
ask 2 'name a place with --at' --where 'n == 5' why s
offset=$(gdb -nx -batch -ex 'info line 6' sums | sed -n 's/.*starts at address 0x[0-9a-f]* <sum+\([0-9]*\)>.*/\1/p')
ask 0 's = 1 at sums.c:6' --at "sum+$offset" --where 'n == 5' --where 'i == 2' why s
ask 2 'no function `sum+9999' --at sum+9999 why s

# what a library function gave a variable is not in the record: members of objects tell the time, and
# where nothing does, that is said
cat >sums.c <<'C'
#include <stdio.h>
struct bag { int n, room; };
static void put(struct bag *b, int v)
{
	b->n += v > 0;
}
int main(void)
{
	struct bag b = { 0, 8 };
	char line[] = "5 6 0 7", *at = line;
	int v, used;

	while (sscanf(at, "%d%n", &v, &used) == 1) {
		put(&b, v);
		at += used;
	}
	return b.n != 4;
}
C
gcc -g -O0 -o sums sums.c || exit 1
ask 0 'b.n = 2 at sums.c:15' --at sums.c:15 --where 'v == 6' --where 'b.n == 2' why b.n
ask 0 'b.n = 3 at sums.c:15' --at sums.c:15 --where 'v == 7' --where 'b.n == 3' why b.n
ask 0 'do not tell which of 2 times is meant' --at sums.c:15 --where 'used == 9' --where 'b.n == 2' why b.n
ask 3 '`b.n'\'' is 3 where the program stands, but 2 at the time' --at sums.c:15 --shown 3 --where 'used == 9' --where 'b.n == 2' why b.n
exit $failed
