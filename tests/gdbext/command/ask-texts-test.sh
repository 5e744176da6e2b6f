#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Texts go through strdup, strndup, asprintf, strcat and strftime: what is shown is what GDB prints at
# the failure, and a row below it says which statement of the program gave it.
. tests/support/samples-lib.sh
need_tool
command -v gdb >/dev/null || { echo "gdb is not installed"; exit 77; }

cat >"$dir/texts.c" <<'C'
#define _GNU_SOURCE
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
int main(void)
{
	char first[16], date[40], all[64] = "", both[16] = "", *out = NULL, *copy, *part;
	struct tm t = { 0 };
	int n = 3;
	n *= 2;
	strcpy(first, "alpha");
	first[0] = 'A';
	copy = strdup(first);
	part = strndup(first + 1, 2);
	asprintf(&out, "n=%d", n);
	t.tm_year = 124;
	strftime(date, sizeof date, "%Y-%m-%d", &t);
	strcpy(both, "no");
	both[1] = 'O';
	strcat(both, first);
	strncat(all, copy, 3);
	strcat(all, out);
	assert(copy[0] + part[0] + out[2] + date[3] + all[0] + both[1] + both[2] == 0);
	return 0;
}
C
${CC:-gcc} -g -O0 -w -o "$dir/texts" "$dir/texts.c" || complain "texts.c does not compile"
"$WHY_BIN" record -o "$dir/record" -- "$dir/texts" >"$dir/said" 2>&1

# goes EXPRESSION [LINE]: its value is that of GDB, and a row at the line is below it
goes() {
	answer=$("$WHY_BIN" ask --record "$dir/record" --depth 4 --color never why "$1" -- "$dir/texts" 2>&1)
	shown=$(printf '%s\n' "$answer" | sed -n '1s/^[^=]* = \(.*\) at .*/\1/p')
	gdb=$(gdb -nx -batch -ex run -ex 'frame function main' -ex 'printf "@@"' -ex "output $1" "$dir/texts" \
		2>/dev/null | sed -n "s/.*@@\([0-9]* \)\{0,1\}//p")
	[ -n "$shown" ] && [ "$shown" = "$gdb" ] || complain "$1: \`$shown', but GDB says \`$gdb': $answer"
	case $answer in
	*'untraced code'* | *'from the start'*) complain "$1: $answer" ;;
	esac
	[ -z "${2:-}" ] || printf '%s\n' "$answer" | tail -n +2 | grep -q "  *texts.c:$2 " || complain "$1: not from line $2: $answer"
}
goes 'copy[0]' 14
goes 'part[0]' 13
goes 'out[2]' 12
goes 'date[3]' 18
goes 'both[1]' 21
goes 'both[2]' 14
goes 'all[0]' # which of two calls wrote it is not known

# Of an array of characters its text is asked about, and not what lies behind that.
cat >"$dir/short.c" <<'C'
#include <assert.h>
#include <string.h>
int main(void)
{
	char name[8], full[4];
	strcpy(name, "abc");
	memcpy(full, "wxyz", 4);
	assert(strcmp(name, "abd") == 0);
	return full[0];
}
C
"${CC:-gcc}" -g -O0 -w -o "$dir/short" "$dir/short.c" || complain "short.c does not compile"
for name in name:6 full:7; do
	answer=$("$WHY_BIN" ask --color never why "${name%:*}" -- "$dir/short" 2>&1)
	printf '%s\n' "$answer" | grep -q "short.c:${name#*:} " || complain "${name%:*} is not from its line: $answer"
	case $answer in
	*leftover*) complain "what is behind the text is asked about: $answer" ;;
	esac
done

finish
