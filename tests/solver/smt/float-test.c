/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timeout: 120
 * Floating-point terms: against the processor's own instructions, and their
 * expansion into bit-vector operators against both; then both solvers on small
 * equations. */
#include "solver/smt/float.h"
#include "solver/smt/smt.h"

#include <immintrin.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { ROUNDS = 3000, PATIENCE_MS = 20000 };

static double as_double(term_bits v)
{
	uint64_t bits = (uint64_t)v;
	double d;

	memcpy(&d, &bits, sizeof(d));
	return d;
}

static float as_float(term_bits v)
{
	uint32_t bits = (uint32_t)v;
	float f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

static term_bits double_bits(double d)
{
	uint64_t bits;

	memcpy(&bits, &d, sizeof(bits));
	return bits;
}

static term_bits float_bits(float f)
{
	uint32_t bits;

	memcpy(&bits, &f, sizeof(bits));
	return bits;
}

/* Numbers at and around those where something changes: powers of two, the
 * smallest and the largest ones, infinity, NaNs; others of all sizes. */
static term_bits random_number(GRand *r, unsigned width)
{
	unsigned fraction = width == 64 ? 52 : 23;
	term_bits all = ((term_bits)1 << width) - 1, v = g_rand_int(r);
	term_bits field = (term_bits)g_rand_int_range(r, 0, 2048) & (all >> 1) >> fraction;
	term_bits middle = ((all >> 1) >> fraction) / 2;

	v = v << 32 | g_rand_int(r);
	switch (g_rand_int_range(r, 0, 8)) {
	case 0:
		v = field << fraction;
		break;
	case 1:
		v = (v & 1) << (width - 1);
		break;
	case 2:
		v = (all >> 1) ^ (v & 15) << (fraction - 3);
		break;
	case 3:
		v &= ((term_bits)1 << g_rand_int_range(r, 1, (int)fraction)) - 1;
		break;
	case 4: /* about one */
		v = (middle + (v & 3)) << fraction | (v & 0xf0) >> 4;
		break;
	case 5: /* small integers and halves */
		v = width == 64 ? double_bits((double)(int)(v & 255) / 2)
				: float_bits((float)(int)(v & 255) / 2);
		break;
	case 6:
		v = (middle + (v & 63)) << fraction | (v >> 8 & (((term_bits)1 << fraction) - 1));
		break;
	default:
		break;
	}
	v += (term_bits)(g_rand_int_range(r, 0, 3) - 1);
	return (g_rand_boolean(r) ? v ^ (term_bits)1 << (width - 1) : v) & all;
}

static term_bits on_doubles(enum ir_fp fp, term_bits a, term_bits b)
{
	__m128d x = _mm_set_sd(as_double(a)), y = _mm_set_sd(as_double(b));

	switch (fp) {
	case IR_FP_ADD:
		return double_bits(_mm_cvtsd_f64(_mm_add_sd(x, y)));
	case IR_FP_SUB:
		return double_bits(_mm_cvtsd_f64(_mm_sub_sd(x, y)));
	case IR_FP_MUL:
		return double_bits(_mm_cvtsd_f64(_mm_mul_sd(x, y)));
	case IR_FP_DIV:
		return double_bits(_mm_cvtsd_f64(_mm_div_sd(x, y)));
	case IR_FP_MIN:
		return double_bits(_mm_cvtsd_f64(_mm_min_sd(x, y)));
	case IR_FP_MAX:
		return double_bits(_mm_cvtsd_f64(_mm_max_sd(x, y)));
	case IR_FP_SQRT:
		return double_bits(_mm_cvtsd_f64(_mm_sqrt_sd(x, x)));
	case IR_FP_EQ:
		return (term_bits)_mm_comieq_sd(x, y) & !_mm_movemask_pd(_mm_cmpunord_sd(x, y));
	case IR_FP_LT:
		return (term_bits)_mm_movemask_pd(_mm_cmplt_sd(x, y)) & 1;
	case IR_FP_LE:
		return (term_bits)_mm_movemask_pd(_mm_cmple_sd(x, y)) & 1;
	default:
		return (term_bits)_mm_movemask_pd(_mm_cmpunord_sd(x, y)) & 1;
	}
}

static term_bits on_floats(enum ir_fp fp, term_bits a, term_bits b)
{
	__m128 x = _mm_set_ss(as_float(a)), y = _mm_set_ss(as_float(b));

	switch (fp) {
	case IR_FP_ADD:
		return float_bits(_mm_cvtss_f32(_mm_add_ss(x, y)));
	case IR_FP_SUB:
		return float_bits(_mm_cvtss_f32(_mm_sub_ss(x, y)));
	case IR_FP_MUL:
		return float_bits(_mm_cvtss_f32(_mm_mul_ss(x, y)));
	case IR_FP_DIV:
		return float_bits(_mm_cvtss_f32(_mm_div_ss(x, y)));
	case IR_FP_MIN:
		return float_bits(_mm_cvtss_f32(_mm_min_ss(x, y)));
	case IR_FP_MAX:
		return float_bits(_mm_cvtss_f32(_mm_max_ss(x, y)));
	case IR_FP_SQRT:
		return float_bits(_mm_cvtss_f32(_mm_sqrt_ss(x)));
	case IR_FP_EQ:
		return (term_bits)_mm_movemask_ps(_mm_cmpeq_ss(x, y)) & 1;
	case IR_FP_LT:
		return (term_bits)_mm_movemask_ps(_mm_cmplt_ss(x, y)) & 1;
	case IR_FP_LE:
		return (term_bits)_mm_movemask_ps(_mm_cmple_ss(x, y)) & 1;
	default:
		return (term_bits)_mm_movemask_ps(_mm_cmpunord_ss(x, y)) & 1;
	}
}

/* The conversions that SSE has: to the other format, from and to integers. */
static term_bits double_to_integer(term_bits a, term_bits how, unsigned width)
{
	__m128d x = _mm_set_sd(as_double(a));

	if (width == 64)
		return (uint64_t)(how ? _mm_cvttsd_si64(x) : _mm_cvtsd_si64(x));
	return (uint32_t)(how ? _mm_cvttsd_si32(x) : _mm_cvtsd_si32(x));
}

static term_bits float_to_integer_here(term_bits a, term_bits how, unsigned width)
{
	__m128 x = _mm_set_ss(as_float(a));

	if (width == 64)
		return (uint64_t)(how ? _mm_cvttss_si64(x) : _mm_cvtss_si64(x));
	return (uint32_t)(how ? _mm_cvttss_si32(x) : _mm_cvtss_si32(x));
}

static term_bits on_integers(term_bits a, unsigned from, unsigned to)
{
	if (to == 64)
		return double_bits(from == 64 ? (double)(int64_t)a : (double)(int32_t)a);
	return float_bits(from == 64 ? (float)(int64_t)a : (float)(int32_t)a);
}

static term_bits on_the_processor(enum ir_fp fp, unsigned from, unsigned to, term_bits a,
				  term_bits b)
{
	switch (fp) {
	case IR_FP_CONVERT:
		return to == 64 ? double_bits(_mm_cvtsd_f64(
					  _mm_cvtss_sd(_mm_setzero_pd(), _mm_set_ss(as_float(a)))))
				: float_bits(_mm_cvtss_f32(_mm_cvtsd_ss(_mm_setzero_ps(),
									_mm_set_sd(as_double(a)))));
	case IR_FP_FROM_INT:
		return on_integers(a, from, to);
	case IR_FP_TO_INT:
		return from == 64 ? double_to_integer(a, b, to) : float_to_integer_here(a, b, to);
	default:
		return from == 64 ? on_doubles(fp, a, b) : on_floats(fp, a, b);
	}
}

static term_bits two_values[2];

static term_bits value_of_variable(void *arg, uint32_t number)
{
	(void)arg;
	return two_values[number];
}

struct operation {
	enum ir_fp fp;
	unsigned from, to;
	int how; /* -1 = a second operand of the same width */
};

static const struct operation operations[] = {
	{ IR_FP_ADD, 32, 32, -1 },
	{ IR_FP_ADD, 64, 64, -1 },
	{ IR_FP_SUB, 32, 32, -1 },
	{ IR_FP_SUB, 64, 64, -1 },
	{ IR_FP_MUL, 32, 32, -1 },
	{ IR_FP_MUL, 64, 64, -1 },
	{ IR_FP_DIV, 32, 32, -1 },
	{ IR_FP_DIV, 64, 64, -1 },
	{ IR_FP_MIN, 32, 32, -1 },
	{ IR_FP_MIN, 64, 64, -1 },
	{ IR_FP_MAX, 32, 32, -1 },
	{ IR_FP_MAX, 64, 64, -1 },
	{ IR_FP_SQRT, 32, 32, -1 },
	{ IR_FP_SQRT, 64, 64, -1 },
	{ IR_FP_EQ, 32, 1, -1 },
	{ IR_FP_EQ, 64, 1, -1 },
	{ IR_FP_LT, 32, 1, -1 },
	{ IR_FP_LT, 64, 1, -1 },
	{ IR_FP_LE, 32, 1, -1 },
	{ IR_FP_LE, 64, 1, -1 },
	{ IR_FP_UN, 32, 1, -1 },
	{ IR_FP_UN, 64, 1, -1 },
	{ IR_FP_CONVERT, 32, 64, -1 },
	{ IR_FP_CONVERT, 64, 32, -1 },
	{ IR_FP_FROM_INT, 32, 32, -1 },
	{ IR_FP_FROM_INT, 32, 64, -1 },
	{ IR_FP_FROM_INT, 64, 32, -1 },
	{ IR_FP_FROM_INT, 64, 64, -1 },
	{ IR_FP_TO_INT, 32, 32, 0 },
	{ IR_FP_TO_INT, 32, 64, 0 },
	{ IR_FP_TO_INT, 64, 32, 0 },
	{ IR_FP_TO_INT, 64, 64, 0 },
	{ IR_FP_TO_INT, 32, 32, 3 },
	{ IR_FP_TO_INT, 32, 64, 3 },
	{ IR_FP_TO_INT, 64, 32, 3 },
	{ IR_FP_TO_INT, 64, 64, 3 },
	/* as `roundsd' has them */
	{ IR_FP_TO_INT, 64, 64, 1 },
	{ IR_FP_TO_INT, 64, 32, 2 },
	{ IR_FP_ROUND, 32, 32, 0 },
	{ IR_FP_ROUND, 64, 64, 0 },
	{ IR_FP_ROUND, 32, 32, 1 },
	{ IR_FP_ROUND, 64, 64, 1 },
	{ IR_FP_ROUND, 32, 32, 2 },
	{ IR_FP_ROUND, 64, 64, 2 },
	{ IR_FP_ROUND, 32, 32, 3 },
	{ IR_FP_ROUND, 64, 64, 3 },
};

static uint32_t term_of(struct term_pool *p, const struct operation *o)
{
	uint32_t a = term_var(p, o->from, 0);
	uint32_t b = o->how >= 0 ? term_const(p, 32, (uint64_t)o->how) : term_var(p, o->from, 1);

	return term_op(p, IR_FP, o->to, a, b, 0, o->fp);
}

static bool is_sse(const struct operation *o)
{
	return o->fp != IR_FP_ROUND && (o->fp != IR_FP_TO_INT || o->how == 0 || o->how == 3);
}

static void check_equal(const struct operation *o, const char *who, term_bits got, term_bits wanted)
{
	if (got != wanted)
		fail_msg("operation %d of %u to %u bits (how %d) on %lx, %lx: %s says %lx, not %lx",
			 o->fp, o->from, o->to, o->how, (unsigned long)two_values[0],
			 (unsigned long)two_values[1], who, (unsigned long)got,
			 (unsigned long)wanted);
}

static void test_against_the_processor(void **state)
{
	GRand *r = g_rand_new_with_seed(7);
	struct term_pool *p = term_pool_new();

	(void)state;
	for (size_t k = 0; k < G_N_ELEMENTS(operations); k++) {
		const struct operation *o = &operations[k];
		uint32_t t = term_of(p, o), expanded = float_expanded(p, t);

		assert_int_equal(term_width(p, expanded), o->to);
		for (int i = 0; i < ROUNDS; i++) {
			struct term_memo *memo = term_memo_new(p, value_of_variable, NULL);
			term_bits value;

			two_values[0] = random_number(r, o->from);
			two_values[1] = g_rand_int_range(r, 0, 10) ? random_number(r, o->from)
								   : two_values[0];
			value = term_eval(memo, t);
			if (is_sse(o))
				check_equal(o, "the term", value,
					    on_the_processor(o->fp, o->from, o->to, two_values[0],
							     o->how >= 0 ? (term_bits)o->how
									 : two_values[1]));
			check_equal(o, "the expansion", term_eval(memo, expanded), value);
			term_memo_free(memo);
		}
	}
	term_pool_free(p);
	g_rand_free(r);
}

/* Is there an a so that a op b is what it is for a certain a?  The model need
 * not be that one, but is to be right. */
static void solve_for_operand(const struct operation *o, enum smt_kind kind, GRand *r)
{
	struct term_pool *p = term_pool_new();
	struct smt *smt = smt_new(p, kind);
	struct term_memo *memo = term_memo_new(p, value_of_variable, NULL);
	uint32_t t = term_of(p, o), b = term_var(p, o->from, 1);
	uint32_t result;

	two_values[0] = random_number(r, o->from);
	two_values[1] = random_number(r, o->from);
	result = term_const_wide(p, o->to, term_eval(memo, t));
	smt_assert(smt, term_eq(p, b, term_const_wide(p, o->from, two_values[1])));
	smt_assert(smt, term_eq(p, t, result));
	assert_int_equal(smt_check(smt, NULL, 0, PATIENCE_MS), SMT_SAT);
	two_values[0] = smt_value(smt, term_var(p, o->from, 0));
	term_memo_free(memo);
	memo = term_memo_new(p, value_of_variable, NULL);
	check_equal(o, "the model", term_eval(memo, t), term_eval(memo, result));
	/* with the operand given, no other result is possible */
	smt_assert(smt,
		   term_eq(p, term_var(p, o->from, 0), term_const_wide(p, o->from, two_values[0])));
	assert_int_equal(smt_check(smt, NULL, 0, PATIENCE_MS), SMT_SAT);
	smt_assert(smt, term_not(p, term_eq(p, t, result)));
	assert_int_equal(smt_check(smt, NULL, 0, PATIENCE_MS), SMT_UNSAT);
	term_memo_free(memo);
	smt_free(smt);
	term_pool_free(p);
}

static bool is_slow_to_invert(const struct operation *o)
{
	return o->from == 64 && (o->fp == IR_FP_MUL || o->fp == IR_FP_DIV || o->fp == IR_FP_SQRT);
}

static void test_solvers(void **state)
{
	GRand *r = g_rand_new_with_seed(8);

	(void)state;
	for (size_t k = 0; k < G_N_ELEMENTS(operations); k++) {
		if (is_slow_to_invert(&operations[k]))
			continue;
		for (int i = 0; i < 3; i++)
			solve_for_operand(&operations[k], SMT_BITBLAST, r);
		if (operations[k].from == 32 && operations[k].fp != IR_FP_MUL &&
		    operations[k].fp != IR_FP_DIV && operations[k].fp != IR_FP_SQRT)
			solve_for_operand(&operations[k], SMT_Z3, r);
	}
	g_rand_free(r);
}

/* x * x == 2 has no solution in doubles, x + x == 2 has one. */
static void test_equations(void **state)
{
	(void)state;
	for (enum smt_kind kind = SMT_BITBLAST; kind <= SMT_Z3; kind++) {
		struct term_pool *p = term_pool_new();
		struct smt *smt = smt_new(p, kind);
		uint32_t x = term_var(p, 64, 0), two = term_const(p, 64, (uint64_t)double_bits(2));

		smt_assert(smt, term_eq(p, term_op(p, IR_FP, 64, x, x, 0, IR_FP_ADD), two));
		assert_int_equal(smt_check(smt, NULL, 0, PATIENCE_MS), SMT_SAT);
		assert_true(as_double(smt_value(smt, x)) == 1);
		smt_assert(smt, term_op(p, IR_FP, 1, two, x, 0, IR_FP_LT));
		assert_int_equal(smt_check(smt, NULL, 0, PATIENCE_MS), SMT_UNSAT);
		smt_free(smt);
		term_pool_free(p);
	}
}

/* What a function of libm returns is anything to an engine: no model is known to
 * be one, but the same call of the same argument has one result. */
static void test_calls(void **state)
{
	(void)state;
	for (enum smt_kind kind = SMT_BITBLAST; kind <= SMT_Z3; kind++) {
		struct term_pool *p = term_pool_new();
		struct smt *smt = smt_new(p, kind);
		uint32_t x = term_var(p, 64, 0);
		uint32_t y = term_op(p, IR_FP, 64, x, 0, 0, IR_FP_CALL);
		uint32_t one = term_const(p, 64, (uint64_t)double_bits(1));

		smt_assert(smt, term_op(p, IR_FP, 1, y, one, 0, IR_FP_LT));
		assert_int_equal(smt_check(smt, NULL, 0, PATIENCE_MS), SMT_UNKNOWN);
		smt_assert(smt, term_op(p, IR_FP, 1, one, y, 0, IR_FP_LT));
		assert_int_equal(smt_check(smt, NULL, 0, PATIENCE_MS), SMT_UNSAT);
		smt_free(smt);
		term_pool_free(p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_against_the_processor),
		cmocka_unit_test(test_solvers),
		cmocka_unit_test(test_equations),
		cmocka_unit_test(test_calls),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
