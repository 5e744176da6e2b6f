/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Threads that end in other ways than by returning. */
#include <pthread.h>
#include <stdio.h>
#include <threads.h>
#include <unistd.h>

static thread_local int own = 5;

static void clean(void *what)
{
	printf("clean %s\n", (char *)what);
}

static void leave(int n)
{
	if (n == 0)
		pthread_exit((void *)7L);
	leave(n - 1);
}

static void *leaves(void *arg)
{
	pthread_cleanup_push(clean, "exit");
	leave(3);
	pthread_cleanup_pop(0);
	return arg;
}

static void *waits(void *arg)
{
	pthread_cleanup_push(clean, "cancel");
	for (;;)
		usleep(1000);
	pthread_cleanup_pop(0);
	return arg;
}

static void *spins(void *arg)
{
	pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
	for (volatile long i = 0;; i++)
		;
	return arg;
}

static int plus_one(void *arg)
{
	return *(int *)arg + own++ - 4;
}

static void cancel(void *(*run)(void *))
{
	pthread_t t;
	void *result;

	pthread_create(&t, NULL, run, NULL);
	usleep(5000);
	pthread_cancel(t);
	pthread_join(t, &result);
	printf("%d\n", result == PTHREAD_CANCELED);
}

int main(void)
{
	pthread_t t;
	thrd_t c;
	void *result;
	int x = 4, y;

	pthread_create(&t, NULL, leaves, NULL);
	pthread_join(t, &result);
	printf("%ld\n", (long)result);
	cancel(waits);
	cancel(spins);
	thrd_create(&c, plus_one, &x);
	thrd_join(c, &y);
	printf("%d %d\n", y, own);
	pthread_exit(NULL);
}
