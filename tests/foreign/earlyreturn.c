/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The largest of some numbers, given up too early.
 *
 * test: 3 9 4
 * fails: 33
 * faulty: 19
 * fixed: largest = a[i];
 */
#include <assert.h>
#include <stdlib.h>

static int largest_of(const int *a, int n)
{
	int largest = a[0];

	for (int i = 1; i < n; i++)
		if (a[i] > largest)
			return largest;
	return largest;
}

int main(int argc, char **argv)
{
	int a[8], n = 0, largest;

	for (int i = 1; i < argc && n < 8; i++)
		a[n++] = atoi(argv[i]);
	if (n == 0)
		return 2;
	largest = largest_of(a, n);
	for (int i = 0; i < n; i++)
		assert(a[i] <= largest);
	return 0;
}
