/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A local variable that untraced code changes while traced code calls nothing.
 * ways: signal skip land thread
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

static void *(*volatile set)(void *, int, size_t) = memset;
static volatile int *volatile place;

static void on_signal(int signo, siginfo_t *info, void *data)
{
	ucontext_t *context = data;

	set((void *)place, 7, sizeof *place);
	if (signo == SIGSEGV)
		context->uc_mcontext.gregs[REG_RIP] += 2; /* the instruction's length */
}

/* The handler comes between two instructions of the loop. */
static int loop_until_signal(void)
{
	struct itimerval soon = { .it_value.tv_usec = 1000 };
	volatile int done = 0;
	int first;

	place = &done;
	setitimer(ITIMER_REAL, &soon, NULL);
	first = done; /* so it is known in the loop, unless something comes between */
	while (!done)
		;
	return done | first;
}

/* It comes at a fault, and sends control behind that. */
static int skip_fault(void)
{
	volatile int x = 1;

	place = &x;
	x = 2;
	__asm__ volatile("mov %%eax,(%%rdi)" : : "D"(0));
	return x;
}

/* Untraced code is not called, but comes back all the same. */
static int land(void)
{
	volatile int x = 1;

	place = &x;
	x = 2;
	__asm__ volatile("sub $128,%%rsp\n\t"
			 "lea 1f(%%rip),%%rax\n\t"
			 "push %%rax\n\t"
			 "test %%rdi,%%rdi\n\t"
			 "jne memset@plt\n\t"
			 "pop %%rax\n"
			 "1:\n\t"
			 "sub $-128,%%rsp"
			 :
			 : "D"(place), "S"(7), "d"(sizeof x)
			 : "memory", "rax", "rcx", "r8", "r9", "r10", "r11");
	return x;
}

static void *change(void *unused)
{
	usleep(1000);
	set((void *)place, 7, sizeof *place);
	return unused;
}

static int loop_until_thread(void)
{
	volatile int done = 0;
	pthread_t thread;
	int first;

	place = &done;
	pthread_create(&thread, NULL, change, NULL);
	first = done;
	while (!done)
		;
	pthread_join(thread, NULL);
	return done | first;
}

int main(int argc, char **argv)
{
	struct sigaction action = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO };
	const char *way = argc > 1 ? argv[1] : "signal";

	sigaction(SIGALRM, &action, NULL);
	sigaction(SIGSEGV, &action, NULL);
	printf("%x\n", (unsigned)(way[0] == 't'	  ? loop_until_thread()
				  : way[1] == 'i' ? loop_until_signal()
				  : way[1] == 'k' ? skip_fault()
						  : land()));
	return 0;
}
