/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file with a count that each run goes on with: it is read, then written anew twice, by fprintf
 * and fwrite.  The sum of the numbers up to the count lacks the last one.
 */
#include <stdio.h>

static int total(int n)
{
	int sum = 0;

	for (int i = 0; i < n; i++) /* fault */
		sum += i;
	return sum;
}

static void save(const char *what, int n, int sum)
{
	FILE *f = fopen("state.txt", "w");

	fprintf(f, "%d is the count\n", n);
	fprintf(f, "total %d\n", sum);
	fwrite(what, 1, 5, f);
	fclose(f);
}

int main(void)
{
	int n = 0;
	FILE *f = fopen("state.txt", "r");

	if (!f || fscanf(f, "%d", &n) != 1)
		return 2;
	fclose(f);
	n++;
	save("draft", n, 0);
	save("final", n, total(n));
	printf("state.txt is written\n");
	return 0;
}
