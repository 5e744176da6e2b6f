/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A recursive evaluator of + - * and parentheses.
 *
 * test: 2*(3+4) 14
 * fails: 70
 * faulty: 43
 * fixed: value *= factor(p);
 */
#include <assert.h>
#include <stdlib.h>

struct parser {
	const char *at;
};

static int sum(struct parser *p);

static int factor(struct parser *p)
{
	int value = 0;

	if (*p->at == '(') {
		p->at++;
		value = sum(p);
		if (*p->at == ')')
			p->at++;
		return value;
	}
	while (*p->at >= '0' && *p->at <= '9') {
		value = value * 10 + (*p->at - '0');
		p->at++;
	}
	return value;
}

static int product(struct parser *p)
{
	int value = factor(p);

	while (*p->at == '*') {
		p->at++;
		value += factor(p);
	}
	return value;
}

static int sum(struct parser *p)
{
	int value = product(p);

	while (*p->at == '+' || *p->at == '-') {
		char op = *p->at++;
		int right = product(p);

		value = op == '+' ? value + right : value - right;
	}
	return value;
}

int main(int argc, char **argv)
{
	struct parser p;
	int value;

	if (argc != 3)
		return 2;
	p.at = argv[1];
	value = sum(&p);
	assert(value == atoi(argv[2]));
	return 0;
}
