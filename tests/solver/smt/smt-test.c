/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The solver on the paper's running example, and against evaluation and brute
 * force on random formulas of up to 12 selectors. */
#include "solver/search/comss.h"
#include "solver/smt/smt.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define PATIENCE_MS 20000

/* One soft clause: selector → constraint. */
struct soft {
	uint32_t selector, constraint;
};

struct formula {
	struct term_pool *p;
	struct smt *smt;
	struct soft soft[16];
	unsigned n, next_variable;
};

static void formula_init(struct formula *f, enum smt_kind kind)
{
	*f = (struct formula){ .p = term_pool_new() };
	f->smt = smt_new(f->p, kind);
}

static void formula_deinit(struct formula *f)
{
	smt_free(f->smt);
	term_pool_free(f->p);
}

static uint32_t fresh(struct formula *f, unsigned width)
{
	return term_var(f->p, width, f->next_variable++);
}

static void add_soft(struct formula *f, uint32_t constraint)
{
	uint32_t selector = fresh(f, 1);

	f->soft[f->n++] = (struct soft){ selector, constraint };
	smt_assert(f->smt, term_or(f->p, term_not(f->p, selector), constraint));
}

static enum smt_answer solve_without(struct formula *f, unsigned relaxed, unsigned *where)
{
	uint32_t assumed[16];
	unsigned n = 0;

	for (unsigned i = 0; i < f->n; i++)
		if (!(relaxed & 1u << i)) {
			where[n] = i;
			assumed[n++] = f->soft[i].selector;
		}
	return smt_check(f->smt, assumed, n, PATIENCE_MS);
}

static GArray *corrections(struct formula *f)
{
	struct comss *c = comss_new(f->n, NULL, 5);
	GArray *found = g_array_new(FALSE, FALSE, sizeof(unsigned));
	const unsigned *member;
	unsigned n, where[16], n_core;

	while ((member = comss_candidate(c, &n))) {
		unsigned relaxed = 0, core[16];

		for (unsigned i = 0; i < n; i++)
			relaxed |= 1u << member[i];
		if (solve_without(f, relaxed, where) == SMT_SAT) {
			g_array_append_val(found, relaxed);
			comss_accept(c);
			continue;
		}
		const unsigned *index = smt_core(f->smt, &n_core);

		for (unsigned i = 0; i < n_core; i++)
			core[i] = where[index[i]];
		comss_refute(c, core, n_core);
	}
	comss_free(c);
	return found;
}

/* int P(int x, int y) { a = x >= 0 ? x : -x; b = y < 5 ? a + 1 : a + 2; assert(b <= a); }
 * with x = y = 0; the else of `if (x >= 0)` was never traced. */
static void paper_example(struct formula *f, bool no_overflow, bool second_trace)
{
	struct term_pool *p = f->p;
	uint32_t zero = term_const(p, 32, 0), a1 = fresh(f, 32), a2 = fresh(f, 32);
	uint32_t b1 = fresh(f, 32), b2 = fresh(f, 32), g1 = fresh(f, 1), g2 = fresh(f, 1);
	uint32_t a3 = term_ite(p, g1, a1, a2), b3 = term_ite(p, g2, b1, b2);
	uint32_t plus1 = term_op2(p, IR_ADD, a3, term_const(p, 32, 1));
	uint32_t plus2 = term_op2(p, IR_ADD, a3, term_const(p, 32, 2));

	add_soft(f, term_eq(p, g1, term_op2(p, IR_SLE, zero, zero)));
	add_soft(f, term_eq(p, a1, zero));
	add_soft(f, term_eq(p, g2, term_op2(p, IR_SLT, zero, term_const(p, 32, 5))));
	add_soft(f, term_eq(p, b1, plus1));
	if (second_trace)
		add_soft(f, term_eq(p, b2, plus2));
	smt_assert(f->smt, term_op2(p, IR_SLE, b3, a3));
	if (no_overflow)
		smt_assert(f->smt, term_and(p, term_op2(p, IR_SLT, a3, plus1),
					    term_op2(p, IR_SLT, a3, plus2)));
}

