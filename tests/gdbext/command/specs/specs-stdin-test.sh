#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# timeout: 120
# gdb-why specs --input stdin: tests are other bytes on standard input, read by getchar, fgets and read, and
# numbers in them.
set -u
. tests/support/specs-lib.sh

# A character at a time, until the end.
cat >stack.c <<'C'
#include <stdio.h>
#ifdef BY_READ
#include <unistd.h>
static int next(void)
{
	char c;
	return read(0, &c, 1) == 1 ? c : EOF;
}
#else
#define next getchar
#endif
struct stack { int items[8], n; };
static void step(struct stack *s, int c)
{
	if (c == '-') {
		if (s->n)
			s->n--;
	} else if (c == '!') {
		s->n = 0;
	} else if (c == 'd') {
		if (s->n && s->n < 8)
			s->n += 2;
	} else if (s->n < 8) {
		s->items[s->n] = c;
		s->n++;
	}
}
int main(void)
{
	struct stack s = { { 0 }, 0 };
	int c;
	while ((c = next()) != EOF)
		step(&s, c);
	return 0;
}
C
cat >stack-spec.c <<'C'
#include "why-spec.h"
struct stack { int items[8], n; };
static int sound(const struct stack *s) { return s->n >= 0 && s->n <= 8; }
static int grows(const struct stack *was, const struct stack *is, int c)
{
	if (c == '-')
		return is->n == (was->n ? was->n - 1 : 0);
	if (c == '!')
		return is->n == 0;
	return is->n == was->n + 1 || was->n == 8 || (c == 'd' && !was->n && !is->n);
}
WHY_INVARIANT(sound, struct stack *)
WHY_POST(step, grows, before(s), s, c)
C
printf 'ad' >ad
for way in -UBY_READ -DBY_READ; do
	$CC -g -O0 $way -o stack stack.c || exit 1
	specs 0 --input stdin --no-evidence --stdin ad --spec stack-spec.c -- ./stack
	says '^ +1  2.000 1.000  stack.c:22  s->n \+= 2;$'
	says '^  [0-9]: "a!", call 2 +passes; line 22 was not executed'
	says '^  [0-9]: "a-", call 2 +passes; line 22 was not executed'
	specs 0 --input stdin --technique tar-rand --stdin ad --spec stack-spec.c -- ./stack
	says '^  [0-9]: "[^"]*", call [12] +(passes|violates)'
done
# Fewer bytes, and more.
$CC -g -O0 -o stack stack.c || exit 1
# A pipe can be read once; runs are many.
specs 0 --input stdin --no-evidence --stdin ad --spec stack-spec.c -- ./stack
mv out by-file
specs 0 --input stdin --no-evidence --stdin <(cat ad) --spec stack-spec.c -- ./stack
diff by-file out >differs || complain 'a pipe is not read as a file is'
specs 0 --input stdin --make-tests 40 --stdin ad --spec stack-spec.c -- ./stack
says '^  [0-9]+: "a", call 1: passes$'
says '^  [0-9]+: "a[^"]{2,}", call [12]: '

# Lines, and numbers in them: only the number is changed, the rest stays.
cat >width.c <<'C'
#include <stdio.h>
#include <stdlib.h>
static int width(int n, int wide)
{
	int w = 10;
	if (wide)
		w = 20;
	if (n > 100)
		w = w - 11;
	return w;
}
int main(void)
{
	char line[64];
	int sum = 0;
	while (fgets(line, sizeof line, stdin))
		sum += width(atoi(line + 1), line[0] == 'w');
	return sum == 1000;
}
C
cat >width-spec.c <<'C'
#include "why-spec.h"
static int positive(int r) { return r > 0; }
WHY_POST(width, positive, result)
C
$CC -g -O0 -o width width.c || exit 1
printf 'n7;\nn500 mm\n' >lines
specs 0 --input stdin --no-evidence --make-tests 12 --stdin lines --spec width-spec.c -- ./width
says '^ +1  [0-9.]+ 1.000  width.c:9  w = w - 11;$'
says '^  [0-9]+: "w7;\\nw500 mm\\n", call 2: passes$'
says '^  [0-9]+: "n7;\\nn-?[0-9]+ mm\\n", call 2: passes$'

# Input that is no text, and what is read in other ways: no other tests, but the core.
printf 'a\0d' >binary
specs 0 --input stdin --no-evidence --stdin binary --spec stack-spec.c -- ./stack
says 'stack.c:22  s->n .= 2;$'
grep -q '^  [0-9]: "' out && complain "a test with NULs"
sed 's/while (fgets(line, sizeof line, stdin))/while (scanf("%63s", line) == 1)/' width.c >scan.c
$CC -g -O0 -o scan scan.c || exit 1
specs 0 --input stdin --no-evidence --stdin lines --spec width-spec.c -- ./scan
says 'scan.c:9  w = w - 11;$'
specs 2 --input stdin --stdin nosuch --spec width-spec.c -- ./width
done_testing
