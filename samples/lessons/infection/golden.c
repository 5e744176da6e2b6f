/*
 * A car park: what a visit costs.
 *
 *     program ARRIVAL DEPARTURE MEMBER [EXPECTED]
 *
 * Times are minutes after midnight.  Each hour that was begun costs HOUR cents, members pay half,
 * and nobody pays more than DAY cents.  The program prints the fee; with EXPECTED it also checks
 * that the fee is what was expected.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define HOUR 250
#define DAY 2000

struct visit {
	int arrival, departure; /* minutes */
	int member;
	int minutes, hours, fee;
};

static void measure(struct visit *visit)
{
	visit->minutes = visit->departure - visit->arrival;
	if (visit->minutes < 0)
		visit->minutes += 24 * 60; /* it went past midnight */
}

/* Begun hours count as whole ones. */
static void count_hours(struct visit *visit)
{
	visit->hours = visit->minutes / 60;
	if (visit->minutes % 60 > 0)
		visit->hours++;
}

static void charge(struct visit *visit)
{
	visit->fee = visit->hours * HOUR;
	if (visit->member)
		visit->fee = visit->fee / 2;
	if (visit->fee > DAY)
		visit->fee = DAY;
}

static int fee_of(int arrival, int departure, int member)
{
	struct visit visit = { arrival, departure, member, 0, 0, 0 };

	measure(&visit);
	count_hours(&visit);
	charge(&visit);
	return visit.fee;
}

int main(int argc, char **argv)
{
	int fee;

	if (argc < 4) {
		fprintf(stderr, "usage: %s ARRIVAL DEPARTURE MEMBER [EXPECTED]\n", argv[0]);
		return 2;
	}
	fee = fee_of(atoi(argv[1]), atoi(argv[2]), atoi(argv[3]));
	printf("%d\n", fee);
	if (argc > 4)
		assert(fee == atoi(argv[4]));
	return 0;
}
