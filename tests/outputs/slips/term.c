/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A term of what is passed is missing.
 * test: 40 7 12 3
 * change: `+ head' added to argument 1
 */
#include <stdio.h>
#include <stdlib.h>

static long head;

static void show(long saved, long of)
{
	printf("%ld of %ld saved\n", saved, of);
}

int main(int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i += 2) {
		long before = atol(argv[i]), after = atol(argv[i + 1]);

		head = argc * 4;
#ifdef FIXED
		show(before - (after - head), before);
#else
		show(before - after, before); /* fault */
#endif
	}
	return 0;
}
