/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A null pointer where the others point to static objects.
 * test: *
 * ends: SIGSEGV
 * levels: 0
 */
#include <stdio.h>
#include <stdlib.h>
struct op {
	char sign;
	int (*f)(int, int);
};
static int add(int a, int b)
{
	return a + b;
}
static int sub(int a, int b)
{
	return a - b;
}
static int mul(int a, int b)
{
	return a * b;
}
static const struct op ops[] = { { '+', add }, { '-', sub }, { 'x', mul } };
static const struct op *find(char c)
{
	for (int i = 0; i < 3; i++)
		if (ops[i].sign == c) /* fault */
			return &ops[i];
	return NULL;
}
int main(int argc, char **argv)
{
	char c = argv[1][0];
	if (c == '/')
		c = '+';
	const struct op *o = find(c);
	printf("%d\n", o->f(6, 3));
	return 0;
}
