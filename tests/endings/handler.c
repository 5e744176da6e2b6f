/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A program that reports its own crash, and ends by another signal, by a status, or by the same
 * signal once more.
 * test: 3 abort
 * ends: SIGSEGV
 * levels: 0
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static const char *how;
static int squares[] = { 0, 1, 4, 9 };
static void report(int signo)
{
	static const char text[] = "it crashed\n";

	if (write(2, text, sizeof text - 1) < 0 || strcmp(how, "exit") == 0)
		_exit(3);
	if (strcmp(how, "abort") == 0)
		abort();
	signal(signo, SIG_DFL);
	raise(signo);
}
static int *square(int n)
{
	return n < 3 ? &squares[n] : NULL; /* fault */
}
int main(int argc, char **argv)
{
	struct sigaction action = { .sa_handler = report };

	how = argv[2];
	sigaction(SIGSEGV, &action, NULL);
	printf("%d\n", *square(atoi(argv[1])));
	return 0;
}
