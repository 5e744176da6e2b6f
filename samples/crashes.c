/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A branch that crashes: without a discount table, it is read all the same.
 * The fault is elsewhere, but an explanation that looks into that branch meets
 * a null pointer there and must go on without it.
 *
 * test: 40 10
 * danger: follows a null pointer
 * fails: 39
 * faulty: 27
 * fixed: total = price - off;
 */
#include <assert.h>
#include <stdlib.h>

struct discount {
	int percent;
};

static int total_of(int price, int off, const struct discount *table)
{
	int total;

	if (off < 0) {
		total = price - price * table->percent / 100;
	} else {
		total = price + off;
	}
	return total;
}

int main(int argc, char **argv)
{
	int price;

	if (argc != 3)
		return 2;
	price = atoi(argv[1]);
	assert(total_of(price, atoi(argv[2]), NULL) <= price);
	return 0;
}
