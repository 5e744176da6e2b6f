/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/trace/index/word-filter.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static unsigned bits_set(const uint8_t *filter)
{
	unsigned n = 0;

	for (unsigned i = 0; i < WORD_FILTER_BYTES; i++)
		n += (unsigned)__builtin_popcount(filter[i]);
	return n;
}

/* Neighbouring words fill all of it, not a half. */
static void the_whole_of_it_is_used(void **state)
{
	const uint64_t stack = UINT64_C(0x7ffffffde000) / 4;
	uint8_t *filter = calloc(1, WORD_FILTER_BYTES);
	uint8_t *upper = filter + WORD_FILTER_BYTES / 2;

	(void)state;
	for (uint64_t i = 0; i < 1u << (WORD_FILTER_LOG + 1); i++)
		word_filter_add(filter, stack + i);
	assert_true(bits_set(filter) > WORD_FILTER_BYTES * 8 / 10 * 7);
	assert_non_null(memchr(upper, 0xff, WORD_FILTER_BYTES / 2));
	free(filter);
}

static void none_is_missed(void **state)
{
	uint8_t *filter = calloc(1, WORD_FILTER_BYTES), *all = calloc(1, WORD_FILTER_BYTES);
	unsigned wrong = 0;

	(void)state;
	for (uint64_t i = 0; i < 1000; i++)
		word_filter_add(filter, i * i * i);
	word_filter_join(all, filter);
	for (uint64_t i = 0; i < 1000; i++)
		assert_true(word_filter_has(all, i * i * i));
	for (uint64_t i = 0; i < 10000; i++)
		wrong += word_filter_has(all, ~i);
	/* 1000 of 131072 bits are set: of 10000 others some 76 are taken for them */
	assert_true(wrong < 300);
	free(filter);
	free(all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_whole_of_it_is_used),
		cmocka_unit_test(none_is_missed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
