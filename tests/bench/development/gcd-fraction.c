/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fractions: sums and shortest terms.
 *
 * test: 1/2 1/3 -5/6 1/4
 * prints: sum 1/4
 * prints: least -5/6
 * faulty: 46
 * fixed: 	sum.top = a.top * b.bottom + b.top * a.bottom;
 */
#include <stdio.h>
#include <stdlib.h>

struct fraction {
	long top, bottom;
};

static long gcd(long a, long b)
{
	if (a < 0)
		a = -a;
	while (b != 0) {
		long rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

static struct fraction shorten(struct fraction f)
{
	long g = gcd(f.top, f.bottom);

	if (g > 1) {
		f.top /= g;
		f.bottom /= g;
	}
	return f;
}

static struct fraction add(struct fraction a, struct fraction b)
{
	struct fraction sum;

	sum.top = a.top * b.bottom + b.top * b.bottom;
	sum.bottom = a.bottom * b.bottom;
	return shorten(sum);
}

static int is_less(struct fraction a, struct fraction b)
{
	return a.top * b.bottom < b.top * a.bottom;
}

static int parse(const char *text, struct fraction *out)
{
	if (sscanf(text, "%ld/%ld", &out->top, &out->bottom) != 2)
		return 0;
	return out->bottom > 0;
}

int main(int argc, char **argv)
{
	struct fraction sum = { 0, 1 }, least = { 1000, 1 };

	for (int i = 1; i < argc; i++) {
		struct fraction f;

		if (!parse(argv[i], &f)) {
			fprintf(stderr, "%s is no fraction\n", argv[i]);
			return 2;
		}
		sum = add(sum, f);
		if (is_less(f, least))
			least = f;
	}
	printf("sum %ld/%ld\n", sum.top, sum.bottom);
	printf("least %ld/%ld\n", least.top, least.bottom);
	return 0;
}
