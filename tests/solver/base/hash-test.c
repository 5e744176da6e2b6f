/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/base/hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <cmocka.h>

enum { KEYS = 4096 };

/* How many of the hash's low 16 bits differ among keys base + i * step. */
static unsigned distinct(uint64_t base, uint64_t step)
{
	g_autofree bool *seen = g_new0(bool, 1 << 16);
	unsigned n = 0;

	for (uint64_t i = 0; i < KEYS; i++) {
		uint64_t key = base + i * step;
		guint h = hash_u64(&key) & 0xffff;

		n += !seen[h];
		seen[h] = true;
	}
	return n;
}

/* 4096 random numbers of 16 bits have some 3970 different values. */
static void test_keys_that_differ_in_any_bits_are_spread(void **state)
{
	(void)state;
	for (unsigned shift = 0; shift + 12 <= 64; shift++)
		assert_true(distinct(UINT64_C(0x555555554000) >> 1, UINT64_C(1) << shift) > 3800);
}

static void test_a_table_of_pairs_holds_each(void **state)
{
	g_autoptr(GHashTable) t = g_hash_table_new_full(hash_u64, g_int64_equal, g_free, NULL);

	(void)state;
	for (uint64_t high = 0; high < KEYS; high++) {
		uint64_t key = high << 32 | 7;

		assert_true(g_hash_table_add(t, g_memdup2(&key, sizeof(key))));
	}
	for (uint64_t high = 0; high < 2 * KEYS; high++) {
		uint64_t key = high << 32 | 7;

		assert_int_equal(g_hash_table_contains(t, &key), high < KEYS);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_keys_that_differ_in_any_bits_are_spread),
		cmocka_unit_test(test_a_table_of_pairs_holds_each),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
