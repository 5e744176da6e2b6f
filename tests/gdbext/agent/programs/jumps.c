/* SPDX-License-Identifier: GPL-3.0-or-later */
/* setjmp and longjmp: out of recursion, out of a callback, many times. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf top, inner;
static int depth;

static void dive(int n)
{
	depth++;
	if (!n)
		longjmp(top, depth);
	dive(n - 1);
}

static int escape(const void *a, const void *b)
{
	(void)b;
	if (*(const int *)a == 3)
		longjmp(top, 99);
	return *(const int *)a - *(const int *)b;
}

static int nested(int n)
{
	volatile int kept = n;
	int r = setjmp(inner);

	if (r < 3)
		longjmp(inner, r + 1);
	return kept * 10 + r;
}

int main(void)
{
	int numbers[] = { 5, 3, 4, 1 };
	volatile int rounds = 0;
	int r = setjmp(top);

	printf("%d %d\n", r, depth);
	if (r == 0)
		dive(5);
	if (r == 6)
		qsort(numbers, 4, sizeof *numbers, escape);
	printf("%d\n", nested(4));
	if (++rounds < 3)
		longjmp(top, 100 + rounds);
	return rounds;
}
