/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The last line is missing: a loop that ends too early, and the call that would print it was
 * never made.
 * test:
 * says: the output ends after 5 lines, expected "six" at
 * finds: passes
 */
#include <stdio.h>
int main(void)
{
#ifdef FIXED
	for (int i = 1; i <= 6; i++) {
#else
	for (int i = 1; i < 6; i++) { /* fault */
#endif
		if (i == 6)
			puts("six");
		else
			printf("%d\n", i);
	}
	return 0;
}
