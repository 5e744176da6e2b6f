/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads sections and keys.
 *
 * test: net port
 * stdin: # comment
 * stdin: [net]
 * stdin: host = here
 * stdin: port = 80
 * stdin: [disk]
 * stdin: port = 9
 * prints: net.port: 80
 * faulty: 76
 * fixed: 		if (strcmp(entries[i].section, section) == 0 && strcmp(entries[i].key, key) == 0)
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

struct entry {
	char section[16];
	char key[16];
	char value[32];
};

static struct entry entries[32];
static int used;

static char *trim(char *s)
{
	char *end;

	while (isspace((unsigned char)*s))
		s++;
	end = s + strlen(s);
	while (end > s && isspace((unsigned char)end[-1]))
		end--;
	*end = '\0';
	return s;
}

static void add(const char *section, const char *key, const char *value)
{
	struct entry *e = &entries[used++];

	snprintf(e->section, sizeof e->section, "%s", section);
	snprintf(e->key, sizeof e->key, "%s", key);
	snprintf(e->value, sizeof e->value, "%s", value);
}

static void read_all(FILE *in)
{
	char line[80], section[16] = "";

	while (fgets(line, sizeof line, in)) {
		char *text = trim(line);
		char *equals = strchr(text, '=');

		if (*text == '#' || *text == '\0')
			continue;
		if (*text == '[') {
			text[strlen(text) - 1] = '\0';
			snprintf(section, sizeof section, "%s", text + 1);
		} else if (equals) {
			*equals = '\0';
			add(section, trim(text), trim(equals + 1));
		}
	}
}

static const char *find(const char *section, const char *key)
{
	const char *found = NULL;

	for (int i = 0; i < used; i++) {
		if (strcmp(entries[i].section, section) == 0 || strcmp(entries[i].key, key) == 0)
			found = entries[i].value;
	}
	return found;
}

int main(int argc, char **argv)
{
	const char *value;

	if (argc < 3)
		return 2;
	read_all(stdin);
	value = find(argv[1], argv[2]);
	printf("%s.%s: %s\n", argv[1], argv[2], value ? value : "(none)");
	return 0;
}
