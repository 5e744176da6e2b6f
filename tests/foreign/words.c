/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counting the words of the standard input.
 *
 * test: 3
 * stdin: one two three
 * fails: 39
 * faulty: 23
 * fixed: inside = 0;
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

static int words(FILE *file)
{
	int inside = 0;
	int count = 0;
	int c;

	while ((c = getc(file)) != EOF) {
		if (c == ' ' || c == '\n') {
			inside = count;
		} else if (!inside) {
			inside = 1;
			count++;
		}
	}
	return count;
}

int main(int argc, char **argv)
{
	int count;

	if (argc != 2)
		return 2;
	count = words(stdin);
	assert(count == atoi(argv[1]));
	return 0;
}
