#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 240
# limits: any
# A small change of the code is one that can be typed: each is typed into the line, compiled and run.  A
# compiler has numbers, comparisons and jumps of its own, and copies a structure by its parts.
set -u
. tests/support/samples-lib.sh
need_tool

cat >"$dir/year.c" <<'C'
#include <assert.h>
static int is_leap(int y)
{
	return (y % 4 == 0 && y % 100 == 0) || y % 400 == 0; /* fault */
}
int main(void)
{
	int days = 365;
	if (is_leap(2024))
		days = 366;
	assert(days == 366);
	return 0;
}
C
cat >"$dir/found.c" <<'C'
#include <assert.h>
#include <stddef.h>
struct entry { const char *name; int value; };
static const struct entry *find(const struct entry *e, int n, char c)
{
	for (int i = 0; i < n; i++)
		if (e[i].name[0] == c)
			return &e[i];
	return NULL;
}
static int value_of(const struct entry *e, int n, char c)
{
	const struct entry *x = find(e, n, c);
	return x == NULL ? 0 : x->value; /* what it returns is right */
}
int main(void)
{
	struct entry all[3] = { { "a", 1 }, { "b", 0 }, { "c", 3 } }; /* fault */
	assert(6 / value_of(all, 3, 'b') == 3);
	return 0;
}
C
cat >"$dir/name.cpp" <<'C'
#include <cassert>
#include <string>
struct log_of {
	std::string order;
	void add(char c, int n)
	{
		for (int i = 0; i <= n; i++) /* fault */
			order += c;
	}
};
int main()
{
	log_of l;
	l.add('m', 2);
	l.add('z', 1);
	if (l.order != "mmz")
		return 1;
	return 0;
}
C
cat >"$dir/units.c" <<'C'
#include <stdbool.h>
#include <stdio.h>
struct result { int value, error; };
static const struct { int a, b, want, error; } cases[] = {
	{ 8, 2, 4, 0 }, { 9, 3, 3, 0 }, { 6, 0, 0, 1 }, { 0, 5, 0, 0 }, { 4, 4, 1, 0 },
};
static struct result divide(int a, int b)
{
	struct result r = { 0, 0 };
	if (b == 0) {
		r.value = a; /* fault: no error */
		return r;
	}
	r.value = a / b;
	return r;
}
static bool same(int a, int b)
{
	return a == b;
}
static void run_case(int i, int *bad)
{
	struct result r = divide(cases[i].a, cases[i].b);
	if (r.error != cases[i].error || (r.error == 0 && !same(r.value, cases[i].want)))
		++*bad;
}
int main(void)
{
	int bad = 0;
	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++)
		run_case(i, &bad);
	printf("%d bad\n", bad);
	return bad == 0 ? 0 : 1;
}
C
cat >"$dir/grid.c" <<'C'
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#define W 5
#define H 4
struct grid { int c[H][W]; };
static int around(const struct grid *g, int y, int x)
{
	int n = 0;
	for (int dy = -1; dy <= 1; dy++)
		for (int dx = -1; dx <= 1; dx++) {
			int yy = y + dy, xx = x + dx;
			if (dy == 0 && dx == 0)
				continue;
			if (yy < 1 || yy >= H || xx < 0 || xx >= W) /* fault */
				continue;
			n += g->c[yy][xx];
		}
	return n;
}
static void step(struct grid *g)
{
	struct grid next;
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++) {
			int n = around(g, y, x);
			next.c[y][x] = n == 3 || (n == 2 && g->c[y][x]);
		}
	*g = next;
}
static void must(bool condition, const char *what)
{
	if (!condition) {
		printf("failed: %s\n", what);
		exit(1);
	}
}
int main(void)
{
	struct grid g = { { { 1, 1 }, { 1, 1 } } };
	step(&g);
	must(g.c[0][0] == 1 && g.c[1][1] == 1, "block");
	return 0;
}
C
cat >"$dir/width.c" <<'C'
#include <assert.h>
struct span { unsigned long from, to; };
static double width_of(const struct span *s)
{
	return (double)(s->to - s->from - 1); /* fault */
}
int main(void)
{
	struct span s = { 3, 7 };
	assert(width_of(&s) == 4);
	return 0;
}
C
cat >"$dir/first.c" <<'C'
#include <assert.h>
#include <stdbool.h>
static long shown;
static bool ended, before;
static void show(long n, bool end)
{
	shown = n;
	ended = end;
}
int main(void)
{
	const char text[] = "one two", *p = text + 3;
	show(p ? p - text + 1 : 7, p ? true : before); /* fault */
	assert(shown == 3 && ended);
	return 0;
}
C
# typed FILE LEVEL [ARGUMENT...]: each change that is told of its proven suspects, typed, passes.
typed() {
	source=$1 level=$2 compiler=$CC
	shift 2
	[ "${source##*.}" = c ] || compiler=${CXX:-g++}
	"$compiler" -g "$level" -w -o "$dir/prog" "$source" || complain "$source does not compile"
	"$WHY_BIN" explain --format=json -- "$dir/prog" "$@" >"$dir/answer" 2>"$dir/err"
	status=$?
	file=${source##*/}
	[ "$level" != -O0 ] || explained_or_cut $status || complain "$file: $(cat "$dir/err")"
	# `!same (...)' of a function that returns a truth value
	[ "$file$level" != units.c-O0 ] || ! grep -q '"one way' "$dir/answer" ||
		complain "$file: a condition is not read: $(grep '"one way' "$dir/answer")"
	jq -r '.suspects[] | select(.evidence.change != null and .replay == "passes") | "\(.statements[0].line) \(.evidence.change)"' "$dir/answer" >"$dir/changes"
	# to make a floating-point number of an unsigned one takes a mask and a shift
	[ "$file$level" != width.c-O0 ] || grep -qx '5 0 for 1' "$dir/changes" ||
		complain "$file: the number of the line is not changed"
	# the code has the 1 of "true", too
	[ "$file$level" != first.c-O0 ] || grep -qx '13 0 for 1' "$dir/changes" ||
		complain "$file: the number that the line adds is not changed"
	! grep -E ' (.* and )?another (constant|operation|variable|comparison)|otherwise' "$dir/changes" ||
		complain "$file $level: nobody can type that"
	while read -r line change; do
		tried=0 passed=0
		while IFS= read -r variant; do
			tried=1
			"$compiler" -g "$level" -w -o "$dir/typed" "$variant" 2>/dev/null &&
				(timeout 10 "$dir/typed" "$@") >/dev/null 2>&1 && passed=1
			rm -f "$variant"
		done < <(tests/support/type-change.py "$source" "$line" "$change" "$dir/variant")
		[ $tried -eq 0 ] || [ $passed -eq 1 ] || complain "$file $level line $line: typed, \`$change' does not pass"
	done <"$dir/changes"
}

for file in year.c found.c name.cpp units.c grid.c width.c first.c; do
	typed "$dir/$file" -O0
	typed "$dir/$file" -Og
done
# Numbers that stand in the line twice, or that the compiler compares with by itself; places that it
# reads once for several lines; calls within expressions; conditions and functions of which it makes copies.
while read -r file level; do
	arguments "tests/$file"
	# shellcheck disable=SC2086
	typed "tests/$file" "$level" $arguments
done <<'L'
foreign/cleanup.c -O0
foreign/cleanup.c -O2
foreign/earlyreturn.c -O0
foreign/bsearch.c -O0
foreign/leap.c -O0
foreign/matrix.c -O0
foreign/swapsort.c -Og
foreign/wordcheck.c -Og
foreign/wordcheck.c -O2
foreign/hash.c -O2
foreign/sortedlist.c -O2
bench/held-out/primes.c -O2
bench/held-out/quicksort.c -O2
L
[ $failures -eq 0 ]
