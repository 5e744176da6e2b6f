#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 240
# gdb-why specs: two faults, each with an answer of its own.
set -u
. tests/support/specs-lib.sh
build() { # PROGRAM FLAGS...
	local program=$1
	shift
	$CC -g -O0 "$@" -o "$program" "$samples/$program.c" || exit 1
}
# The fault's own part of the answer.
answer() { # NUMBER
	awk -v n="$1" '/^another fault/ { k++ } k == n - 1' whole >out
}
# One call breaks two constraints.  No line alone can mend it, so each is asked about alone.
build list -DREMOVE_ERR -DSIZE_ERR
specs 0 --input heap --spec "$samples/list-spec.c" -- ./list 2 1 2
mv out whole
answer 1
says '^remove_ok \(list-spec.c:55\) does not hold'
says_not '^size_ok'
says '^     1  2.000 1.000  list.c:32  prev->next = lst; +\(alone, it can mend it\)$'
answer 2
says '^size_ok \(list-spec.c:56\) does not hold'
says_not '^remove_ok'
says '^     1  2.000 1.000  list.c:43  l->size = 0; +\(alone, it can mend it\)$'
# Both break the same constraint; a test that fails without the first suspect is another fault's.
build tree -DPARENT_ERR -DLIST_PARENT_ERR
specs 0 --input heap --spec "$samples/tree-spec.c" -- ./tree 1 + 2 3 .
mv out whole
answer 1
says '^     1  .* tree.c:53  child->parent = child; '
answer 2
says '^     1  .* tree.c:41  each->parent = child; '
# The first fault shows in every test in which the second one shows; the constraint tells them apart.
build bst -DPARENT_ERR -DSIZE_ERR
specs 0 --input heap --spec "$samples/bst-spec.c" -- ./bst 5 3
mv out whole
answer 1
says '^     1  .* bst.c:61  x->parent = x; '
answer 2
says '^size_ok'
says_not '^parent '
says '^     1  .* bst.c:66  t->size = 1; '
# The second one is in another function, whose call got what it demands.
build ring -DWRAP_ERR -DTAKE_ERR
specs 0 --spec "$samples/ring-spec.c" -- ./ring 1 2 3 4 - - 5 6 - -
mv out whole
answer 1
says ' when ring_put '
says '^     1  .* ring.c:34  at = 0; '
answer 2
says '^moved_on .* when ring_take .* the 4th time:'
says '^     1  .* ring.c:59  r->first = 1; '
# In states that are given to a call, an index may go elsewhere within the array, as in the program's own.
build queue -DCHILD_ERR
specs 0 --input heap --spec "$samples/queue-spec.c" -- ./queue 1 3 2 5 -
says '^     1  .* queue.c:71  down = 2 . at . 1; +\(alone, it can mend it\)$'
# A line that a later pass finds has the search's patience with one line each, not that of explain with sets of lines.
build queue -DLAST_ERR
specs 0 --input heap --limit patience_percent=0 --limit patience_work=0 --spec "$samples/queue-spec.c" -- ./queue 1 2 3 4 5 -
says '^     1  .* queue.c:63  q->items\[0\] = q->items\[1\]; +\(alone, it can mend it\)$'
# Only the call itself is asked about: what the line computed in calls before, which kept to the file, stays.
build table -DBUCKET_ERR
specs 0 --input heap --spec "$samples/table-spec.c" -- ./table 1 4
says '^     1  .* table.c:43  '
# Lines on which all depends take much work; each waits for the others.  A line that changes nothing for the better is not
# proven by a run whose assertion was turned off.
build queue -DSWAP_ERR -DCHILD_ERR
specs 0 --input heap --spec "$samples/queue-spec.c" -- ./queue 1 3 2 5 0 -
mv out whole
answer 1
says '^     1  .* queue.c:44  q->items\[up\] = other; +\(alone, it can mend it\)$'
says_not 'queue.c:48 .*alone, it can mend'
answer 2
says '^     1  .* queue.c:71  down = 2 . at . 1; +\(alone, it can mend it\)$'
# What the first fault breaks, too, the second breaks in calls that the first one's line cannot mend.
build table -DCOUNT_ERR -DCHAIN_ERR
specs 0 --input heap --spec "$samples/table-spec.c" -- ./table 1 4 2 5
mv out whole
answer 1
says '^others_stay '
says '^     1  .* table.c:38  e->next = NULL; +\(alone, it can mend it\)$'
answer 2
says '^counted '
says '^     1  .* table.c:48  t->count = t->count . b; +\(alone, it can mend it\)$'
# A line that mends a call by leaving out what it does is better than the explanation of one violation among several.
build ring -DFULL_ERR
specs 0 --input heap --rounds 0 --spec "$samples/ring-spec.c" -- ./ring 1 2 3 4 5
says '^     1  .* ring.c:26  if .r->count > ROOM. +'
# Two calls of a run break a constraint each: that of the later one is its own doing, though it breaks the other, too.
cat >account.c <<'C'
#include <stdlib.h>
struct account { int balance, largest; };
static void move(struct account *a, int by)
{
	int size = by < 0 ? -by : by;

	if (by > 0)
		a->balance += by;
	else
		a->balance += by + 1;
	if (size > a->largest)
		a->largest = by;
}
int main(int argc, char **argv)
{
	struct account a = { 0, 0 };

	for (int i = 1; i < argc; i++)
		move(&a, atoi(argv[i]));
}
C
cat >account-spec.c <<'C'
#include "why-spec.h"
struct account { int balance, largest; };
static int adds(const struct account *was, const struct account *is, int by) { return is->balance == was->balance + by; }
static int grows(const struct account *was, const struct account *is) { return is->largest >= was->largest; }
WHY_POST(move, adds, before(a), a, by)
WHY_POST(move, grows, before(a), a)
C
$CC -g -O0 -o account account.c || exit 1
specs 0 --spec account-spec.c -- ./account 50 20 -5 7 -60
mv out whole
answer 1
says '^adds .* when move .* the 3rd time:$'
says '^     1  .* account.c:10  a->balance .= by . 1; '
answer 2
says '^another fault, that the test 50 20 -5 7 -60 shows:$'
says '^grows .* when move .* the 5th time:$'
says_not '^adds'
says '^     1  .* account.c:12  a->largest = by; +\(alone, it can mend it\)$'
# One fault that breaks several constraints is one answer.
build bst -DRIGHT_ERR
specs 0 --input heap --rounds 1 --spec "$samples/bst-spec.c" -- ./bst 5 7
says '^     1  .* bst.c:56  '
says_not '^another fault'
# Predicates that do what they must not do, by name; without --check, too, and after a violation.
for bad in "crashes:crashes with SIGSEGV; it has to stand every structure, also a broken one." \
	"asserts:aborts, as a failed assert does; a predicate returns 0 where it does not hold." \
	"unending:does not end; mend it, or give it longer with --limit predicate_ms=N." \
	"writes:changes what it looks at; a predicate only reads." \
	"leaves:ends the program; a predicate returns."; do
	{
		cat "$samples/list-spec.c"
		echo 'void exit(int);'
		echo 'static int crashes(const struct list *l) { return l->header->next->next->next->key; }'
		echo '#include <assert.h>'
		echo 'static int asserts(const struct list *l) { assert(l->size == 3); return 1; }'
		echo 'static int unending(const struct list *l) { for (volatile int i = 0; !i;) ; return 1; }'
		echo 'static int writes(struct list *l) { l->size++; return 1; }'
		echo 'static int leaves(struct list *l) { exit(0); }'
		echo "WHY_PRE(list_remove, ${bad%%:*}, l)"
	} >bad-spec.c
	specs 2 --limit predicate_ms=200 --spec bad-spec.c -- ./list 2 1 2
	says "^gdb-why: The predicate ${bad%%:*} \\(bad-spec.c:[0-9]+\\), when list_remove .*, ${bad#*:}$"
	says_not 'rank'
