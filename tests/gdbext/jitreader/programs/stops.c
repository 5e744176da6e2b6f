/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Situations to take a backtrace in.  stops WHAT:
 *   crash    a store through NULL, a few calls deep
 *   assert   a false assertion
 *   abort    in a callback under qsort
 *   threads  two of them work while the first one calls getpgrp
 *   sort     nothing of that: callbacks, calls through a pointer, floating point
 */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define APART __attribute__((noinline))

static volatile int total;
static double weight = 1.5;
static int (*pick)(int);
static int limit = 1000000;

static APART int twice(int x)
{
	total += x;
	return 2 * x;
}

static APART int fold(int n, int by)
{
	int sum = 0;

	for (int i = 0; i < n; i++) {
		sum += i * by;
		if (sum % 3 == 1)
			sum += pick(i);
		weight += sum;
	}
	return sum;
}

static int order(const void *a, const void *b)
{
	int x = fold(3, *(const int *)a), y = fold(3, *(const int *)b);

	if (total > limit)
		abort();
	return x < y ? -1 : x > y;
}

static APART int fall(int *p, int depth)
{
	if (depth)
		return fall(p, depth - 1) + pick(depth);
	*p = 5;
	return *p;
}

static APART void check(int n)
{
	assert(n == total);
}

static volatile int working, stop;

static APART long work(int n)
{
	long sum = 0;

	__atomic_add_fetch(&working, 1, __ATOMIC_SEQ_CST);
	while (!stop)
		sum += total % n;
	return sum;
}

static void *worker(void *arg)
{
	return work(*(int *)arg) < 0 ? NULL : arg;
}

static void threads(void)
{
	pthread_t thread[2];
	int n[2] = { 3, 5 };

	for (int i = 0; i < 2; i++)
		pthread_create(&thread[i], NULL, worker, &n[i]);
	while (working < 2)
		;
	getpgrp();
	stop = 1;
	for (int i = 0; i < 2; i++)
		pthread_join(thread[i], NULL);
}

int main(int argc, char **argv)
{
	int v[] = { 3, 1, 2, 5, 4, 9, 7 };
	const char *what = argc > 1 ? argv[1] : "sort";

	pick = twice;
	if (!strcmp(what, "abort"))
		limit = 20;
	for (int round = 0; round < 3; round++)
		qsort(v, sizeof v / sizeof *v, sizeof *v, order);
	if (getppid() == 1)
		puts("alone");
	qsort(v, sizeof v / sizeof *v, sizeof *v, order);
	if (!strcmp(what, "threads"))
		threads();
	if (!strcmp(what, "crash"))
		return fall(NULL, 3);
	if (!strcmp(what, "assert"))
		check(total + 1);
	printf("%d %g\n", total, weight);
	return 0;
}
