/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The library fills a buffer in the frame of one function; what the frame around it holds stays
 * unset.
 * test: 1
 * right: 0
 * says: uninitialised value: a branch depends on it
 */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
struct part {
	int length;
	short from, to;
};
static int depth(void)
{
	char folder[200];
	int n = 0;

	if (!getcwd(folder, sizeof folder))
		return 0;
	for (int i = 0; folder[i]; i++)
		n += folder[i] == '/';
	return n > 0;
}
static int fill(struct part *all, int first, int n)
{
	for (int i = first; i < n; i++) { /* fault */
		all[i].length = 5 - i;
		all[i].from = all[i].to = (short)i;
	}
	return n;
}
int main(int argc, char **argv)
{
	struct part all[8];
	int n = 3 * depth(), best = 0;

	n = fill(all, argc > 1 ? atoi(argv[1]) : 0, n);
	for (int i = 1; i < n; i++)
		if (all[i].length > all[best].length) /* wrong */
			best = i;
	printf("%d\n", best);
	return 0;
}