done
sed -i 's/^WHY_PRE(list_remove, leaves, l)/WHY_POST(list_remove, writes, l)/' bad-spec.c
specs 2 --spec bad-spec.c -- ./list 2 1 2
says '^gdb-why: The predicate writes .* changes what it looks at; a predicate only reads.$'
# One that held when the call began can stand such structures, so a crash when it returns is the function's.
cat >deque.c <<'C'
#include <stdlib.h>
struct node { struct node *next, *prev; int v; };
struct deque { struct node *head, *tail; int n; };
static void add(struct deque *d, int v)
{
	struct node *n = calloc(1, sizeof *n);
	n->v = v;
	n->prev = d->tail;
	if (d->tail)
		d->tail->next = n;
	else
		d->head = n;
	d->tail = n;
	d->n++;
}
static void pop(struct deque *d)
{
	d->tail = d->tail->prev;
	if (d->tail)
		d->tail->next = (struct node *)16L;
	else
		d->head = NULL;
	d->n--;
}
int main(int argc, char **argv)
{
	struct deque d = { 0 };
	for (int i = 1; i < argc; i++)
		if (*argv[i] == '-')
			pop(&d);
		else
			add(&d, atoi(argv[i]));
	return 0;
}
C
cat >deque-spec.c <<'C'
#include "why-spec.h"
struct node { struct node *next, *prev; int v; };
struct deque { struct node *head, *tail; int n; };
static int linked(const struct deque *d)
{
	const struct node *last = 0;
	int n = 0;
	for (const struct node *p = d->head; p; last = p, p = p->next, n++)
		if (p->prev != last)
			return 0;
	return d->tail == last && n == d->n;
}
WHY_INVARIANT(linked, struct deque *)
WHY_PRE(pop, linked, d)
C
$CC -g -O0 -o deque deque.c || exit 1
specs 0 --spec deque-spec.c -- ./deque 1 2 3 -
says '^linked \(deque-spec.c:13\) does not hold when pop .* returns, the 1st time:$'
says '^    it crashes on what the function left; when the call began, it held$'
says '^     1  2.000 1.000  deque.c:20  d->tail->next = '
specs 0 --check --spec deque-spec.c -- ./deque 1 2 3 -
says '^    it crashes on what the function left; when the call began, it held$'
says '^ 1  deque.c:20 '
# One that crashes in a test that was made says nothing of it; the answer stands.
build list -DSIZE_ERR
sed '/^WHY_POST(list_remove, remove_ok/d' "$samples/list-spec.c" >bad-spec.c
echo 'static int positive(const struct list *l) { return l->header->key > 0; }
WHY_POST(list_remove, positive, l)' >>bad-spec.c
specs 0 --spec bad-spec.c -- ./list 1 1 2
says '^     1  .* list.c:43  l->size = 0; '
says '^note: The predicate positive \(bad-spec.c:[0-9]+\) crashes in the test '
says_not 'violates positive|crashes;'
# Where nothing says what the function may be called with, that is said.
sed -i '/^WHY_PRE/d' bad-spec.c
specs 0 --input heap --spec bad-spec.c -- ./list 1 1 2
says '^note: Nothing says what list_remove may be called with'
specs 0 --input heap --spec "$samples/list-spec.c" -- ./list 1 1 2
says_not 'Nothing says what'
done_testing
