/*
 * In how many ways can an amount be paid?
 *
 *     program AMOUNT KINDS [EXPECTED]
 *
 * There are coins of 1, 2, FIVE, TEN and 20; the first KINDS of them may be used, each as often as
 * one likes.  The program prints the number of ways; EXPECTED is checked.  What cannot be paid has
 * no way, and nothing can be paid in one way: with no coin at all.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define FIVE 5
#define TEN 10

static int coin(int kind)
{
	int value = 20;

	switch (kind) {
	case 0:
		value = 1;
		break;
	case 1:
		value = 2;
		break;
	case 2:
		value = FIVE;
		break;
	case 3:
		value = TEN;
		break;
	}
	return value;
}

/* Ways to pay amount with the coins from kind 0 to kind `last'. */
static int ways(int amount, int last)
{
	int with, without;

	if (amount == 0)
		return 1;
	if (amount < 0 || last < 0)
		return 0;
	with = ways(amount - coin(last), last);
	without = ways(amount, last - 1);
	return with + without;
}

int main(int argc, char **argv)
{
	int amount, kinds, n;

	if (argc < 3)
		return 2;
	amount = atoi(argv[1]);
	kinds = atoi(argv[2]);
	if (kinds < 1 || kinds > 5 || amount < 0)
		return 2;
	n = ways(amount, kinds - 1);
	printf("%d\n", n);
	if (argc > 3)
		assert(n == atoi(argv[3]));
	return 0;
}
