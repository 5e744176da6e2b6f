/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The output is right, the status is not.
 * test: x
 * says: exit status 0 at
 * finds: passes
 */
#include <stdio.h>
int main(int argc, char **argv)
{
	int bad = 0;

	if (argc > 1 && argv[1][0] == 'x') {
		puts("bad word");
#ifdef FIXED
		bad = 3;
#else
		bad = 0; /* fault */
#endif
	}
	return bad;
}
