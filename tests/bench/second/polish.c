/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A calculator for sums and products with brackets.
 *
 * test: 2*(3+4)-10/5
 * prints: = 12
 * faulty: 74
 * fixed: 			value -= product(in);
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

struct input {
	const char *at;
	int errors;
};

static int sum(struct input *in);

static int number(struct input *in)
{
	int value = 0;

	while (isdigit((unsigned char)*in->at))
		value = 10 * value + (*in->at++ - '0');
	return value;
}

static int factor(struct input *in)
{
	int value;

	if (*in->at != '(')
		return number(in);
	in->at++;
	value = sum(in);
	if (*in->at == ')')
		in->at++;
	else
		in->errors++;
	return value;
}

static int product(struct input *in)
{
	int value = factor(in);

	while (*in->at == '*' || *in->at == '/') {
		char op = *in->at++;
		int other = factor(in);

		if (op == '*') {
			value *= other;
		} else if (other == 0) {
			in->errors++;
		} else {
			value /= other;
		}
	}
	return value;
}

static int sum(struct input *in)
{
	int value = product(in);

	while (*in->at == '+' || *in->at == '-') {
		char op = *in->at++;

		if (op == '+')
			value += product(in);
		else
			value += product(in);
	}
	return value;
}

int main(int argc, char **argv)
{
	struct input in = { argc > 1 ? argv[1] : "0", 0 };
	int value = sum(&in);

	if (*in.at || in.errors) {
		printf("? at `%s'\n", in.at);
		return 1;
	}
	printf("= %d\n", value);
	return 0;
}
