/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The text is ended in the loop, and not behind it.
 *
 * test: banana a
 * change: the line moved behind the loop
 */
#include <stdio.h>
#include <string.h>

static void drop(char *s, char c)
{
	size_t from = 0, to = 0, n = strlen(s);

	while (from < n) {
		if (s[from] != c)
			s[to++] = s[from];
		from++;
#ifndef FIXED
		s[to] = '\0'; /* fault */
#endif
	}
#ifdef FIXED
	s[to] = '\0';
#endif
}

int main(int argc, char **argv)
{
	char text[40];

	for (int i = 1; i + 1 < argc; i += 2) {
		snprintf(text, sizeof text, "%s", argv[i]);
		drop(text, *argv[i + 1]);
		printf("%s\n", text);
	}
	return 0;
}
