/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A line is missing, and what is printed behind it tells which value was wrong.
 * test: bank ann 100 ann bob 50 ann eve 49.60
 * says: line 1 of the output should be "ann cannot pay 49.60", which is missing at
 * finds: passes
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct account {
	char owner[16];
	double balance;
	struct account *next;
};
static struct account *first;
static struct account *get(const char *owner)
{
	struct account *a;
	for (a = first; a; a = a->next)
		if (strcmp(a->owner, owner) == 0)
			return a;
	a = calloc(1, sizeof(*a));
	strncpy(a->owner, owner, sizeof(a->owner) - 1);
	a->next = first;
	return first = a;
}
static int transfer(struct account *from, struct account *to, double amount)
{
	double fee = amount * 0.01;
	if (from->balance < amount + fee) {
		printf("%s cannot pay %.2f\n", from->owner, amount);
		return -1;
	}
#ifdef FIXED
	from->balance -= amount + fee;
#else
	from->balance -= amount - fee; /* fault */
#endif
	to->balance += amount;
	return 0;
}
int main(int argc, char **argv)
{
	for (int i = 1; i + 2 < argc; i += 3) {
		double amount = atof(argv[i + 2]);
		if (strcmp(argv[i], "bank") == 0)
			get(argv[i + 1])->balance += amount;
		else
			transfer(get(argv[i]), get(argv[i + 1]), amount);
	}
	for (struct account *a = first; a; a = a->next)
		printf("%-10s %8.2f\n", a->owner, a->balance);
	return 0;
}
