/*
 * Badges: a name, shortened, and a level.
 *
 *     program LEVEL FIRST LAST [EXPECTED]
 *
 * A badge has room for ROOM characters and an end.  The name is "F. LAST", with the first letter of
 * FIRST, cut off where it is too long.  The program prints the name's length plus 100 times the
 * level; EXPECTED is checked.
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#define ROOM 7

struct badge {
	char name[ROOM + 1];
	int level;
};

static int length_of(const char *text)
{
	int n = 0;

	while (text[n])
		n++;
	return n;
}

/* Appends one character, when there is room for it and the end. */
static void append(struct badge *badge, char c)
{
	int used = length_of(badge->name);

	if (used < ROOM) {
		badge->name[used] = c;
		badge->name[used + 1] = '\0';
	}
}

static void append_text(struct badge *badge, const char *text)
{
	for (int i = 0; text[i]; i++)
		append(badge, text[i]);
}

static void write_name(struct badge *badge, const char *first, const char *last)
{
	badge->name[0] = '\0';
	append(badge, first[0]);
	append_text(badge, ". ");
	append_text(badge, last);
}

int main(int argc, char **argv)
{
	struct badge badge;
	int code;

	if (argc < 4)
		return 2;
	badge.level = atoi(argv[1]);
	write_name(&badge, argv[2], argv[3]);
	code = length_of(badge.name) + 100 * badge.level;
	printf("%d\n", code);
	if (argc > 4)
		assert(code == atoi(argv[4]));
	return 0;
}
