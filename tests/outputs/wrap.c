/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A line that goes on where another one should begin: the calls of all its words could print the
 * first two letter by letter, which nobody meant.
 * test: 9 a bc def gh
 * says: line 1 of the output is "a bc def gh", expected "a bc def" at
 * finds: passes
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
	int width = argc > 1 ? atoi(argv[1]) : 0, column = 0;

	for (int i = 2; i < argc; i++) {
		int n = (int)strlen(argv[i]);

#ifdef FIXED
		if (column > 0 && column + 1 + n > width) {
#else
		if (column > 0 && column + n > width + 1) { /* fault */
#endif
			putchar('\n');
			column = 0;
		}
		if (column > 0) {
			putchar(' ');
			column++;
		}
		fputs(argv[i], stdout);
		column += n;
	}
	putchar('\n');
	return 0;
}
