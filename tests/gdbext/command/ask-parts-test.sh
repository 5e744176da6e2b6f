#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# limits: any
#
# What `ask why' shows of things that have parts is what a plain GDB shows: of an array of which
# some elements were written, of references and inherited members of C++, of a function that
# begins where the rows of another end.
. tests/support/samples-lib.sh
need_tool
command -v gdb >/dev/null || { echo "gdb is not installed"; exit 77; }

cat >"$dir/parts.c" <<'C'
#include <assert.h>
#include <stdlib.h>
enum level { LOW, MIDDLE, HIGH };
static enum level levels[4];
static unsigned char narrow[6];
static union { unsigned whole; unsigned char bytes[4]; } both;
int one(int a) { return a + 1; }
int two(int b) { return b * 2; }
int main(int argc, char **argv)
{
	int i = atoi(argv[argc - 1]), k;

	levels[i] = HIGH;
	narrow[i] = 7;
	both.bytes[1] = 3;
	k = two(i) + one(i);
	assert(k == 4);
	return (int)levels[i];
}
C
cat >"$dir/parts.cc" <<'C'
#include <cassert>
#include <cstdlib>
struct Empty {};
struct Counted { int count = 3; };
struct Shape : Empty, Counted { static int made; double area = 1.5; Shape *next = nullptr; };
int Shape::made = 9;
struct Square : Shape { int side = 2; int &more; explicit Square(int &m) : more(m) {} };
static void grow(Square &s, const int &by) {
	s.side += by;
	s.more += by;
}
int main(int argc, char **argv) {
	int n = atoi(argv[argc - 1]), &ref = n;
	auto *heap = new Shape;
	Square square(n), *where = &square;
	grow(square, ref);
	assert(where->side == n && heap->count == 4);
	return square.count;
}
C

# What the compiler puts into an object is no part that a person could see.
cat >"$dir/hidden.cc" <<'C'
#include <cassert>
#include <cstdlib>
struct Thing { int id = 6; virtual ~Thing() {} };
struct Part : Thing { char size = 'a'; double weight = 1.5; };
int main(int argc, char **argv) {
	Part part;
	part.id = atoi(argv[argc - 1]);
	assert(part.id == 6);
	return part.size;
}
C

# A whole structure is copied with a hole in which a library function left something.
cat >"$dir/hole.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
struct pair { double first; float second; };
static struct pair make(double a, float b)
{
	struct pair made = { a, b };
	return made;
}
static void fill(void)
{
	volatile unsigned used[64];
	for (int i = 0; i < 64; i++)
		used[i] = 77;
}
int main(int argc, char **argv)
{
	char text[64];
	struct pair p;

	fill();
	snprintf(text, sizeof text, "%d %g %s", argc, 2.5, argv[0]);
	p = make(2.5, atoi(argv[argc - 1]));
	if (p.second != 7)
		abort();
	return 0;
}
C

# What an argument points to is what the call finds there.
cat >"$dir/late.c" <<'C'
#include <stdlib.h>
struct node { int key; };
static int sum;
__attribute__((noinline, used)) void use(const struct node *p) { sum += p->key; }
int main(int argc, char **argv)
{
	struct node *n = malloc(sizeof *n);

	n->key = atoi(argv[argc - 1]);
	__asm__ volatile("mov %0,%%rdi\n\tmovl $4,(%0)\n\tcall use"
			 : : "b"(n) : "rdi", "rax", "rcx", "rdx", "rsi", "memory", "cc");
	if (sum != 5)
		abort();
	return 0;
}
C

# An instruction that adds to memory reads what was there from the start, and not what it writes.
cat >"$dir/add.c" <<'C'
#include <stdlib.h>
static int sum;
__attribute__((noinline)) void use(int n)
{
	sum += n;
}
int main(int argc, char **argv)
{
	use(atoi(argv[argc - 1]));
	use(3);
	if (sum != 5)
		abort();
	return 0;
}
C

