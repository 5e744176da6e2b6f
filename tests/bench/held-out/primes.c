/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sieve, checked by trial division.
 *
 * test: 40
 * faulty: 32
 * fixed: 	for (int p = 2; p * p <= limit; p++) {
 */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 200

struct sieve {
	unsigned char composite[MOST + 1];
	int limit;
};

static void strike(struct sieve *s, int p)
{
	for (int k = p * p; k <= s->limit; k += p)
		s->composite[k] = 1;
}

static void fill(struct sieve *s, int limit)
{
	memset(s->composite, 0, sizeof s->composite);
	s->limit = limit;
	s->composite[0] = s->composite[1] = 1;
	for (int p = 2; p * p < limit / 2; p++) {
		if (!s->composite[p])
			strike(s, p);
	}
}

static int is_prime(int n)
{
	if (n < 2)
		return 0;
	for (int d = 2; d * d <= n; d++)
		if (n % d == 0)
			return 0;
	return 1;
}

static int count(const struct sieve *s)
{
	int n = 0;

	for (int i = 0; i <= s->limit; i++)
		if (!s->composite[i])
			n++;
	return n;
}

int main(int argc, char **argv)
{
	struct sieve sieve;
	int limit = argc > 1 ? atoi(argv[1]) : 10;
	int expected = 0;

	if (limit < 2 || limit > MOST)
		return 2;
	fill(&sieve, limit);
	for (int i = 0; i <= limit; i++)
		expected += is_prime(i);
	printf("%d primes up to %d\n", count(&sieve), limit);
	assert(count(&sieve) == expected);
	return 0;
}
