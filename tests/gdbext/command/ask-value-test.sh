#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Why a value is what it is: assignments, decisions, arguments, results and inputs,
# hop by hop; at the failure, at a line, at its second time; optimized too.
. tests/support/samples-lib.sh
need_tool

paper=$BUILD/samples/paper bst=$BUILD/samples/bst
"$WHY_BIN" ask --color never why b -- "$paper" 0 0 >"$dir/paper.txt"
cat >"$dir/expected.txt" <<'TEXT'
b = 1 at samples/paper.c:30 in P
 1  from           paper.c:27  b = a + 1;                        b = 1
 2    from         paper.c:23  a = x;                            a = 0
 3      from       paper.c:37  P(atoi(argv[1]), atoi(argv[2]));  x = 0
 4        from     paper.c:37  P(atoi(argv[1]), atoi(argv[2]));  atoi returned 0
 5          from   argv[1], as the program was started with
 6      when       paper.c:22  if (x >= 0)                       true
 7        from     paper.c:37  P(atoi(argv[1]), atoi(argv[2]));  x = 0 (as row 3)
 8    when         paper.c:26  if (y < 5)                        true
 9      from       paper.c:37  P(atoi(argv[1]), atoi(argv[2]));  y = 0
10        from     paper.c:37  P(atoi(argv[1]), atoi(argv[2]));  atoi returned 0
11          from   argv[2], as the program was started with
TEXT
diff "$dir/expected.txt" "$dir/paper.txt" || complain "why b of the paper's example differs"

# From a row on, and from a row of that; `-d', `--all' and `--row' may stand in the question.
asks 0 'a = 0 at samples/paper.c:23' --row 2 why b -- "$paper" 0 0
asks 0 ' 1  from       paper.c:37' --row 2 why b -- "$paper" 0 0
asks 0 'x = 0 at samples/paper.c:37' --row 2.1 why b -- "$paper" 0 0
asks 0 'x = 0 at samples/paper.c:37' why --row 2.1 b -- "$paper" 0 0
asks 0 'x >= 0: true at samples/paper.c:22' why --row 6 b -- "$paper" 0 0
asks 0 '`--row 1'\'' goes on from row 1; `--depth 2'\'' goes further back' why -d 1 b -- "$paper" 0 0
asks 2 'has no row 9' -d 1 --row 9 why b -- "$paper" 0 0
asks 2 'has no row x' --row 1.x why b -- "$paper" 0 0
asks 2 'row of the answer to' --row 1 why not b == 0 -- "$paper" 0 0

asks 0 'a - b = -1 at' why a - b -- "$paper" 0 0
asks 0 'x = 0 at samples/paper.c:27' --at paper.c:27 why x -- "$paper" 0 0
asks 0 'x * 2 == 0 && y < 5: true at' --at P why 'x * 2 == 0 && y < 5' -- "$paper" 0 0
asks 0 'key = 8' --at insert:3 why 'tree->root->right->key' -- "$bst" 5 8 3
asks 0 'x->key = 8 at samples/bst.c:44' --at bst.c:44:2 why 'x->key' -- "$bst" 5 8 3
asks 2 'no variable' why nobody -- "$paper" 0 0
asks 2 'cannot be called' why 'P(1, 2)' -- "$paper" 0 0
asks 2 'There is no code at paper.c:1;' --at paper.c:1 why a -- "$paper" 0 0
asks 2 'no function' --at nowhere why a -- "$paper" 0 0
asks 2 'is no place' --at : why a -- "$paper" 0 0
asks 3 'only 1 time;' --at P:2 why a -- "$paper" 0 0
asks 3 'null pointer' --at bst.c:52 why 'y->key' -- "$bst" 5 8 3
asks 2 'missing after' -- "$paper" 0 0
asks 2 'missing after' why b
asks 2 'options come before the question' why b --depth 1 -- "$paper" 0 0
asks 2 'Questions are' who b -- "$paper" 0 0
asks 2 'leave out --at' --at P why -- "$paper" 0 0
asks 0 'explanations, each proven' why -- "$paper" 0 0

# Where an object is a part of another one, its address has the name of that; a variable that nobody
# gave a value has only what a call before left there.
cat >"$dir/parts.c" <<'C'
#include <assert.h>
struct node { int key; struct node *next; };
struct list { int length; struct node *head; };
static int count(struct list *l)
{
	struct node **at = &l->head;
	int n = 0;

	for (; *at; at = &(*at)->next)
		n++;
	return n;
}
static int sum(struct list *l)
{
	struct node **first = &l->head;
	int total;

	total = 0;
	for (struct node *n = *first; n; n = n->next)
		total += n->key;
	return total;
}
int main(void)
{
	struct node b = {2, 0}, a = {1, &b};
	struct list l = {3, &a};

	assert(count(&l) + sum(&l) == 6);
	return 0;
}
C
${CC:-cc} -g -O0 -o "$dir/parts" "$dir/parts.c" || complain "parts.c does not compile"
asks 0 'at = &l->head at ' --at parts.c:9 why at -- "$dir/parts"
asks 0 'struct node **first = &l->head;   first = &l->head' --at parts.c:19 why first -- "$dir/parts"
asks 0 'never initialised' --at parts.c:18 --shown 7 why total -- "$dir/parts"
asks 2 '3 is a constant; `ask why --row 3 EXPR' --at parts.c:18 why 3 -- "$dir/parts"