# same PROGRAM AT EXPRESSION...: GDB prints what the answer begins with.
same() {
	program=$1 at=$2
	shift 2
	"$WHY_BIN" record -o "$dir/record" -- "$program" 1 >"$dir/said" 2>&1
	for expression; do
		shown=$("$WHY_BIN" ask --record "$dir/record" --at "$at:1" --color never why "$expression" -- \
			"$program" 2>&1 | sed -n "1s/.* = \(.*\) at .*/\1/p")
		gdb=$(gdb -nx -batch -ex "break $at" -ex run -ex 'set print repeats unlimited' \
			-ex "printf \"@@\"" -ex "output $expression" --args "$program" 1 2>/dev/null |
			sed -n 's/.*@@//p' | sed 's/^(.* &) //; s/@0x[0-9a-f]*: //; s/\([0-9]\) .\\[^,}]*/\1/g')
		[ -n "$shown" ] && [ "$shown" = "$gdb" ] ||
			complain "$program: $at: $expression: \`$shown', but GDB says \`$gdb'"
		compared=$((compared + 1))
	done
}

cat >"$dir/given.c" <<'C'
#include <stdlib.h>
__attribute__((noinline)) static int half(double a, short b)
{
	return (int)a + b;
}
int main(int argc, char **argv)
{
	double d = atof(argv[argc - 2]);
	int n = atoi(argv[argc - 1]), k = half(d, (short)-n);

	if (k != 5)
		abort();
	return 0;
}
C
# Library functions write a part of a block; the other parts stay known.
cat >"$dir/copied.c" <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item { int id; char name[12]; int quantity; };
int main(int argc, char **argv)
{
	struct item *items = calloc(4, sizeof *items);

	for (int i = 0; i < 4; i++) {
		items[i].id = items[i].quantity = i + 3;
		if (i == 0)
			strncpy(items[i].name, argv[argc - 1], sizeof items[i].name);
		else if (i == 1)
			memcpy(items[i].name, argv[argc - 1], 2);
		else
			snprintf(items[i].name, sizeof items[i].name, "%s", argv[argc - 1]);
	}
	strcpy(items[3].name, argv[argc - 1]);
	abort();
}
C

compared=0 squeezed=" \n"
gcc -g -O0 -ffunction-sections -o "$dir/parts" "$dir/parts.c" || complain "parts.c does not compile"
same "$dir/parts" parts.c:16 levels 'levels[0]' 'levels[1]' both.whole
same "$dir/parts" parts.c:7 a
same "$dir/parts" parts.c:8 b
asks 0 'narrow = {0, 7, 0, 0, 0, 0}' --record "$dir/record" --at parts.c:16:1 why narrow -- "$dir/parts"
asks 0 'both = {whole = 768, bytes = {0, 3, 0, 0}}' --record "$dir/record" --at parts.c:16:1 why both -- "$dir/parts"
gcc -g -O0 -o "$dir/copied" "$dir/copied.c" || complain "copied.c does not compile"
same "$dir/copied" copied.c:19 'items[0].id' 'items[0].quantity' 'items[1].quantity' 'items[2].quantity' 'items[3].id'
asks 3 'is not known' --record "$dir/record" --at copied.c:19:1 why 'items[3].quantity' -- "$dir/copied"
asks 3 'is not known' --record "$dir/record" --at copied.c:19:1 why 'items[2].name[1]' -- "$dir/copied"
gcc -g -O0 -o "$dir/hole" "$dir/hole.c" || complain "hole.c does not compile"
asks 0 'struct pair made = { a, b }; made.second = 1' --at hole.c:24 --depth 5 why p.second -- "$dir/hole" 1
case $out in
*never*) complain "what nobody initialised: $out" ;;
esac
gcc -g -O1 -o "$dir/late" "$dir/late.c" || complain "late.c does not compile"
asks 0 'argument 1 of use = the node with key 4' --at late.c:13 --depth 5 why sum -- "$dir/late" 3
gcc -g -O1 -o "$dir/add" "$dir/add.c" || complain "add.c does not compile"
asks 0 'sum, zero from the start: 0' --at add.c:11 --depth 5 why sum -- "$dir/add" 3
# a function in one line has no prologue where an optimizer begins it with its statement
asks 0 '1 from late.c:4' --at late.c:13 --depth 1 why sum -- "$dir/late" 3
if command -v g++ >/dev/null; then
	g++ -g -O0 -o "$dir/partsx" "$dir/parts.cc" || complain "parts.cc does not compile"
	same "$dir/partsx" parts.cc:15 ref 'ref + 1' 'heap->count' 'heap->area'
	same "$dir/partsx" parts.cc:9 s.side s.more by s.count
	same "$dir/partsx" parts.cc:16 square.more where-\>side
	asks 0 'the Shape with count 3' --record "$dir/record" --at parts.cc:15:1 why heap -- "$dir/partsx"
	g++ -g -O0 -o "$dir/hidden" "$dir/hidden.cc" || complain "hidden.cc does not compile"
	asks 0 "part = {id = 1, size = 'a', weight = 1.5} at" --at hidden.cc:8 why part -- "$dir/hidden" 1
	case $out in
	*_vptr* | *never* | *0x*) complain "parts that nobody sees: $out" ;;
	esac
	asks 0 'where = &square at' --record "$dir/record" --at parts.cc:16:1 why where -- "$dir/partsx"
