/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two values of one line are wrong.
 * test:
 * says: line 2 of the output is "x 3 y 4", expected "x 2 y 5" at
 * finds: passes
 */
#include <stdio.h>
#ifdef FIXED
enum { A = 2, B = 5 };
#else
enum { A = 3, B = 4 };
#endif
int main(void)
{
	int a = A;
	int b = B;

	puts("begin");
	printf("x %d y %d\n", a, b); /* fault */
	return 0;
}
