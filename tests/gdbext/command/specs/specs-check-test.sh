#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# gdb-why specs --check: the program's calls are checked by what a C file says, in the program
# itself, and predicates that misbehave are named.
set -u
. tests/support/specs-lib.sh
spec=$samples/list-spec.c source=$samples/list.c

# check STATUS SENTENCE OPTIONS... -- PROGRAM ARGS...
check() {
	local want=$1 sentence=$2
	shift 2
	"$WHY_BIN" specs --check "$@" >out 2>&1 </dev/null
	local got=$?
	[ $got = "$want" ] || complain "status $got instead of $want: $*"
	grep -qF -- "$sentence" out || complain "not said: $sentence"
}

# The verdicts of the reconstruction (linkedlist.out, postcondition 1): fault, arguments, constraint.
held="All that was checked held: 3 evaluations in 1 call."
for fault in NONE REMOVE_ERR HEAD_ERR SIZE_ERR; do
	$CC -g -O0 -D$fault -o list-$fault "$source" || exit 1
	for arguments in "1" "1 1" "1 1 2" "2 1 2" "3 1 2"; do
		case $fault:$arguments in
		REMOVE_ERR:"2 1 2" | HEAD_ERR:"1 1" | HEAD_ERR:"1 1 2") violated=remove_ok ;;
		SIZE_ERR:"1 1 2" | SIZE_ERR:"2 1 2") violated=size_ok ;;
		*) violated= ;;
		esac
		# what holds, as it does in the version without a fault, and one more; with THOROUGH=1 all
		case $violated:$fault:$arguments in
		?*:* | :NONE:* | :*:"3 1 2") ;;
		*) [ "${THOROUGH:-}" ] || continue ;;
		esac
		# shellcheck disable=SC2086
		if [ $violated ]; then
			check 0 "when list_remove (list.c:23) returns, the 1st time:" --spec "$spec" -- ./list-$fault $arguments
			grep -q "^$violated (list-spec.c:5[56]) does not hold" out || complain "$violated is not named"
		else
			check 1 "$held" --spec "$spec" -- ./list-$fault $arguments
		fi
	done
done

# A semicolon behind a rule is no part of it.
sed 's/^\(WHY_.*)\)$/\1 ;/' "$spec" >semicolons-spec.c
grep -q ') ;$' semicolons-spec.c || complain "no rule has a semicolon"
check 0 "size_ok (semicolons-spec.c:56) does not hold" --spec semicolons-spec.c -- ./list-SIZE_ERR 1 1 2

