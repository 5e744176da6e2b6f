/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A function of the library fills less than it should; what would be right is an expression that
 * the function has elsewhere.
 * test: 5 3
 * change: `w * h' passed as argument 3
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char *make(int w, int h)
{
	char *cell = malloc(w * h + 1);
	memset(cell, 0, w * h + 1);
#ifdef FIXED
	memset(cell, '.', w * h);
#else
	memset(cell, '.', sizeof(cell)); /* fault */
#endif
	return cell;
}
int main(int argc, char **argv)
{
	int w = argc > 2 ? atoi(argv[1]) : 0, h = argc > 2 ? atoi(argv[2]) : 0;
	char *cell = make(w, h);
	for (int y = 0; y < h; y++)
		printf("%.*s\n", w, cell + y * w);
	return 0;
}
