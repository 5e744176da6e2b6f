/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vfprintf in a function of the program's own, not buffered, to standard error.
 * test:
 * says: line 2 of the error output is "b: 7 left", expected "b: 8 left" at
 * finds: passes
 */
#include <stdarg.h>
#include <stdio.h>
static void say(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
}
int main(void)
{
	int left = 9;

	say("%c: %d left\n", 'a', left);
#ifdef FIXED
	left -= 1;
#else
	left -= 2; /* fault */
#endif
	say("%c: %d left\n", 'b', left);
	return 0;
}
