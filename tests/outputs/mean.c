/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An integer division; printf, a floating-point number.
 * test:
 * says: line 1 of the output is "mean 2.00", expected "mean 2.33" at
 * finds: passes
 */
#include <stdio.h>
#ifdef FIXED
#define PARTS 3.0
#else
#define PARTS 3
#endif
int main(void)
{
	int v[] = { 1, 2, 4 }, sum = 0;
	double mean;

	for (int i = 0; i < 3; i++)
		sum += v[i];
	mean = sum / PARTS; /* fault */
	printf("mean %.2f\n", mean);
	return 0;
}
