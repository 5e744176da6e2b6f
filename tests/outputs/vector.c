/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pieces of a line that are written at once; writev.
 * test: 3 4
 * says: line 2 of the output is "sum 6", expected "sum 7" at
 * finds: passes
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
static void put(const char *label, int value)
{
	char number[16];
	struct iovec line[3] = { { (void *)label, strlen(label) }, { number, 0 }, { "\n", 1 } };

	line[1].iov_len = (size_t)sprintf(number, "%d", value);
	writev(1, line, 3);
}
int main(int argc, char **argv)
{
	int a = atoi(argv[1]), b = atoi(argv[2]), sum = a + b;

#ifndef FIXED
	sum = a * b / 2; /* fault */
#endif
	put("count ", argc - 1);
	put("sum ", sum);
	return 0;
}
