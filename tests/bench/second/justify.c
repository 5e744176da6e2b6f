/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sets words in lines of a width, flush right.
 *
 * test: 12 the quick brown fox jumps
 * prints: |   the quick|
 * prints: |   brown fox|
 * prints: |       jumps|
 * faulty: 35
 * fixed: 	int gap = line->count > 0 ? 1 : 0;
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line {
	const char *words[20];
	int count;
	int length;
	int width;
};

static int fits(const struct line *line, const char *word)
{
	int length = (int)strlen(word);

	if (line->count == 0)
		return 1;
	return line->length + 1 + length <= line->width;
}

static void add_word(struct line *line, const char *word)
{
	int length = (int)strlen(word);
	int gap = line->count > 1 ? 1 : 0;

	line->words[line->count++] = word;
	line->length += gap + length;
}

static void print_line(struct line *line)
{
	putchar('|');
	for (int i = line->length; i < line->width; i++)
		putchar(' ');
	for (int i = 0; i < line->count; i++) {
		if (i > 0)
			putchar(' ');
		fputs(line->words[i], stdout);
	}
	puts("|");
	line->count = 0;
	line->length = 0;
}

int main(int argc, char **argv)
{
	struct line line = { { NULL }, 0, 0, 40 };

	if (argc > 1)
		line.width = atoi(argv[1]);
	if (line.width < 1)
		return 2;
	for (int i = 2; i < argc; i++) {
		if (!fits(&line, argv[i]) || line.count == 20)
			print_line(&line);
		add_word(&line, argv[i]);
	}
	if (line.count > 0)
		print_line(&line);
	return 0;
}
