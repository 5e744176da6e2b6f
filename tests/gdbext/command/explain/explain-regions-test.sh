#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# explain --format dot --graph regions: the run as a tree, whatever control does, and
# Graphviz takes it (where it is installed).
set -u
tmp=$(mktemp -d) && trap 'rm -rf "$tmp"' EXIT
cd "$tmp" || exit 1
cat >p.c <<'C'
#include <assert.h>
#include <setjmp.h>
#include <stdlib.h>

static jmp_buf back;
static int calls;

static int by_value(const void *a, const void *b)
{
	calls++;
	return *(const int *)a - *(const int *)b;
}

static int sum_to(int n)
{
	if (n == 0) /* "quoted" \ and <b> */
		return 0;
	return n + sum_to(n - 1);
}

static void jump(int deep)
{
	if (deep == 0)
		longjmp(back, 1);
	jump(deep - 1);
}

int main(void)
{
	int v[] = { 3, 1, 2 }, odd = 0;

	for (int i = 0; i < 3; i++)
		if (v[i] & 1)
			odd++;
	qsort(v, 3, sizeof(*v), by_value);
	if (!setjmp(back))
		jump(2);
	odd += sum_to(2);
	assert(odd != 5);
	return 0;
}
C
"$CC" -g -O0 -o p p.c || exit 1

# The tree, indented.
outline() {
	python3 -c '
import re, sys
label, parent = {}, {}
for line in sys.stdin:
    m = re.match(r"\tr(\d+) \[label=\"(.*?)\\l(.*?)\\l(?:(\d+) times\\l)?\"(.*)\];", line)
    if m:
        text = re.sub(r"^[\d, ]+   ", "", m[2])
        times = " x" + m[4] if m[4] else ""
        label[int(m[1])] = text + times + ("!" if "color=red" in m[5] else "")
    m = re.match(r"\tr(\d+) -> r(\d+)", line)
    if m:
        parent[int(m[2])] = int(m[1])
def show(node, deep):
    print("  " * deep + label[node])
    for child in sorted(c for c in parent if parent[c] == node):
        show(child, deep + 1)
show(0, 0)'
}

"$WHY_BIN" explain --format dot --graph regions -- ./p >p.dot || { echo "status $?"; exit 1; }
outline <p.dot >got
cat >expected <<'TREE'
main()!
  i < 3: true x3
    v[i] & 1: true x2
    v[i] & 1: false
  i < 3: false
  by_value() x3
  !setjmp(back): true
    jump()
      deep == 0: false
        jump()
  !setjmp(back): false!
    sum_to()
      n == 0: false
        sum_to()
    assert(odd != 5);: the other way!
TREE
diff expected got || exit 1
# a function is drawn where it was called first
[ "$(grep -c '(3 regions inside, folded)' p.dot)" = 2 ] || { echo "not folded: $(cat p.dot)"; exit 1; }

# A tree that is too large is cut, and says so.
cat >deep.c <<'C'
#include <assert.h>
static int down(int n) { return n ? down(n - 1) + 1 : 0; }
int main(void) { int n = down(3000); assert(n == 1); return 0; }
C
"$CC" -g -O0 -o deep deep.c || exit 1
"$WHY_BIN" explain --max-suspects 1 --format dot --graph regions -- ./deep >deep.dot
grep -q 'only its first regions are shown' deep.dot || { echo "deep: not said to be cut"; exit 1; }
grep -q '(99[0-9] regions inside, folded)' deep.dot || { echo "deep: $(cat deep.dot)"; exit 1; }

"$WHY_BIN" explain --format dot -- ./p >chain.dot
"$WHY_BIN" explain --graph regions -- ./p 2>err
[ $? = 2 ] && grep -q 'say --format dot' err || { echo "--graph alone: $(cat err)"; exit 1; }
command -v dot >/dev/null || exit 0
for f in p deep chain; do
	dot -Tcanon "$f.dot" 2>err >/dev/null && [ ! -s err ] || { echo "$f.dot: $(cat err)"; exit 1; }
done
dot -Tsvg p.dot | grep -q '<svg' || { echo "p.dot: no drawing"; exit 1; }
