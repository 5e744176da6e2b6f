/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Quicksort of numbers.
 *
 * test: 4 9 2 7 7 1 3
 * faulty: 44
 * fixed: 	quicksort(v, middle + 1, high);
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static void swap(int *a, int *b)
{
	int t = *a;

	*a = *b;
	*b = t;
}

static int partition(int *v, int low, int high)
{
	int pivot = v[high];
	int border = low;

	for (int i = low; i < high; i++) {
		if (v[i] < pivot) {
			swap(&v[i], &v[border]);
			border++;
		}
	}
	swap(&v[border], &v[high]);
	return border;
}

static void quicksort(int *v, int low, int high)
{
	int middle;

	if (low >= high)
		return;
	middle = partition(v, low, high);
	quicksort(v, low, middle - 1);
	quicksort(v, middle + 2, high);
}

static int is_sorted(const int *v, int n)
{
	for (int i = 1; i < n; i++)
		if (v[i - 1] > v[i])
			return 0;
	return 1;
}

static void print(const int *v, int n)
{
	for (int i = 0; i < n; i++)
		printf("%d%c", v[i], i == n - 1 ? '\n' : ' ');
}

int main(int argc, char **argv)
{
	int numbers[32];
	int n = 0;

	for (int i = 1; i < argc && n < 32; i++)
		numbers[n++] = atoi(argv[i]);
	print(numbers, n);
	quicksort(numbers, 0, n - 1);
	print(numbers, n);
	assert(is_sorted(numbers, n));
	return 0;
}
