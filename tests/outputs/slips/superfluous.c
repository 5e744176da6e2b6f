/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A condition has a term too many.
 *
 * test: a-b x9 q_r
 * change: `c == '-'' left out
 */
#include <ctype.h>
#include <stdio.h>

static int is_name(const char *s)
{
	for (; *s; s++) {
		char c = *s;

		if (c == '_' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')
#ifndef FIXED
		    || c == '-' /* fault */
#endif
		)
			continue;
		return 0;
	}
	return 1;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		printf("%s %s\n", argv[i], is_name(argv[i]) ? "yes" : "no");
	return 0;
}