static void expect_corrections(enum smt_kind kind, bool no_overflow, bool second_trace,
			       const unsigned *want, unsigned n)
{
	struct formula f;

	formula_init(&f, kind);
	paper_example(&f, no_overflow, second_trace);
	g_autoptr(GArray) found = corrections(&f);

	assert_int_equal(found->len, n);
	for (unsigned i = 0; i < n; i++) {
		bool there = false;

		for (guint j = 0; j < found->len; j++)
			there |= g_array_index(found, unsigned, j) == want[i];
		assert_true(there);
	}
	formula_deinit(&f);
}

static void the_papers_example_has_its_answers(void **state)
{
	(void)state;
	enum { GUARD1 = 1, A1 = 2, GUARD2 = 4, B1 = 8, B2 = 16 };
	const unsigned first[] = { GUARD2, B1 }, second[] = { B1, GUARD2 | B2 };
	const unsigned wrapping[] = { GUARD1, A1, GUARD2, B1 };

	for (enum smt_kind kind = SMT_BITBLAST; kind <= SMT_Z3; kind++) {
		expect_corrections(kind, true, false, first, 2);
		expect_corrections(kind, true, true, second, 2);
		/* without C's rule for signed overflow, INT_MAX is a way out */
		expect_corrections(kind, false, false, wrapping, 4);
	}
}

static uint32_t random_term(struct formula *f, GRand *r, const uint32_t *leaf, unsigned n,
			    unsigned depth)
{
	static const enum ir_kind kinds[] = { IR_ADD,  IR_SUB,	IR_MUL,	 IR_AND,  IR_OR,
					      IR_XOR,  IR_SHL,	IR_LSHR, IR_ASHR, IR_UDIV,
					      IR_SDIV, IR_UREM, IR_SREM };

	if (!depth)
		return g_rand_int_range(r, 0, 3) ? leaf[g_rand_int_range(r, 0, (int)n)]
						 : term_const(f->p, 8, g_rand_int(r));
	uint32_t a = random_term(f, r, leaf, n, depth - 1);
	uint32_t b = random_term(f, r, leaf, n, depth - 1);

	switch (g_rand_int_range(r, 0, 6)) {
	case 0:
		return term_ite(f->p, term_op2(f->p, IR_SLT, a, b), a, b);
	case 1:
		return term_extract(f->p, term_concat(f->p, a, b),
				    (unsigned)g_rand_int_range(r, 0, 9), 8);
	case 2:
		return term_extract(
			f->p, term_op(f->p, IR_POPCNT, 16, term_sext(f->p, a, 16), 0, 0, 0), 0, 8);
	case 3:
		return term_op(f->p, g_rand_boolean(r) ? IR_CLZ : IR_CTZ, 8, b, 0, 0, 0);
	default:
		return term_op2(f->p, kinds[g_rand_int_range(r, 0, G_N_ELEMENTS(kinds))], a, b);
	}
}

struct model {
	struct formula *f;
	const uint32_t *leaf;
};

static term_bits value_in_model(void *arg, uint32_t number)
{
	struct model *m = arg;

	return smt_value(m->f->smt, m->leaf[number]);
}

static void models_satisfy_what_was_asked(struct formula *f, const uint32_t *leaf, unsigned relaxed)
{
	struct model m = { f, leaf };
	struct term_memo *memo = term_memo_new(f->p, value_in_model, &m);

	for (unsigned i = 0; i < f->n; i++)
		if (!(relaxed & 1u << i))
			assert_true(term_eval(memo, f->soft[i].constraint));
	term_memo_free(memo);
}

