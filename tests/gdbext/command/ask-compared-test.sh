#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What strcmp and strchr return depends on no byte behind the first difference, or what was found.
set -u
. tests/support/samples-lib.sh
need_tool

cat >"$dir/names.c" <<'END'
#include <stdio.h>
#include <string.h>
struct name {
	char text[8];
	int rank;
};
static struct name all[2];
static void put(struct name *n, const char *text, int rank)
{
	strncpy(n->text, text, sizeof n->text);
	n->rank = rank;
	n->text[7] = '\0';
}
int main(void)
{
	char own[8] = "karl";
	int first, second;
	const char *at;
	put(&all[0], "mia", 7);
	put(&all[1], own, 8);
	first = strcmp(all[0].text, "zoe");
	own[3] = 'x';
	second = strcmp(own, "kerl");
	at = strchr(own, 'a');
	own[2] = 'y';
	return first + second + (at - own);
}
END
build "$dir/names.c" "$dir/names" -Wno-stringop-truncation
asks() { # VARIABLE ROW... : no row is about these
	"$WHY_BIN" ask --at names.c:26 "why $1" -- "$dir/names" >"$dir/text" 2>"$dir/err" || complain "$1: $(cat "$dir/err")"
	grep -q "$1 = " "$dir/text" || complain "$1: $(cat "$dir/text")"
	for row in "${@:2}"; do
		grep -qF "$row" "$dir/text" && complain "why $1: $row: $(cat "$dir/text")"
	done
}
asks first 'rank = 7' 'text[7]' 'names.c:11' 'names.c:12'
asks second "own[3]" "names.c:22"
asks at "own[3]" "names.c:22" "names.c:25"
# what does count stays
cat >"$dir/equal.c" <<'END'
#include <string.h>
int main(void)
{
	char own[8] = "karl";
	own[3] = 'x';
	return strcmp(own, "karl") != 0;
}
END
build "$dir/equal.c" "$dir/equal"
"$WHY_BIN" explain --all -- "$dir/equal" >"$dir/text" 2>&1
grep -q "equal.c:5 " "$dir/text" || complain "the difference: $(cat "$dir/text")"
[ $failures -eq 0 ]
