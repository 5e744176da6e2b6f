/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A wrong value in `twice', and a loop of N rounds that has nothing to do with it: before it
 * (WHERE 0), between it and the failure (1), or around the failure's own statements (2).  An
 * optimizer must not see the value when it compiles the assertion, nor that nobody reads the
 * noise. */
#include <assert.h>

unsigned noise;

__attribute__((noipa)) static int twice(int x)
{
	int y = x + x + 1; /* fault */
	return y;
}

static void spin(int n)
{
	for (int i = 0; i < n; i++)
		noise = noise * 31 + (unsigned)i;
}

int main(void)
{
	int v = 0;

	if (WHERE == 0)
		spin(N);
	for (int i = 0; i < (WHERE == 2 ? N : 1); i++) {
		noise ^= (unsigned)i;
		if (i == (WHERE == 2 ? N / 2 : 0))
			v = twice(4);
	}
	if (WHERE == 1)
		spin(N);
	assert(v == 8);
	return 0;
}
