/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Accounts with a limit, and transfers between them.
 *
 * test: 0:1:30 1:2:20
 * prints: done 2
 * prints: ann 70 in 1
 * prints: bob 30 in 2
 * prints: cid 20 in 1
 * faulty: 48
 * fixed: 	target->moves++;
 */
#include <stdio.h>
#include <stdlib.h>

#define ACCOUNTS 3

struct account {
	const char *owner;
	long balance;
	long limit;
	int moves;
};

static struct account accounts[ACCOUNTS] = {
	{ "ann", 100, 0, 0 },
	{ "bob", 20, 50, 0 },
	{ "cid", 0, 10, 0 },
};

static int can_pay(const struct account *a, long amount)
{
	return a->balance + a->limit >= amount;
}

static int transfer(int from, int to, long amount)
{
	struct account *source = &accounts[from];
	struct account *target = &accounts[to];

	if (from == to || amount <= 0)
		return 0;
	if (!can_pay(source, amount))
		return 0;
	source->balance -= amount;
	source->moves++;
	target->balance += amount;
	source->moves++;
	return 1;
}

static int valid(int index)
{
	return index >= 0 && index < ACCOUNTS;
}

static int run(const char *order)
{
	int from, to;
	long amount;

	if (sscanf(order, "%d:%d:%ld", &from, &to, &amount) != 3)
		return 0;
	if (!valid(from) || !valid(to))
		return 0;
	return transfer(from, to, amount);
}

int main(int argc, char **argv)
{
	int done = 0;

	for (int i = 1; i < argc; i++)
		done += run(argv[i]);
	printf("done %d\n", done);
	for (int i = 0; i < ACCOUNTS; i++)
		printf("%s %ld in %d\n", accounts[i].owner, accounts[i].balance,
		       accounts[i].moves);
	return 0;
}
