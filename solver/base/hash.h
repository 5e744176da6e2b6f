/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The hash of tables whose keys are 64-bit numbers: addresses, and pairs of
 * 32-bit numbers in one.  GLib's g_int64_hash() returns the low 32 bits, so
 * all pairs with the same low half collide, and a table of them takes
 * quadratic time.  Here each bit of the key changes each bit of the hash with
 * a probability of about one half.
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <glib.h>
#include <stdint.h>

/* The finalizer of SplitMix64 (Steele, Lea, Flood, "Fast splittable
 * pseudorandom number generators", OOPSLA 2014; variant 13 of Stafford). */
static inline uint64_t hash_mix(uint64_t v)
{
	v = (v ^ v >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	v = (v ^ v >> 27) * UINT64_C(0x94d049bb133111eb);
	return v ^ v >> 31;
}

/* For g_hash_table_new() with g_int64_equal(): key points to 64 bits. */
static inline guint hash_u64(gconstpointer key)
{
	return (guint)hash_mix(*(const uint64_t *)key);
}

/* The same where the key itself, not what it points to, is the number, so that none has
 * to be allocated: with NULL for the equality. */
static inline guint hash_u64_itself(gconstpointer key)
{
	return (guint)hash_mix(GPOINTER_TO_SIZE(key));
}

#endif
