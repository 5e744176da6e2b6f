/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A counter is not set back to the value that it begins with.
 *
 * test: aaab zz
 * change: `n = 1' put behind it
 */
#include <stdio.h>
#include <string.h>

static void encode(const char *s)
{
	int n = 1, end = (int)strlen(s);

	for (int i = 1; i <= end; i++) {
		if (s[i] == s[i - 1]) {
			n++;
		} else {
			printf("%c%d", s[i - 1], n); /* fault */
#ifdef FIXED
			n = 1;
#endif
		}
	}
	printf("\n");
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		encode(argv[i]);
	return 0;
}
