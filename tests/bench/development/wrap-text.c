/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Wraps words at a width.
 *
 * test: 10
 * stdin: one two three four five six seven
 * prints: one two
 * prints: three four
 * prints: five six
 * prints: seven
 * prints: 7 words in 4 lines
 * faulty: 44
 * fixed: 	w->column += length;
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct writer {
	int width;
	int column;
	int lines;
};

static void newline(struct writer *w)
{
	putchar('\n');
	w->column = 0;
	w->lines++;
}

static void write_word(struct writer *w, const char *word)
{
	int length = (int)strlen(word);

	if (w->column > 0 && w->column + 1 + length > w->width)
		newline(w);
	if (w->column > 0) {
		putchar(' ');
		w->column++;
	}
	fputs(word, stdout);
	w->column = length;
}

static int read_word(FILE *in, char *out, int room)
{
	int c, n = 0;

	while ((c = getc(in)) != EOF && isspace(c))
		;
	while (c != EOF && !isspace(c)) {
		if (n < room - 1)
			out[n++] = (char)c;
		c = getc(in);
	}
	out[n] = '\0';
	return n;
}

int main(int argc, char **argv)
{
	struct writer writer = { 20, 0, 0 };
	char word[32];
	int words = 0;

	if (argc > 1)
		writer.width = atoi(argv[1]);
	if (writer.width < 1)
		return 2;
	while (read_word(stdin, word, sizeof word) > 0) {
		write_word(&writer, word);
		words++;
	}
	if (writer.column > 0)
		newline(&writer);
	printf("%d words in %d lines\n", words, writer.lines);
	return 0;
}
