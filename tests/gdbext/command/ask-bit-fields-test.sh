#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 200
# limits: any
#
# `why' of a bit-field names the statements that assign to it, and not those that write the word of
# its neighbours back; and a value that is given to one leaves the others alone, as in a plain GDB.
set -u
. tests/support/samples-lib.sh
need_tool
command -v gdb >/dev/null || { echo "gdb is not installed"; exit 77; }

cat >"$dir/node.c" <<'C'
#include <assert.h>
#include <stdlib.h>
typedef struct node {
	int key;
	unsigned dups : 4;
	unsigned height : 8;
	unsigned seen : 1;
	struct node *next;
} node;
__attribute__((noipa)) static void update(node *n, unsigned below)
{
	n->height = below + 1; /* height */
}
__attribute__((noipa)) static node *new_node(int key)
{
	node *n = malloc(sizeof *n);
	n->key = key;
	n->dups = 0; /* dups */
	n->height = 1; /* height */
	n->seen = 0; /* seen */
	n->next = NULL;
	return n;
}
__attribute__((noipa)) static void again(node *n)
{
	n->dups++; /* dups */
}
__attribute__((noipa)) static void look(node *n)
{
	n->seen = 1; /* seen */
	update(n, n->height);
}
__attribute__((noipa)) static void check(const node *n)
{
	assert(n->dups == 2);
}
int main(void)
{
	node *n = new_node(7);
	update(n, 1);
	again(n);
	update(n, 2);
	look(n);
	check(n);
	return 0;
}
C

# of_field FIELD: the lines that assign to it
of_field() { grep -n "/\* $1 \*/" "$dir/node.c" | cut -d: -f1 | sort -n; }

# check_field PROGRAM FIELD: the answer names a line that assigns to it, and none of another field.
check_field() {
	local program=$1 field=$2 line lines other
	"$WHY_BIN" ask --all --at check "why n->$field" -- "$program" >"$dir/answer" 2>&1 ||
		{ complain "$program, $field: status $?: $(cat "$dir/answer")"; return; }
	lines=$(grep -o 'node\.c:[0-9]*' "$dir/answer" | cut -d: -f2 | sort -nu)
	of_field "$field" | grep -qFx "$lines" ||
		complain "$(basename "$program"): why n->$field names no line that assigns to it: $(cat "$dir/answer")"
	for other in dups height seen; do
		[ "$other" = "$field" ] && continue
		line=$(of_field "$other" | grep -Fx "$lines")
		[ -z "$line" ] || complain "$(basename "$program"): why n->$field names line" $line "of n->$other"
	done
	grep -q 'never initialised' "$dir/answer" && complain "$(basename "$program"): n->$field, never initialised"
}

for with in "gcc -O0" "clang -O0" "gcc -O2"; do
	set -- $with
	command -v "$1" >/dev/null || continue
	program=$dir/node-$1$2
	"$1" -g "$2" -w -no-pie -o "$program" "$dir/node.c" || complain "$1 $2: it does not compile"
	for field in dups height seen; do
		check_field "$program" $field
	done

	# the field alone is changed, in both
	for value in 2 18; do
		"$WHY_BIN" try --set "n->dups = $value" --at check -- "$program" >"$dir/tried" 2>&1
		gdb -nx -q -batch -ex 'break check' -ex run -ex "set var n->dups = $value" -ex 'print n->height' \
			-ex continue "$program" >"$dir/gdb" 2>&1
		grep -q '= 4$' "$dir/gdb" || complain "$program: GDB: $(cat "$dir/gdb")"
		grep -q '^it passes' "$dir/tried" && tried=passes || tried=fails
		grep -q 'exited normally' "$dir/gdb" && typed=passes || typed=fails
		[ $tried = $typed ] || complain "$(basename "$program"): n->dups = $value $tried, but in GDB it $typed: $(cat "$dir/tried")"
	done
done
finish
