/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * libtap: all checks are made; the status is 0 although one fails.
 * says: libtap: not ok at
 */
#include "own/tap.h"
static int power(int base, int n)
{
	int p = base; /* fault */

	while (n-- > 0)
		p *= base;
	return p;
}
int main(void)
{
	is("tap", "tap");
	ok(power(1, 5) == 1);
	ok(power(2, 5) == 32);
	return 0;
}
