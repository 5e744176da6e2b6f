/*
 * Transfers between accounts.
 *
 *     program BALANCE BALANCE BALANCE [FROM TO AMOUNT]... [=EXPECTED]
 *
 * There are three accounts, numbered 0 to 2.  A transfer takes AMOUNT and FEE from one and gives
 * AMOUNT to the other; from an account to itself it costs the fee only.  An AMOUNT of 0 gives half
 * of what is left.  Nothing is done where there is too little money, or where the other account
 * would have more than MOST.  The program prints what all have in the end; `=N' is checked.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define ACCOUNTS 3
#define FEE 2
#define MOST 1000

struct account {
	int balance;
	int transfers;
};

static void transfer(struct account *from, struct account *to, int amount)
{
	int paid = amount + FEE;
	int has = to->balance;

	if (from->balance < paid || has + amount > MOST)
		return;
	from->balance = from->balance - paid;
	to->balance = to->balance + amount;
	from->transfers++;
}

/* Gives half of what is left when the fee is paid. */
static void share(struct account *from, struct account *to)
{
	int half = (from->balance - FEE) / 2;
	int has = to->balance;

	if (half < 1 || has + half > MOST)
		return;
	from->balance = from->balance - half - FEE;
	to->balance = to->balance + half;
	from->transfers++;
}

static int sum(const struct account *accounts)
{
	int total = 0;

	for (int i = 0; i < ACCOUNTS; i++)
		total += accounts[i].balance;
	return total;
}

static int is_account(int number)
{
	return number >= 0 && number < ACCOUNTS;
}

int main(int argc, char **argv)
{
	struct account accounts[ACCOUNTS] = { { 0, 0 } };
	int n = argc, expected = -1, total;

	if (argc > 1 && argv[argc - 1][0] == '=') {
		expected = atoi(argv[argc - 1] + 1);
		n--;
	}
	if (n < 4)
		return 2;
	for (int i = 0; i < ACCOUNTS; i++)
		accounts[i].balance = atoi(argv[1 + i]);
	for (int i = 4; i + 2 < n; i += 3) {
		int from = atoi(argv[i]), to = atoi(argv[i + 1]), amount = atoi(argv[i + 2]);

		if (!is_account(from) || !is_account(to))
			continue;
		if (amount)
			transfer(&accounts[from], &accounts[to], amount);
		else
			share(&accounts[from], &accounts[to]);
	}
	total = sum(accounts);
	printf("=%d\n", total);
	if (expected >= 0)
		assert(total == expected);
	return 0;
}
