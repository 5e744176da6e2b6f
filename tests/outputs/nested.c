/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A call in the arguments of another one: whoever mends the total by what `take' is given also
 * has to keep what the line prints.
 * test:
 * says: line 3 of the output is "earned 8", expected "earned 13" at
 * finds: passes
 */
#include <stdio.h>
static int earned;
static int take(int minutes)
{
	int due = 3 + minutes / 60;

#ifdef FIXED
	earned += due;
#else
	earned = due; /* fault */
#endif
	return due;
}
int main(void)
{
	printf("%s pays %d\n", "one", take(120));
	printf("%s pays %d\n", "two", take(300));
	printf("earned %d\n", earned);
	return 0;
}
