#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 120
# gdb-why specs --spec FILE.so: a compiled specification says what its C file says.
set -u
. tests/support/specs-lib.sh
header=$(dirname "$WHY_BIN")
object() { # NAME FILES AND FLAGS...
	local name=$1
	shift
	$CC -Wall -Wextra -Werror -I "$header" -g -shared -fPIC -o "$name" "$@" >compiled 2>&1 || complain "$name: $(head -5 compiled)"
}
# same SPEC.so SPEC.c OPTIONS...: both say the same; what lies where in the generated code may differ.
same() {
	local compiled=$1 source=$2
	shift 2
	specs 0 --spec "$source" "$@" && grep -v '^next: \|spec-calls.c:' out >by-source
	specs 0 --spec "$compiled" "$@" && grep -v '^next: \|spec-calls.c:' out >by-object
	diff by-source by-object >out || complain "$compiled: $*"
}
$CC -g -O0 -DSIZE_ERR -o size "$samples/list.c" || exit 1
$CC -g -O0 -DHEAD_ERR -o head "$samples/list.c" || exit 1
$CC -g -O0 -DBRANCH_ERR -o tree "$samples/bst.c" || exit 1
cp "$samples"/{list-spec.c,list-invariant-spec.c,bst-spec.c} .
object list-spec.so list-spec.c
object list-invariant-spec.so list-invariant-spec.c
object bst-spec.so bst-spec.c
specs 0 --check --spec ./list-spec.so -- ./size 1 1 2
says '^called with l = #1 \{header #2 \{next #3 \{next NULL, key 2\}, key 1\}, size 2\}, k = 1$'
says '^size_ok\(before\(l\), l, k\) = 0 at list-spec.c:56 in list_remove$'
says '^ +from +list-spec.c:51 '
says '^ +gave l->size = 0; with l->size = 1 it holds$'
same ./list-spec.so list-spec.c -- ./size 1 1 2
grep -qE '^     1  2.000 1.000  list.c:43  l->size = 0; +\(alone, it can mend it\)$' by-object || complain "the fault is not first"
same list-invariant-spec.so list-invariant-spec.c --no-evidence --at list_remove -- ./head 1 1
same bst-spec.so bst-spec.c --no-evidence -- ./tree 5 3
specs 1 --check --spec list-spec.so -- ./size 7 1 2

# Of two files that share a header with invariants, by a name of its own, without the functions' names.
cat >shared.h <<'C'
#include "why-spec.h"
struct counter { int n, most; double mean; };
static int bounded(const struct counter *c) { return c->n <= c->most; }
WHY_INVARIANT(bounded, struct counter *)
C
cat >one-spec.c <<'C'
#include "shared.h"
static int grows(const struct counter *was, const struct counter *is, unsigned char by, double half, _Bool up)
{
	return is->n == was->n + (up ? by : -by) && half == by / 2.0;
}
WHY_POST(count, grows, before(c), c, by, half, up) WHY_POST(count, bounded, before(c))
C
cat >two-spec.c <<'C'
#include "shared.h"
static int positive(long n) { return n > 0; }
WHY_PRE(count, positive, by + 1L)
WHY_POST(count, positive, result - 100000000000)
C
cat >count.c <<'C'
#include <stdbool.h>
#include <stdlib.h>
struct counter { int n, most; double mean; };
typedef unsigned char step;
static long count(struct counter *c, step by, double half, bool up)
{
	if (up)
		c->n += by;
	else
		c->n -= by / 2;
	return 100000000001 + (half < 0);
}
int main(int argc, char **argv)
{
	struct counter c = { 0, 100, 0 };
	for (int i = 1; i < argc; i++)
		count(&c, abs(atoi(argv[i])), abs(atoi(argv[i])) / 2.0, atoi(argv[i]) > 0);
	return 0;
}
C
$CC -g -O0 -o count count.c || exit 1
object count-spec.so -O2 -fvisibility=hidden -Wl,-soname,count-spec.so one-spec.c two-spec.c
specs 1 --check --spec count-spec.so -- ./count 4 25 20
specs 0 --check --spec count-spec.so -- ./count 40 90
says '^bounded \(shared.h:4\) does not hold when count \(count.c:5\) returns, the 2nd time:$'
specs 0 --spec count-spec.so -- ./count 40 -6
says '^grows \(one-spec.c:6\) does not hold when count \(count.c:5\) returns, the 2nd time:$'
says '^ +1  [0-9.]+ 1.000  count.c:10  c->n -= by / 2;'

# States that operations make; others would have to be looked for in a program that is compiled of the file.
specs 0 --input heap --make-tests 4 --spec list-spec.so -- ./size 1 1 2
says '^     1  2.000 1.000  list.c:43 '
says '^  [0-9]: l = #1 '
says '^     made by list_remove\(l, 1\)'

# Tests that are kept call the predicates of the object.
echo 'int main(void) { return 0; }' >none.c
if $CC -o none none.c -lcmocka 2>/dev/null; then
	specs 0 --input heap --make-tests 6 --save-tests kept --spec list-spec.so -- ./size 1 1 2
	says "^    cc .* '$tmp/list-spec.so' -Wl,-rpath,'$tmp' -lcmocka$"
	CFLAGS=-DSIZE_ERR sh -c "$(grep '^    cc ' out)" >compiled 2>&1 || complain "kept does not compile: $(head -5 compiled)"
	./kept/spec-tests test_1 >out 2>&1 && complain 'test_1 passes'
	says 'size_ok\(before\(l\), l, k\)'
	./kept/spec-tests test_2 >out 2>&1 || complain 'test_2 fails'
	for option in "" "--trace-lib list-spec.so"; do
		# shellcheck disable=SC2086
		"$WHY_BIN" explain --all $option --tests kept/tests.txt -- kept/spec-tests test_1 >out 2>&1 </dev/null || complain "explain: $?"
		says '^ 1  .*list.c:43 +l->size = 0;'
		says_not '^ +[0-9]+  .*spec(-tests)?.c:'
		[ -z "$option" ] || says 'data -> list-spec.c:51 .*result = 0'
	done
	$CC -g -O0 -I kept -o mended kept/*.c ./list-spec.so -Wl,-rpath,. -lcmocka 2>out || complain 'the mended program does not compile'
	./mended >out 2>&1 || complain 'the mended program fails'
fi

# What a compiled one cannot do, and what is none.
sed 's/^WHY_POST(list_remove, size_ok.*/WHY_POST(list_remove, is_small, l->size)/; s/^WHY_PRE/static int is_small(int n) { return n < 2; }\n&/' list-spec.c >leads-spec.c
object leads-spec.so leads-spec.c -Wno-unused-function
specs 2 --spec leads-spec.so -- ./size 1 1 2
says 'an argument of a compiled one cannot say what a pointer leads to'
strip -o bare.so list-spec.so
specs 2 --spec bare.so -- ./size 1 1 2
says 'debug information'
echo 'int nothing(void) { return 0; }' >nothing.c && object nothing.so nothing.c
specs 2 --spec nothing.so -- ./size 1 1 2
says 'nothing.so demands nothing'
head -c 200 list-spec.so >cut.so
specs 2 --spec cut.so -- ./size 1 1 2
says "^gdb-why: .*cut.so"
done_testing
