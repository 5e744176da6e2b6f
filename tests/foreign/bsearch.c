/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Binary search in a half-open range.
 *
 * test: 7 1 3 5 7
 * fails: 42
 * faulty: 24
 * fixed: low = mid + 1;
 */
#include <assert.h>
#include <stdlib.h>

static int find(const int *a, int n, int key)
{
	int low = 0;
	int high = n;

	while (low < high) {
		int mid = (low + high) / 2;

		if (a[mid] == key)
			return mid;
		if (a[mid] < key)
			low = mid + 2;
		else
			high = mid;
	}
	return -1;
}

int main(int argc, char **argv)
{
	int a[32];
	int key, n = 0, at;

	if (argc < 2)
		return 2;
	key = atoi(argv[1]);
	for (int i = 2; i < argc && n < 32; i++)
		a[n++] = atoi(argv[i]);
	at = find(a, n, key);
	assert(at >= 0 && a[at] == key);
	return 0;
}
