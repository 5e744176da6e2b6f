/*
 * Who is the boss of whom?
 *
 *     program NUMBER BOSS [NUMBER BOSS ...]
 *
 * Each pair is a person and the person's boss; 0 means nobody.  Everybody is entered first, then
 * bosses are looked up, and then the program walks from each person up to the top and prints the sum
 * of all distances.  A boss who was never entered becomes OUTSIDE, who has no boss.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 8
#define OUTSIDE 99

struct person {
	int number;
	int boss_number;
	struct person *boss; /* NULL = at the top */
};

struct firm {
	struct person people[MOST];
	struct person outside;
	int n;
};

static void enter(struct firm *firm, int number, int boss)
{
	struct person *person = &firm->people[firm->n];

	person->number = number;
	person->boss_number = boss;
	person->boss = NULL;
	firm->n++;
}

static struct person *find(struct firm *firm, int number)
{
	struct person *found = &firm->outside;

	for (int i = 0; i < firm->n; i++)
		if (firm->people[i].number == number)
			found = &firm->people[i];
	return found;
}

static void link_bosses(struct firm *firm)
{
	for (int i = 0; i < firm->n; i++) {
		struct person *person = &firm->people[i];

		if (person->boss_number != 0)
			person->boss = find(firm, person->boss_number);
	}
}

static int distance(const struct person *person)
{
	int steps = 0;

	while (person->boss_number != 0) {
		person = person->boss;
		steps++;
	}
	return steps;
}

int main(int argc, char **argv)
{
	static struct firm firm = { .outside = { OUTSIDE, 0, NULL } };
	int sum = 0;

	for (int i = 1; i + 1 < argc && firm.n < MOST; i += 2)
		enter(&firm, atoi(argv[i]), atoi(argv[i + 1]));
	link_bosses(&firm);
	for (int i = 0; i < firm.n; i++)
		sum += distance(&firm.people[i]);
	printf("%d\n", sum);
	return 0;
}
