/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An evaluator with precedence and brackets.
 *
 * test: 2+3*(4-1)%5
 * faulty: 63
 * fixed: 			value %= factor(p);
 */
#include <assert.h>
#include <ctype.h>
#include <stdio.h>

struct parser {
	const char *at;
	int errors;
};

static long sum(struct parser *p);

static int accept(struct parser *p, char c)
{
	while (*p->at == ' ')
		p->at++;
	if (*p->at != c)
		return 0;
	p->at++;
	return 1;
}

static long number(struct parser *p)
{
	long value = 0;

	if (!isdigit((unsigned char)*p->at))
		p->errors++;
	while (isdigit((unsigned char)*p->at))
		value = value * 10 + *p->at++ - '0';
	return value;
}

static long factor(struct parser *p)
{
	long value;

	if (accept(p, '-'))
		return -factor(p);
	if (!accept(p, '('))
		return number(p);
	value = sum(p);
	if (!accept(p, ')'))
		p->errors++;
	return value;
}

static long product(struct parser *p)
{
	long value = factor(p);

	for (;;) {
		if (accept(p, '*'))
			value *= factor(p);
		else if (accept(p, '%'))
			value /= factor(p);
		else
			return value;
	}
}

static long sum(struct parser *p)
{
	long value = product(p);

	for (;;) {
		if (accept(p, '+'))
			value += product(p);
		else if (accept(p, '-'))
			value -= product(p);
		else
			return value;
	}
}

int main(int argc, char **argv)
{
	struct parser p = { argc > 1 ? argv[1] : "0", 0 };
	long value = sum(&p);

	printf("%ld, %d errors\n", value, p.errors);
	assert(p.errors == 0);
	assert(value == 6);
	return 0;
}
