/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A case of a switch goes on to the next one, where also the way around its last statement leads.
 * test: cat 12 mouse ; dog
 * change: `break' put behind it
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
static int words, numbers, marks;
static size_t longest;
static void note(const char *s)
{
	switch (isdigit((unsigned char)*s) ? 1 : ispunct((unsigned char)*s) ? 2 : 0) {
	case 0:
		words++;
		if (strlen(s) > longest)
			longest = strlen(s); /* fault */
#ifdef FIXED
		break;
#endif
	case 1:
		numbers++;
		break;
	default:
		marks++;
		break;
	}
}
int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		note(argv[i]);
	printf("words %d\n", words);
	printf("numbers %d\n", numbers);
	printf("marks %d, longest %zu\n", marks, longest);
	return 0;
}
