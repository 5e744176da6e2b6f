#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 120
# gdb-why specs --input heap: tests are states at the failing call, which no arguments could make, and
# which keep to what is demanded there.
set -u
. tests/support/specs-lib.sh
# ROOT_ERR fails on the empty tree, with which every run begins, so no arguments pass.
$CC -g -O0 -DROOT_ERR -o root "$samples/bst.c" || exit 1
specs 0 --spec "$samples/bst-spec.c" -- ./root 5
grep -q '^tests' out && complain "there are other tests by arguments"
specs 0 --input heap --rounds 2 --spec "$samples/bst-spec.c" -- ./root 5
grep -qE '^     1  2.000 1.000  bst.c:44  t->root = NULL; +\(alone, it can mend it\)$' out || complain "the root is not first"
grep -qE '^  1: t = #1 \{root #2 \{[^}]*\}, size 1\}, k = [0-9-]+ +passes; line 44 was not executed, rank 1 now$' out ||
	complain "no tree of one node passes"
specs 0 --input heap --max-nodes 0 --spec "$samples/bst-spec.c" -- ./root 5
grep -q 'root #' out && complain "a node in spite of --max-nodes 0"
for technique in tar-dt tar-rand; do
	specs 0 --technique $technique --input heap --rounds 1 --spec "$samples/bst-spec.c" -- ./root 5
	grep -qE '^  1: t = ' out || complain "$technique: no state"
done
# The state lies in a variable of the program, an array has the size that it has, and a number that
# is not small is found by the solver.
cat >ring.c <<'C'
#include <stdio.h>
#include <stdlib.h>
struct ring { int *items; unsigned room, first, n; };
static struct ring ring;
static int put(struct ring *r, int v)
{
	if (v == 123456)
		return -2;
	if (r->n == r->room)
		return -1;
	ring.items[(r->first + r->n) % r->room] = v;
	if (r->first + r->n >= r->room)
		r->first++;
	r->n++;
	return 0;
}
int main(int argc, char **argv)
{
	ring = (struct ring){ calloc(3, sizeof(int)), 3, 2, 0 };
	for (int i = 1; i < argc; i++)
		put(&ring, atoi(argv[i]));
	return 0;
}
C
cat >ring-spec.c <<'C'
#include "why-spec.h"
struct ring { int *items; unsigned room, first, n; };
static int sound(const struct ring *r) { return r->room == 3 && r->first < r->room && r->n <= r->room; }
static int stays(const struct ring *was, const struct ring *is) { return was->first == is->first; }
WHY_INVARIANT(sound, struct ring *)
WHY_POST(put, stays, before(r), r)
C
$CC -g -O0 -o ring ring.c || exit 1
specs 0 --input heap --spec ring-spec.c -- ./ring 7 8
grep -q '^stays (ring-spec.c:6) does not hold when put (ring.c:5) returns, the 2nd time' out || complain "stays is not named"
grep -qE '^     1  2.000 1.000  ring.c:13  r->first\+\+; +\(alone, it can mend it\)$' out || complain "the step is not first"
grep -qE '^  [0-9]: r = #1 \{items #2 \[[^]]*\], room 3.*v = 123456 +passes' out || complain "the solver's number is not there"
# A function without parameters has no state to choose.
printf 'int n; int next(void) { return ++n; }\nint main(void) { next(); return next(); }\n' >count.c
printf '#include "why-spec.h"\nstatic int small(int r) { return r < 2; }\nWHY_POST(next, small, result)\n' >count-spec.c
$CC -g -O0 -o count count.c || exit 1
specs 0 --input heap --spec count-spec.c -- ./count
grep -q '^no other states: The state at the call cannot be chosen' out || complain "it is not said why there are no states"
done_testing
