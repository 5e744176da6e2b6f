#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 120
# gdb-why specs --check says why a call does not keep to its specification: what it was called with, the
# causes of what the predicate found, and which lines of the call could have been otherwise.
set -u
. tests/support/specs-lib.sh
check() { # STATUS OPTIONS...
	local want=$1
	shift
	"$WHY_BIN" specs --check "$@" >out 2>err </dev/null
	local got=$?
	[ $got = "$want" ] || complain "status $got instead of $want: $*: $(cat err)"
}

# The line that gave the size is among the causes, and alone it can mend the call.
$CC -g -O0 -DSIZE_ERR -o size "$samples/list.c" || exit 1
cp "$samples/list-spec.c" .
check 0 --spec list-spec.c -- ./size 1 1 2
says '^called with l = #1 \{header #2 \{next #3 \{next NULL, key 2\}, key 1\}, size 2\}, k = 1$'
says '^size_ok\(before\(l\), l, k\) = 0 at list-spec.c:56 in list_remove$'
says '^ +from +[^ ]*list.c:43  l->size = 0; +l->size = 0$'
says "^.size_ok\(before\(l\), l, k\)' does not hold at list-spec.c:56 in list_remove"
says '^1 explanation, proven by replay'
says '^ 1  [^ ]*list.c:43  l->size = 0;'
says '^ +gave l->size = 0; with l->size = 1 it holds$'
says '^ +data -> +list-spec.c:56 +size_ok\(before\(l\), l, k\) +false -> true'
says '^next: gdb-why specs --spec list-spec.c -- ./size 1 1 2$'
# Neither the specification nor the code that evaluates it is to blame.
says_not '^ *[0-9]+  [^ ]*list-spec.c'
says_not 'why_call_|why_holds'
# Farther back, to the arguments.
says_not 'atoi returned 1'
check 0 --depth 12 --spec list-spec.c -- ./size 1 1 2
says 'atoi returned 1'

# What the caller did wrong.
cat >get.c <<'C'
static int get(const int *all, int n, int i)
{
	return all[i];
}
int main(int argc, char **argv)
{
	int all[] = { 1, 2, 3, 4 }, sum = 0;
	for (int i = 0;
	     i <= 4;
	     i++)
		sum += get(all, 4, i);
	return sum == 0;
}
C
cat >get-spec.c <<'C'
#include "why-spec.h"
static int inside(int i, int n) { return i >= 0 && i < n; }
WHY_PRE(get, inside, i, n)
C
$CC -g -O0 -o get get.c || exit 1
check 0 --spec get-spec.c -- ./get
says '^inside \(get-spec.c:3\) does not hold when get \(get.c:1\) is called, the 5th time:$'
says 'n = 4, i = 4$'
says '^ 1  get.c:9  +i <= 4;'
says '^ +went true the 5th of 5 times; going false, it holds$'
# The same is said without --check: no statement of the call is suspicious.
cp out said
"$WHY_BIN" specs --spec get-spec.c -- ./get >out 2>err </dev/null || complain "status $?"
diff said out >/dev/null || complain "something else is said without --check"

# In a thread, whose stack the compiler aligns only as far as the called function needs.
cat >thread.c <<'C'
#include <pthread.h>
#include <stdlib.h>
struct box { int n, max; };
static struct box box = { 0, 30 };
static void add(struct box *b, int v)
{
	if (v > 5)
		v = v * 2;
	b->n += v;
}
static void *work(void *p)
{
	for (int i = 0; i < 3; i++)
		add(&box, *(int *)p);
	return NULL;
}
int main(int argc, char **argv)
{
	int v = atoi(argv[1]);
	pthread_t t;
	pthread_create(&t, NULL, work, &v);
	pthread_join(t, NULL);
	return 0;
}
C
cat >thread-spec.c <<'C'
#include "why-spec.h"
struct box { int n, max; };
static int grows(const struct box *was, const struct box *is, int v) { return is->n == was->n + v; }
WHY_POST(add, grows, before(b), b, v)
C
$CC -g -O0 -pthread -o thread thread.c || exit 1
check 1 --spec thread-spec.c -- ./thread 2
check 0 --spec thread-spec.c -- ./thread 6
says '^called with b = #1 \{n 0, max 30\}, v = 6$'
says 'from +thread.c:8 +v = v \* 2; +v = 12$'
# A small structure is one, whatever the heap has room for; an array is as long as it was asked for.
cat >small.c <<'C'
#include <stdlib.h>
struct pair { int key, left; };
static void set(struct pair *x, int *all, int key) { x->key = key + all[1]; }
int main(void)
{
	struct pair *x = calloc(1, sizeof *x);
	int *all = realloc(malloc(4), 3 * sizeof *all);

	all[0] = all[1] = all[2] = 7;
	set(x, all, 0);
}
C
cat >small-spec.c <<'C'
#include "why-spec.h"
struct pair { int key, left; };
static int is_set(const struct pair *x, int key) { return x->key == key; }
WHY_POST(set, is_set, x, key)
C
$CC -g -O0 -o small small.c || exit 1
check 0 --spec small-spec.c -- ./small
says '^called with x = #1 \{key 0, left 0\}, all = #2 \[7, 7, 7\], key = 0$'

# The second run, in which why is looked for, finds what the first one left behind.
cat >once.c <<'C'
#include <fcntl.h>
static int twice(int n)
{
	return open("made", O_CREAT | O_EXCL | O_WRONLY, 0600) < 0 ? 2 * n : 3 * n;
}
int main(void)
{
	return twice(2) == 0;
}
C
cat >once-spec.c <<'C'
#include "why-spec.h"
static int doubled(int r, int n) { return r == 2 * n; }
WHY_POST(twice, doubled, result, n)
C
$CC -g -O0 -o once once.c || exit 1
check 3 --spec once-spec.c -- ./once
says '^doubled \(once-spec.c:3\) does not hold'
grep -q 'Why is not known: in the cage, .* does not come to that violation' err || complain "it is not said why not"
done_testing