fi
# arguments in registers, which are counted for whole and for real numbers apart
gcc -g -O1 -o "$dir/given" "$dir/given.c" || complain "given.c does not compile"
asks 0 'argument 2 of half = -1' --at given.c:11 --depth 10 why k -- "$dir/given" 2.5 1
asks 0 'argument 1 of half = 2.5' --at given.c:11 --depth 10 why k -- "$dir/given" 2.5 1
# the first register says where a large result goes
cat >"$dir/large.c" <<'C'
#include <stdlib.h>
struct large { long a, b, c; };
__attribute__((noinline)) static struct large make(int n)
{
	return (struct large){ n, n + 1, n + 2 };
}
int main(int argc, char **argv)
{
	struct large x = make(atoi(argv[argc - 1]));
	if (x.b == 8)
		abort();
	return 0;
}
C
gcc -g -O1 -o "$dir/large" "$dir/large.c" || complain "large.c does not compile"
asks 0 'argument 1 of make = 7' --at large.c:11 --depth 10 why x.b -- "$dir/large" 7
case $out in
*'argument 1 of make = -'* | *'argument 2'*) complain "where the result goes: $out" ;;
esac
# a copied structure: only the member that is asked about is followed, and named with its value
cat >"$dir/copied.c" <<'C'
#include <stdlib.h>
struct pair { int a, b; };
struct box { struct pair lo, hi; int cells[4]; };
int main(int argc, char **argv)
{
	struct box x = { { 1, 2 }, { 3, argc }, { 7, 8, 9, 10 } }, y, z;
	x.cells[1] = atoi(argv[1]);
	y = x;
	y.lo.a = 5;
	z = y;
	return z.hi.b + z.cells[1] == 12 ? 0 : z.lo.a;
}
C
for level in -O0 -Og; do
	gcc -g $level -o "$dir/copied" "$dir/copied.c" || complain "copied.c does not compile"
	asks 0 'x.hi.b = 2' --at copied.c:11 --depth 10 why z.hi.b -- "$dir/copied" 6
	case $out in *hi.a* | *lo* | *cells*) complain "$level: neighbours of hi.b: $out" ;; esac
	[ $level = -Og ] || case $out in *'z.hi.b = 2'*'y.hi.b = 2'*) ;; *) complain "$level: hi.b has no value: $out" ;; esac
	asks 0 'x.cells[1] = 6' --at copied.c:11 --depth 10 why 'z.cells[1]' -- "$dir/copied" 6
	case $out in *cells\[[023]* | *hi* | *lo*) complain "$level: neighbours of cells[1]: $out" ;; esac
done
# where two files share an address, debuggers stop at the rows of the last one
cat >"$dir/two.c" <<'C'
void abort(void);
int main(int argc, char **argv)
{
	int k = argc;

	(void)argv;
	__asm__ volatile(".file 2 \"two.h\"\n\t.loc 1 100 1\n\t.loc 2 5 1\n\tnop\n\t.loc 1 9 1\n\tnop");
	if (k)
		abort();
	return 0;
}
C
gcc -g -O0 -o "$dir/two" "$dir/two.c" || complain "two.c does not compile"
asks 2 'There is no code at two.c:100' --at two.c:100 why k -- "$dir/two"
asks 0 'k = 1 at' --at two.h:5 why k -- "$dir/two"
echo "$compared values compared"
finish
