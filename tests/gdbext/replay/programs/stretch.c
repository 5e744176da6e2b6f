/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run with something done before its middle, and after it: argv[1] says what. */
#define _GNU_SOURCE
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int file = -1, *shared, *own;
static timer_t timer;
static pthread_mutex_t until_end = PTHREAD_MUTEX_INITIALIZER;
static pthread_t thread;

static int work(int i)
{
	int sum = 0;

	for (int k = 0; k < 20; k++)
		if ((i ^ k) & 1)
			sum += k;
	return sum;
}

static void *wait_for_end(void *arg)
{
	pthread_mutex_lock(&until_end);
	return arg;
}

static void before(const char *what, const char *self)
{
	struct itimerval later = { .it_value = { 1000, 0 } };
	sigset_t one = { 0 };
	char buffer[64];

	printf("before\n");
	if (!strcmp(what, "flush"))
		fflush(stdout);
	if (!strcmp(what, "file"))
		file = open(self, O_RDONLY);
	if (!strcmp(what, "copy"))
		file = open("/tmp/stretch-of-gdb-why", O_RDWR | O_CREAT, 0600);
	if (file >= 0)
		printf("%zd\n", read(file, buffer, 10));
	if (!strcmp(what, "input"))
		printf("%zd %s\n", read(0, buffer, 5), buffer[0] == 'a' ? "a" : "?");
	if (!strcmp(what, "timer"))
		setitimer(ITIMER_REAL, &later, NULL);
	if (!strcmp(what, "clock"))
		timer_create(CLOCK_MONOTONIC, NULL, &timer);
	if (!strcmp(what, "signal")) {
		sigaddset(&one, SIGUSR1);
		sigprocmask(SIG_BLOCK, &one, NULL);
		raise(SIGUSR1);
	}
	if (!strcmp(what, "left") || !strcmp(what, "wiped")) {
		own = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		*own = 7;
		madvise(own, 4096, *what == 'l' ? MADV_DONTFORK : MADV_WIPEONFORK);
	}
	if (!strcmp(what, "shared"))
		shared =
			mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (!strcmp(what, "thread")) {
		pthread_mutex_lock(&until_end);
		pthread_create(&thread, NULL, wait_for_end, NULL);
	}
}

static void after(const char *what)
{
	char buffer[64] = "";
	struct itimerspec left;
	sigset_t pending;

	if (!strcmp(what, "clock"))
		printf("%d\n", timer_gettime(timer, &left));
	if (!sigpending(&pending))
		printf("%d\n", sigismember(&pending, SIGUSR1));
	if (own)
		printf("%d\n", *own);
	if (file >= 0)
		printf("%zd %d\n", read(file, buffer, 10), buffer[0]);
	if (!strcmp(what, "input"))
		printf("%zd %c\n", read(0, buffer, 5), buffer[0]);
	if (shared)
		printf("%d\n", ++*shared);
	if (!strcmp(what, "thread")) {
		pthread_mutex_unlock(&until_end);
		pthread_join(thread, NULL);
	}
	if (!strcmp(what, "error"))
		fprintf(stderr, "after\n");
	if (!strcmp(what, "leave"))
		exit(3);
	printf("after\n");
}

int main(int argc, char **argv)
{
	int sum = 0;

	if (argc != 2)
		return 2;
	before(argv[1], argv[0]);
	for (int i = 0; i < 200; i++)
		sum += work(i);
	after(argv[1]);
	assert(sum == 0);
	return 0;
}