static void enumeration_equals_brute_force(void **state)
{
	(void)state;
	GRand *r = g_rand_new_with_seed(3);

	for (int round = 0; round < 50; round++) {
		struct formula f;
		uint32_t leaf[4];
		unsigned n = (unsigned)g_rand_int_range(r, 3, 9), where[16], minimal = 0;

		formula_init(&f, round % 2 ? SMT_Z3 : SMT_BITBLAST);
		for (unsigned i = 0; i < 4; i++)
			leaf[i] = fresh(&f, 8);
		for (unsigned i = 0; i < n; i++)
			add_soft(&f, term_op2(f.p, i % 2 ? IR_EQ : IR_ULT,
					      random_term(&f, r, leaf, 4, 2),
					      random_term(&f, r, leaf, 4, 1)));
		g_autofree bool *sat = g_new(bool, 1u << n);

		for (unsigned set = 0; set < 1u << n; set++) {
			enum smt_answer answer = solve_without(&f, set, where);

			assert_int_not_equal(answer, SMT_UNKNOWN);
			sat[set] = answer == SMT_SAT;
			if (sat[set])
				models_satisfy_what_was_asked(&f, leaf, set);
		}
		for (unsigned set = 0; set < 1u << n; set++) {
			bool least = sat[set] && __builtin_popcount(set) <= 5;

			for (unsigned i = 0; i < n; i++)
				least &= !(set & 1u << i && sat[set & ~(1u << i)]);
			minimal += least;
		}
		g_autoptr(GArray) found = corrections(&f);

		assert_int_equal(found->len, minimal);
		for (guint i = 0; i < found->len; i++)
			assert_true(sat[g_array_index(found, unsigned, i)]);
		formula_deinit(&f);
	}
	g_rand_free(r);
}

/* A value of that width that is likely to be at some limit. */
static term_bits likely(GRand *r, unsigned width)
{
	term_bits one = 1, all = ((one << (width - 1)) - 1) << 1 | 1;
	term_bits random = (term_bits)g_rand_int(r) << 96 ^ (term_bits)g_rand_int(r) << 64 ^
			   (term_bits)g_rand_int(r) << 32 ^ g_rand_int(r);
	const term_bits values[] = { 0,		1,	all,	one << (width - 1), all >> 1, width,
				     width - 1, random, random, random >> 100 };

	return values[g_rand_int_range(r, 0, G_N_ELEMENTS(values))] & all;
}

static unsigned result_width(enum ir_kind kind, unsigned width)
{
	switch (kind) {
	case IR_EQ:
	case IR_ULT:
	case IR_ULE:
	case IR_SLT:
	case IR_SLE:
		return 1;
	case IR_CONCAT:
		return 2 * width;
	case IR_ZEXT:
	case IR_SEXT:
		return width + 5;
	case IR_EXTRACT:
		return (width + 1) / 2;
	default:
		return width;
	}
}

/* With both operands unknown, or one of them a constant, the result can be what
 * evaluation says and nothing else. */
static void check_operator(GRand *r, enum smt_kind solver, enum ir_kind kind, unsigned width,
			   unsigned known)
{
	struct formula f;
	unsigned result = result_width(kind, width);
	uint64_t low =
		kind == IR_EXTRACT ? (uint64_t)g_rand_int_range(r, 0, (int)(width / 2) + 1) : 0;
	term_bits a = likely(r, width), b = likely(r, width), c = likely(r, 1), want, got;
	bool unary = kind == IR_NOT || kind == IR_NEG || kind >= IR_EXTRACT;
	uint32_t x, y, z, t, same;

	formula_init(&f, solver);
	x = known == 1 ? term_const_wide(f.p, width, a) : fresh(&f, width);
	y = unary ? 0 : known == 2 ? term_const_wide(f.p, width, b) : fresh(&f, width);
	z = kind == IR_ITE ? fresh(&f, 1) : 0;
	t = term_op(f.p, kind, result, x, y, z, low);
	want = term_apply(kind, result, a, width, b, width, c, low);
	smt_assert(f.smt, term_eq(f.p, x, term_const_wide(f.p, width, a)));
	if (y)
		smt_assert(f.smt, term_eq(f.p, y, term_const_wide(f.p, width, b)));
	if (z)
		smt_assert(f.smt, term_eq(f.p, z, term_const(f.p, 1, (uint64_t)c)));
	uint32_t out = fresh(&f, result), differs = fresh(&f, 1);

	smt_assert(f.smt, term_eq(f.p, out, t));
	same = term_eq(f.p, out, term_const_wide(f.p, result, want));
	smt_assert(f.smt, term_or(f.p, term_not(f.p, differs), term_not(f.p, same)));
	assert_int_equal(smt_check(f.smt, NULL, 0, PATIENCE_MS), SMT_SAT);
	got = smt_value(f.smt, out);
	if (got != want)
		fail_msg("operator %d, width %u: not what evaluation gives", (int)kind, width);
	assert_int_equal(smt_check(f.smt, &differs, 1, PATIENCE_MS), SMT_UNSAT);
	assert_true(smt_value(f.smt, out) == want); /* still of the last model */
	formula_deinit(&f);
}

