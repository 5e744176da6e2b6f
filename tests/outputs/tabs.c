/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each tab of a line goes to the wrong place, and no other constant mends it.
 * test:
 * says: line 1 of the output is "250        and        more", expected "250     and     more": 8 blanks in place of 5 blanks at column 4 at
 * finds: passes
 */
#include <stdio.h>

enum { TAB = 8 };

int main(void)
{
	int column = 0;

	for (const char *c = "250\tand\tmore\n"; *c; c++)
		if (*c == '\t') {
#ifdef FIXED
			int spaces = TAB - column % TAB;
#else
			int spaces = TAB;
#endif
			column += spaces;
			do
				putchar(' ');
			while (--spaces); /* fault */
		} else {
			column++;
			putchar(*c);
		}
	return 0;
}
