/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Of which bits of a word the bits that matter of a result are made. */
#include "solver/slice/demanded-bits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

enum { WORD, SECOND, RESULT, N_OPS };

static struct ir_op constant(uint64_t value)
{
	return (struct ir_op){
		.kind = IR_CONST, .width = 32, .a = -1, .b = -1, .c = -1, .d = -1, .value = value
	};
}

/* Those of the word that go into the bits of `word KIND value'. */
static uint64_t of_word(enum ir_kind kind, uint64_t value, uint64_t bits)
{
	struct ir_op ops[N_OPS] = {
		[WORD] = { .kind = IR_GET, .width = 32, .a = -1, .b = -1, .c = -1, .d = -1 },
		[SECOND] = constant(value),
		[RESULT] = { .kind = (uint8_t)kind,
			     .width = 32,
			     .a = WORD,
			     .b = SECOND,
			     .c = -1,
			     .d = -1 },
	};
	const struct ir_block block = { .n_ops = N_OPS, .complete = true, .ops = ops };
	uint64_t matter[N_OPS] = { [RESULT] = bits };

	demanded_bits(&block, matter, false);
	return matter[WORD];
}

static void test_masks_and_shifts(void **state)
{
	(void)state;
	assert_int_equal(of_word(IR_AND, 0xf0, UINT32_MAX), 0xf0);
	assert_int_equal(of_word(IR_OR, 0xf0, 0xff), 0x0f);
	assert_int_equal(of_word(IR_XOR, 0xf0, 0xff), 0xff);
	assert_int_equal(of_word(IR_LSHR, 9, 0xfff), 0x1ffe00);
	assert_int_equal(of_word(IR_SHL, 9, 0x1ffe00), 0xfff);
	assert_int_equal(of_word(IR_SHL, 9, 0x1ff), 0);
	/* the sign comes in from above */
	assert_int_equal(of_word(IR_ASHR, 24, 0xff), 0xff000000);
	assert_int_equal(of_word(IR_ASHR, 28, 0xff), 0xf0000000);
}

static void test_sums_carry(void **state)
{
	(void)state;
	assert_int_equal(of_word(IR_ADD, 1, 0x10), 0x1f);
	/* `d.year++' where nine bits lie below: these stay, and carry nothing */
	assert_int_equal(of_word(IR_ADD, 0x200, 0x1ffe00), 0x1ffe00);
	assert_int_equal(of_word(IR_ADD, 0x200, 0x1f), 0x1f);
	assert_int_equal(of_word(IR_MUL, 3, 0x10), 0x1f);
}

static void test_others_need_all(void **state)
{
	(void)state;
	assert_int_equal(of_word(IR_UDIV, 3, 1), UINT32_MAX);
	assert_int_equal(of_word(IR_AND, 0xf0, 0), 0);
}

static void test_numbers(void **state)
{
	(void)state;
	assert_int_equal(bits_as_number(0x0fd3a5, 0x1ffe00), 0x7e9);
	assert_int_equal(bits_as_number(0x0fd3a5, 0), 0x0fd3a5);
	assert_true(bits_of_width(64) == UINT64_MAX);
	assert_int_equal(bits_of_width(4), 0xf);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_masks_and_shifts),
		cmocka_unit_test(test_sums_carry),
		cmocka_unit_test(test_others_need_all),
		cmocka_unit_test(test_numbers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
