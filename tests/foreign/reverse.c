/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A string, backwards.
 *
 * test: stop
 * fails: 39
 * faulty: 21
 * fixed: to[n - 1 - i] = from[i];
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void reverse(char *to, const char *from)
{
	size_t n = strlen(from);
	size_t i;

	memset(to, 0, n + 1);
	for (i = 0; i < n; i++)
		to[n - i] = from[i];
	to[n] = '\0';
}

int main(int argc, char **argv)
{
	char *word;
	char *back;
	size_t n;

	if (argc != 2)
		return 2;
	word = argv[1];
	n = strlen(word);
	back = malloc(n + 1);
	if (back == NULL)
		return 2;
	reverse(back, word);
	assert(back[0] == word[n - 1]);
	free(back);
	return 0;
}
