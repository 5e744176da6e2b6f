/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Four threads at work, more that come and go, a callback in each; `threads
 * alarms': while alarms come, to whichever thread.
 *
 * ways: - alarms
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static long total;
static volatile sig_atomic_t alarmed;

static int compare(const void *a, const void *b)
{
	return *(const int *)a - *(const int *)b;
}

static long work(int seed)
{
	int numbers[200];
	long s = 0;

	for (int i = 0; i < 200; i++)
		numbers[i] = (i * 7919 + seed * 104729) % 1009;
	qsort(numbers, 200, sizeof *numbers, compare);
	for (int i = 0; i < 200; i++)
		s += (long)numbers[i] * i;
	return s;
}

static void *run(void *arg)
{
	int n = *(int *)arg;
	long s = 0;

	for (int i = 0; i < 20; i++)
		s += work(n + i);
	pthread_mutex_lock(&lock);
	total += s;
	pthread_mutex_unlock(&lock);
	return (void *)s;
}

static void note(int signo)
{
	alarmed = signo;
}

int main(int argc, char **argv)
{
	struct itimerval timer = { { 0, 100 }, { 0, 100 } };
	pthread_t threads[4];
	int numbers[4];

	signal(SIGALRM, note);
	if (argc > 1 && !strcmp(argv[1], "alarms"))
		setitimer(ITIMER_REAL, &timer, NULL);
	for (int round = 0; round < 3; round++) {
		for (int i = 0; i < 4; i++) {
			numbers[i] = round * 4 + i;
			if (pthread_create(&threads[i], NULL, run, &numbers[i]))
				return 1;
		}
		for (int i = 0; i < 4; i++) {
			void *s;

			pthread_join(threads[i], &s);
			printf("%ld ", (long)s);
		}
	}
	printf("%ld %d\n", total, argc < 2 || alarmed == SIGALRM);
	return 0;
}
