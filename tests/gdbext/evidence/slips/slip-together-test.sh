#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A slip of the pen that several instructions of its line carry is found, too: the wrong variable in
# `raised++', letters of the wrong case in both arguments of a call, two variables exchanged.
. tests/support/samples-lib.sh
need_tool

cat >"$dir/words.c" <<'C'
#include <stdio.h>

static int raised, left;

static void note(const char *word)
{
	if (*word == 'r')
		raised++;
	else
		left++;
}

static int count(const char *word, char from, char to)
{
	int n = 0;

	for (; *word; word++)
		n += *word >= from && *word <= to;
	return n;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		note(argv[i]);
		printf("%s: %d capitals\n", argv[i], count(argv[i], 'A', 'Z'));
	}
	printf("%d raised, %d left\n", raised, left);
	return *argv[1] < 'a' || *argv[1] > 'z';
}
C
build "$dir/words.c" "$dir/right"
"$dir/right" raise-It left led-A >"$dir/expected"

# check LINE CHANGE SED: the program that SED makes is wrong; the change of that line mends it
check() {
	sed "$3" "$dir/words.c" >"$dir/wrong.c"
	build "$dir/wrong.c" "$dir/wrong"
	"$WHY_BIN" explain --format json --expect "$dir/expected" -- "$dir/wrong" raise-It left led-A >"$dir/answer" 2>"$dir/err"
	jq -e --argjson line "$1" --arg change "$2" '.suspects[0]
		| .replay == "passes" and .statements[0].line == $line and .evidence.change == $change' \
		"$dir/answer" >"$dir/index" || {
		complain "line $1 is not first, with $2"
		jq -c '.suspects[] | [.rank, .statements[0].line, .statements[0].witness, .evidence]' "$dir/answer"
		cat "$dir/err"
		return
	}
	"$WHY_BIN" try --suspect "$dir/answer:1" -- "$dir/wrong" raise-It left led-A >"$dir/tried" 2>&1
	sed -n 's/^  is   //p' "$dir/tried" >"$dir/is"
	[ -s "$dir/is" ] && grep -qxF -f "$dir/is" "$dir/expected" ||
		{ complain "$2: try prints something else"; cat "$dir/tried"; }
}
check 10 '`left'\'' for `raised'\' '10s/left/raised/'
check 18 '`to'\'' and `from'\'' exchanged' '18s/>= from \&\& \*word <= to/>= to \&\& *word <= from/'
check 26 "'Z' for 'z' and 'A' for 'a'" "26s/'A', 'Z'/'a', 'z'/"
finish
