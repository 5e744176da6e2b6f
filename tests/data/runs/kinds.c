/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Values that came to be in many ways, for questions about causes.
 * cc: -O0
 * test: 4 word
 */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct point {
	int x, y;
	unsigned flag : 2, other : 6;
};
union number {
	uint32_t whole;
	uint8_t bytes[4];
};
enum color { RED, GREEN = 4, BLUE };

static int limit = 7, total;
static const int table[] = { 2, 3, 5, 7, 11 };
static const double rate = 0.25;
static int calls;

static int twice(int n)
{
	return 2 * n;
}

static int thrice(int n)
{
	return 3 * n;
}

static double grow(double amount, float by)
{
	return amount * (1 + by);
}

static int compare(const void *a, const void *b)
{
	calls++;
	return *(const int *)a - *(const int *)b;
}

static int choose(int n)
{
	switch (n) {
	case 0:
		return 10;
	case 1:
		return 20;
	case 2:
		return 31;
	case 3:
		return 42;
	case 4:
		return 53;
	case 5:
		return 64;
	default:
		return -1;
	}
}

static int sum_to(int n)
{
	return n ? n + sum_to(n - 1) : 0;
}

int main(int argc, char **argv)
{
	int n = atoi(argv[1]), (*apply)(int) = n > 3 ? thrice : twice;
	int sorted[3] = { 9, n, 5 }, picked, element, chosen, sum, nothing;
	struct point here = { 1, 2, 3, 0 }, there = here, *p = &there;
	union number u = { 0x01020304 };
	enum color color = n ? BLUE : RED;
	double amount = grow(8, 0.5f) * rate;
	char text[16];
	unsigned char small = 250;
	size_t length;

	qsort(sorted, 3, sizeof *sorted, compare);
	picked = sorted[1];
	element = table[n - 1];
	p->y = apply(element);
	p->flag = 1;
	u.bytes[1] = 9;
	small += n + 3;
	strcpy(text, argv[2]);
	length = strlen(text);
	chosen = choose(n);
	sum = sum_to(3);
	if (picked > limit)
		total = -1;
	else if (picked < limit && sum > 5)
		total += picked;
	assert(total + there.y + (int)length + chosen + argc + color + small + (int)amount +
		       (int)u.whole + nothing ==
	       0);
	return here.flag;
}
