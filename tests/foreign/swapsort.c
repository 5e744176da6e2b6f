/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Selection sort whose exchange loses a value.
 *
 * test: 2 1
 * fails: 25
 * faulty: 24
 * fixed: a[i] = t;
 */
#include <assert.h>
#include <stdlib.h>

static void selection_sort(int a[], int n)
{
	for (int i = 0; i < n; i++) {
		int least = i;
		int t;

		for (int j = i + 1; j < n; j++)
			if (a[j] < a[least])
				least = j;
		t = a[least];
		a[least] = a[i];
		a[i] = least;
		assert(a[i] == t);
	}
}

int main(int argc, char **argv)
{
	int numbers[10], n = 0;

	while (n < argc - 1 && n < 10) {
		numbers[n] = atoi(argv[n + 1]);
		n++;
	}
	selection_sort(numbers, n);
	return 0;
}
