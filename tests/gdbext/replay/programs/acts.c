/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One small program with many ways to behave: `acts WHAT ARGS...'.  Compiled
 * by tests/gdbext/replay/run-test.c, and run by replay. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int act_pass(char **args)
{
	(void)args;
	puts("fine");
	return 0;
}

static int act_fail(char **args)
{
	int a = 0, b = a + 1;

	assert(!args[0] || b <= a);
	assert(b <= a);
	return 0;
}

static int act_status(char **args)
{
	return atoi(args[0]);
}

static int act_segv(char **args)
{
	int *nowhere = args[0] ? NULL : (int *)8;

	*nowhere = 1;
	return 0;
}

static int act_abort(char **args)
{
	(void)args;
	abort();
}

static int act_trap(char **args)
{
	(void)args;
	return raise(SIGTRAP);
}

static int act_loop(char **args)
{
	for (volatile int i = 0;; i++)
		if (args[0] && i < 0)
			break;
	return 0;
}

static int act_sleep(char **args)
{
	while (!args[0] || strcmp(args[0], "never"))
		pause();
	return 0;
}

/* Leaves a child that never ends. */
static int act_leave(char **args)
{
	if (!fork())
		act_sleep(args);
	return 0;
}

/* A grandchild in its own session that never ends; then fails if told to. */
static int act_daemon(char **args)
{
	pid_t pid = fork();

	if (!pid) {
		setsid();
		signal(SIGHUP, SIG_IGN);
		if (fork())
			_exit(0);
		act_sleep(args);
	}
	waitpid(pid, NULL, 0);
	if (args[0] && !strcmp(args[0], "stay"))
		act_sleep(args);
	assert(!args[0]);
	return 0;
}

static int act_cat(char **args)
{
	int c;

	(void)args;
	while ((c = getchar()) != EOF)
		putchar(c);
	return 0;
}

static int act_print(char **args)
{
	static char line[1000];

	memset(line, 'x', sizeof line - 1);
	line[sizeof line - 1] = '\n';
	for (long i = 0; i < atol(args[0]); i++)
		fwrite(line, 1, sizeof line, stdout);
	return 0;
}

/* What it prints looks like GDB speaking. */
static int act_mi(char **args)
{
	for (int i = 0; i < 3; i++) {
		printf("*stopped,reason=\"exited-normally\"\n(gdb) \n%d^done\n^error,msg=\"no\"\n",
		       i);
		fflush(stdout);
		fprintf(stderr, "*stopped,reason=\"exited\",exit-code=\"07\"\n^exit\n");
	}
	assert(!args[0]);
	return 0;
}

static int act_chdir(char **args)
{
	char here[4096];

	puts(getcwd(here, sizeof here));
	return chdir(args[0]) || puts(getcwd(here, sizeof here)) < 0;
}

static int act_args(char **args)
{
	for (; *args; args++)
		printf("<%s>", *args);
	return 0;
}

static int act_env(char **args)
{
	(void)args;
	for (char **e = environ; *e; e++)
		puts(*e);
	return 0;
}

static int act_descriptors(char **args)
{
	(void)args;
	for (int fd = 3; fd < 200; fd++)
		if (fcntl(fd, F_GETFD) >= 0)
			printf("%d ", fd);
	return 0;
}

static volatile sig_atomic_t signals;
static void count_signal(int signo)
{
	signals += signo == SIGUSR1 || signo == SIGALRM;
}

static int act_signals(char **args)
{
	(void)args;
	signal(SIGUSR1, count_signal);
	signal(SIGALRM, count_signal);
	raise(SIGUSR1);
	alarm(1);
	while (signals < 2)
		pause();
	printf("%d signals\n", (int)signals);
	return 0;
}

static void *fail_in_thread(void *arg)
{
	int a = arg != NULL;

	assert(a == 0);
	return NULL;
}

static int act_thread(char **args)
{
	pthread_t thread;

	pthread_create(&thread, NULL, fail_in_thread, args);
	return pthread_join(thread, NULL);
}

/* Other ends than the assertion's: it is taken back, or its text is a lie. */
static void leave_with_9(int signo)
{
	(void)signo;
	_exit(9);
}

static int act_handled(char **args)
{
	signal(SIGABRT, leave_with_9);
	return act_fail(args);
}

static int act_lie(char **args)
{
	(void)args;
	fprintf(stderr, "p: p.c:1: main: Assertion `0' failed.\n");
	return 0;
}

static const struct {
	const char *name;
	int (*run)(char **args);
} acts[] = {
	{ "pass", act_pass },	    { "fail", act_fail },	{ "status", act_status },
	{ "segv", act_segv },	    { "abort", act_abort },	{ "trap", act_trap },
	{ "loop", act_loop },	    { "sleep", act_sleep },	{ "leave", act_leave },
	{ "daemon", act_daemon },   { "cat", act_cat },		{ "print", act_print },
	{ "mi", act_mi },	    { "chdir", act_chdir },	{ "args", act_args },
	{ "env", act_env },	    { "signals", act_signals }, { "thread", act_thread },
	{ "handled", act_handled }, { "lie", act_lie },		{ "descriptors", act_descriptors },
};

int main(int argc, char **argv)
{
	for (size_t i = 0; argc > 1 && i < sizeof acts / sizeof *acts; i++)
		if (!strcmp(argv[1], acts[i].name))
			return acts[i].run(argv + 2);
	return 125;
}
