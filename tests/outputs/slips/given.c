/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A result that is given through a pointer is forgotten.
 * test: 3 9 4 20 6
 * change: `*at = i' put before it
 */
#include <stdio.h>
#include <stdlib.h>
static int largest(char **words, int n, int *at)
{
	int most = -1;

	for (int i = 1; i < n; i++) {
		if (atoi(words[i]) > most) {
#ifdef FIXED
			*at = i;
#endif
			most = atoi(words[i]); /* fault */
		}
	}
	return most;
}
int main(int argc, char **argv)
{
	int at = 0, most = largest(argv, argc, &at);

	printf("%d, the number %d\n", most, at);
	return 0;
}
