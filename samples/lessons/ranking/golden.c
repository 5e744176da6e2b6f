/*
 * A checksum of a number, digit by digit.
 *
 *     program NUMBER [EXPECTED]
 *
 * From the right, each second digit is doubled; a double above 9 loses 9.  The program prints the sum
 * of all digits, rounded up to the next ten, minus the sum: the check digit.  Signs and blanks are
 * left out and reported: how many there were stands before the digit.  EXPECTED is checked.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define BASE 10

static int reports;

/* Something that is no digit: the user may have mistyped. */
static void report(char c)
{
	reports++;
	fprintf(stderr, "left out: %c\n", c);
}

static int doubled(int digit)
{
	int twice = 2 * digit;

	if (twice > 9)
		twice -= 9;
	return twice;
}

static int length_of(const char *text)
{
	int n = 0;

	while (text[n])
		n++;
	return n;
}

static int digit_sum(const char *text)
{
	int sum = 0, place = 0;

	for (int i = length_of(text) - 1; i >= 0; i--) {
		int digit = text[i] - '0';

		if (digit < 0 || digit > 9) {
			report(text[i]);
			continue;
		}
		if (place % 2 == 0)
			digit = doubled(digit);
		sum += digit;
		place++;
	}
	return sum;
}

static int check_digit(const char *text)
{
	int sum = digit_sum(text);
	int over = sum % BASE;

	if (over == 0)
		return 0;
	return BASE - over;
}

int main(int argc, char **argv)
{
	int digit;

	if (argc < 2)
		return 2;
	digit = check_digit(argv[1]);
	printf("%d\n", BASE * reports + digit);
	if (argc > 2) {
		assert(digit == atoi(argv[2]) % BASE);
		assert(reports == atoi(argv[2]) / BASE);
	}
	return 0;
}
