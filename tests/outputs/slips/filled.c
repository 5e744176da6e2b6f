/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A function of the library fills a part of an array only; what would be right is the array's size.
 * test: ab cde
 * change: sizeof(w->text)
 */
#include <stdio.h>
#include <string.h>
struct word {
	int kind;
	char text[41];
};
static void fill(struct word *w, const char *from)
{
#ifdef FIXED
	memset(w->text, '.', sizeof w->text);
#else
	memset(w->text, '.', 14); /* fault */
#endif
	w->text[40] = 0;
	memcpy(w->text, from, strlen(from));
}
int main(int argc, char **argv)
{
	struct word w;
	memset(&w, 'x', sizeof w);
	for (int i = 1; i < argc; i++) {
		fill(&w, argv[i]);
		printf("%s\n", w.text);
	}
	return 0;
}
