/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operators of more than 64 bits against the compiler's, and what is unknown.
 * (Instructions as a whole: image-lift-test.c.) */
#include "solver/isa/flags.h"
#include "solver/isa/eval.h"
#include "solver/isa/lift.h"
#include <glib.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

typedef unsigned __int128 u128;
typedef __int128 s128;

static u128 any128(void)
{
	u128 v = 0;

	for (int i = 0; i < 5; i++)
		v = v << 31 ^ (unsigned)rand();
	return rand() % 2 ? v : rand() % 2 ? v >> 100 : -(v >> 90);
}

static struct ir_value value_of(u128 v)
{
	return (struct ir_value){ .w = { (uint64_t)v, (uint64_t)(v >> 64) }, .known = true };
}

static u128 wide(enum ir_kind kind, unsigned width, u128 a, u128 b)
{
	struct ir_op op = { .kind = (uint8_t)kind, .width = (uint16_t)width };
	struct ir_value x = value_of(a), y = value_of(b), c = { .known = true }, out = { 0 };

	assert_true(eval_wide(&op, 128, 128, &x, &y, &c, &out));
	assert_int_equal(out.w[2] | out.w[3], 0);
	return (u128)out.w[1] << 64 | out.w[0];
}

static void like_the_compiler(void **state)
{
	(void)state;
	srand(7);
	for (int i = 0; i < 20000; i++) {
		u128 a = any128(), b = any128(), n = (unsigned)rand() % 128;
		assert_true(wide(IR_ADD, 128, a, b) == a + b);
		assert_true(wide(IR_SUB, 128, a, b) == a - b);
		assert_true(wide(IR_MUL, 128, a, b) == a * b);
		assert_true(wide(IR_XOR, 128, a, b) == (a ^ b));
		assert_true(wide(IR_SHL, 128, a, n) == a << n);
		assert_true(wide(IR_LSHR, 128, a, n) == a >> n);
		assert_true(wide(IR_ASHR, 128, a, n) == (u128)((s128)a >> n));
		assert_true(wide(IR_ULT, 1, a, b) == (a < b));
		assert_true(wide(IR_SLE, 1, a, b) == ((s128)a <= (s128)b));
		assert_true(wide(IR_EQ, 1, a, a) == 1);
		if (b == 0)
			continue;
		assert_true(wide(IR_UDIV, 128, a, b) == a / b);
		assert_true(wide(IR_UREM, 128, a, b) == a % b);
		if ((s128)b == -1)
			continue;
		assert_true(wide(IR_SDIV, 128, a, b) == (u128)((s128)a / (s128)b));
		assert_true(wide(IR_SREM, 128, a, b) == (u128)((s128)a % (s128)b));
	}
}

static void at_the_edges(void **state)
{
	u128 least = (u128)1 << 127;

	(void)state;
	assert_true(wide(IR_UDIV, 128, 5, 0) == ~(u128)0);
	assert_true(wide(IR_UREM, 128, 5, 0) == 5);
	assert_true(wide(IR_SDIV, 128, 5, 0) == ~(u128)0);
	assert_true(wide(IR_SDIV, 128, least, 0) == 1);
	assert_true(wide(IR_SDIV, 128, least, ~(u128)0) == least);
	assert_true(wide(IR_SREM, 128, least, ~(u128)0) == 0);
	assert_true(wide(IR_SHL, 128, 1, 128) == 0);
	assert_true(wide(IR_ASHR, 128, least, (u128)1 << 100) == ~(u128)0);
}

static void concat_and_extract(void **state)
{
	struct ir_op concat = { .kind = IR_CONCAT, .width = 256 };
	struct ir_op extract = { .kind = IR_EXTRACT, .width = 64 };
	struct ir_value none = { 0 }, x = { .w = { 1, 2 }, .known = true };
	struct ir_value y = { .w = { 3, 4 }, .known = true }, both = { 0 }, part = { 0 };

	(void)state;
	assert_true(eval_wide(&concat, 128, 128, &x, &y, &none, &both));
	assert_memory_equal(both.w, ((uint64_t[]){ 3, 4, 1, 2 }), 32);
	extract.value = 96;
	assert_true(eval_wide(&extract, 256, 1, &both, &none, &none, &part));
	assert_true(part.w[0] == (UINT64_C(1) << 32) && part.w[1] == 0);
}

