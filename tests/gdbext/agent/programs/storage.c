/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Heap, stack arrays of run-time size, alloca, globals, thread-local
 * variables, reading standard input, many calls into libc. */
#include <alloca.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static __thread int own = 5;
static int table[100];

struct word {
	struct word *next;
	int count;
	char text[];
};

static struct word *words;

static void add(const char *text)
{
	struct word *w;

	for (w = words; w; w = w->next)
		if (!strcmp(w->text, text)) {
			w->count++;
			return;
		}
	w = malloc(sizeof *w + strlen(text) + 1);
	if (!w)
		abort();
	strcpy(w->text, text);
	w->count = 1;
	w->next = words;
	words = w;
}

static int on_stack(int n)
{
	int squares[n], s = 0;
	char *text = alloca((size_t)n * 3);

	for (int i = 0; i < n; i++) {
		squares[i] = i * i;
		text[i * 3] = (char)('a' + i % 26);
		text[i * 3 + 1] = text[i * 3 + 2] = '.';
	}
	text[n * 3 - 1] = 0;
	for (int i = 0; i < n; i++)
		s += squares[i];
	printf("%s %zu\n", text, strlen(text));
	return s;
}

int main(int argc, char **argv)
{
	char line[100];
	void *blocks[40];

	while (fgets(line, sizeof line, stdin))
		for (char *p = strtok(line, " \n"); p; p = strtok(NULL, " \n")) {
			*p = (char)toupper(*p);
			add(p);
		}
	for (struct word *w = words; w; w = w->next)
		printf("%s %d\n", w->text, w->count);
	for (int i = 3; i < 12; i += 4)
		table[i] = on_stack(i) + own++;
	for (int i = 0; i < 40; i++)
		blocks[i] = malloc((size_t)i * 400 + 1);
	for (int i = 0; i < 40; i += 3)
		blocks[i] = realloc(blocks[i], 9000);
	(void)argv;
	if (argc > 1)
		printf("%p %p %p %p\n", blocks[3], blocks[39], (void *)&own, (void *)line);
	for (int i = 0; i < 40; i++)
		free(blocks[i]);
	for (struct word *w = words; w; w = words) {
		words = w->next;
		free(w);
	}
	printf("%d %d %ld\n", table[7], own, strtol("-123xyz", NULL, 10));
	fprintf(stderr, "done\n");
	return 0;
}
