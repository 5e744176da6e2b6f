/*
 * Opening hours, version 1.
 *
 *     program DAY HOUR [EXPECTED]
 *
 * Days are 0 (Monday) to 6.  The shop is open from OPEN to CLOSE, on Saturdays until NOON, never on
 * Sundays; the hour of closing is closed.  The program prints the hours until it closes, 0 when it
 * is closed; EXPECTED is checked.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define OPEN 9
#define CLOSE 18
#define NOON 13

static int closing_hour(int day)
{
	if (day == 6)
		return OPEN;
	if (day == 5)
		return NOON;
	return CLOSE;
}

static int hours_left(int day, int hour)
{
	int end = closing_hour(day);

	if (hour < OPEN)
		return 0;
	if (hour >= end)
		return 0;
	return end - hour;
}

int main(int argc, char **argv)
{
	int day, left;

	if (argc < 3)
		return 2;
	day = atoi(argv[1]);
	if (day < 0 || day > 6)
		return 2;
	left = hours_left(day, atoi(argv[2]));
	printf("%d\n", left);
	if (argc > 3)
		assert(left == atoi(argv[3]));
	return 0;
}
