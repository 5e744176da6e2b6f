/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Greatest common divisor.
 *
 * test: 7 3
 * fails: 37
 * faulty: 16
 * fixed: while (b > 0) {
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static int gcd(int a, int b)
{
	while (b > 1) {
		int rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

int main(int argc, char **argv)
{
	int a, b, g;

	if (argc != 3) {
		puts("two numbers, please");
		return 1;
	}
	a = atoi(argv[1]);
	b = atoi(argv[2]);
	g = gcd(a, b);
	printf("%d\n", g);
	assert(a % g == 0 && b % g == 0);
	return 0;
}
