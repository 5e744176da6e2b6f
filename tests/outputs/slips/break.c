/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The default follows where both branches of an `if' end; only one of them was executed.
 * test: 2020 2024
 * change: `break' put behind line 22
 */
#include <stdio.h>
#include <stdlib.h>

static int days_of(int month, int year)
{
	int days;

	switch (month) {
	case 4:
		days = 30;
		break;
	case 2:
		if (year % 4 == 0)
			days = 29;
		else
			days = 28; /* fault */
#ifdef FIXED
		break;
#endif
	default:
		days = 31;
	}
	return days;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		printf("%s: %d %d\n", argv[i], days_of(2, atoi(argv[i])), days_of(3, 1));
	return 0;
}
