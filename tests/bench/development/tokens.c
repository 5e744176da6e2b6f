/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Counts words, numbers and signs of a text.
 *
 * test: x1=42;+y<10
 * prints: words 2
 * prints: numbers 2
 * prints: signs 4
 * prints: longest 2
 * faulty: 42
 * fixed: 		take_while(l, isalnum);
 */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum kind { WORD, NUMBER, SIGN, END };

struct lexer {
	const char *at;
	char text[32];
	enum kind kind;
};

static void take_while(struct lexer *l, int (*belongs)(int))
{
	size_t n = 0;

	while (belongs((unsigned char)*l->at) && n < sizeof l->text - 1)
		l->text[n++] = *l->at++;
	l->text[n] = '\0';
}

static void next(struct lexer *l)
{
	while (isspace((unsigned char)*l->at))
		l->at++;
	if (*l->at == '\0') {
		l->kind = END;
	} else if (isalpha((unsigned char)*l->at)) {
		l->kind = WORD;
		take_while(l, isalpha);
	} else if (isdigit((unsigned char)*l->at)) {
		l->kind = NUMBER;
		take_while(l, isdigit);
	} else {
		l->kind = SIGN;
		l->text[0] = *l->at++;
		l->text[1] = '\0';
	}
}

struct counts {
	int of[END];
	size_t longest;
};

static void count(struct lexer *l, struct counts *c)
{
	for (next(l); l->kind != END; next(l)) {
		c->of[l->kind]++;
		if (strlen(l->text) > c->longest)
			c->longest = strlen(l->text);
	}
}

int main(int argc, char **argv)
{
	struct lexer lexer = { .at = argc > 1 ? argv[1] : "" };
	struct counts counts = { { 0, 0, 0 }, 0 };

	count(&lexer, &counts);
	printf("words %d\n", counts.of[WORD]);
	printf("numbers %d\n", counts.of[NUMBER]);
	printf("signs %d\n", counts.of[SIGN]);
	printf("longest %zu\n", counts.longest);
	return 0;
}
