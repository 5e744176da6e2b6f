#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Real runs, as the person at the terminal reads them.  The paper's example is
# compared whole, but for the time it took and the values that the solver chose.
. tests/support/samples-lib.sh
need_tool

explain_text() { # program args...
	"$WHY_BIN" explain --all --color never --max-suspects 12 -- "$@" 2>&1
}

steady() {
	sed -e 's/ *[0-9.]* m\{0,1\}s$/ TIME/' -e 's/b = -\{0,1\}[0-9]* the test/b = N the test/' \
		-e 's/-> -\{0,1\}[0-9][0-9]*$/-> N/' -e 's/b = -\{0,1\}[0-9]*$/b = N/' \
		-e '/--args$/{N;s/\n */ /;}' -e "s|$dir|DIR|" -e '/^note: /d' -e '/^      modelled/d'
}

check_paper() { # compiler
	$1 -g -O0 -o "$dir/paper" samples/paper.c || {
		complain "$1 does not compile samples/paper.c"
		return
	}
	explain_text "$dir/paper" 0 0 | steady >"$dir/paper.txt"
	cat >"$dir/expected.txt" <<'TEXT'
assertion `b <= a' failed at samples/paper.c:30 in P                b = 1, a = 0
2 explanations, each proven by replay TIME
 1  paper.c:27      b = a + 1;  gave b = 1; with b = N the test passes
      0 for 1 here: the test passes with that, too
 2  paper.c:26      if (y < 5)  went true; going false,
    and paper.c:29  b = a + 2;  with b = N the test passes

from each to the failure, as it went and as it would have gone:
  1             paper.c:27  b = a + 1;       b = 1 -> N
        data -> paper.c:30  assert(b <= a);  false -> true
  2             paper.c:26  if (y < 5)       true -> false
     control -> paper.c:29  b = a + 2;       not run -> b = N
        data -> paper.c:30  assert(b <= a);  false -> true

try:  gdb -ex 'break paper.c:27' -ex run --args DIR/paper 0 0
TEXT
	diff -u "$dir/expected.txt" "$dir/paper.txt" || complain "$1: paper.c reads otherwise"
}

expect_line() { # name, text file, what: wherever the lines break
	tr -s ' \n' ' ' <"$2" | grep -qF -- "$3" || {
		complain "$1: it does not say: $3"
		cat "$2"
	}
}

# Heap objects, members, and the results of calls.
check_list() {
	gcc -g -O0 -o "$dir/list-remove" samples/list-remove.c
	explain_text "$dir/list-remove" $(field samples/list-remove.c test) >"$dir/list.txt"
	expect_line list-remove "$dir/list.txt" 'length(&list) = 2, list.size = 1'
	expect_line list-remove "$dir/list.txt" 'list-remove.c:49'
	expect_line list-remove "$dir/list.txt" 'gave previous->next = the node with key 2'
	if grep -n '0x' "$dir/list.txt"; then
		complain "list-remove: an address is shown"
	fi
}

# Every kind of statement, each with the one value that lets the test pass (but for
# the line with two arguments).
check_kinds() {
	cat >"$dir/kinds.c" <<'C'
#include <assert.h>
#include <stdlib.h>

static int pick(int kind, int n)
{
	switch (kind) {
	case 1:
		return n;
	default:
		return n + 1;
	}
}

static int base;

static void start(int a, int b)
{
	base = a + b;
}

int main(int argc, char **argv)
{
	int x = atoi(argv[1]), r;

	start(x, x - 2);
	r = pick(argc, base);
	assert(r == 0);
	return 0;
}
C
	gcc -g -O0 -o "$dir/kinds" "$dir/kinds.c"
	explain_text "$dir/kinds" 1 >"$dir/kinds.txt"
	expect_line kinds "$dir/kinds.txt" 'of start; passing'
	expect_line kinds "$dir/kinds.txt" 'returned 1; returning 0'
	expect_line kinds "$dir/kinds.txt" 'went to default; going to case 1'
	expect_line kinds "$dir/kinds.txt" 'result = 1 -> 0'
}

# A sum that C forbids to overflow does so on neither side of a branch, nor where
# it is only compared.
check_sums() {
	cat >"$dir/sums.c" <<'C'
#include <assert.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int a = atoi(argv[1]), c = atoi(argv[2]), b, k = 0;

	a += argc;
	if (c > 5) {
		k = -1;
		b = a + 1;
	} else {
		b = a + 1;
	}
	assert(b <= a + k);
	return 0;
}
C
	gcc -g -O0 -o "$dir/sums" "$dir/sums.c"
	explain_text "$dir/sums" 3 4 >"$dir/sums.txt"
	expect_line sums "$dir/sums.txt" 'b = a + 1; gave b = 7; with b = 6 (the value of `a'"'"') the test passes'
	# another variable in that line would do, but no value of a
	if grep -n 'gave a = ' "$dir/sums.txt"; then
		complain "sums: a sum overflows"
	fi
	# compilers multiply by ten with shifts and sums
	cat >"$dir/wrap.c" <<'C'
#include <assert.h>
int main(int argc, char **argv)
{
	int value = 0;

	for (char *p = argv[argc - 1]; *p; p++)
		value = value * 10 + (*p - '0');
	assert(value == 4);
	return 0;
}
C
	gcc -g -O0 -o "$dir/wrap" "$dir/wrap.c"
	explain_text "$dir/wrap" 8 >"$dir/wrap.txt"
	expect_line wrap "$dir/wrap.txt" 'gave value = 8; with value = 4'
	if grep -n 'gave value = 0' "$dir/wrap.txt"; then
		complain "sums: a product overflows"
	fi
}

