/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A configuration: the last of equal keys is to win.
 *
 * test: a=1 b=2 a=3 a 3
 * faulty: 37 38
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct setting {
	char key[16];
	int value;
};

static struct setting settings[8];
static int count;

static struct setting *find(const char *key)
{
	for (int i = 0; i < count; i++)
		if (strcmp(settings[i].key, key) == 0)
			return &settings[i];
	return NULL;
}

static void set(const char *line)
{
	const char *equals = strchr(line, '=');
	struct setting *s;
	char key[16];

	memset(key, 0, sizeof(key));
	memcpy(key, line, (size_t)(equals - line));
	s = find(key);
	if (s)
		return;
	s = &settings[count++];
	strcpy(s->key, key);
	s->value = atoi(equals + 1);
}

int main(int argc, char **argv)
{
	int i, got;

	for (i = 1; i < argc && strchr(argv[i], '='); i++)
		set(argv[i]);
	got = find(argv[i])->value;
	assert(got == atoi(argv[i + 1]));
	return 0;
}
