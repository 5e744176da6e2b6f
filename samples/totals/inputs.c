/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What stands around the totals under test and is not under test itself, so it
 * is built without debug info: numbers are read here, and the golden version is
 * here under another name.
 */
#define add_up_tables golden_add_up_tables
#include "totals.c"
#undef add_up_tables

#include <stdio.h>

int read_number(double *number)
{
	return scanf("%lf", number) == 1;
}