# What an optimizer makes of it: one store of two elements, values that live in
# registers alone, loops whose condition is asked twice.
check_optimized() {
	cat >"$dir/fast.c" <<'C'
#include <assert.h>
#include <stdlib.h>

__attribute__((noinline)) int total(const int *a, int n)
{
	int s = 0;
	for (int i = 0; i < n; i++)
		s += a[i] == 3 ? 0 : a[i];
	return s + 1;
}

int main(int argc, char **argv)
{
	int a[3] = { 5, 20, 7 };
	a[2] = atoi(argv[1]);
	int t = total(a, 3);
	(void)argc;
	assert(t == 26);
	return 0;
}
C
	gcc -g -O2 -o "$dir/fast" "$dir/fast.c"
	explain_text "$dir/fast" 7 >"$dir/fast.txt"
	expect_line fast "$dir/fast.txt" 'int a[3] = { 5, 20, 7 }; gave a['
	expect_line fast "$dir/fast.txt" 'passed 3 as argument 2 of total; passing 2, the test passes'
	expect_line fast "$dir/fast.txt" 'return s + 1; returned 33; returning 26, the test passes'
	# the loop's condition has two branches, and neither one's count is that of the condition
	expect_line fast "$dir/fast.txt" 'for (int i = 0; i < n; i++) went true; going'
	if grep -nE 'gave t = 3|[0-9]{10}' "$dir/fast.txt"; then
		complain "fast: a value is not of what it is said to be of"
	fi
}

# A register that is a copy: of a parameter's, at a brace that assigns nothing; of
# what a call gave; of a variable in memory that is only read.
check_copies() {
	gcc -g -O1 -o "$dir/earlyreturn" tests/foreign/earlyreturn.c
	explain_text "$dir/earlyreturn" $(field tests/foreign/earlyreturn.c test) >"$dir/copy.txt"
	expect_line earlyreturn "$dir/copy.txt" '{ gave argc = 4; with argc = 2'
	gcc -g -O1 -o "$dir/expr" tests/foreign/expr.c
	explain_text "$dir/expr" $(field tests/foreign/expr.c test) >"$dir/copy.txt"
	expect_line expr "$dir/copy.txt" 'value = sum(&p); gave value = 9; with value = 14'
}

