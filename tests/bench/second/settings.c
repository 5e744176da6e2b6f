/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads settings, `name = number', with comments, and looks them up.
 *
 * stdin: # the window
 * stdin: width = 80
 * stdin: height = 24
 * stdin: tabs = 8
 * faulty: 41
 * fixed: 	while (n > 0 && isspace((unsigned char)text[n - 1]))
 */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };

struct setting {
	char name[24];
	int value;
};

struct settings {
	struct setting all[MOST];
	int count;
};

static char *skip_blanks(char *text)
{
	while (*text == ' ' || *text == '\t')
		text++;
	return text;
}

static void trim(char *text)
{
	size_t n = strlen(text);

	while (n > 0 && !isspace((unsigned char)text[n - 1]))
		n--;
	text[n] = '\0';
}

static void take_line(struct settings *s, char *line)
{
	char *name = skip_blanks(line), *equals = strchr(name, '=');
	struct setting *to = &s->all[s->count];

	if (*name == '#' || !equals || s->count == MOST)
		return;
	*equals = '\0';
	trim(name);
	strncpy(to->name, name, sizeof to->name - 1);
	to->value = atoi(skip_blanks(equals + 1));
	s->count++;
}

static int look_up(const struct settings *s, const char *name, int standard)
{
	for (int i = 0; i < s->count; i++)
		if (strcmp(s->all[i].name, name) == 0)
			return s->all[i].value;
	return standard;
}

int main(void)
{
	struct settings settings = { 0 };
	char line[80];
	int area;

	while (fgets(line, sizeof line, stdin))
		take_line(&settings, line);
	area = look_up(&settings, "width", 0) * look_up(&settings, "height", 0);
	printf("%d settings, %d cells\n", settings.count, area);
	assert(area == 80 * 24);
	return 0;
}
