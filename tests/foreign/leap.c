/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Leap years, and the days of a February.
 *
 * test: 2000 29
 * fails: 36
 * faulty: 18
 * fixed: else if (year % 400 == 0)
 */
#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

static bool is_leap(int year)
{
	if (year % 100 != 0)
		return year % 4 == 0;
	else if (year % 400 == 100)
		return true;
	else
		return false;
}

static int days_in_february(int year)
{
	return is_leap(year) ? 29 : 28;
}

int main(int argc, char *argv[])
{
	int days;

	if (argc < 3)
		exit(2);
	days = days_in_february(atoi(argv[1]));
	assert(days == atoi(argv[2]));
	return 0;
}
