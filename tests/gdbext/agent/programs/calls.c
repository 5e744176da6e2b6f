/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recursion, callbacks from libc, function pointers, tail calls, varargs,
 * switches with jump tables. */
#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int comparisons;

static int compare(const void *a, const void *b)
{
	comparisons++;
	return *(const int *)a - *(const int *)b;
}

static int ackermann(int m, int n)
{
	if (!m)
		return n + 1;
	return n ? ackermann(m - 1, ackermann(m, n - 1)) : ackermann(m - 1, 1);
}

static long sum(int n, ...)
{
	va_list ap;
	long s = 0;
	double d = 0;

	va_start(ap, n);
	for (int i = 0; i < n; i++) {
		s += va_arg(ap, int);
		d += va_arg(ap, double);
	}
	va_end(ap);
	return s * 1000 + (long)(d * 10);
}

static int choose(int i)
{
	switch (i) {
	case 0:
		return 7;
	case 1:
		return i * 3;
	case 2:
		return i - 9;
	case 3:
		return i ^ 0x55;
	case 4:
		return -i;
	case 5:
		return i << 4;
	case 6:
		return 6 * i * i;
	case 9:
		return 1;
	default:
		return 0;
	}
}

static int even(unsigned n);
static int odd(unsigned n)
{
	return n ? even(n - 1) : 0;
}

static int even(unsigned n)
{
	return n ? odd(n - 1) : 1;
}

/* At -O2 a jump to libc. */
static int say(const char *text)
{
	return puts(text);
}

static int add(int a, int b)
{
	return a + b;
}

static int mul(int a, int b)
{
	return a * b;
}

static void walk(const void *node, VISIT which, int depth)
{
	if (which == postorder || which == leaf)
		printf("%d@%d ", **(int *const *)node, depth);
}

static void bye(void)
{
	puts("bye");
}

__attribute__((constructor)) static void before(void)
{
	setvbuf(stdout, NULL, _IOFBF, 4096);
	puts("before");
}

__attribute__((destructor)) static void after(void)
{
	puts("after");
}

int main(int argc, char **argv)
{
	int (*operators[])(int, int) = { add, mul };
	int numbers[64], key = 50, *hit;
	void *tree = NULL;

	atexit(bye);
	for (int i = 0; i < 64; i++)
		numbers[i] = i * 37 % 64;
	qsort(numbers, 64, sizeof *numbers, compare);
	hit = bsearch(&key, numbers, 64, sizeof *numbers, compare);
	printf("%d %td %d\n", comparisons > 64, hit ? hit - numbers : -1, numbers[63]);
	printf("%d %ld %d %d\n", ackermann(2, 3), sum(3, 1, 0.5, 2, 0.25, 3, 1.5), even(10),
	       odd(7));
	for (int i = -1; i < 11; i++)
		printf("%d ", choose(i + argc - 1));
	for (int i = 0; i < 2; i++)
		printf("%d ", operators[i](6, 7));
	for (int i = 0; i < 9; i++)
		tsearch(&numbers[i * 5 % 9], &tree, compare);
	twalk(tree, walk);
	puts("");
	for (; tree; tdelete(*(int **)tree, &tree, compare))
		;
	say(strrchr(argv[0], '/') ? "path" : "name");
	return 3;
}
