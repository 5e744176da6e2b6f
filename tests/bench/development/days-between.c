/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Days between two dates.
 *
 * test: 2000 2 27 2000 3 2
 * prints: 4 days
 * faulty: 22
 * fixed: 		return year % 400 == 0;
 */
#include <stdio.h>
#include <stdlib.h>

struct date {
	int year, month, day;
};

static const int lengths[12] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };

static int is_leap(int year)
{
	if (year % 100 == 0)
		return year % 200 == 100;
	return year % 4 == 0;
}

static int days_in_month(int year, int month)
{
	if (month == 2 && is_leap(year))
		return 29;
	return lengths[month - 1];
}

static void next_day(struct date *d)
{
	d->day++;
	if (d->day > days_in_month(d->year, d->month)) {
		d->day = 1;
		d->month++;
	}
	if (d->month > 12) {
		d->month = 1;
		d->year++;
	}
}

static int compare(const struct date *a, const struct date *b)
{
	if (a->year != b->year)
		return a->year < b->year ? -1 : 1;
	if (a->month != b->month)
		return a->month < b->month ? -1 : 1;
	return a->day < b->day ? -1 : a->day > b->day;
}

static int days_between(struct date from, const struct date *to)
{
	int days = 0;

	while (compare(&from, to) < 0) {
		next_day(&from);
		days++;
	}
	return days;
}

int main(int argc, char **argv)
{
	struct date from, to;

	if (argc < 7) {
		fprintf(stderr, "usage: days Y M D Y M D\n");
		return 2;
	}
	from.year = atoi(argv[1]);
	from.month = atoi(argv[2]);
	from.day = atoi(argv[3]);
	to.year = atoi(argv[4]);
	to.month = atoi(argv[5]);
	to.day = atoi(argv[6]);
	printf("%d days\n", days_between(from, &to));
	return 0;
}
