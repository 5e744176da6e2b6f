/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Threads, forks, threads in a fork, the program executed by itself, handled faults
 * and a signal that kills: for tests of profiles, which know how often work() runs.
 */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROUNDS = 100000 };
static sigjmp_buf back;
static volatile int handled;

static int work(int n)
{
	return n * 3; /* line "work" */
}

static void *thread(void *arg)
{
	long s = 0;

	for (int i = 0; i < ROUNDS; i++)
		s += work(i);
	*(long *)arg = s;
	return NULL;
}

static void threads(int n)
{
	pthread_t t[8];
	long results[8];

	for (int i = 0; i < n; i++)
		pthread_create(&t[i], NULL, thread, &results[i]);
	for (int i = 0; i < n; i++)
		pthread_join(t[i], NULL);
}

static void on_fault(int signo)
{
	(void)signo;
	handled++;
	siglongjmp(back, 1);
}

static void faults(void)
{
	signal(SIGSEGV, on_fault);
	for (volatile int i = 0; i < 50; i++)
		if (!sigsetjmp(back, 1))
			work(*(volatile int *)8);
}

static void on_alarm(int signo)
{
	(void)signo;
	handled++;
}

static void children(char **argv)
{
	char *again[] = { argv[0], "once", NULL };

	for (int i = 0; i < 3; i++)
		if (!fork()) {
			threads(2);
			exit(0);
		}
	if (!fork()) {
		execv(argv[0], again);
		_exit(1);
	}
	while (wait(NULL) > 0)
		;
}

int main(int argc, char **argv)
{
	const char *way = argc > 1 ? argv[1] : "";

	if (!strcmp(way, "threads"))
		threads(8);
	else if (!strcmp(way, "children"))
		children(argv);
	else if (!strcmp(way, "once"))
		work(1);
	else if (!strcmp(way, "faults"))
		faults();
	else if (!strcmp(way, "killed")) {
		work(1);
		raise(SIGKILL);
	} else if (!strcmp(way, "stopped")) {
		signal(SIGALRM, on_alarm);
		alarm(1);
		while (!handled)
			;
		work(1);
	}
	printf("%d\n", handled);
	return 0;
}
