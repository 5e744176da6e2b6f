#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 120
# gdb-why specs: suspects by cores, tests made on demand, and ranks: the running example of SAT-TAR
# on the real program.
set -u
. tests/support/specs-lib.sh
build() { # NAME FLAGS...
	local name=$1
	shift
	$CC -g -O0 "$@" -o "$name" "$samples/list.c" || exit 1
}
# The lines with this rank, ascending.
of_rank() { sed -nE "s/^ +$1  [0-9.]+ [0-9.]+  list.c:([0-9]+)  .*/\\1/p" out | sort -n | tr '\n' ' '; }
expect_rank() { # RANK LINES
	[ "$(of_rank "$1")" = "$2 " ] || complain "rank $1 is $(of_rank "$1"), not $2"
}

# The statements' lines: 1 prev = NULL … 12 return false.
build size -DSIZE_ERR
build head -DHEAD_ERR
build both -DSIZE_ERR -DHEAD_ERR
build none
# The core of sizeErr is {2, 3, 4, 8}; by cores alone, 8 has rank 4.
specs 0 --technique sat --spec "$samples/list-spec.c" -- ./size 1 1 2
expect_rank 4 "27 28 29 43"
grep -q '^tests' out && complain "tests by cores alone"
# After the second round, it has rank 1: the key is not in the list, so line 43 is not executed.
specs 0 --no-evidence --spec "$samples/list-spec.c" --rounds 2 -- ./size 1 1 2
expect_rank 1 "43"
expect_rank 4 "27 28 29"
expect_rank 6 "30 47"
grep -qE '^  1: 2 1 2 +violates size_ok; line 43 was executed, rank 4 now$' out || complain "another first round"
grep -qE '^  2: [^12] 1 2 +passes; line 43 was not executed, rank 1 now$' out || complain "another second round"
# Tarantula alone: what no passing test executes comes first, whatever it is.
specs 0 --technique tar-dt --spec "$samples/list-spec.c" -- ./size 1 1 2
[ "$(of_rank 1)" = "43 " ] && complain "the fault stands alone without a core"
# The core of headErr is {1, 2, 3, 4, 5, 7, 8}, and one round is enough.
specs 0 --technique sat --at list_remove --spec "$samples/list-invariant-spec.c" -- ./head 1 1
expect_rank 7 "26 27 28 29 30 38 45"
specs 0 --no-evidence --rounds 1 --at list_remove --spec "$samples/list-invariant-spec.c" -- ./head 1 1
expect_rank 1 "38"
expect_rank 7 "26 27 28 29 30 45"
# Both faults apart, each by its own constraint.
specs 0 --technique sat --spec "$samples/list-spec.c" -- ./both 1 1
grep -q '^remove_ok (list-spec.c:55) does not hold' out || complain "remove_ok is not named"
grep -q '^size_ok' out && complain "size_ok is blamed for remove_ok's fault"
specs 0 --no-evidence --rounds 3 --spec "$samples/list-spec.c" -- ./both 1 1
sed -n '/^another fault/,$p' out | grep -q '^size_ok' || complain "the second fault is not found"
sed -n '/^another fault/,$p' out >second && mv second out
expect_rank 1 "43"
# Runs in which one line is changed: it alone can make the call right, so no test is needed.
specs 0 --rounds 0 --spec "$samples/list-spec.c" -- ./size 1 1 2
expect_rank 1 "43"
build remove -DREMOVE_ERR
# The node behind the one that is removed was looked at, so it is tried in the place of what line 32 stores.
specs 0 --rounds 0 --spec "$samples/list-spec.c" -- ./remove 2 1 2
expect_rank 1 "32"
specs 0 --rounds 0 --no-evidence --spec "$samples/list-spec.c" -- ./remove 2 1 2
[ "$(of_rank 1)" = "32 " ] && complain "the core alone tells line 32"
# The search for such lines is bounded by work that is counted, not by time.
specs 0 --rounds 0 --limit proof_work=1 --limit pointer_runs=0 --spec "$samples/list-spec.c" -- ./size 1 1 2
grep -q 'alone' out && complain "more work than is allowed"
# A pointer that is tried leads into what the checks keep themselves; the way ends there.
$CC -g -O0 -DTRAVERSE_ERR -o traverse "$samples/bst.c" || exit 1
specs 0 --spec "$samples/bst-spec.c" -- ./traverse 5 3 2
grep -qE '^ +1  [0-9.]+ 1.000  bst.c:31  x = x->right; ' out || complain "the step is not first"
# A tree, in which earlier calls of the run are tests, too.
$CC -g -O0 -DBRANCH_ERR -o tree "$samples/bst.c" || exit 1
specs 0 --no-evidence --spec "$samples/bst-spec.c" -- ./tree 5 3
grep -qE '^     1  2.000 1.000  bst.c:49  ' out || complain "the branch is not first"
grep -qE '^  2: 5 3, call 1 +passes; line 49 was not executed' out || complain "the first call is no test"
# The queues of <sys/queue.h>, with an element put behind the one that it belongs before.
cat >queue.c <<'C'
#include <sys/queue.h>
#include <stdio.h>
#include <stdlib.h>
struct item { int v; TAILQ_ENTRY(item) link; };
TAILQ_HEAD(queue, item);
static void put(struct queue *q, int v)
{
	struct item *n = malloc(sizeof *n), *at;
	n->v = v;
	TAILQ_FOREACH(at, q, link)
		if (at->v >= v)
			break;
	if (at)
		TAILQ_INSERT_AFTER(q, at, n, link);
	else
		TAILQ_INSERT_TAIL(q, n, link);
}
int main(int argc, char **argv)
{
	struct queue q = TAILQ_HEAD_INITIALIZER(q);
	for (int i = 1; i < argc; i++)
		put(&q, atoi(argv[i]));
	return 0;
}
C
cat >queue-spec.c <<'C'
#include "why-spec.h"
#include <sys/queue.h>
struct item { int v; TAILQ_ENTRY(item) link; };
TAILQ_HEAD(queue, item);
static int sorted(struct queue *q)
{
	struct item *i;
	TAILQ_FOREACH(i, q, link)
		if (TAILQ_NEXT(i, link) && TAILQ_NEXT(i, link)->v < i->v)
			return 0;
	return 1;
}
static int linked(struct queue *q)
{
	struct item **back = &q->tqh_first, *i;
	TAILQ_FOREACH(i, q, link) { if (i->link.tqe_prev != back) return 0; back = &i->link.tqe_next; }
	return q->tqh_last == back;
}
WHY_INVARIANT(sorted, struct queue *)
WHY_INVARIANT(linked, struct queue *)
C
$CC -g -O0 -o queue queue.c || exit 1
specs 0 --no-evidence --at put --spec queue-spec.c -- ./queue 5 7 6
grep -q '^sorted (queue-spec.c:19) does not hold when put (queue.c:6) returns, the 3rd time:' out || complain "sorted is not named"
grep -qE '^     1  2.000 1.000  queue.c:14  TAILQ_INSERT_AFTER' out || complain "the insertion is not first"
# The same header with a fault in it: who removes the last element leaves the queue's end wrong.
sed '/define[[:space:]]*TAILQ_REMOVE/,/CONSTCOND/s/(head)->tqh_last = (elm)->field.tqe_prev;/(head)->tqh_last = \&(head)->tqh_first;/' \
	"$(echo '#include <sys/queue.h>' | $CC -E - | sed -nE 's/^# [0-9]+ "([^"]*sys\/queue.h)".*/\1/p' | head -1)" >faulty-queue.h
grep -q 'tqh_last = &(head)->tqh_first;[[:space:]]*\\$' faulty-queue.h || complain "the header is another one"
cat >jobs.c <<'C'
#include "faulty-queue.h"
#include <stdlib.h>
struct job { int id; TAILQ_ENTRY(job) link; };
TAILQ_HEAD(jobs, job);
static void add(struct jobs *q, int id)
{
	struct job *j = malloc(sizeof *j);
	j->id = id;
	TAILQ_INSERT_TAIL(q, j, link);
}
static void drop(struct jobs *q, int id)
{
	struct job *j;
	TAILQ_FOREACH(j, q, link)
		if (j->id == id)
			break;
	if (j) {
		TAILQ_REMOVE(q, j, link);
		free(j);
	}
}
int main(int argc, char **argv)
{
	struct jobs q = TAILQ_HEAD_INITIALIZER(q);
	for (int i = 1; i < argc; i++)
		if (atoi(argv[i]) >= 0)
			add(&q, atoi(argv[i]));
		else
			drop(&q, -atoi(argv[i]));
	return 0;
}
C
cat >jobs-spec.c <<'C'
#include "why-spec.h"
#include <sys/queue.h>
struct job { int id; TAILQ_ENTRY(job) link; };
TAILQ_HEAD(jobs, job);
static int linked(struct jobs *q)
{
	struct job **back = &q->tqh_first, *j;
	TAILQ_FOREACH(j, q, link) { if (j->link.tqe_prev != back) return 0; back = &j->link.tqe_next; }
	return q->tqh_last == back;
}
WHY_INVARIANT(linked, struct jobs *)
C
$CC -g -O0 -o jobs jobs.c || exit 1
for input in argv heap; do
	specs 0 --at drop --input $input --spec jobs-spec.c -- ./jobs 1 2 3 -3
	grep -q '^linked (jobs-spec.c:11) does not hold when drop (jobs.c:11) returns' out || complain "linked is not named"
	grep -qE '^     1  2.000 1.000  jobs.c:18  TAILQ_REMOVE\(q, j, link\);' out || complain "the removal is not first"
done
# Nothing is wrong.
specs 1 --spec "$samples/list-spec.c" -- ./none 1 1 2
grep -q 'All that was checked held: 3 evaluations in 1 call.' out || complain "nothing is wrong"
specs 3 --spec "$samples/list-spec.c" -- ./none
# One line stores a wrong pointer twice; neither store alone could mend it.
cat >ends.c <<'C'
#include <stdlib.h>
struct item { struct item *next; int key; };
struct box { struct item *ends[2]; int n; };
static void set(struct box *b, struct item *i)
{
	b->n++;
	for (int k = 0; k < 2; k++)
		b->ends[k] = i->next;
}
int main(int argc, char **argv)
{
	struct box b = { { NULL, NULL }, 0 };
	struct item *i = calloc(1, sizeof *i);

	i->key = argc > 1 ? atoi(argv[1]) : 0;
	set(&b, i);
}
C
cat >ends-spec.c <<'C'
#include "why-spec.h"
struct item { struct item *next; int key; };
struct box { struct item *ends[2]; int n; };
static int at_both_ends(const struct box *b, int key)
{
	for (int k = 0; k < 2; k++)
		if (!b->ends[k] || b->ends[k]->key != key)
			return 0;
	return 1;
}
WHY_POST(set, at_both_ends, b, i->key)
C
$CC -g -O0 -o ends ends.c || exit 1
specs 0 --spec ends-spec.c -- ./ends 7
says '^     1  .* ends.c:8  b->ends.k. = i->next; +\(alone, it can mend it\)$'
# A line stores into the wrong object: it is tried with the others that were looked at.
cat >two.c <<'C'
#include <stdlib.h>
struct item { struct item *next; int key; };
struct list { struct item *first; };
struct two { struct list *odd, *even; };
static void add(struct two *t, int key)
{
	struct item *i = malloc(sizeof *i);
	struct list *l = key % 2 ? t->odd : t->even;
	i->key = key;
	i->next = l->first;
	t->odd->first = i;
}
int main(int argc, char **argv)
{
	struct list *odd = calloc(1, sizeof *odd), *even = calloc(1, sizeof *even);
	struct two t = { odd, even };
	for (int i = 1; i < argc; i++)
		add(&t, atoi(argv[i]));
	return 0;
}
C
cat >two-spec.c <<'C'
#include "why-spec.h"
struct item { struct item *next; int key; };
struct list { struct item *first; };
struct two { struct list *odd, *even; };
static int is_in(const struct list *l, int key)
{
	for (const struct item *i = l->first; i; i = i->next)
		if (i->key == key)
			return 1;
	return 0;
}
static int apart(const struct two *t)
{
	for (const struct item *i = t->odd->first; i; i = i->next)
		if (i->key % 2 == 0)
			return 0;
	return 1;
}
static int there(const struct two *t, int key) { return is_in(t->odd, key) || is_in(t->even, key); }
WHY_INVARIANT(apart, struct two *)
WHY_POST(add, there, t, key)
C
$CC -g -O0 -o two two.c || exit 1
specs 0 --spec two-spec.c -- ./two 1 3 4 5
says '^     1  2.000 1.000  two.c:11  t->odd->first = i; +\(alone, it can mend'
done_testing