# A test that passes can be asked too, at a stop; optimized.
${CC:-cc} -g -Og -o "$dir/bst" samples/bst.c || complain "samples/bst.c does not compile"
asks 0 'i = 2 at' --at bst.c:84:2 why i -- "$dir/bst" 5 8
asks 0 'y->key = 5 at' --at bst.c:54 why 'y->key' -- "$dir/bst" 5 3
cat >"$dir/seg.c" <<'C'
struct item { struct item *next; int v; };
static int sum(struct item *p, int k)
{
	int s = 0;
	while (k-- > 0) {
		s += p->v;
		p = p->next;
	}
	return s;
}
int main(int argc, char **argv)
{
	struct item b = { 0, 3 }, a = { &b, argv ? 4 : 5 };
	return sum(&a, argc + 2);
}
C
${CC:-cc} -g -O0 -o "$dir/seg" "$dir/seg.c" || complain "seg.c does not compile"
asks 0 'p = NULL at' why p -- "$dir/seg"
asks 0 'b.next = NULL' --depth 2 why p -- "$dir/seg"
asks 1 'did not fail' why key -- "$dir/bst" 5 8

# Through bsearch, strtod, strtok and snprintf, and into what qsort calls.
build tests/endings/text.c "$dir/text" -w
"$WHY_BIN" ask --depth 12 why size -- "$dir/text" 5 >"$dir/through.txt"
for row in 'bsearch returned' 'argument 1, from' 'strtod returned' 'snprintf(text' 'n \* 2 + 1 is 11' 'atoi returned 5'; do
	grep -q "$row" "$dir/through.txt" || complain "why size: no $row: $(cat "$dir/through.txt")"
done
sed 's|^\tfor (int i = 1; i < n; i++)|\tint least = sizes[0];&|; s|return 1;|return least;|' tests/endings/sort.c >"$dir/sort.c"
build "$dir/sort.c" "$dir/sort" -w
"$WHY_BIN" ask why least -- "$dir/sort" 30 1 22 >"$dir/through.txt"
grep -q 'from .*least = 30' "$dir/through.txt" || complain "why least: $(cat "$dir/through.txt")"
grep -q 'return \*(const int \*)b' "$dir/through.txt" || complain "why least: $(cat "$dir/through.txt")"
! grep -q 'initiali' "$dir/through.txt" || complain "why least: $(cat "$dir/through.txt")"

# Half of a register that is written clears the other half, so what is passed in it has no sign.
cat >"$dir/wide.c" <<'C'
#include <assert.h>
#include <stdint.h>
static uint32_t g = 0xffffffffu;
int64_t keep;
__attribute__((noinline)) static int64_t f(int64_t a, int64_t b)
{
	keep = a;
	return a + 2 * b;
}
int main(int argc, char **argv)
{
	(void)argv;
	g -= (uint32_t)argc - 1;
	int64_t r = f(0, g);
	assert(r == 1);
	return 0;
}
C
${CC:-cc} -g -Og -o "$dir/wide" "$dir/wide.c" || complain "wide.c does not compile"
"$WHY_BIN" ask --format json why r -- "$dir/wide" >"$dir/answer"
jq -e 'any(.causes[]; .clause == "argument 2 of f" and .value == "4294967295")' "$dir/answer" >/dev/null ||
	complain "wide: $(jq -c '.causes[] | [.clause, .value]' "$dir/answer")"

"$WHY_BIN" ask --format json why b -- "$paper" 0 0 |
	python3 tests/validate.py --strict tests/causes.schema.json || complain "the JSON is not as the schema says"
finish
