/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/rank/ratio.h"

#include <math.h>

struct ratio ratio_of(wide num, wide den)
{
	return (struct ratio){ .num = num, .den = den };
}

struct ratio ratio_root(wide num, wide den)
{
	return (struct ratio){ .num = num, .den = den, .root = true };
}

struct ratio ratio_add(struct ratio a, struct ratio b)
{
	if (!a.den)
		return b;
	if (!b.den)
		return a;
	if (a.den == b.den)
		return ratio_of(a.num + b.num, a.den);
	return ratio_of(a.num * b.den + b.num * a.den, a.den * b.den);
}

struct ratio ratio_subtract(struct ratio a, struct ratio b)
{
	b.num = -b.num;
	return ratio_add(a, b);
}

static wide ratio_magnitude(wide x)
{
	return x < 0 ? -x : x;
}

static wide common_divisor(wide a, wide b)
{
	while (b) {
		wide rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* Each whole number below 2^53 is exact as a double, so the quotient of two is rounded only
 * once. */
static double ratio_quotient(wide num, wide den)
{
	const wide exact = (wide)1 << 53;

	if (ratio_magnitude(num) >= exact || den >= exact) {
		wide divisor = common_divisor(ratio_magnitude(num), den);
		num /= divisor;
		den /= divisor;
	}
	return (double)num / (double)den;
}

double ratio_value(struct ratio r)
{
	if (!r.num)
		return 0;
	if (!r.den)
		return r.num > 0 ? INFINITY : -INFINITY;
	double value = ratio_quotient(r.num, r.den);
	return !r.root ? value : value < 0 ? -sqrt(-value) : sqrt(value);
}
