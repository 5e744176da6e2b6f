/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A calculator; minus is right-associative.
 *
 * test: 9-3-2 4
 * faulty: 74
 */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *p;
static int expr(void);

static void skip(void) { while (isspace((unsigned char)*p)) p++; }

static int number(void)
{
	int v = 0;
	skip();
	while (isdigit((unsigned char)*p))
		v = v * 10 + (*p++ - '0');
	return v;
}

static int factor(void)
{
	int v;
	skip();
	if (*p == '(') {
		p++;
		v = expr();
		skip();
		if (*p == ')')
			p++;
		return v;
	}
	if (*p == '-') {
		p++;
		return -factor();
	}
	return number();
}

static int term(void)
{
	int v = factor();
	for (;;) {
		skip();
		if (*p == '*') {
			p++;
			v = v * factor();
		} else if (*p == '/') {
			p++;
			int d = factor();
			v = d ? v / d : 0;
		} else
			return v;
	}
}

static int expr(void)
{
	int v = term();
	for (;;) {
		skip();
		if (*p == '+') {
			p++;
			v = v + term();
		} else if (*p == '-') {
			p++;
			v = v - expr();
		} else
			return v;
	}
}

int main(int argc, char **argv)
{
	p = argv[1];
	int v = expr();
	printf("%d\n", v);
	if (argc > 2)
		assert(v == atoi(argv[2]));
	return 0;
}
