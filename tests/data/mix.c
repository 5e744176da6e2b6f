/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bit-fields, all widths, shifts, divisions, tables, unions, structs by value and
 * a copied block, for tests that compare a formula with runs.  Its last assertion
 * fails.
 *
 * test: 7 -3 200
 */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct flags {
	unsigned low : 3;
	int middle : 5;
	unsigned high : 9;
	uint64_t wide : 40;
};

union word {
	uint32_t whole;
	uint16_t half[2];
	uint8_t byte[4];
};

struct point {
	short x;
	long y;
	signed char z;
};

static int16_t table[8] = { 3, -1, 4, -1, 5, -9, 2, -6 };
static uint8_t seen[16];

static struct point move(struct point p, int by)
{
	p.x += by;
	p.y = p.y * by - p.x;
	p.z = (signed char)(p.z >> 1 | by);
	return p;
}

static unsigned rotate(unsigned v, int by)
{
	return v << (by & 31) | v >> (-by & 31);
}

static int pick(int kind, int a, int b)
{
	switch (kind & 7) {
	case 0:
		return a / (b | 1);
	case 1:
		return a % (b | 1);
	case 2:
		return a > b ? a : b;
	case 3:
		return (a ^ b) & 0xff;
	case 4:
		return !a + !!b;
	case 5:
		goto odd;
	case 7:
		return -a;
	default:
		return a - b;
	}
odd:
	return a * 3 + (b >> 2);
}

static long sum(const long *values, size_t n)
{
	return n ? values[0] + sum(values + 1, n - 1) : 0;
}

int main(int argc, char **argv)
{
	struct flags f = { 0 };
	struct point p = { 1, 2, 3 }, copy;
	union word w = { 0 };
	long *heap;
	int a, b, c, total = 0;

	if (argc != 4)
		return 2;
	a = atoi(argv[1]);
	b = atoi(argv[2]);
	c = atoi(argv[3]);
	f.low = (unsigned)a;
	f.middle = b;
	f.high = (unsigned)c * 3;
	f.wide = (uint64_t)c << 33 | (unsigned)a;
	for (int i = 0; i < 8; i++) {
		table[i] += (int16_t)pick(i, a, table[(i + a) & 7]);
		seen[(uint16_t)table[i] % 16]++;
	}
	w.whole = rotate(0x12345678u + (unsigned)f.high, a);
	w.half[1] ^= (uint16_t)f.middle;
	w.byte[0]--;
	p = move(p, f.middle);
	memcpy(&copy, &p, sizeof(copy));
	heap = calloc(4, sizeof(*heap));
	if (!heap)
		return 3;
	for (int i = 0; i < 4; i++)
		heap[i] = (long)w.byte[i] * copy.y + seen[i];
	total = (int)(sum(heap, 4) % 1000);
	total += copy.z;
	do
		total += table[total & 7];
	while (total > 0 && total & 1);
	free(heap);
	assert(copy.x != total);
	assert(total + (f.low > 4) + (int)(f.wide >> 33) + copy.x == 0);
	return 0;
}
