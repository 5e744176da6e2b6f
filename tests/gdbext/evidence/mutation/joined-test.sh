#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
#
# `||' for `&&', and the other way round, on one line, or where the condition goes on in the next: it is
# told in these words, and the program with that change passes.
set -u
. tests/support/samples-lib.sh
need_tool

# check NAME ROWS IS SHOULD [WHICH]: the condition, with @ for what joins it; IS stands there
check() {
	local name=$1 rows=$2 is=$3 should=$4 program
	program='#include <assert.h>
#include <string.h>
static const struct { const char *room, *name; int seats; } all[] = {
	{ "red", "a", 4 }, { "red", "b", 2 }, { "blue", "a", 3 }, { "blue", "b", 9 },
};
static int seats_of(const char *room, const char *name)
{
	int sum = 0;
	for (int i = 0; i < 4; i++)
		'$rows'
			sum += all[i].seats;
	return sum;
}
static int outside(void)
{
	return seats_of("green", "c");
}
int main(void)
{
	assert(outside() == 0);
	assert(seats_of("blue", "a") == WANTED);
	return 0;
}'
	[ "$should" = '&&' ] && program=${program/WANTED/3} || program=${program/WANTED/16}
	printf '%s\n' "${program/@/"$should"}" >"$dir/$name-right.c"
	printf '%s\n' "${program/@/"$is"}" >"$dir/$name.c"
	build "$dir/$name.c" "$dir/$name"
	build "$dir/$name-right.c" "$dir/$name-right"
	"$dir/$name-right" || complain "$name: the change does not mend it"
	"$WHY_BIN" explain --all -- "$dir/$name" >"$dir/out" 2>&1
	grep -qF "\`$should' for ${5:-}\`$is'" "$dir/out" || complain "$name: $(cat "$dir/out")"
	! grep -qF 'joined or negated' "$dir/out" || complain "$name: nobody can type that: $(cat "$dir/out")"
}

one='if (strcmp(all[i].room, room) == 0 @ strcmp(all[i].name, name) == 0)'
begins='if (strcmp(all[i].room, room) == 0
		    @ strcmp(all[i].name, name) == 0)'
ends='if (strcmp(all[i].room, room) == 0 @
		    strcmp(all[i].name, name) == 0)'
check one "$one" '||' '&&'
check begins "$begins" '||' '&&'
check ends "$ends" '||' '&&'
check turned "$begins" '&&' '||'
# With one branch elsewhere the code does what a change of one of several does, or what none does.
nested='if (strcmp(all[i].room, room) == 0 @ (strcmp(all[i].name, name) == 0 && all[i].seats > 0))'
check nested "$nested" '||' '&&'
check first "$nested" '&&' '||' 'the 1st '
[ $failures -eq 0 ]
