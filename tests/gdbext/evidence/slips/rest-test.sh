#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# limits: any
#
# Where neither a likely change nor the formula mends a failed check of a short run, the rarer changes
# are tried; the one that is told is right when it is typed.
. tests/support/samples-lib.sh
need_tool

cat >"$dir/list.c" <<'C'
#include <assert.h>
#include <stdlib.h>
typedef struct item { int key; struct item *prev, *next; } item;
typedef struct { item *head, *tail; int length; } list;
static void insert(list *l, item *pos, int key)
{
	item *it = calloc(1, sizeof *it);

	it->key = key;
	it->next = pos;
	it->prev = pos ? pos->prev : NULL; /* fault */
	if (it->prev)
		it->prev->next = it;
	else
		l->head = it;
	if (pos)
		pos->prev = it;
	else
		l->tail = it;
	l->length++;
}
static void add(list *l, int key)
{
	item *pos = l->head;

	while (pos && pos->key >= key)
		pos = pos->next;
	insert(l, pos, key);
}
int main(void)
{
	list l = { 0 };
	int n = 0;

	add(&l, 3);
	add(&l, 5);
	add(&l, 1);
	add(&l, 3);
	for (item *it = l.head; it; it = it->next)
		n++;
	assert(n == l.length);
	assert(l.head->key == 5 && l.tail->key == 1);
	return 0;
}
C
fault=$(grep -n '/\* fault \*/' "$dir/list.c" | cut -d: -f1)
"$CC" -g -O0 -w -o "$dir/list" "$dir/list.c" || complain "list.c does not compile"
"$WHY_BIN" explain --format=json --max-suspects 0 --limit short_formula_ms=1000 -- "$dir/list" >"$dir/answer" 2>"$dir/err"
change=$(jq -r --argjson fault "$fault" '[.suspects[] | select(.replay == "passes" and .statements[0].line == $fault)][0].evidence.change' "$dir/answer")
new=$(printf '%s\n' "$change" | sed -n "s/^\`\(.*\)' for \`NULL'\$/\1/p")
if default_limits; then
	[ "$new" ] || complain "line $fault is mended by $change: $(jq -c '[.suspects[] | [.statements[].line]]' "$dir/answer")"
	sed "${fault}s/NULL/$new/" "$dir/list.c" >"$dir/typed.c"
	"$CC" -g -O0 -w -o "$dir/typed" "$dir/typed.c" && "$dir/typed" || complain "$change typed does not pass"
fi

finish
