/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A crash in a thread that is not the first.
 * test: 2
 * ends: SIGFPE
 * levels: 0
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static int quota(int w)
{
	return w - 2; /* fault */
}
static void *work(void *arg)
{
	int w = *(int *)arg;
	int q = quota(w);
	printf("%d\n", 100 / q);
	return NULL;
}
static void *idle(void *arg)
{
	return arg;
}
int main(int argc, char **argv)
{
	pthread_t a, b;
	int w = atoi(argv[1]);
	pthread_create(&a, NULL, idle, &w);
	pthread_create(&b, NULL, work, &w);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
