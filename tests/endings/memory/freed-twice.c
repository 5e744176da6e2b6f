/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two entries share a name, and both are cleared.
 * test: 0
 * right: 3
 * says: double free: a block of 4 bytes that was freed is given to free again
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static char *table[4];
static int used;
static void add(const char *name)
{
	table[used++] = strdup(name);
}
static void rename_entry(int i)
{
	if (i < used)
		table[2] = table[i]; /* fault */
}
static void clear(void)
{
	for (int i = 0; i < used; i++)
		free(table[i]); /* wrong */
}
int main(int argc, char **argv)
{
	add("one");
	add("two");
	add("three");
	rename_entry(argc > 1 ? atoi(argv[1]) : 3);
	clear();
	return 0;
}
