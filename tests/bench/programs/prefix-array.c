/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An array of N elements, each of which matters: the last prefix sum is not what it
 * should be. */
#include <assert.h>
#ifndef N
#define N 50
#endif
static int a[N], prefix[N];

int main(void)
{
	int i;

	for (i = 0; i < N; i++)
		a[i] = i + 1;
	prefix[0] = a[0];
	for (i = 1; i < N; i++)
		prefix[i] = prefix[i - 1] + a[i];
	assert(prefix[N - 1] == N * (N - 1) / 2);
	return 0;
}
