/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A calculator with a table of functions.
 *
 * test: 9 - 4 5
 * fails: 56
 * faulty: 38
 * fixed: table[1].apply = subtract;
 */
#include <assert.h>
#include <stdlib.h>

struct operation {
	char sign;
	int (*apply)(int, int);
};

static int add(int a, int b)
{
	return a + b;
}

static int subtract(int a, int b)
{
	return a - b;
}

static int multiply(int a, int b)
{
	return a * b;
}

static void fill(struct operation *table)
{
	table[0].sign = '+';
	table[0].apply = add;
	table[1].sign = '-';
	table[1].apply = multiply;
	table[2].sign = '*';
	table[2].apply = multiply;
	table[3].sign = '~';
	table[3].apply = subtract;
}

int main(int argc, char **argv)
{
	struct operation table[4];
	int result = 0;

	if (argc != 5)
		return 2;
	fill(table);
	for (int i = 0; i < 4; i++)
		if (table[i].sign == argv[2][0])
			result = table[i].apply(atoi(argv[1]), atoi(argv[3]));
	assert(result == atoi(argv[4]));
	return 0;
}
