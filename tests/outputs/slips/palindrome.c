/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The last character is one before the end.
 * test: otto hello level
 * change: `- 1' added
 */
#include <stdio.h>
#include <string.h>

static int is_palindrome(const char *s)
{
	int left = 0;
#ifdef FIXED
	int right = strlen(s) - 1;
#else
	int right = strlen(s); /* fault */
#endif

	while (left < right)
		if (s[left++] != s[right--])
			return 0;
	return 1;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		printf("%s: %s\n", argv[i], is_palindrome(argv[i]) ? "yes" : "no");
	return 0;
}
