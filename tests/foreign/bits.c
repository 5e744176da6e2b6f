/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A date packed into bit-fields.
 *
 * test: 1999 12 31
 * fails: 36
 * faulty: 24
 * fixed: d.month = (unsigned int)month;
 */
#include <assert.h>
#include <stdlib.h>

struct date {
	unsigned int day : 5;
	unsigned int month : 4;
	unsigned int year : 12;
};

static struct date pack(int year, int month, int day)
{
	struct date d;

	d.year = (unsigned int)year;
	d.month = (unsigned int)month - 1;
	d.day = (unsigned int)day;
	return d;
}

int main(int argc, char **argv)
{
	struct date d;

	if (argc != 4)
		return 2;
	d = pack(atoi(argv[1]), atoi(argv[2]), atoi(argv[3]));
	assert((int)d.month == atoi(argv[2]));
	return 0;
}
