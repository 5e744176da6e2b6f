/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words that need a digit: 9 is none here.  The count of errors is a variable of the
 * program that the first words do not touch.
 *
 * test: a1 b9 c4
 * fails: 33
 * faulty: 21
 * fixed: if (*p >= '0' && *p <= '9')
 */
#include <assert.h>
#include <stdio.h>

static int errors;

static void check(const char *word)
{
	int digits = 0;

	for (const char *p = word; *p; p++)
		if (*p >= '0' && *p < '9')
			digits++;
	if (!digits) {
		fprintf(stderr, "no digit in %s\n", word);
		errors++;
	}
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		check(argv[i]);
	assert(errors == 0);
	return 0;
}
