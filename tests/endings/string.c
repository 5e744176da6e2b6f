/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A null pointer that is given to the C library.
 * test: 3
 * ends: SIGSEGV
 * levels: 0
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct e {
	const char *name;
	int code;
};
static const struct e table[] = { { "red", 1 }, { "green", 2 }, { "blue", 3 } };
static const char *name_of(int code)
{
	for (int i = 0; i < 2; i++) /* fault */
		if (table[i].code == code)
			return table[i].name;
	return NULL;
}
int main(int argc, char **argv)
{
	const char *n = name_of(atoi(argv[1]));
	printf("%zu\n", strlen(n));
	return 0;
}
