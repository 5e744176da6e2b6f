/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The days of a month, by a switch.
 *
 * test: 9 30
 * fails: 35
 * faulty: 23
 * fixed: return 30;
 */
#include <assert.h>
#include <stdlib.h>

static int days(int month)
{
	switch (month) {
	case 2:
		return 28;
	case 4:
		return 30;
	case 6:
		return 30;
	case 9:
		return 31;
	case 11:
		return 30;
	default:
		return 31;
	}
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	assert(days(atoi(argv[1])) == atoi(argv[2]));
	return 0;
}