# Other compilers' code: optimized, at a fixed address, called through a pointer, by a library.
cat >other.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct { char *name; int *marks; unsigned n; } pupil;
__attribute__((noinline)) long best(pupil *p, double factor)
{
	long best = 0;
	for (unsigned i = 0; i < p->n; i++)
		if (p->marks[i] > best)
			best = p->marks[i];
	if (p->n == 3)
		p->name[0] = '?';
	return (long)(best * factor);
}
__attribute__((noinline)) int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}
__attribute__((noinline)) int deep(int n)
{
	return n ? deep(n - 1) + 1 : 0;
}
long (*volatile by_pointer)(pupil *, double) = best;
int main(int argc, char **argv)
{
	pupil p = { strdup("Ada"), malloc(argc * sizeof(int)), argc - 1 };
	for (int i = 1; i < argc; i++)
		p.marks[i - 1] = atoi(argv[i]);
	qsort(p.marks, p.n, sizeof(int), compare);
	printf("%s %ld %d\n", p.name, by_pointer(&p, 2.0), deep(5));
	return 3;
}
C
cat >other-spec.c <<'C'
#include "why-spec.h"
#include <string.h>
typedef struct { char *name; int *marks; unsigned n; } pupil;
static int named(const pupil *p) { return p->name && p->name[0] >= 'A'; }
static int same(const pupil *was, const pupil *is)
{
	return !strcmp(was->name, is->name) && was->n == is->n && was->marks != is->marks &&
	       !memcmp(was->marks, is->marks, is->n * sizeof(int));
}
static int doubled(long r, double f, const pupil *was) { return r == 2 * was->marks[was->n - 1] && f == 2; }
WHY_INVARIANT(named, pupil *)
WHY_PRE(best, named, p)
WHY_POST(best, same, before(p), p) WHY_POST(best, doubled, result, factor, before(p))
C
cat >compare-spec.c <<'C'
#include "why-spec.h"
static int ordered(int a, int b, int r) { return (r > 0) == (a > b); }
WHY_POST(compare, ordered, *(int *)a, *(int *)b, result)
C
cat >deep-spec.c <<'C'
#include "why-spec.h"
static int outer(int n) { return n == 5; }
WHY_PRE(deep, outer, n)
C
for flags in "-O0" "-O2" "-O1 -no-pie" "-O2 -fcf-protection=full -fno-plt"; do
	# shellcheck disable=SC2086
	$CC -g $flags -o other other.c || exit 1
	check 1 "5 evaluations in 1 call." --spec other-spec.c -- ./other 5 7
	grep -qxF "Ada 14 5" out || complain "$flags: another output"
	check 0 "when best (other.c:5) returns, the 1st time" --spec other-spec.c -- ./other 5 7 9
	grep -q "^same (other-spec.c:13)" out || complain "$flags: same is not named first"
	[ "$flags" = "-O2" ] || [ "${THOROUGH:-}" ] || continue
	check 1 "1 evaluation in 1 call." --spec deep-spec.c -- ./other 5
	check 1 "2 evaluations in 2 calls." --spec compare-spec.c -- ./other 5 7 6
done

