/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `crashes WHAT': ways to die.
 *
 * ways: write read call divide abort assert overflow illegal trap kill term exit
 */
#include <assert.h>
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
	return 0;
}
