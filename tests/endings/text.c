/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A number is printed into text, found there, and read again.
 * test: 5
 * ends: exit status 4
 * levels: 0
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct size {
	int feet;
	double metres;
};
static const struct size sizes[] = { { 8, 2.4 }, { 10, 3.0 }, { 11, 3.4 }, { 20, 6.1 } };
static int by_feet(const void *key, const void *size)
{
	return *(const int *)key - ((const struct size *)size)->feet;
}
static int twice(int n)
{
	return n * 2 + 1; /* fault */
}
int main(int argc, char **argv)
{
	char text[64], *word;
	const struct size *size;
	int feet;

	snprintf(text, sizeof(text), "size=%d,feet", twice(atoi(argv[1])));
	word = strstr(text, "size=");
	if (!word || !strtok(word, "="))
		return 2;
	feet = (int)strtod(strtok(NULL, ","), NULL);
	size = bsearch(&feet, sizes, 4, sizeof(*sizes), by_feet);
	if (!size)
		return 3;
	return size->metres == 3.0 ? 0 : 4;
}
