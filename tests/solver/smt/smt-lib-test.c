/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What GDB_WHY_SMT_DUMP writes: Z3 reads each file and gives the verdict that the engine
 * gave.  Each operator is asked in a question that holds and in one that does not, so that an
 * operator that is written wrongly changes a verdict. */
#include "solver/smt/smt.h"
#include "solver/smt/smt-lib.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <glib/gstdio.h>
#include <z3.h>

#define PATIENCE_MS 20000

static const char *verdict_of_z3(const char *text)
{
	Z3_config config = Z3_mk_config();
	Z3_context z = Z3_mk_context(config);
	Z3_solver solver;
	const char *verdict = "unknown";

	Z3_set_error_handler(z, NULL);
	solver = Z3_mk_solver_for_logic(z, Z3_mk_string_symbol(z, "QF_BV"));
	Z3_solver_inc_ref(z, solver);
	Z3_solver_from_string(z, solver, text);
	if (Z3_get_error_code(z) != Z3_OK)
		fail_msg("Z3 does not read it: %s\n%s", Z3_get_error_msg(z, Z3_get_error_code(z)),
			 text);
	switch (Z3_solver_check(z, solver)) {
	case Z3_L_FALSE:
		verdict = "unsat";
		break;
	case Z3_L_TRUE:
		verdict = "sat";
		break;
	case Z3_L_UNDEF:
		break;
	}
	Z3_solver_dec_ref(z, solver);
	Z3_del_context(z);
	Z3_del_config(config);
	return verdict;
}

/* Reads and removes the folder's files; how many there were with that answer of ours. */
static unsigned verdicts_agree(const char *folder, const char *answer)
{
	g_autofree char *wanted = g_strdup_printf("; gdb-why: %s\n", answer);
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
	const char *name;
	unsigned n = 0;

	while ((name = g_dir_read_name(dir))) {
		g_autofree char *path = g_build_filename(folder, name, NULL);
		g_autofree char *text = NULL;

		assert_true(g_file_get_contents(path, &text, NULL, NULL));
		if (!g_str_has_suffix(text, wanted))
			continue;
		if (strcmp(verdict_of_z3(text), answer))
			fail_msg("the engine says %s, Z3 does not:\n%s", answer, text);
		g_unlink(path);
		n++;
	}
	return n;
}

static unsigned operand_width(enum ir_kind kind, unsigned operand, unsigned width)
{
	return operand == 2 && kind == IR_ITE ? 1 : width;
}

static unsigned result_width(enum ir_kind kind, unsigned width)
{
	switch (ir_info(kind)->result) {
	case IR_RESULT_TRUTH:
		return 1;
	case IR_RESULT_SUM:
		return 2 * width;
	case IR_RESULT_WIDER:
		return width + 5;
	case IR_RESULT_PART:
		return (width + 1) / 2;
	default:
		return width;
	}
}

static term_bits random_value(GRand *r, unsigned width)
{
	uint64_t bits = (uint64_t)g_rand_int(r) << 32 | g_rand_int(r);

	/* small ones, so that shifts and divisions differ from their neighbours */
	if (g_rand_boolean(r))
		bits &= 7;
	return bits & (UINT64_MAX >> (64 - width));
}

/* Operands that are fixed by constraints: the result can be what evaluation says, and nothing
 * else. */
static void ask_about(GRand *r, enum smt_kind engine, enum ir_kind kind, unsigned width)
{
	struct term_pool *p = term_pool_new();
	struct smt *s = smt_new(p, engine);
	uint32_t t[3] = { 0 }, result, right, differs = term_var(p, 1, 9);
	term_bits v[3] = { 0 }, want;
	uint64_t low = kind == IR_EXTRACT ? width / 3 : 0;

	for (unsigned i = 0; i < ir_info(kind)->operands; i++) {
		unsigned w = operand_width(kind, i, width);

		t[i] = term_var(p, w, i);
		/* often equal ones, where < and <= differ */
		v[i] = i == 1 && !g_rand_int_range(r, 0, 4) ? v[0] : random_value(r, w);
		smt_assert(s, term_eq(p, t[i], term_const_wide(p, w, v[i])));
	}
	result = term_op(p, kind, result_width(kind, width), t[0], t[1], t[2], low);
	want = term_apply(kind, result_width(kind, width), v[0], width, v[1], width, v[2], low);
	right = term_eq(p, result, term_const_wide(p, result_width(kind, width), want));
	smt_assert(s, term_or(p, term_not(p, differs), term_not(p, right)));
	assert_int_equal(smt_check(s, &right, 1, PATIENCE_MS), SMT_SAT);
	assert_int_equal(smt_check(s, &differs, 1, PATIENCE_MS), SMT_UNSAT);
	smt_free(s);
	term_pool_free(p);
}

