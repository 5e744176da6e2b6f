#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 120
# gdb-why specs --make-tests and --save-tests: what is saved compiles, does what the tests did when they
# were made, and is a suite that rank and explain read.
set -u
. tests/support/specs-lib.sh
echo 'int main(void) { return 0; }' >none.c
$CC -o none none.c -lcmocka 2>err || {
	echo "no cmocka: $(head -1 err)"
	exit 77
}
# Compiles what DIR holds by the command that was said, and compares each test with what is said of it.
run_saved() { # DIR FLAGS
	local dir=$1 compile name outcome n=0
	compile=$(grep -E "^ +cc .*$dir" out)
	grep -qF "${compile#"${compile%%[! ]*}"}" "$dir/spec-tests.c" || complain "$dir: the command is not in the file"
	CFLAGS=$2 sh -c "$compile" >compiled 2>&1 || { complain "$dir does not compile: $(head -5 compiled)"; return; }
	while read -r name outcome; do
		n=$((n + 1))
		"$dir/spec-tests" "$name" >said 2>&1
		local got=$?
		grep -q 'Running 1 test' said || complain "$dir: there is no $name"
		case $outcome in
		passes*) [ $got = 0 ] || complain "$dir: $name fails, but did pass" ;;
		*) [ $got != 0 ] || complain "$dir: $name passes, but $outcome" ;;
		esac
	done < <(sed -nE '/^#/{s/.*: (passes|violates|crashes)(.*), when it was made$/\1\2/;h;n;s/:.*//;G;s/\n/ /;p}' "$dir/tests.txt")
	[ "$n" -ge "$3" ] || complain "$dir: $n tests"
}

# States: those of the failing call, and others.
$CC -g -O0 -DSIZE_ERR -o size "$samples/list.c" || exit 1
specs 0 --make-tests 12 --save-tests heap --input heap --spec "$samples/list-spec.c" -- ./size 1 1 2
[ "$(grep -cE '^  [0-9]+: .*: (passes|violates .*|crashes|does not end)$' out)" -ge 12 ] || complain "not 12 tests are listed"
says '^  [0-9]+: l = #1 \{header NULL, size 2\}, k = 1: passes$'
says '^saved [0-9]+ tests in heap'
run_saved heap -DSIZE_ERR 8
# The suite tells the line, and explanations of a failing test rest on it.
"$WHY_BIN" rank --tests heap/tests.txt -- heap/spec-tests >out 2>&1 </dev/null
grep -E '^ .* 1 +[0-9]+ +0  list.c:43 ' out >/dev/null || complain "the line is not as suspicious as can be"
says_not '(spec-tests|list-spec).c:' # what is not tested
"$WHY_BIN" explain --all --tests heap/tests.txt -- heap/spec-tests >out 2>&1 </dev/null || complain "explain: $?"
tr -s '\n ' ' ' <out | grep -qE 'this order rests on [1-9][0-9]* passing and [1-9][0-9]* failing tests of heap/tests.txt' ||
	complain "explain does not rest on the suite"
"$WHY_BIN" explain --tests heap/tests.txt -- heap/spec-tests test_1 >out 2>&1 </dev/null || complain "explain: $?"
says '^cmocka: size_ok\(before\(l\), l, k\) at heap/spec-tests.c'
says '^ 1  .*list.c:43 +l->size = 0;$'
says 'proven by replay'
says_not '^ +[0-9]+  .*(spec-tests|list-spec).c:'
# Arguments: what is saved is the state that the program made of them.
specs 0 --save-tests argv --spec "$samples/list-spec.c" -- ./size 1 1 2
run_saved argv -DSIZE_ERR 3
# Mended, all pass.
[ -f argv/tests.txt ] && $CC -g -O0 -I argv -o mended argv/*.c -lcmocka 2>compiled
./mended >out 2>&1 || complain "the mended program fails"

# A function that is static, whose state lies in a variable that it also names.
cat >ring.c <<'C'
#include <stdlib.h>
struct ring { int *items; unsigned room, first, n; };
static struct ring ring;
static int put(struct ring *r, int v)
{
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
specs 0 --input heap --save-tests ring-tests --spec ring-spec.c -- ./ring 7 8
run_saved ring-tests "" 2
grep -q why_variable_ring ring-tests/spec-tests.c || complain "the state does not lie in the variable"

# What cannot be made again: a pointer to a function.  What was made is not written over.
cat >call.c <<'C'
#include <stdio.h>
struct op { int (*f)(int); int n; };
static int twice(int n) { return 2 * n; }
static int apply(struct op *o, int n) { return o->f(n) + o->n; }
int main(void) { struct op o = { twice, 1 }; return apply(&o, 2) + apply(&o, 0) == 0; }
C
cat >call-spec.c <<'C'
#include "why-spec.h"
struct op { int (*f)(int); int n; };
static int even(int r) { return r % 2 == 0; }
WHY_POST(apply, even, result)
C
$CC -g -O0 -o call call.c || exit 1
specs 0 --save-tests calls --spec call-spec.c -- ./call
says '^saved 0 tests in calls; 1 more cannot be: '
specs 2 --save-tests heap --spec call-spec.c -- ./call
says 'Tests are not saved in heap, because other files are there'
done_testing
