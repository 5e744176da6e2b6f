/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/smt/term/term.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void expect_dump(const struct term_pool *p, uint32_t t, const char *wanted)
{
	g_autofree char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	term_dump(f, p, t);
	fclose(f);
	assert_string_equal(text, wanted);
}

static void terms_are_printed_with_their_operands(void **state)
{
	struct term_pool *p = term_pool_new();
	uint32_t x = term_var(p, 32, 3), y = term_var(p, 32, 4);
	uint32_t sum = term_op2(p, IR_SUB, x, y);

	(void)state;
	expect_dump(p, 0, "none");
	expect_dump(p, term_const(p, 16, 0xbeef), "0xbeef");
	expect_dump(p, x, "v3");
	expect_dump(p, sum, "SUB:32(v3, v4)");
	expect_dump(p, term_ite(p, term_op2(p, IR_SLT, x, y), sum, y),
		    "ITE:32(SUB:32(v3, v4), v4, SLT:1(v3, v4))");
	expect_dump(p, term_extract(p, sum, 8, 16), "EXTRACT:16(SUB:32(v3, v4), from bit 8)");
	expect_dump(p, term_op(p, IR_FP, 32, x, y, 0, IR_FP_DIV), "FP_DIV:32(v3, v4)");
	expect_dump(p, term_op(p, IR_FP, 32, x, 0, 0, IR_FP_CALL), "CALL:32(v3)");
	term_pool_free(p);
}

static void what_lies_deep_is_a_number(void **state)
{
	struct term_pool *p = term_pool_new();
	uint32_t x = term_var(p, 32, 0), t = x, inner = 0;
	g_autofree char *wanted = NULL;

	(void)state;
	for (unsigned i = 0; i < 50; i++) {
		inner = i == 46 ? t : inner; /* four more operators stand above it */
		t = term_op2(p, i % 2 ? IR_UDIV : IR_UREM, x, t);
	}
	wanted = g_strdup_printf("UDIV:32(v0, UREM:32(v0, UDIV:32(v0, UREM:32(v0, t%u))))", inner);
	expect_dump(p, t, wanted);
	term_pool_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(terms_are_printed_with_their_operands),
		cmocka_unit_test(what_lies_deep_is_a_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
