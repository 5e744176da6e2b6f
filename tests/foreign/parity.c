/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parity of the bits of a word.
 *
 * test: 11
 * fails: 33
 * faulty: 19
 * fixed: odd = !odd;
 */
#include <assert.h>
#include <stdlib.h>

static int parity(unsigned int word)
{
	int odd = 0;

	while (word != 0) {
		if (word & 1)
			odd = 1;
		word >>= 1;
	}
	return odd;
}

int main(int argc, char **argv)
{
	unsigned int word, padded;

	if (argc < 2)
		return 2;
	word = (unsigned int)strtoul(argv[1], NULL, 0);
	padded = word << 1 | (unsigned int)parity(word);
	assert(parity(padded) == 0);
	return 0;
}
