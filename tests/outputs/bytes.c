/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A wrong byte in a buffer of the program's own, written at once; write.
 * test:
 * says: line 1 of the output is "0123x5", expected "012345" at
 * finds: passes
 */
#include <unistd.h>
int main(void)
{
	char line[7];

	for (int i = 0; i < 6; i++)
		line[i] = (char)('0' + i);
	line[6] = '\n';
#ifndef FIXED
	line[4] = 'x'; /* fault */
#endif
	return write(1, line, sizeof(line)) != sizeof(line);
}
