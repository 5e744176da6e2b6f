/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A runner that runs each test in a process of its own; the second one fails.
 * test:
 * ends: SIGSEGV
 * levels: 0
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
static int squares[] = { 0, 1, 4, 9 };
static int *square(int n)
{
	return n < 3 ? &squares[n] : NULL; /* fault */
}
static void small(void)
{
	if (*square(2) != 4)
		exit(1);
}
static void large(void)
{
	if (*square(3) != 9)
		exit(1);
}
static int run(void (*test)(void))
{
	int status;
	pid_t child = fork();

	if (child == 0) {
		test();
		_exit(0);
	}
	waitpid(child, &status, 0);
	return status != 0;
}
int main(void)
{
	int failed = run(small) + run(large);

	printf("%d failed\n", failed);
	return failed;
}
