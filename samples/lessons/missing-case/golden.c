/*
 * How long is it?  Sums up durations.
 *
 *     program TEXT [EXPECTED]
 *
 * TEXT is a list such as "1h30m, 45s 2m": numbers with a unit (d, h, m, s), with blanks, commas or
 * plus signs between them.  A number without a unit counts as seconds.  The program prints the sum
 * in seconds; EXPECTED is checked.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define DAY_HOURS 24

static int is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int is_separator(char c)
{
	return c == ' ' || c == ',' || c == '+';
}

/* The seconds of a unit; a separator and the end stand for seconds, 0 is no unit. */
static int seconds_in(char unit)
{
	int seconds = 0;

	if (unit == 's' || unit == '\0' || is_separator(unit))
		seconds = 1;
	else if (unit == 'm')
		seconds = 60;
	else if (unit == 'h')
		seconds = 3600;
	else if (unit == 'd')
		seconds = DAY_HOURS * 3600;
	return seconds;
}

static int total(const char *text)
{
	int sum = 0, number = 0, open = 0;

	for (int i = 0;; i++) {
		char c = text[i];

		if (is_digit(c)) {
			number = 10 * number + (c - '0');
			open = 1;
		} else if (open) {
			sum += number * seconds_in(c);
			number = 0;
			open = 0;
		}
		if (c == '\0')
			break;
	}
	return sum;
}

int main(int argc, char **argv)
{
	int sum;

	if (argc < 2)
		return 2;
	sum = total(argv[1]);
	printf("%d\n", sum);
	if (argc > 2)
		assert(sum == atoi(argv[2]));
	return 0;
}
