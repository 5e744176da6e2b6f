/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `crashes WHAT': ways to die.
 *
 * ways: write read call divide abort assert overflow illegal trap kill term exit
 * ways: nested again blocked ignored default inside probes
 */
#include <assert.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int overflow(int n)
{
	volatile char room[4096];

	room[n % 4096] = (char)n;
	return overflow(n + 1) + room[0];
}

static int *volatile nowhere_at = (int *)16;
static volatile int times;
static sigjmp_buf back;

static void stores_again(int signo)
{
	if (write(1, "handled\n", 8) < 0 || ++times > 3)
		_exit(signo);
	*nowhere_at = 5;
}

static void jumps_back(int signo)
{
	siglongjmp(back, signo);
}

static void handle(int signo, void (*handler)(int), int flags)
{
	struct sigaction action = { .sa_handler = handler, .sa_flags = flags };

	sigfillset(&action.sa_mask);
	if (flags & SA_NODEFER)
		sigemptyset(&action.sa_mask);
	sigaction(signo, &action, NULL);
}

/* Faults that have, or had, or cannot have a handler. */
static void faults(const char *what)
{
	struct sigaction old;
	sigset_t all, now;

	if (!strcmp(what, "nested"))
		handle(SIGSEGV, stores_again, 0);
	if (!strcmp(what, "again"))
		handle(SIGSEGV, stores_again, SA_NODEFER);
	if (!strcmp(what, "blocked")) {
		handle(SIGSEGV, stores_again, 0);
		sigfillset(&all);
		sigprocmask(SIG_BLOCK, &all, NULL);
		sigprocmask(SIG_BLOCK, NULL, &now);
		printf("%d %d\n", sigismember(&now, SIGSEGV), sigismember(&now, SIGRTMAX));
	}
	if (!strcmp(what, "ignored"))
		signal(SIGSEGV, SIG_IGN);
	if (!strcmp(what, "default")) {
		handle(SIGSEGV, stores_again, 0);
		signal(SIGSEGV, SIG_DFL);
	}
	sigaction(SIGSEGV, NULL, &old);
	printf("%d %d %x\n", old.sa_handler == SIG_DFL, old.sa_handler == SIG_IGN, old.sa_flags);
	fflush(stdout);
	if (!strcmp(what, "inside"))
		printf("%zu\n", strlen((char *)nowhere_at));
	for (int i = 0; !strcmp(what, "probes") && i < 4; i++) {
		handle(SIGSEGV, jumps_back, 0);
		if (!sigsetjmp(back, 1))
			*nowhere_at = i;
		printf("back %d\n", i);
		fflush(stdout);
	}
	if (strcmp(what, "probes") != 0)
		*nowhere_at = 6;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";
	int *volatile nowhere = (int *)16;
	volatile int zero = 0;

	puts("starts");
	fflush(stdout);
	if (!strcmp(what, "write"))
		*nowhere = 5;
	if (!strcmp(what, "read"))
		return *nowhere;
	if (!strcmp(what, "call"))
		return ((int (*)(void))(void *)nowhere)();
	if (!strcmp(what, "divide"))
		return 1 / zero;
	if (!strcmp(what, "abort"))
		abort();
	if (!strcmp(what, "assert"))
		assert(zero == 1);
	if (!strcmp(what, "overflow"))
		return overflow(0);
	if (!strcmp(what, "illegal"))
		__asm__ volatile("ud2");
	if (!strcmp(what, "trap"))
		__asm__ volatile("int3");
	if (!strcmp(what, "free"))
		free(&zero);
	if (!strcmp(what, "kill"))
		kill(getpid(), SIGKILL);
	if (!strcmp(what, "term"))
		raise(SIGTERM);
	if (!strcmp(what, "exit"))
		_exit(17);
	for (const char *const *way =
		     (const char *const[]){ "nested", "again", "blocked", "ignored", "default",
					    "inside", "probes", NULL };
	     *way; way++)
		if (!strcmp(what, *way))
			faults(what);
	return 0;
}
