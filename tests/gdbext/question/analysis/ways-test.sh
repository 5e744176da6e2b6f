#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A suspect that runs alone proved has a way to the failure, and what it says of each statement
# there is what GDB shows.  Behind a side that no run took, no value is told.
. tests/support/samples-lib.sh
need_tool

cat >"$dir/day.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
static int length[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

static int day_of_year(int leap, int month, int day)
{
	int n = day;

	for (int i = 0; i < month - 1; i++)
		n += length[i];
	if (leap && month > 2)
		n++;
	return n;
}

int main(int argc, char **argv)
{
	int n = argc < 4 ? 0 : day_of_year(atoi(argv[1]), atoi(argv[2]), atoi(argv[3]));

	printf("%d\n", n);
	return 0;
}
C
build "$dir/day.c" "$dir/day" -w
echo 61 >"$dir/expected"
"$WHY_BIN" explain --all --limit way_changed_ms=1000000 --format json --expect "$dir/expected" -- "$dir/day" 0 3 1 >"$dir/answer" 2>"$dir/err"
python3 tests/validate.py tests/answer.schema.json <"$dir/answer" || complain 'not by the schema'

# way KIND LINE: "line name = value", a row a link, of the suspect of that kind on that line
way() {
	jq -r --arg kind "$1" --argjson line "$2" '. as $a
		| first(.suspects[] | select(.statements[0].kind == $kind and .statements[0].line == $line))
		| .chain[] | $a.chain[.] | "\(.line) \(.values[0].name) = \(.values[0].value)"' "$dir/answer"
}
same() { # NAME EXPECTED
	printf '%s\n' "$2" | cmp -s - "$dir/way" || complain "$1: $(cat "$dir/way" "$dir/err")"
}
way data 3 >"$dir/way"
same 'the way of length[1]' '3 null = null
10 n = 60 -> 61
13 result = 60 -> 61
18 n = 60 -> 61
20 output = "60" -> "61"'
way condition 11 >"$dir/way"
grep -q -- '-> 0$' "$dir/way" && complain "a value behind a side that no run took: $(cat "$dir/way")"

# the same places in GDB: the element that is read last, and what is there afterwards
gdb -batch -nx -ex 'break 11' -ex run -ex 'print n' -ex 'finish' -ex 'next' -ex 'print n' \
	--args "$dir/day" 0 3 1 2>/dev/null | grep '^\$' | sed 's/.* = //' | sort -u >"$dir/gdb"
echo 60 | cmp -s - "$dir/gdb" || complain "GDB shows other values: $(cat "$dir/gdb")"
gdb -batch -nx -ex 'break main' -ex run -ex 'set var length[1] = 29' -ex 'break 11' -ex continue -ex 'print n' -ex 'finish' \
	-ex 'next' -ex 'print n' --args "$dir/day" 0 3 1 2>/dev/null | grep '^\$' | sed 's/.* = //' | sort -u >"$dir/gdb"
echo 61 | cmp -s - "$dir/gdb" || complain "GDB shows other values with the change: $(cat "$dir/gdb")"
finish
