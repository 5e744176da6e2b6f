/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A floating-point number that is stored where a function says: the text gives no type.
 * test: 1
 * says: line 1 of the output is "12.5", expected "2.5" at
 * finds: passes
 */
#include <stdio.h>
#include <stdlib.h>
#ifdef FIXED
enum { WRONG = 0 };
#else
enum { WRONG = 10 };
#endif
struct row {
	int n;
	double *cells;
};
static struct row *row;

static double *cell(int i)
{
	return &row->cells[i];
}

int main(int argc, char **argv)
{
	(void)argv;
	row = calloc(1, sizeof *row);
	row->cells = calloc(4, sizeof *row->cells);
	*cell(argc) = argc + 0.5 + WRONG; /* fault */
	printf("%g\n", *cell(argc));
	return 0;
}
