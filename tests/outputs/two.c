/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two faults: what mends the first one gets further.
 * test:
 * says: line 2 of the output is "b 3", expected "b 2" at
 * finds: further
 */
#include <stdio.h>
#ifdef FIXED
enum { B = 2 };
#define LAST "e"
#else
enum { B = 3 };
#define LAST "x"
#endif
int main(void)
{
	int b;

	puts("a 1");
	b = B; /* fault */
	printf("b %d\n", b);
	puts("c 3");
	puts("d 4");
	puts(LAST);
	return 0;
}
