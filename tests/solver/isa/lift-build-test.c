/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operands come from libVEX: widths that do not fit make the result unknown. */
#include "solver/isa/lift-build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

static const struct ir_op *op_at(const struct lift_build *b, int32_t op)
{
	return &g_array_index(b->ops, struct ir_op, op);
}

static void check_unknown(struct lift_build *b, int32_t op, unsigned width)
{
	assert_int_equal(op_at(b, op)->kind, IR_UNKNOWN);
	assert_int_equal(op_at(b, op)->width, width);
	assert_false(b->complete);
	lift_build_reset(b);
}

static int32_t state(struct lift_build *b, unsigned offset, unsigned width)
{
	return lift_emit(b, (struct ir_op){ .kind = IR_GET,
					    .width = (uint16_t)width,
					    .offset = (uint16_t)offset,
					    .a = -1,
					    .b = -1,
					    .c = -1,
					    .d = -1 });
}

static void widths_that_do_not_fit(void **unused)
{
	struct lift_build b;

	(void)unused;
	lift_build_init(&b);
	check_unknown(&b, lift_binary(&b, IR_ADD, state(&b, 0, 32), state(&b, 8, 64)), 32);
	check_unknown(&b, lift_compare(&b, IR_ULT, state(&b, 0, 32), state(&b, 8, 64)), 1);
	check_unknown(&b, lift_ite(&b, state(&b, 0, 8), state(&b, 8, 64), state(&b, 16, 64)), 64);
	check_unknown(&b, lift_extract(&b, state(&b, 0, 32), 16, 32), 32);
	lift_build_deinit(&b);
}

static void rounding_modes(void **unused)
{
	struct lift_build b;

	(void)unused;
	lift_build_init(&b);
	assert_true(lift_rounds_as_state(&b, lift_const(&b, 32, 0)));
	assert_true(lift_rounds_as_state(&b, state(&b, IR_STATE_SSEROUND, 64)));
	for (uint64_t mode = 1; mode < 4; mode++)
		assert_false(lift_rounds_as_state(&b, lift_const(&b, 32, mode)));
	lift_build_deinit(&b);
}

static void check_says(struct ir_op op, const char *expected)
{
	struct ir_op ops[3] = {
		{ .kind = IR_CONST, .width = 32, .a = -1, .b = -1, .c = -1, .d = -1 },
		{ .kind = IR_CONST, .width = 64, .a = -1, .b = -1, .c = -1, .d = -1 },
		op
	};
	struct ir_block block = { .n_ops = 3, .complete = true, .ops = ops };
	uint32_t number = 0;
	const char *wrong = ir_check(&block, &number);

	if (!expected) {
		assert_null(wrong);
		return;
	}
	assert_non_null(wrong);
	assert_int_equal(number, 2);
	assert_string_equal(wrong, expected);
}

static void rows_are_obeyed(void **unused)
{
	(void)unused;
	check_says((struct ir_op){ IR_ADD, 32, 0, 0, 0, -1, -1, 0 }, NULL);
	check_says((struct ir_op){ IR_ADD, 32, 0, 0, 1, -1, -1, 0 }, "its widths do not fit");
	check_says((struct ir_op){ IR_ADD, 32, 0, 0, -1, -1, -1, 0 },
		   "it has too few or too many operands");
	check_says((struct ir_op){ IR_NOT, 32, 0, 0, 0, -1, -1, 0 },
		   "it has too few or too many operands");
	check_says((struct ir_op){ IR_ULT, 1, 0, 1, 1, -1, -1, 0 }, NULL);
	check_says((struct ir_op){ IR_ULT, 64, 0, 1, 1, -1, -1, 0 }, "its widths do not fit");
	check_says((struct ir_op){ IR_CONCAT, 96, 0, 0, 1, -1, -1, 0 }, NULL);
	check_says((struct ir_op){ IR_EXTRACT, 16, 0, 0, -1, -1, -1, 17 }, "its widths do not fit");
	check_says((struct ir_op){ IR_ZEXT, 16, 0, 0, -1, -1, -1, 0 }, "its widths do not fit");
	check_says((struct ir_op){ IR_FP, 64, 0, 1, 1, -1, -1, IR_FP_MUL }, NULL);
	check_says((struct ir_op){ IR_FP, 64, 0, 1, 1, -1, -1, IR_FP_SQRT },
		   "it has too few or too many operands");
	check_says((struct ir_op){ IR_NOT, 32, 0, 2, -1, -1, -1, 0 }, "an operand comes after it");
	check_says((struct ir_op){ IR_N_KINDS, 32, 0, -1, -1, -1, -1, 0 }, "it is of no kind");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(widths_that_do_not_fit),
		cmocka_unit_test(rounding_modes),
		cmocka_unit_test(rows_are_obeyed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