static bool no_load(struct eval_memory *m, uint64_t address, unsigned size, uint8_t *out)
{
	(void)m;
	(void)address;
	(void)size;
	(void)out;
	return false;
}

static void no_store(struct eval_memory *m, uint64_t address, unsigned size, const uint8_t *bytes,
		     bool known)
{
	(void)m;
	(void)address;
	(void)size;
	(void)bytes;
	assert_false(known);
}

static void unknown_spreads(void **state)
{
	static const struct ir_op ops[] = {
		{ .kind = IR_CONST, .width = 64, .a = -1, .b = -1, .c = -1, .value = 8 },
		{ .kind = IR_LOAD, .width = 64, .a = 0, .b = -1, .c = -1 },
		{ .kind = IR_ADD, .width = 64, .a = 1, .b = 0, .c = -1 },
		{ .kind = IR_PUT, .offset = 16, .a = 2, .b = -1, .c = -1 },
		{ .kind = IR_STORE, .a = 0, .b = 2, .c = -1 },
		{ .kind = IR_CONST, .width = 1, .a = -1, .b = -1, .c = -1, .value = 1 },
		{ .kind = IR_ITE, .width = 64, .a = 0, .b = 2, .c = 5 },
		{ .kind = IR_ITE, .width = 64, .a = 2, .b = 0, .c = 5 },
		{ .kind = IR_NEXT, .a = 2, .b = -1, .c = -1 },
	};
	struct ir_block block = { G_N_ELEMENTS(ops), true, (struct ir_op *)ops };
	struct eval_memory memory = { no_load, no_store };
	struct ir_value temps[G_N_ELEMENTS(ops)];
	struct eval_state s;
	struct eval_result r;

	(void)state;
	memset(&s, 0, sizeof(s));
	memset(s.known, 0xff, sizeof(s.known));
	r = ir_eval(&block, &s, &memory, temps);
	assert_false(temps[1].known || temps[2].known || temps[7].known || r.next_known);
	assert_true(temps[6].known && temps[6].w[0] == 8);
	assert_int_equal(s.known[16] | s.known[23], 0);
	assert_int_equal(s.known[15] & s.known[24], 0xff);
}

static bool sets_sign_of_dep1(enum flags_kind kind)
{
	switch (kind) {
	case FLAGS_ROL:
	case FLAGS_ROR:
	case FLAGS_ADCX:
	case FLAGS_ADOX: /* as it was */
	case FLAGS_UMUL:
	case FLAGS_SMUL: /* of the product */
		return false;
	default:
		return true;
	}
}

/* flags.h's table against libVEX's helpers: the sign is the highest bit of the
 * operation's width. */
static void flags_table(void **state)
{
	(void)state;
	for (uint64_t cc_op = 1; flags_decode(cc_op).kind != FLAGS_NONE; cc_op++) {
		struct flags_op f = flags_decode(cc_op);
		uint64_t sign = UINT64_C(1) << (f.width - 1);
		if (!sets_sign_of_dep1(f.kind))
			continue;
		assert_true(lift_condition(8, cc_op, sign, 0, 0));
		assert_false(lift_condition(8, cc_op, sign >> 1, 0, 0));
	}
	assert_true(lift_condition(2, IR_CC_OP_COPY, 1, 0, 0));
	assert_int_equal(flags_decode(7).kind, FLAGS_SUB);
	assert_int_equal(flags_decode(7).width, 32);
	assert_int_equal(flags_decode(64).kind, FLAGS_ADOX);
	assert_int_equal(flags_decode(65).kind, FLAGS_NONE);
	assert_int_equal(flags_decode(UINT64_MAX).kind, FLAGS_NONE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(like_the_compiler),  cmocka_unit_test(at_the_edges),
		cmocka_unit_test(concat_and_extract), cmocka_unit_test(unknown_spreads),
		cmocka_unit_test(flags_table),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
