/*
 * A thermostat: how long the heating runs in an hour.
 *
 *     program WANTED OUTSIDE READING... [EXPECTED after `=']
 *
 * Readings are tenths of a degree, at least one.  The room's temperature is their mean, corrected
 * by what the outer wall takes.  The heating runs for GAIN seconds for each tenth that is missing,
 * at most for an hour.  It prints the seconds; a last argument `=N' is checked.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define GAIN 40
#define WALL 16

static int mean(const int *readings, int n)
{
	int total = 0;

	for (int i = 0; i < n; i++)
		total += readings[i];
	return total / n;
}

/* The sensor hangs on the outer wall: the colder it is outside, the more it reads too little. */
static int corrected(int reading, int outside)
{
	int difference = reading - outside;
	int loss = difference / WALL;

	return reading + loss;
}

static int missing(int wanted, int room)
{
	int gap = wanted - room;

	if (gap < 0)
		gap = 0;
	return gap;
}

static int seconds(int gap)
{
	int time = gap * GAIN;

	if (time > 3600)
		time = 3600;
	return time;
}

int main(int argc, char **argv)
{
	int readings[16], n = 0, room, gap, time, expected = -1;

	for (int i = 3; i < argc && n < 16; i++) {
		if (argv[i][0] == '=')
			expected = atoi(argv[i] + 1);
		else
			readings[n++] = atoi(argv[i]);
	}
	if (n == 0)
		return 2;
	room = corrected(mean(readings, n), atoi(argv[2]));
	gap = missing(atoi(argv[1]), room);
	time = seconds(gap);
	printf("=%d\n", time);
	if (expected >= 0)
		assert(time == expected);
	return 0;
}