# A structure that is copied through a pointer is several stores, each of other members.
check_structures() {
	cat >"$dir/copied.c" <<'C'
#include <assert.h>
#include <stdlib.h>

struct word {
	char text[8];
	int letters, vowels;
};

static void take(struct word *to, const struct word *from)
{
	*to = *from;
}

int main(int argc, char **argv)
{
	struct word words[2] = { { "abc", 3, 1 }, { "hello", 4, 2 } };
	struct word *w = malloc(sizeof *w);

	(void)argc;
	take(w, &words[atoi(argv[1])]);
	assert(w->letters == 5);
	return 0;
}
C
	gcc -g -O0 -o "$dir/copied" "$dir/copied.c"
	explain_text "$dir/copied" 1 >"$dir/copied.txt"
	expect_line copied "$dir/copied.txt" '*to = *from; gave (*to).letters = 4; with (*to).letters = 5'
}

# Fields of one word, halves of a result, and where a store goes.
check_parts() {
	cat >"$dir/parts.c" <<'C'
#include <assert.h>
#include <stdlib.h>

struct date {
	unsigned int day : 5, month : 4;
	int year : 23;
};

struct span {
	long from, to;
};

static struct date next(struct date d)
{
	d.month += 2;
	return d;
}

static struct span span(long from, long length)
{
	struct span s = { from, from + length };
	return s;
}

int main(int argc, char **argv)
{
	int seen[8] = { 0 }, at = atoi(argv[1]);
	struct date d = next((struct date){ 1, 3, -44 });
	struct span s = span(at, 4);

	seen[at + 1] = argc;
	assert(d.month == 4 || s.to == 9 || seen[at] == argc);
	return 0;
}
C
	gcc -g -O0 -o "$dir/parts" "$dir/parts.c"
	explain_text "$dir/parts" 6 >"$dir/parts.txt"
	expect_line parts "$dir/parts.txt" 'd.month += 2; gave d.'
	expect_line parts "$dir/parts.txt" 'return s; gave s.to as it is returned = 10; with s.to as it is returned = 9 the test passes'
	expect_line parts "$dir/parts.txt" 'seen[at + 1] = argc; stored to seen[7]; storing to seen[6]'
	if grep -nE 'd\.(day|month|year) = -?[0-9]{4}' "$dir/parts.txt"; then
		complain "parts: a field is shown with what stands beside it"
	fi
}

# A structure that is returned in memory is copied word by word, and a large one by one instruction.
check_returned_parts() {
	cat >"$dir/place.c" <<'C'
#include <assert.h>
#include <stdlib.h>

struct place { long north, east, up; };
struct path { struct place at[12]; };

static struct place moved(long by)
{
	struct place p = { by, by + 1, by + 2 };

	return p;
}

static struct path walk(long by)
{
	struct path p = { { { 0 } } };

	p.at[4].east = by;
	return p;
}

int main(int argc, char **argv)
{
	long by = atol(argv[1]);
	struct place to = moved(by);
	struct path path = walk(to.up);

	assert(to.up > 90 || path.at[4].east > 95);
	return 0;
}
C
	gcc -g -O0 -o "$dir/place" "$dir/place.c"
	explain_text "$dir/place" 5 >"$dir/place.txt"
	expect_line place "$dir/place.txt" 'return p; gave p.up as it is returned = 7;'
	expect_line place "$dir/place.txt" 'return p; gave p.at[4].east as it is returned = 7'
}

# What avoids the check is said to; what goes where no run went before is not.
check_unchecked() {
	cat >"$dir/early.c" <<'C'
#include <assert.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int n, more = 0;

	if (argc > 2)
		return 2;
	n = atoi(argv[1]);
	if (n > 7)
		more = 3;
	n = n + more;
	assert(n > 9);
	return 0;
}
C
	gcc -g -O0 -o "$dir/early" "$dir/early.c"
	explain_text "$dir/early" 7 >"$dir/early.txt"
	expect_line early "$dir/early.txt" 'and early.c:9 return 2; returning 0, the test passes unchecked'
	expect_line early "$dir/early.txt" 'if (n > 7) went false; going true, the test passes'
	[ "$(grep -c unchecked "$dir/early.txt")" = 1 ] || {
		complain "early: more than one is unchecked"
		cat "$dir/early.txt"
	}
}

check_kinds
check_unchecked
check_sums
check_optimized
check_parts
check_returned_parts
check_copies
check_structures
check_paper gcc
check_list
if command -v clang >/dev/null; then
	check_paper clang
fi
finish
