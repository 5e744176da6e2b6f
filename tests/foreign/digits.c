/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counting digits with do and while.
 *
 * test: 1234 4
 * fails: 28
 * faulty: 19
 * fixed: n /= 10;
 */
#include <assert.h>
#include <stdlib.h>

static int digits(long n)
{
	int count = 0;

	do {
		count++;
		n /= 100;
	} while (n != 0);
	return count;
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	assert(digits(atol(argv[1])) == atoi(argv[2]));
	return 0;
}
