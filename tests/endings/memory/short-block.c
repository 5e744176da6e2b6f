/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The size of a block is cut to 16 bits.
 * test: 3000
 * right: 300
 * says: invalid write: memset writes 84000 bytes, right behind the end of a block of 18464 bytes
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct item {
	char name[24];
	int n;
};
static struct item *make(int count)
{
	unsigned short bytes = count * sizeof(struct item);
	struct item *all = malloc(bytes); /* fault */

	memset(all, 0, count * sizeof(struct item)); /* wrong */
	return all;
}
int main(int argc, char **argv)
{
	struct item *all = make(argc > 1 ? atoi(argv[1]) : 300);

	printf("%d\n", all[0].n);
	free(all);
	return 0;
}
