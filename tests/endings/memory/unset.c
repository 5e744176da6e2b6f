/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A limit is only set for large accounts.
 * test: 80
 * right: 800
 * says: uninitialised value: a branch depends on it
 */
#include <stdio.h>
#include <stdlib.h>
struct account {
	int balance, limit;
};
static struct account *open_account(int start)
{
	struct account *a = malloc(sizeof(*a));

	a->balance = start;
	if (start > 100) /* fault */
		a->limit = 50;
	return a;
}
static int withdraw(struct account *a, int n)
{
	if (a->balance + a->limit < n) /* wrong */
		return -1;
	a->balance -= n;
	return 0;
}
int main(int argc, char **argv)
{
	withdraw(open_account(argc > 1 ? atoi(argv[1]) : 800), 30);
	puts("ok");
	return 0;
}
