/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A setting that is there gets another value, and is added once more: a `return' is missing.
 * test: a=1 b=2 a=3
 * change: `return' put behind it
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct setting {
	char name, value;
	struct setting *next;
};
static struct setting *all;

static void put(char name, char value)
{
	struct setting **at = &all, *made;

	while (*at && (*at)->name < name)
		at = &(*at)->next;
	if (*at && (*at)->name == name) {
#ifdef FIXED
		(*at)->value = value;
		return;
#else
		(*at)->value = value; /* fault */
#endif
	}
	made = malloc(sizeof *made);
	made->name = name;
	made->value = value;
	made->next = *at;
	*at = made;
}

int main(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		put(argv[i][0], argv[i][2]);
	for (struct setting *s = all; s; s = s->next)
		printf("%c is %c\n", s->name, s->value);
	return 0;
}
