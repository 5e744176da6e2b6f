/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A set of 64-bit words that may say yes by mistake, never no: a Bloom filter with one
 * hash function.  The words that a run writes lie side by side, so the hash is
 * multiplicative (Knuth, The Art of Computer Programming, vol. 3, 6.4): the high bits of
 * the product with an odd number near 2^64 / golden ratio, as many as number the filter's
 * bits.  The owner allocates it with zeros, WORD_FILTER_BYTES.
 */
#ifndef SOLVER_TRACE_INDEX_WORD_FILTER_H
#define SOLVER_TRACE_INDEX_WORD_FILTER_H

#include <stdbool.h>
#include <stdint.h>

enum { WORD_FILTER_LOG = 17, WORD_FILTER_BYTES = (1 << WORD_FILTER_LOG) / 8 };

static inline unsigned word_filter_bit(uint64_t word)
{
	return (unsigned)((word * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - WORD_FILTER_LOG));
}

static inline void word_filter_add(uint8_t *filter, uint64_t word)
{
	unsigned bit = word_filter_bit(word);

	filter[bit / 8] |= (uint8_t)(1 << bit % 8);
}

static inline bool word_filter_has(const uint8_t *filter, uint64_t word)
{
	unsigned bit = word_filter_bit(word);

	return filter[bit / 8] >> bit % 8 & 1;
}

/* What is in `from` is in `to` as well. */
static inline void word_filter_join(uint8_t *to, const uint8_t *from)
{
	for (unsigned i = 0; i < WORD_FILTER_BYTES; i++)
		to[i] |= from[i];
}

#endif
