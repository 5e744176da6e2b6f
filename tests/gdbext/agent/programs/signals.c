/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `signals WHAT': handlers of all kinds.  What is printed does not depend on
 * when a signal comes.
 *
 * ways: raises storm faults contexts stack masks escapes stays spins leaves vectors
 */
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <ucontext.h>
#include <unistd.h>

static volatile sig_atomic_t seen;
static volatile long count;
static sigjmp_buf back;
static char stack[1 << 16];

static void note(int signo)
{
	seen = signo;
	count++;
}

static unsigned work(unsigned n)
{
	unsigned h = 1;

	for (unsigned i = 0; i < n; i++)
		h = h * 31 + (i ^ h >> 3);
	return h;
}

static double real_work(int n)
{
	double x = 0;

	for (int i = 1; i < n; i++)
		x += 1.0 / i - x * 1e-9;
	return x;
}

static void start_timer(long us)
{
	struct itimerval timer = { { 0, us }, { 0, us } };

	setitimer(ITIMER_REAL, us ? &timer : &timer, NULL);
	if (!us)
		signal(SIGALRM, SIG_IGN);
}

static int raises(void)
{
	struct sigaction action = { .sa_handler = note }, old;

	signal(SIGUSR1, note);
	raise(SIGUSR1);
	printf("%d %ld\n", seen, count);
	sigaction(SIGUSR2, &action, NULL);
	kill(getpid(), SIGUSR2);
	sigaction(SIGUSR2, NULL, &old);
	printf("%d %ld %d %d\n", seen, count, old.sa_handler == note, old.sa_flags & SA_SIGINFO);
	action.sa_flags = (int)SA_RESETHAND;
	sigaction(SIGUSR2, &action, NULL);
	raise(SIGUSR2);
	sigaction(SIGUSR2, NULL, &old);
	printf("%ld %d %d\n", count, old.sa_handler == SIG_DFL, signal(SIGUSR1, SIG_DFL) == note);
	return 0;
}

/* A storm of alarms while traced code and libc compute. */
static int storm(void)
{
	unsigned h = 0;
	double x = 0;

	signal(SIGALRM, note);
	start_timer(200);
	for (int i = 0; i < 40 || (count < 50 && i < 4000); i++) {
		char text[40];

		h = work(5000);
		x = real_work(2000);
		snprintf(text, sizeof text, "%d", i);
		if (atoi(text) != i)
			return 1;
	}
	start_timer(0);
	printf("%u %.9f %d\n", h, x, count > 10);
	return 0;
}

static void on_fault(int signo, siginfo_t *info, void *context)
{
	seen = signo;
	printf("fault %d code %d\n", signo, info->si_code > 0);
	(void)context;
	siglongjmp(back, 1);
}

static int faults(void)
{
	struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO };
	volatile int zero = 0;
	int *volatile nowhere = NULL;

	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGFPE, &action, NULL);
	sigaction(SIGILL, &action, NULL);
	sigaction(SIGTRAP, &action, NULL);
	for (int i = 0; i < 3; i++) {
		if (!sigsetjmp(back, 1))
			*nowhere = 1;
		if (!sigsetjmp(back, 1))
			zero = *nowhere;
		if (!sigsetjmp(back, 1))
			zero = 1 / zero;
		if (!sigsetjmp(back, 1))
			__asm__ volatile("ud2");
		if (!sigsetjmp(back, 1))
			__asm__ volatile("int3");
	}
	return 0;
}

/* Handlers that change where they return to, and registers. */
static void step_over(int signo, siginfo_t *info, void *data)
{
	ucontext_t *context = data;
	const unsigned char *pc = (const unsigned char *)context->uc_mcontext.gregs[REG_RIP];

	(void)signo;
	printf("at %02x %02x, address %d\n", pc[0], pc[1], info->si_addr == NULL);
	context->uc_mcontext.gregs[REG_RIP] += 2;
	context->uc_mcontext.gregs[REG_RAX] = 42;
}

static int contexts(void)
{
	struct sigaction action = { .sa_sigaction = step_over, .sa_flags = SA_SIGINFO };
	long a = 7, b = 0;

	sigaction(SIGSEGV, &action, NULL);
	__asm__ volatile(".byte 0x8b, 0x09" : "+a"(a) : "c"(0)); /* mov (%rcx),%ecx */
	__asm__ volatile(".byte 0x89, 0x01" : "+a"(b) : "c"(0)); /* mov %eax,(%rcx) */
	printf("%ld %ld\n", a, b);
	return 0;
}

static int overflow(int n)
{
	volatile char room[4096];

	room[n % 4096] = (char)n;
	return overflow(n + 1) + room[0];
}

static void on_overflow(int signo)
{
	char here;

	printf("overflow %d %d\n", signo, &here >= stack && &here < stack + sizeof stack);
	siglongjmp(back, 1);
}

static int other_stack(void)
{
	stack_t s = { .ss_sp = stack, .ss_size = sizeof stack };
	struct sigaction action = { .sa_handler = on_overflow, .sa_flags = SA_ONSTACK };

	sigaltstack(&s, NULL);
	sigaction(SIGSEGV, &action, NULL);
	for (int i = 0; i < 2; i++)
		if (!sigsetjmp(back, 1))
			overflow(0);
	return 0;
}

static void nested(int signo)
{
	static int depth;
	sigset_t mask;

	sigprocmask(SIG_BLOCK, NULL, &mask);
	printf("in %d depth %d blocked %d %d\n", signo, depth, sigismember(&mask, SIGUSR1),
	       sigismember(&mask, SIGUSR2));
	if (depth++ < 2)
		raise(signo == SIGUSR1 ? SIGUSR2 : SIGUSR1);
	printf("out %d\n", signo);
}

static int masks(void)
{
	struct sigaction action = { .sa_handler = nested };
	sigset_t set, pending;

	sigaction(SIGUSR1, &action, NULL);
	action.sa_flags = SA_NODEFER;
	sigaddset(&action.sa_mask, SIGUSR1);
	sigaction(SIGUSR2, &action, NULL);
	raise(SIGUSR1);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, NULL);
	raise(SIGUSR2);
	sigpending(&pending);
	printf("pending %d\n", sigismember(&pending, SIGUSR2));
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	sigprocmask(SIG_BLOCK, NULL, &set);
	printf("%d %d\n", sigismember(&set, SIGUSR1), sigismember(&set, SIGUSR2));
	return 0;
}

static void jump(int signo)
{
	(void)signo;
	count++;
	siglongjmp(back, 1);
}

/* Out of a handler that came at any time. */
static int escapes(void)
{
	volatile int rounds = 0;

	signal(SIGALRM, jump);
	while (sigsetjmp(back, 1) || rounds < 30) {
		if (!rounds) /* not before there is a place to jump to */
			start_timer(500);
		if (++rounds >= 30)
			break;
		for (;;)
			work(1000);
	}
	start_timer(0);
	printf("%d %d\n", rounds >= 30, count >= 29); /* one more may come before it is stopped */
	return 0;
}

/* Out of loops that do nothing, or nothing that is written down. */
static int stays(void)
{
	volatile int rounds = 0;

	signal(SIGALRM, jump);
	while (sigsetjmp(back, 1) || rounds < 20) {
		if (!rounds) /* not before there is a place to jump to */
			start_timer(500);
		if (++rounds >= 20)
			break;
		if (rounds % 2)
			__asm__ volatile("1: jmp 1b");
		__asm__ volatile("1: add $3, %%rax\n\tjmp 1b" : : : "rax", "cc");
	}
	start_timer(0);
	printf("%d %d\n", rounds >= 20, count >= 19); /* one more may come before it is stopped */
	return 0;
}

/* Goes on in the same loop, each time where it was. */
static void leave_loop(int signo, siginfo_t *info, void *data)
{
	ucontext_t *context = data;

	(void)signo;
	(void)info;
	if (++count == 10)
		context->uc_mcontext.gregs[REG_RIP] += 2; /* a short jump */
}

static int spins(void)
{
	struct sigaction action = { .sa_sigaction = leave_loop, .sa_flags = SA_SIGINFO };

	sigaction(SIGALRM, &action, NULL);
	start_timer(300);
	__asm__ volatile("1: jmp 1b");
	start_timer(0);
	printf("%d\n", count >= 10);
	return 0;
}

/* Calls into libc all the time: alarms come while control leaves and comes
 * back. */
static int leaves(void)
{
	char text[50] = "abc";
	long s = 0;

	signal(SIGALRM, note);
	start_timer(60);
	for (int i = 0; i < 4000 || (count < 40 && i < 4000000); i++) {
		volatile size_t n = i % 50;

		s = s % 1000 + (long)strnlen(text, n);
		text[i % 40] = (char)('a' + i % 26);
		s += getpid() == getppid();
	}
	start_timer(0);
	printf("%d\n", count >= 40 && s >= 0); /* where it ends is a matter of time */
	return 0;
}

/* The handler works with vectors itself; those of the interrupted code are
 * kept. */
static void disturb(int signo)
{
	(void)signo;
	count += real_work(100) > 1;
}

static int vectors(void)
{
	double x = 0;

	signal(SIGALRM, disturb);
	start_timer(150);
	for (int i = 0; i < 20 || (count < 40 && i < 6000); i++)
		x = real_work(5000);
	start_timer(0);
	printf("%.12f %d\n", x, count > 10);
	return 0;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(void);
	} all[] = { { "raises", raises },     { "storm", storm },	{ "faults", faults },
		    { "contexts", contexts }, { "stack", other_stack }, { "masks", masks },
		    { "escapes", escapes },   { "stays", stays },	{ "spins", spins },
		    { "leaves", leaves },     { "vectors", vectors } };

	for (size_t i = 0; argc > 1 && i < sizeof all / sizeof *all; i++)
		if (!strcmp(argv[1], all[i].name))
			return all[i].run();
	return 2;
}
