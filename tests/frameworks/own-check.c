/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A checking function of the program's own, with its condition.
 * options: --fail-call same~$edi~==~$esi~--~%d($edi)~for~%d($esi)
 * says: same: 42 for 40 at
 */
#include <stdio.h>
static int bad;
__attribute__((noinline)) static void same(int a, int b)
{
	bad += a != b;
}
static int price(int n)
{
	int p = n * 10;

	if (n > 3)
		p += 2; /* fault */
	return p;
}
int main(void)
{
	same(price(2), 20);
	same(price(4), 40);
	return bad;
}
