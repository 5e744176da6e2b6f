/*
 * Interest on savings, exactly.
 *
 *     program CENTS RATE YEARS [EXPECTED]
 *
 * RATE is in hundredths of a per cent.  Each year the interest is rounded down to a cent and added.
 * The program prints what there is in the end; EXPECTED is checked.  Sums may be as large as long
 * allows.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define PARTS 10000
#define BONUS 3

struct account {
	long cents;
	int rate;
	int years;
};

static long interest(const struct account *account)
{
	long product = account->cents * account->rate;

	return product / PARTS;
}

/* A loyal customer gets BONUS cents for each year that went by. */
static long bonus(const struct account *account)
{
	return (long)account->years * BONUS;
}

static void year(struct account *account)
{
	long gain = interest(account);
	long sum = account->cents + gain;

	account->years++;
	account->cents = sum + bonus(account);
}

static long grow(long cents, int rate, int years)
{
	struct account account = { cents, rate, 0 };

	for (int i = 0; i < years; i++)
		year(&account);
	return account.cents;
}

int main(int argc, char **argv)
{
	long result;

	if (argc < 4)
		return 2;
	result = grow(atol(argv[1]), atoi(argv[2]), atoi(argv[3]));
	printf("%ld\n", result);
	if (argc > 4)
		assert(result == atol(argv[4]));
	return 0;
}
