/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Addresses of strings are compared, and not the strings.
 * test: mul 6 7
 * change: `strcmp(names[i], name) == 0' for comparing addresses
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int kind(const char *name)
{
	static const char *const names[] = { "add", "sub", "mul" };

	for (int i = 0; i < 3; i++)
#ifdef FIXED
		if (strcmp(names[i], name) == 0)
#else
		if (names[i] == name) /* fault */
#endif
			return i;
	return -1;
}

int main(int argc, char **argv)
{
	int a = atoi(argv[2]), b = atoi(argv[3]);

	switch (kind(argv[1])) {
	case 0:
		printf("%d\n", a + b);
		break;
	case 1:
		printf("%d\n", a - b);
		break;
	case 2:
		printf("%d\n", a * b);
		break;
	default:
		printf("unknown %s\n", argv[1]);
	}
	return 0;
}
