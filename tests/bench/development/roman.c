/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Roman numerals, written and read.
 *
 * test: 1994
 * faulty: 62
 * fixed: 			total -= here;
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct numeral {
	int value;
	const char *text;
};

static const struct numeral numerals[] = {
	{ 1000, "M" }, { 900, "CM" }, { 500, "D" }, { 400, "CD" },
	{ 100, "C" },  { 90, "XC" },  { 50, "L" },  { 40, "XL" },
	{ 10, "X" },   { 9, "IX" },   { 5, "V" },   { 4, "IV" },
	{ 1, "I" },
};

#define N (sizeof numerals / sizeof numerals[0])

static void write_roman(int value, char *out)
{
	out[0] = '\0';
	for (size_t i = 0; i < N; i++) {
		while (value >= numerals[i].value) {
			strcat(out, numerals[i].text);
			value -= numerals[i].value;
		}
	}
}

static int digit(char c)
{
	switch (c) {
	case 'I': return 1;
	case 'V': return 5;
	case 'X': return 10;
	case 'L': return 50;
	case 'C': return 100;
	case 'D': return 500;
	case 'M': return 1000;
	default: return 0;
	}
}

static int read_roman(const char *text)
{
	int total = 0;

	for (size_t i = 0; text[i]; i++) {
		int here = digit(text[i]);
		int next = digit(text[i + 1]);

		if (here < next)
			total += here;
		else
			total += here;
	}
	return total;
}

int main(int argc, char **argv)
{
	char text[64];
	int value = argc > 1 ? atoi(argv[1]) : 1;

	if (value < 1 || value > 3999)
		return 2;
	write_roman(value, text);
	printf("%d is %s\n", value, text);
	assert(read_roman(text) == value);
	return 0;
}
