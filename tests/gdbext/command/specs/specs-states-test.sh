#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 120
# gdb-why specs --input heap: states that the program's own operations make come first, and each says which
# calls make it; what is looked for is looked for in the cage.
set -u
. tests/support/specs-lib.sh
cat >stack.c <<'C'
#include <stdio.h>
#include <stdlib.h>
struct node { struct node *next; int v; };
struct stack { struct node *top; int n; };
static int made; /* counts what the structure does not show */
static void push(int v, struct stack *s)
{
	struct node *n = malloc(sizeof *n);
	n->v = v;
	n->next = s->n == 2 ? NULL : s->top;
	s->top = n;
	s->n++;
	made++;
}
static void drop(struct stack *s)
{
	if (!s->top)
		exit(7);
	s->top = s->top->next;
	s->n--;
	if (s->n == 1)
		for (;;)
			;
}
static void crash(struct stack *s)
{
	*(int *)(s->top ? 0x10 : 0x20) = 1;
}
static int sum_of(struct stack *s)
{
	FILE *f = fopen("left-behind", "w"); /* nobody calls it but who looks for states */
	return f != NULL;
}
int main(int argc, char **argv)
{
	struct stack s = { NULL, 0 };
	for (int i = 1; i < argc; i++)
		push(atoi(argv[i]), &s);
	if (argc > 9)
		drop(&s), crash(&s), sum_of(&s);
	return made != argc - 1;
}
C
cat >stack-spec.c <<'C'
#include "why-spec.h"
#include <stdio.h>
struct node { struct node *next; int v; };
struct stack { struct node *top; int n; };
static int length(const struct stack *s)
{
	int n = 0;
	for (const struct node *p = s->top; p && n < 9; p = p->next)
		n++;
	return n;
}
static int longer(const struct stack *was, const struct stack *is) { return length(is) == length(was) + 1; }
static int ends(const struct stack *s) { return length(s) < 9; }
WHY_POST(push, longer, before(s), s)
WHY_PRE(push, ends, s)
C
$CC -g -O0 -o stack stack.c || exit 1
export GDB_WHY_LOG=specs:debug
specs 0 --input heap --make-tests 20 --spec stack-spec.c -- ./stack 4 5 6
says '^longer .* when push .* the 3rd time'
says '^     3  2.000 1.000  stack.c:10  n->next = s->n == 2 \? NULL : s->top; '
says '^     made by push\([0-5], s\)( push\([0-5], s\))*( at call 3)?$'
says '^     set in memory; no short sequence of calls is known to make it$'
# Calls that crash, exit and do not end make nothing, and keep nothing else from being made.
says 'and operations make [1-9][0-9][0-9]$'
says_not 'made by .*crash'
[ -e left-behind ] && complain "an operation has written outside of the cage"
# Bounds.
specs 0 --input heap --limit made_states=0 --make-tests 20 --spec stack-spec.c -- ./stack 4 5 6
says 'and operations make 0$'
says_not 'made by'
says '^     set in memory; no short sequence of calls is known to make it$'
specs 0 --input heap --max-nodes 1 --make-tests 20 --spec stack-spec.c -- ./stack 4 5 6
says_not 'made by push.* push.* push'
# The demand itself is evaluated on all states, in the cage, and where it does not end, the state is left out.
sed 's/^static int ends.*/static int ends(const struct stack *s)\
{\
	FILE *f;\
	if (!s->top \&\& (f = fopen("left-behind", "w")))\
		fclose(f);\
	if (s->top \&\& s->top->v == 1)\
		for (;;)\
			__asm__("");\
	return length(s) < 9;\
}/' stack-spec.c >rude-spec.c
specs 0 --input heap --make-tests 20 --spec rude-spec.c -- ./stack 4 5 6
says '^     3  2.000 1.000  stack.c:10 '
says 'operations make [1-9]'
says_not '#[0-9]+ \{([^}]*, )?(v|key) 1[,}]'
[ -e left-behind ] && complain "a predicate has written outside of the cage"
# JSON says it, too.
unset GDB_WHY_LOG
specs 0 --input heap --format json --make-tests 20 --spec stack-spec.c -- ./stack 4 5 6
grep -qE '"made_by" ?: ?"push\([0-5], s\)' out || complain "JSON has no made_by"
done_testing
