/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A function is not applied: letters are compared in either case.
 * test: The cat saw the Cat
 * change: `tolower' of the value
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
static char words[10][20];
static int counts[10], n;
static void clean(char *to, const char *from)
{
	for (; *from; from++)
		if (isalpha((unsigned char)*from))
#ifdef FIXED
			*to++ = (char)tolower((unsigned char)*from);
#else
			*to++ = *from; /* fault */
#endif
	*to = '\0';
}
static void count(const char *word)
{
	int i = 0;

	while (i < n && strcmp(words[i], word) != 0)
		i++;
	if (i == n)
		strcpy(words[n++], word);
	counts[i]++;
}
int main(int argc, char **argv)
{
	for (int i = 1; i < argc && n < 10; i++) {
		char word[20];

		clean(word, argv[i]);
		count(word);
	}
	for (int i = 0; i < n; i++)
		printf("%s %d\n", words[i], counts[i]);
	return 0;
}
