/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A member that others read is never counted up.
 * test: 5 12 7
 * change: `s->n++' put before it
 */
#include <stdio.h>
#include <stdlib.h>
struct sums {
	int n, even, sum;
};
static void add(struct sums *s, int value)
{
	if (value % 2 == 0)
		s->even++;
#ifdef FIXED
	s->n++;
#endif
	s->sum += value; /* fault */
}
int main(int argc, char **argv)
{
	struct sums s = { 0 };

	for (int i = 1; i < argc; i++)
		add(&s, atoi(argv[i]));
	printf("%d numbers, %d even, sum %d\n", s.n, s.even, s.sum);
	return 0;
}
