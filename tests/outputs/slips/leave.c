/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A branch with an `else' should leave the loop.
 *
 * test: 5 0 9 0 3
 * change: `break' put behind it
 */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++) {
		int n = atoi(argv[i]);

		if (n == 0) {
			printf("end\n"); /* fault */
#ifdef FIXED
			break;
#endif
		} else {
			printf("%d\n", n);
		}
	}
	return 0;
}
