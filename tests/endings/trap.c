/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A trap of the compiler's.
 * test: 5
 * ends: SIGILL
 * levels: 0
 */
#include <stdio.h>
#include <stdlib.h>
enum kind { A, B, C };
static enum kind classify(int x)
{
	return x < 10 ? A : x < 100 ? B : C;
}
static int cost(enum kind k)
{
	switch (k) {
	case A:
		return 1;
	case B:
		return 5;
	default:
		__builtin_trap();
	}
}
int main(int argc, char **argv)
{
	int x = atoi(argv[1]);
	int scaled = x * 100; /* fault */
	printf("%d\n", cost(classify(scaled)));
	return 0;
}
