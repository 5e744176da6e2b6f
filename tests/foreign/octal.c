/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reading a number, digit by digit.
 *
 * test: 12 12
 * fails: 35
 * faulty: 24
 * fixed: value = value * 10 + (*text - '0');
 */
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>

static int number(const char *text)
{
	int value = 0;
	int sign = 1;

	if (*text == '-') {
		sign = -1;
		text++;
	}
	for (; isdigit((unsigned char)*text); text++)
		value = value * 8 + (*text - '0');
	return sign * value;
}

int main(int argc, char **argv)
{
	int value;

	if (argc != 3)
		return 2;
	value = number(argv[1]);
	assert(value == atoi(argv[2]));
	return 0;
}
