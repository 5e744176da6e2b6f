/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Formulas and paths as text: what a line says, and that the log shows it. */
#include "solver/formula/model/model-path.h"
#include "solver/image/image.h"
#include "tests/support/formula.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static void expect_text(char *text, const char *wanted)
{
	assert_string_equal(text, wanted);
	g_free(text);
}

static char *formula_text(const struct formula *f)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	formula_dump(out, f);
	fclose(out);
	return text;
}

static void a_formula_has_a_line_for_each_part(void **state)
{
	static const struct image_statement at = { .file = "p.c", .line = 10 };
	struct formula *f = formula_of_nothing();
	uint32_t x = term_var(f->pool, 32, 0), y = term_var(f->pool, 32, 1);
	const struct definition input = { .kind = DEF_INPUT,
					  .variable = x,
					  .expr = term_const(f->pool, 32, 5),
					  .selector = SELECTOR_HARD,
					  .reach = term_true(f->pool),
					  .actual = 5,
					  .pc = 0x1000 };
	const struct definition sum = { .kind = DEF_MEMORY,
					.variable = y,
					.expr = term_op2(f->pool, IR_ADD, x, x),
					.selector = 2,
					.statement = &at,
					.reach = term_true(f->pool),
					.actual = 10,
					.pc = 0x1004 };
	const struct constraint less = { .term = term_op2(f->pool, IR_ULT, y, x),
					 .requirement = true,
					 .pc = 0x1008 };
	const struct unexplored side = {
		.taken = term_eq(f->pool, x, y), .run = 1, .pc = 0x100c, .nth = 3, .outcome = true
	};

	(void)state;
	expect_text(formula_text(f), "");
	g_array_append_val(f->definitions, input);
	g_array_append_val(f->definitions, sum);
	g_array_append_val(f->constraints, less);
	g_array_append_val(f->unexplored, side);
	expect_text(formula_text(f),
		    "v0:32 = 0x5; input at pc 0x1000, hard, was 0x5, if 0x1\n"
		    "v1:32 = ADD:32(v0, v0); memory at pc 0x1004, p.c:10, selector 2, was 0xa, "
		    "if 0x1\n"
		    "required: ULT:1(v1, v0); at pc 0x1008\n"
		    "unexplored: if EQ:1(v0, v1); taken at pc 0x100c, execution 3 of run 1\n");
	formula_forget(f);
}

static void a_path_has_a_line_for_each_change(void **state)
{
	struct model_path p = { .actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action)),
				.changes = g_array_new(FALSE, FALSE,
						       sizeof(struct model_path_change)) };
	const struct model_path_change c = { .def = 7, .natural = 1, .value = (term_bits)1 << 64 };
	const struct trace_action a = {
		.kind = TRACE_ACTION_MEM, .module = 2, .addr = 0x1139, .nth = 4
	};
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	(void)state;
	g_array_append_val(p.changes, c);
	g_array_append_val(p.actions, a);
	p.leaves = true;
	model_path_dump(out, &p);
	fclose(out);
	expect_text(text, "v7 := 0x10000000000000000 for 0x1; memory at 0x1139 of module 2, "
			  "execution 4\n"
			  "then where no run went\n");
	g_array_free(p.actions, TRUE);
	g_array_free(p.changes, TRUE);
}

static void the_log_shows_the_path_of_a_model_when_it_is_asked_to(void **state)
{
	struct formula *f = formula_of_nothing();
	const term_bits none = 0;

	(void)state;
	g_setenv("GDB_WHY_LOG", "formula:debug", TRUE);
	g_test_expect_message("formula", G_LOG_LEVEL_DEBUG,
			      "path of a model:*to the end of the formula*");
	model_path_free(model_path_of_model(f, &none, NULL));
	g_test_assert_expected_messages();
	g_unsetenv("GDB_WHY_LOG");
	formula_forget(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_formula_has_a_line_for_each_part),
		cmocka_unit_test(a_path_has_a_line_for_each_change),
		cmocka_unit_test(the_log_shows_the_path_of_a_model_when_it_is_asked_to),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
