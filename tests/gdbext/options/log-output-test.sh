#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# What gdb-why says of its own work goes to standard error, each folder by its name;
# standard output is the answer alone.
. tests/support/samples-lib.sh
need_tool

cat >"$dir/two.c" <<'C'
#include <assert.h>

int main(int argc, char **argv)
{
	int b = argc + 1;

	(void)argv;
	assert(b == 1);
	return 0;
}
C
build "$dir/two.c" "$dir/two"

explain() { # NAME
	"$WHY_BIN" explain --format=json -- "$dir/two" >"$dir/$1.out" 2>"$dir/$1.err"
	status=$?
	[ $status -le 3 ] && [ $status -ne 2 ] || complain "$1: status $status"
	jq -e .suspects "$dir/$1.out" >/dev/null || complain "$1: standard output is no JSON"
}

explain silent
[ -s "$dir/silent.err" ] && complain "it speaks without being asked: $(head -1 "$dir/silent.err")"

GDB_WHY_LOG=mi:debug explain one
grep -q '^gdb-why: mi debug: > ' "$dir/one.err" || complain "nothing is said of mi"
grep -q '^gdb-why: search debug: ' "$dir/one.err" && complain "search speaks as well"

G_MESSAGES_DEBUG=all explain all
grep -q '^gdb-why: mi debug: ' "$dir/all.err" || complain "all: nothing is said of mi"
grep -q '^gdb-why: search debug: ' "$dir/all.err" || complain "all: nothing is said of search"

GDB_WHY_LOG=mi:loud "$WHY_BIN" --version >"$dir/out" 2>"$dir/err"
[ $? -eq 2 ] || complain "a level that is none is taken"
grep -q "mi:loud" "$dir/err" || complain "what is wrong with GDB_WHY_LOG is not said"
finish
