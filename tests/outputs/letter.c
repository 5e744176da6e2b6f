/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each letter is one off: several executions of a line have to change; putchar.
 * test:
 * says: line 1 of the output is "ifmmp", expected "khoor" at
 * finds: passes
 */
#include <stdio.h>
#ifdef FIXED
enum { SHIFT = 3 };
#else
enum { SHIFT = 1 };
#endif
int main(void)
{
	const char *text = "hello";

	for (int i = 0; text[i]; i++) {
		char c = (char)(text[i] + SHIFT); /* fault */
		putchar(c);
	}
	putchar('\n');
	return 0;
}
