#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A second question about the same run: the record that the first one has saved
# answers it, however the run ended; and what is known meanwhile.  timeout: 60
. tests/support/samples-lib.sh
need_tool

cat >"$dir/ends.c" <<'C'
#include <assert.h>
#include <stdlib.h>
#include <string.h>
static int half(int n)
{
	int h = n / 2;
	return h;
}
int main(int argc, char **argv)
{
	int h = half(argc > 1 ? (int)strlen(argv[1]) : 0);
	if (h == 1)
		*(volatile int *)0 = h;
	assert(h != 2);
	while (h == 3)
		;
	return h == 4 ? 7 : 0;
}
C
${CC:-cc} -g -O0 -o "$dir/ends" "$dir/ends.c" || complain "ends.c does not compile"

# The same question twice: run, and from the record of that, without GDB.
twice() { # question, arguments
	question=$1
	shift
	rm -f "$dir/kept"
	first=$("$WHY_BIN" ask --run-timeout 2 --at ends.c:7 --save-record "$dir/kept" "$question" -- "$dir/ends" "$@" 2>&1) ||
		complain "ask $question -- ends $*: $first"
	[ -s "$dir/kept" ] || complain "no record of ends $*"
	second=$("$WHY_BIN" ask --gdb /nonexistent --run-timeout 2 --at ends.c:7 --record "$dir/kept" "$question" -- "$dir/ends" 2>&1)
	[ "$(echo "$first" | sed 's/ *[0-9.]* m\?s$//')" = "$(echo "$second" | sed 's/ *[0-9.]* m\?s$//')" ] ||
		complain "ask $question -- ends $*: first $first, then $second"
}

twice 'why h'
twice 'why h' 22
twice 'why h' 4444
twice 'why h' 666666
twice 'why h' 88888888
twice 'why not h == 9' 4444
twice 'why not h == 9' 88888888

# An existing file is replaced; its owner alone can read it.
[ "$(stat -c %a "$dir/kept")" = 600 ] || complain "others can read the record"
"$WHY_BIN" explain --save-record "$dir/nowhere/kept" -- "$dir/ends" 4444 >"$dir/out" 2>&1
[ $? = 2 ] && grep -q 'cannot be written' "$dir/out" || complain "a record that cannot be written"

# What is known, line by line.
"$WHY_BIN" ask --at ends.c:7 --format json --stream 'why not h == 9' -- "$dir/ends" 4444 >"$dir/lines" ||
	complain "--stream of ask"
[ "$(wc -l <"$dir/lines")" -gt 2 ] || complain "--stream of ask: no lines"
"$WHY_BIN" ask --save-record "$dir/a" --record "$dir/kept" why -- "$dir/ends" >"$dir/out" 2>&1
[ $? = 2 ] && [ "$(wc -l <"$dir/out")" = 1 ] || complain "--save-record and --record"
finish
