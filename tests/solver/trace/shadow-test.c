/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/trace/shadow.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static void unknown_until_written(void **state)
{
	struct shadow *s = shadow_new();
	uint8_t out[8];

	(void)state;
	assert_false(shadow_read(s, 0x1000, 1, out));
	shadow_write(s, 0x1000, 4, (const uint8_t *)"abcd", true);
	assert_true(shadow_read(s, 0x1001, 3, out));
	assert_memory_equal(out, "bcd", 3);
	assert_false(shadow_read(s, 0x1001, 4, out));
	shadow_write(s, 0x1002, 1, NULL, false);
	assert_false(shadow_read(s, 0x1000, 4, out));
	assert_true(shadow_read(s, 0x1003, 1, out));
	shadow_free(s);
}

static void across_pages(void **state)
{
	struct shadow *s = shadow_new();
	uint8_t in[300], out[300];

	(void)state;
	for (unsigned i = 0; i < sizeof(in); i++)
		in[i] = (uint8_t)(i * 7);
	shadow_write(s, 0x1f80, sizeof(in), in, true);
	assert_true(shadow_read(s, 0x1f80, sizeof(out), out));
	assert_memory_equal(in, out, sizeof(in));
	/* the last bytes of the address space, and on at 0 */
	shadow_write(s, UINT64_MAX - 3, 8, in, true);
	assert_true(shadow_read(s, 0, 4, out));
	assert_memory_equal(out, in + 4, 4);
	shadow_free(s);
}

static void changes_from_outside(void **state)
{
	struct shadow *s = shadow_new();
	struct shadow_change change = { 0 };

	(void)state;
	assert_int_equal(shadow_observe(s, 0x10, 2, (const uint8_t *)"ab", &change), 3);
	assert_false(change.known || change.fresh);
	assert_int_equal(shadow_observe(s, 0x10, 4, (const uint8_t *)"abcd", &change), 0xc);
	assert_false(change.fresh);
	shadow_others_ran(s);
	assert_int_equal(shadow_observe(s, 0x10, 4, (const uint8_t *)"aXcd", &change), 2);
	assert_true(change.known && !change.fresh);
	assert_int_equal(shadow_observe(s, 0x10, 4, (const uint8_t *)"aXcY", &change), 8);
	assert_true(change.fresh);
	shadow_free(s);
}

/* Against one flag and one byte an address. */
static void like_a_plain_array(void **state)
{
	enum { SIZE = 3 * 4096, BASE = 0x7ff000 };
	static uint8_t bytes[SIZE];
	static bool known[SIZE];
	struct shadow *s = shadow_new();

	(void)state;
	srand(1);
	for (int round = 0; round < 20000; round++) {
		unsigned size = 1 + (unsigned)rand() % 64, at = (unsigned)rand() % (SIZE - size);
		uint8_t data[64], out[64];
		bool all = true, on = rand() % 8, is_known;
		uint64_t outside = 0;
		for (unsigned i = 0; i < size; i++) {
			data[i] = (uint8_t)(rand() % 3);
			all = all && known[at + i];
			outside |= (uint64_t)(!known[at + i] || bytes[at + i] != data[i]) << i;
		}
		is_known = shadow_read(s, BASE + at, size, out);
		assert_int_equal(is_known, all);
		if (all)
			assert_memory_equal(out, bytes + at, size);
		if (rand() % 2) {
			shadow_write(s, BASE + at, size, data, on);
		} else {
			on = true;
			assert_true(shadow_observe(s, BASE + at, size, data, NULL) == outside);
		}
		memset(known + at, on, size);
		if (on)
			memcpy(bytes + at, data, size);
	}
	shadow_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(unknown_until_written),
		cmocka_unit_test(across_pages),
		cmocka_unit_test(changes_from_outside),
		cmocka_unit_test(like_a_plain_array),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
