/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words of a text; two blanks are one separator.
 *
 * test: one__two 2
 * faulty: 16
 */
#include <assert.h>
#include <stdlib.h>

static int words(const char *text)
{
	int n = 1;

	for (const char *p = text; *p; p++)
		if (*p == '_')
			n++;
	return n;
}

int main(int argc, char **argv)
{
	(void)argc;
	assert(words(argv[1]) == atoi(argv[2]));
	return 0;
}