static void operators_are_what_evaluation_says(void **state)
{
	static const unsigned widths[] = { 1, 2, 3, 7, 8, 13, 16, 32, 33, 61, 64 };
	GRand *r = g_rand_new_with_seed(11);

	(void)state;
	for (enum ir_kind kind = IR_ADD; kind <= IR_POPCNT; kind++)
		for (unsigned i = 0; i < G_N_ELEMENTS(widths); i++)
			for (unsigned known = 0; known < 3; known++)
				check_operator(r, SMT_BITBLAST, kind, widths[i], known);
	for (enum ir_kind kind = IR_ADD; kind <= IR_POPCNT; kind++)
		check_operator(r, SMT_Z3, kind, 32, 0);
	g_rand_free(r);
}

/* A disjunction whose parts have the same parts: there are 2^40 ways to the innermost one. */
static void shared_disjuncts_are_given_once(void **state)
{
	struct formula f;
	uint32_t all, inner, other[40];

	(void)state;
	formula_init(&f, SMT_BITBLAST);
	inner = all = fresh(&f, 1);
	for (unsigned i = 0; i < G_N_ELEMENTS(other); i++) {
		uint32_t left = fresh(&f, 1);

		other[i] = fresh(&f, 1);
		all = term_or(f.p, term_or(f.p, left, all), term_or(f.p, all, other[i]));
		smt_assert(f.smt, term_not(f.p, left));
		smt_assert(f.smt, term_not(f.p, other[i]));
	}
	smt_assert(f.smt, all);
	assert_int_equal(smt_check(f.smt, NULL, 0, PATIENCE_MS), SMT_SAT);
	assert_int_equal(smt_check(f.smt, &inner, 1, PATIENCE_MS), SMT_SAT);
	inner = term_not(f.p, inner);
	assert_int_equal(smt_check(f.smt, &inner, 1, PATIENCE_MS), SMT_UNSAT);
	formula_deinit(&f);
}

static void wide_values_come_back_whole(void **state)
{
	struct formula f;

	(void)state;
	for (enum smt_kind kind = SMT_BITBLAST; kind <= SMT_Z3; kind++) {
		formula_init(&f, kind);
		uint32_t x = fresh(&f, 128), one = term_const_wide(f.p, 128, (term_bits)1 << 100);

		smt_assert(f.smt, term_eq(f.p, x, one));
		assert_int_equal(smt_check(f.smt, NULL, 0, PATIENCE_MS), SMT_SAT);
		assert_true(smt_value(f.smt, x) == (term_bits)1 << 100);
		smt_assert(f.smt, term_op2(f.p, IR_ULT, x, term_const_wide(f.p, 128, 5)));
		assert_int_equal(smt_check(f.smt, NULL, 0, PATIENCE_MS), SMT_UNSAT);
		assert_int_equal(smt_checks(f.smt), 2);
		formula_deinit(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_papers_example_has_its_answers),
		cmocka_unit_test(enumeration_equals_brute_force),
		cmocka_unit_test(operators_are_what_evaluation_says),
		cmocka_unit_test(shared_disjuncts_are_given_once),
		cmocka_unit_test(wide_values_come_back_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
