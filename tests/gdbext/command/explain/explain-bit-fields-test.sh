#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 300
# limits: any
#
# A bit-field that gets another value leaves its neighbours as they are: what explain proves of one is
# typed into a plain GDB, and the test passes there, too.  No number that only the compiler has, for
# masks and shifts, is another number of the source.
set -u
. tests/support/samples-lib.sh
need_tool
command -v gdb >/dev/null || { echo "gdb is not installed"; exit 77; }

# one wrong number in a table; dates are words of three bit-fields
cat >"$dir/dates.c" <<'C'
#include <assert.h>
#include <stdlib.h>
struct date {
	unsigned day : 5;
	unsigned month : 4;
	unsigned year : 12;
};
static const unsigned char days[13] = { 0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 30 };
static struct date plus_days(struct date d, unsigned n)
{
	while (n > 0) {
		if (d.day < days[d.month]) {
			d.day++;
		} else {
			d.day = 1;
			d.month++;
			if (d.month > 12) {
				d.month = 1;
				d.year++;
			}
		}
		n--;
	}
	return d;
}
static int before(struct date a, struct date b)
{
	if (a.year != b.year)
		return a.year < b.year;
	if (a.month != b.month)
		return a.month < b.month;
	return a.day < b.day;
}
int main(int argc, char **argv)
{
	struct date due = { 15, 12, 2023 }, now = { 25, 3, 2024 };
	unsigned late = 0;
	due = plus_days(due, argc > 1 ? (unsigned)atoi(argv[1]) : 30);
	assert(due.year == 2024);
	while (before(due, now)) {
		due = plus_days(due, 1);
		late++;
	}
	assert(late == 70);
	return 0;
}
C
# the year is counted up, but the month does not begin anew
grep -v 'd.month = 1;' "$dir/dates.c" | sed 's/30, 30 };/30, 31 };/' >"$dir/months.c"
# a node that is moved keeps how often its key was inserted
cat >"$dir/nodes.c" <<'C'
#include <assert.h>
#include <stdlib.h>
typedef struct node {
	int key;
	unsigned dups : 4;
	unsigned height : 8;
	struct node *next;
} node;
__attribute__((noipa)) static unsigned height_of(const node *n)
{
	return n ? n->height : 0;
}
__attribute__((noipa)) static void update(node *n)
{
	n->height = height_of(n->next) + 1;
}
__attribute__((noipa)) static node *insert(node *list, int key)
{
	node *n = list;
	while (n && n->key != key)
		n = n->next;
	if (n) {
		n->dups++;
		return list;
	}
	n = malloc(sizeof *n);
	n->key = key;
	n->dups = 0;
	n->height = 1;
	n->next = list;
	update(n);
	return n;
}
__attribute__((noipa)) static node *move(node *list)
{
	node *n = list->next;
	list->key = n->key;
	n->dups = 0;
	list->next = n->next;
	update(list);
	return list;
}
int main(int argc, char **argv)
{
	node *list = NULL;
	int sum = 0;
	for (int i = 1; i < argc; i++)
		list = insert(list, atoi(argv[i]));
	list = move(list);
	for (node *n = list; n; n = n->next)
		sum += n->key * (int)(n->dups + 1);
	assert(sum == 25);
	assert(list->height == 1);
	return 0;
}
C

# typed PROGRAM CLAUSE VALUE ADDRESS EXECUTION... -- ARGUMENT...: does the test pass when the value is
# typed behind these executions of the instruction?
typed() {
	local program=$1 clause=$2 value=$3 at=$4 last=0
	shift 4
	echo "break *$at"
	while [ "$1" != -- ]; do
		[ $(($1 - last)) -le 1 ] || echo "ignore 1 $(($1 - last - 1))"
		[ $last -gt 0 ] && echo continue || echo "run ${*#*-- }"
		printf '%s\n' stepi "set var $clause = $value"
		last=$1
		shift
	done >"$dir/body"
	sed "s/^run .*/run/" "$dir/body"
	printf '%s\n' 'delete 1' continue
}

checked=0
# check LIMIT PROGRAM ARGUMENT...: types what is proven of a bit-field.
check() {
	local limit=$1 program=$2 status
	shift 2
	"$WHY_BIN" explain --format json --max-suspects 0 --timeout 60 --limit "$limit" -- "$program" "$@" \
		>"$dir/answer" 2>"$dir/errors"
	status=$? # 3: there is no explanation
	[ $status -eq 0 ] || [ $status -eq 3 ] ||
		{ complain "$program: status $status: $(cat "$dir/errors")"; return; }
	# optimized, even the numbers of the source are others
	[[ $program == *-O2 ]] ||
		jq -e '[.. | strings | select(test("another constant|^`n. for `d"))] | length == 0' "$dir/answer" >"$dir/ok" ||
		complain "$program: $(jq -c '[.suspects[].evidence.change, .suspects[].statements[].witness]' "$dir/answer")"
	jq -r '.suspects[] | select(.replay == "passes" and (.statements | length) == 1) | .statements[0] as $s |
		select($s.kind == "assignment" and ($s.clause | test("[.>](day|month|year|dups|height)$"))) |
		select(all(.actions[]; startswith("memory "))) |
		select(([.actions[] | split(" ")[6]] | unique | length) == 1) |
		[$s.clause, $s.witness, (.actions[0] | split(" ")[6]), ([.actions[] | split(" ")[8]] | join(" "))] | join("\t")' \
		"$dir/answer" >"$dir/proven"
	while IFS=$'\t' read -r clause value at executions; do
		# shellcheck disable=SC2086
		typed "$program" "$clause" "$value" "$at" $executions -- "$@" >"$dir/script"
		gdb -nx -q -batch -ex 'set pagination off' -ex 'set confirm off' -x "$dir/script" \
			--args "$program" "$@" >"$dir/gdb" 2>&1 </dev/null
		grep -q 'been optimized out\|^No symbol\|^Left operand of assignment' "$dir/gdb" && continue
		checked=$((checked + 1))
		grep -q 'exited normally' "$dir/gdb" ||
			complain "$(basename "$program"): $clause = $value at $at, execution $executions, is said to mend it:
$(tail -n 3 "$dir/gdb")"
	done <"$dir/proven"
}

for with in "gcc -O0" "clang -O0" "gcc -O2"; do
	set -- $with
	command -v "$1" >/dev/null || continue
	for name in dates months nodes; do
		"$1" -g "$2" -w -no-pie -o "$dir/$name-$1$2" "$dir/$name.c" || complain "$name.c does not compile"
		case $name in
		nodes)
			check formula_terms=20000000 "$dir/$name-$1$2" 5 5 5 5 5 7
			# by runs alone
			check formula_terms=10000 "$dir/$name-$1$2" 5 5 5 5 5 7
			;;
		*) check formula_terms=20000000 "$dir/$name-$1$2" 30 ;;
		esac
	done
done
echo "$checked values of bit-fields were typed"
[ "$checked" -ge 5 ] || ! default_limits || complain "only $checked were typed"
finish