# The structures of samples/specs keep to their specifications, and faulty versions do not: of
# these every fourth, with THOROUGH=1 each.
samples=${spec%/*}
check_structure() { # PROGRAM SPEC ARGS...
	local program=$1 its=$2
	shift 2
	$CC -g -O0 -o "$program" "$samples/$program.c" || exit 1
	check 1 "All that was checked held" --spec "$samples/$its" -- "./$program" "$@"
}
check_structure bst bst-spec.c 5 3 8 1 4 4 9 7 5
check_structure tree tree-spec.c 1 2 + 3 4 . 5 + . + 6 .
check_structure table table-spec.c 1 4 7 4 2 3 -4 -1 -7 -9 -2
check_structure ring ring-spec.c 1 2 3 4 5 - - 6 7 - - - - -
check_structure queue queue-spec.c 5 3 4 1 2 1 - - - 9 8 - - - - - -
number=0
while read -r program faults its at arguments; do
	[ "${program:0:1}" = "#" ] && continue
	number=$((number + 1))
	[ $((number % 4)) -eq 1 ] || [ "${THOROUGH:-}" ] || continue
	options=()
	[ "$at" = - ] || options=(--at "$at")
	# shellcheck disable=SC2046,SC2086
	$CC -g -O0 $(for f in ${faults//,/ }; do echo "-D$f"; done) -o faulty "$samples/$program.c" || exit 1
	# shellcheck disable=SC2086
	check 0 "does not hold when" "${options[@]}" --spec "$samples/$its" -- ./faulty $arguments
done <"$samples/faults.txt"
[ "$number" -gt 30 ] || complain "only $number faulty versions"

# A library's own type: other files of the program know no more than its name.
cat >own.c <<'C'
#include <stdlib.h>
typedef struct own own;
struct own { int n, room; };
own *own_new(int room) { own *o = malloc(sizeof *o); o->n = 0; o->room = room; return o; }
void own_add(own *o, int by) { o->n += by; }
C
cat >uses.c <<'C'
#include <stdlib.h>
typedef struct own own;
own *own_new(int room);
void own_add(own *o, int by);
int main(int argc, char **argv)
{
	own *o = own_new(3);
	for (int i = 1; i < argc; i++)
		own_add(o, atoi(argv[i]));
}
C
cat >own-spec.c <<'C'
#include "why-spec.h"
typedef struct own own;
struct own { int n, room; };
static int fits(const own *o) { return o->n <= o->room; }
WHY_INVARIANT(fits, own *)
C
for order in "uses.c own.c" "own.c uses.c"; do
	# shellcheck disable=SC2086
	$CC -g -O0 -o own $order || exit 1
	check 1 "4 evaluations in 2 calls." --at own_add --spec own-spec.c -- ./own 1 2
	check 0 "fits (own-spec.c:5) does not hold when own_add (own.c:5) returns, the 2nd time" --at own_add --spec own-spec.c -- ./own 2 2
done

# Predicates that do what they must not do, by name.
cat >bad-spec.c <<'C'
#include "why-spec.h"
#include <stdlib.h>
struct node { struct node *next; int key; };
struct list { struct node *header; int size; };
static int crashes(const struct list *l) { return l->header->next->next->next->key; }
static int unending(const struct list *l) { for (volatile int i = 0; !i;) ; return 1; }
static int writes(struct list *l) { l->header->key++; return 1; }
static int leaves(struct list *l) { exit(0); }
WHY_PRE(list_remove, PREDICATE, l)
C
for bad in "crashes:crashes with SIGSEGV; it has to stand every structure, also a broken one." \
	"unending:does not end; mend it, or give it longer with --limit predicate_ms=N." \
	"writes:changes what it looks at; a predicate only reads." \
	"leaves:ends the program; a predicate returns."; do
	sed "s/PREDICATE/${bad%%:*}/" bad-spec.c >bad.c
	check 2 "The predicate ${bad%%:*} (bad.c:9), when list_remove (list.c:23) is called, the 1st time, ${bad#*:}" \
		--limit predicate_ms=200 --spec bad.c -- ./list-NONE 1 1 2
done

# Headers and libraries that a specification needs.
mkdir headers && printf 'struct list { void *header; int size; };\ndouble floor(double);\n' >headers/list.h
cat >far-spec.c <<'C'
#include "why-spec.h"
#include <list.h>
static int whole(const struct list *l) { return floor(l->size / 2.0) * 2 <= l->size; }
WHY_PRE(list_remove, whole, l)
C
check 2 "does not compile; mend what" --spec far-spec.c -- ./list-NONE 1 1 2
CPPFLAGS="-I 'headers'" LDLIBS=-lm check 1 "1 evaluation in 1 call." --spec far-spec.c -- ./list-NONE 1 1 2
CPPFLAGS="-I 'headers" check 2 "CPPFLAGS cannot be taken apart" --spec far-spec.c -- ./list-NONE 1 1 2

# What cannot be checked.
check 2 "There is no file none.c" --spec none.c -- ./list-NONE 1
check 2 "--spec is missing" -- ./list-NONE 1
printf '#include "why-spec.h"\nWHY_PRE(list_remove, 1' >broken.c
check 2 "does not compile" --spec broken.c -- ./list-NONE 1
echo 'int x;' >empty.c
check 2 "demands nothing" --spec empty.c -- ./list-NONE 1
check 2 "There is no function list_remove" --spec "$spec" -- ./other 1
printf '#include "why-spec.h"\nint p(void);\nWHY_PRE(list_remove, p)\n' >undefined.c
check 2 "does not compile" --spec undefined.c -- ./list-NONE 1
check 3 "The program called no function that is checked" --spec "$spec" -- ./list-NONE
printf '#include "why-spec.h"\nint p(int k) { return 1; }\nWHY_PRE(list_remove, p, k)\n' >fine.c
sed 's/return false;/return *(volatile char *)0;/' "$source" >crash.c && $CC -g -O0 -o crash crash.c
check 3 "The program ended in list_remove" --spec fine.c -- ./crash 3 1 2
done_testing
