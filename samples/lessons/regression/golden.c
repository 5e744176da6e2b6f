/*
 * Opening hours, version 2.
 *
 *     program DAY HOUR [EXPECTED]
 *
 * Days are 0 (Monday) to 6.  The shop is open from OPEN to CLOSE, on Saturdays until NOON, never on
 * Sundays; the hour of closing is closed.  The program prints the hours until it closes, 0 when it
 * is closed; EXPECTED is checked.
 *
 * New in version 2: tables instead of conditions, and names for the days.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define OPEN 9
#define CLOSE 18
#define NOON 13

enum day { MONDAY, SATURDAY = 5, SUNDAY = 6, DAYS };

struct hours {
	int from, to;
};

static int is_day(int day)
{
	return day >= MONDAY && day < DAYS;
}

static struct hours hours_on(int day)
{
	struct hours hours = { OPEN, CLOSE };

	if (day == SATURDAY)
		hours.to = NOON;
	if (day == SUNDAY)
		hours.to = hours.from;
	return hours;
}

static int is_open(const struct hours *hours, int hour)
{
	return hour >= hours->from && hour < hours->to;
}

static int hours_left(int day, int hour)
{
	struct hours hours = hours_on(day);
	int left = 0;

	if (is_open(&hours, hour))
		left = hours.to - hour;
	return left;
}

int main(int argc, char **argv)
{
	int day, left;

	if (argc < 3)
		return 2;
	day = atoi(argv[1]);
	if (!is_day(day))
		return 2;
	left = hours_left(day, atoi(argv[2]));
	printf("%d\n", left);
	if (argc > 3)
		assert(left == atoi(argv[3]));
	return 0;
}