static char *begin(void)
{
	char *folder = g_dir_make_tmp("why-smt-XXXXXX", NULL);

	assert_non_null(folder);
	g_setenv("GDB_WHY_SMT_DUMP", folder, TRUE);
	return folder;
}

static void end(const char *folder)
{
	g_unsetenv("GDB_WHY_SMT_DUMP");
	assert_int_equal(g_rmdir(folder), 0); /* each file was read */
}

static void each_operator_is_written_as_it_is_solved(void **state)
{
	static const unsigned widths[] = { 1, 1, 5, 5, 5, 5, 8, 8, 8, 8, 32, 64 };
	GRand *r = g_rand_new_with_seed(5);

	(void)state;
	for (enum smt_kind engine = SMT_BITBLAST; engine <= SMT_Z3; engine++) {
		g_autofree char *folder = begin();
		unsigned asked = 0;

		for (unsigned kind = 0; kind < IR_N_KINDS; kind++)
			for (unsigned i = 0; i < G_N_ELEMENTS(widths) && kind != IR_FP; i++)
				if (ir_is_operator(kind)) {
					ask_about(r, engine, kind, widths[i]);
					asked++;
				}
		assert_int_equal(verdicts_agree(folder, "sat"), asked);
		assert_int_equal(verdicts_agree(folder, "unsat"), asked);
		end(folder);
	}
	g_rand_free(r);
}

static uint64_t bits_of_float(float x)
{
	uint32_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return bits;
}

static void floating_point_is_written_as_bits(void **state)
{
	g_autofree char *folder = begin();
	struct term_pool *p = term_pool_new();
	struct smt *s = smt_new(p, SMT_BITBLAST);
	uint32_t x = term_var(p, 32, 0), sum, right, wrong;

	(void)state;
	sum = term_op(p, IR_FP, 32, x, x, 0, IR_FP_ADD);
	right = term_eq(p, sum, term_const(p, 32, bits_of_float(3)));
	wrong = term_eq(p, sum, term_const(p, 32, bits_of_float(4)));
	smt_assert(s, term_eq(p, x, term_const(p, 32, bits_of_float(1.5f))));
	assert_int_equal(smt_check(s, &right, 1, PATIENCE_MS), SMT_SAT);
	assert_int_equal(smt_check(s, &wrong, 1, PATIENCE_MS), SMT_UNSAT);
	assert_int_equal(verdicts_agree(folder, "sat"), 1);
	assert_int_equal(verdicts_agree(folder, "unsat"), 1);
	smt_free(s);
	term_pool_free(p);
	end(folder);
}

static void what_is_shared_is_written_once(void **state)
{
	struct term_pool *p = term_pool_new();
	uint32_t x = term_var(p, 64, 0), t = x, holds;
	g_autofree char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);

	(void)state;
	/* as a tree it has 2^60 leaves */
	for (unsigned i = 0; i < 60; i++)
		t = term_op2(p, IR_MUL, term_op2(p, IR_XOR, t, term_const(p, 64, i + 3)), t);
	holds = term_op2(p, IR_ULT, t, x);
	smt_lib_write(f, p, &holds, 1);
	fclose(f);
	assert_in_range(size, 1, 20000);
	assert_true(
		g_str_has_prefix(text, "(set-logic QF_BV)\n(declare-const v0 (_ BitVec 64))\n"));
	assert_true(g_str_has_suffix(text, ")\n(check-sat)\n"));
	term_pool_free(p);
}

static void a_folder_that_is_not_there_costs_no_answer(void **state)
{
	struct term_pool *p = term_pool_new();
	struct smt *s;
	uint32_t x = term_var(p, 1, 0);

	(void)state;
	g_setenv("GDB_WHY_SMT_DUMP", "/nonexistent/folder", TRUE);
	s = smt_new(p, SMT_BITBLAST);
	g_test_expect_message(G_LOG_DOMAIN, G_LOG_LEVEL_WARNING, "*no file can be made*");
	assert_int_equal(smt_check(s, &x, 1, PATIENCE_MS), SMT_SAT);
	g_unsetenv("GDB_WHY_SMT_DUMP");
	smt_free(s);
	term_pool_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_operator_is_written_as_it_is_solved),
		cmocka_unit_test(floating_point_is_written_as_bits),
		cmocka_unit_test(what_is_shared_is_written_once),
		cmocka_unit_test(a_folder_that_is_not_there_costs_no_answer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
