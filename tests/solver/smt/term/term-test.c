/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Terms as they are built (simplified) against operators applied one by one. */
#include "solver/smt/term/term.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define VARIABLES 4
#define ROUNDS 20000

/* A random expression built twice: as a term, and as its value. */
struct pair {
	uint32_t term;
	term_bits value;
	unsigned width;
};

struct world {
	struct term_pool *pool;
	GRand *rand;
	term_bits var[VARIABLES];
	struct pair pairs[256];
	unsigned n;
};

static term_bits mask_of(unsigned width)
{
	return width == 128 ? ~(term_bits)0 : ((term_bits)1 << width) - 1;
}

static term_bits random_bits(GRand *r, unsigned width)
{
	term_bits v = 0;

	switch (g_rand_int_range(r, 0, 4)) {
	case 0:
		v = (term_bits)g_rand_int_range(r, 0, 5);
		break;
	case 1:
		v = ~(term_bits)g_rand_int_range(r, 0, 5);
		break;
	default:
		for (int i = 0; i < 4; i++)
			v = v << 32 | g_rand_int(r);
	}
	return v & mask_of(width);
}

static void keep(struct world *w, uint32_t term, term_bits value, unsigned width)
{
	assert_int_equal(term_width(w->pool, term), width);
	struct pair *p = w->n < 256 ? &w->pairs[w->n++]
				    : &w->pairs[g_rand_int_range(w->rand, VARIABLES, 256)];

	*p = (struct pair){ term, value & mask_of(width), width };
}

static struct pair *pick(struct world *w)
{
	return &w->pairs[g_rand_int_range(w->rand, 0, (int)w->n)];
}

/* A pair of this width: an old one extended or cut, or a constant. */
static struct pair pick_width(struct world *w, unsigned width)
{
	struct pair p = *pick(w);

	if (g_rand_int_range(w->rand, 0, 4) == 0) {
		p.value = random_bits(w->rand, width);
		p.term = term_const_wide(w->pool, width, p.value);
	} else if (p.width > width) {
		unsigned low = (unsigned)g_rand_int_range(w->rand, 0, (int)(p.width - width + 1));

		p.term = term_extract(w->pool, p.term, low, width);
		p.value = p.value >> low & mask_of(width);
	} else if (p.width < width) {
		p.term = term_zext(w->pool, p.term, width);
	}
	p.width = width;
	return p;
}

static void apply(struct world *w, enum ir_kind kind, unsigned width, struct pair a, struct pair b,
		  struct pair c, uint64_t value)
{
	uint32_t t = term_op(w->pool, kind, width, a.term, b.term, c.term, value);

	keep(w, t, term_apply(kind, width, a.value, a.width, b.value, b.width, c.value, value),
	     width);
}

static void grow(struct world *w)
{
	static const unsigned widths[] = { 1, 3, 8, 16, 32, 64, 128 };
	static const struct pair none;
	enum ir_kind kind = (enum ir_kind)g_rand_int_range(w->rand, IR_ADD, IR_POPCNT + 1);
	unsigned width = widths[g_rand_int_range(w->rand, 0, G_N_ELEMENTS(widths))];
	struct pair a = *pick(w);

	switch (kind) {
	case IR_CONCAT: {
		struct pair b = *pick(w);

		if (a.width + b.width <= 128)
			apply(w, kind, a.width + b.width, a, b, none, 0);
		return;
	}
	case IR_EXTRACT: {
		unsigned cut = (unsigned)g_rand_int_range(w->rand, 1, (int)a.width + 1);

		apply(w, kind, cut, a, none, none,
		      (uint64_t)g_rand_int_range(w->rand, 0, (int)(a.width - cut + 1)));
		return;
	}
	case IR_ZEXT:
	case IR_SEXT:
		apply(w, kind, MAX(width, a.width), a, none, none, 0);
		return;
	case IR_NOT:
	case IR_NEG:
	case IR_CLZ:
	case IR_CTZ:
	case IR_POPCNT:
		if (a.width > 7 || kind == IR_NOT || kind == IR_NEG)
			apply(w, kind, a.width, a, none, none, 0);
		return;
	case IR_ITE:
		apply(w, kind, width, pick_width(w, width), pick_width(w, width), pick_width(w, 1),
		      0);
		return;
	case IR_EQ:
	case IR_ULT:
	case IR_ULE:
	case IR_SLT:
	case IR_SLE:
		apply(w, kind, 1, a, pick_width(w, a.width), none, 0);
		return;
	default:
		apply(w, kind, a.width, a, pick_width(w, a.width), none, 0);
		return;
	}
}

static term_bits variable_value(void *arg, uint32_t number)
{
	return ((struct world *)arg)->var[number];
}

static void simplified_terms_have_the_value_of_their_operators(void **state)
{
	(void)state;
	static const unsigned widths[VARIABLES] = { 64, 32, 8, 1 };

	for (uint32_t seed = 1; seed <= 20; seed++) {
		struct world w = { .pool = term_pool_new(), .rand = g_rand_new_with_seed(seed) };

		for (uint32_t i = 0; i < VARIABLES; i++) {
			w.var[i] = random_bits(w.rand, widths[i]);
			keep(&w, term_var(w.pool, widths[i], i), w.var[i], widths[i]);
		}
		struct term_memo *memo = term_memo_new(w.pool, variable_value, &w);

		for (int i = 0; i < ROUNDS / 20; i++)
			grow(&w);
		for (unsigned i = 0; i < w.n; i++)
			assert_true(term_eval(memo, w.pairs[i].term) == w.pairs[i].value);
		term_memo_free(memo);
		term_pool_free(w.pool);
		g_rand_free(w.rand);
	}
}

static void a_value_stored_in_bytes_loads_as_itself(void **state)
{
	(void)state;
	struct term_pool *p = term_pool_new();
	uint32_t x = term_var(p, 32, 0), t = 0;

	for (unsigned i = 0; i < 4; i++) {
		uint32_t byte = term_extract(p, x, 8 * i, 8);

		t = i ? term_concat(p, byte, t) : byte;
	}
	assert_int_equal(t, x);
	uint32_t wide = term_op2(p, IR_ADD, term_zext(p, x, 64), term_const(p, 64, 1));

	assert_int_equal(term_extract(p, wide, 0, 32),
			 term_op2(p, IR_ADD, x, term_const(p, 32, 1)));
	term_pool_free(p);
}

/* What a compiler makes of x / d: the upper bits of x times about 2^k / d. */
static uint32_t as_compiled(struct term_pool *p, uint32_t x, term_bits d, bool is_signed)
{
	unsigned n = term_width(p, x), slack = is_signed ? n - 1 : n;
	term_bits m = 0;
	unsigned k = n;
	uint32_t wide, upper, t;

	for (; k < 2 * n; k++) {
		term_bits two_k = (term_bits)1 << k;

		m = two_k / d + 1;
		if (m * d - two_k <= (term_bits)1 << (k - slack))
			break;
	}
	if (k == 2 * n || m >> n)
		return 0; /* done in another way */
	wide = is_signed ? term_sext(p, x, 2 * n) : term_zext(p, x, 2 * n);
	if (!is_signed) {
		t = term_op2(p, IR_MUL, wide, term_const_wide(p, 2 * n, m));
		upper = term_extract(p, t, n, n);
		return term_op2(p, IR_LSHR, upper, term_const(p, n, k - n));
	}
	t = term_sext(p, term_const_wide(p, n, m), 2 * n);
	upper = term_extract(p, term_op2(p, IR_MUL, wide, t), n, n);
	if (m >> (n - 1))
		upper = term_op2(p, IR_ADD, upper, x);
	t = term_op2(p, IR_ASHR, upper, term_const(p, n, k - n));
	return term_op2(p, IR_SUB, t, term_op2(p, IR_ASHR, x, term_const(p, n, n - 1)));
}

static void check_division(struct term_pool *p, GRand *r, unsigned n, term_bits d, bool is_signed)
{
	uint32_t x = term_var(p, n, n), t = as_compiled(p, x, d, is_signed);
	enum ir_kind kind = is_signed ? IR_SDIV : IR_UDIV;
	term_bits all = n == 64 ? UINT64_MAX : ((term_bits)1 << n) - 1;
	const term_bits edges[] = { 0,	 1,	  d - 1,   d,		d + 1,
				    all, all - d, all / 2, all / 2 + 1, all - 1 };

	if (!t)
		return;
	assert_int_equal(t, term_op2(p, kind, x, term_const_wide(p, n, d)));
	for (unsigned i = 0; i < 30; i++) {
		term_bits value = i < G_N_ELEMENTS(edges) ? edges[i] & all : random_bits(r, n);
		struct term_pool *concrete = term_pool_new();
		uint32_t c = term_const_wide(concrete, n, value), folded;
		uint64_t got;

		folded = as_compiled(concrete, c, d, is_signed);
		assert_true(term_is_const(concrete, folded, &got));
		assert_true(got == term_apply(kind, n, value, n, d, n, 0, 0));
		term_pool_free(concrete);
	}
}

/* That the pattern is the division it is taken for is shown by folding the
 * pattern itself on constants. */
static void compiled_divisions_are_divisions_again(void **state)
{
	static const unsigned widths[] = { 8, 16, 32, 64 };
	struct term_pool *p = term_pool_new();
	GRand *r = g_rand_new_with_seed(5);

	(void)state;
	for (unsigned i = 0; i < G_N_ELEMENTS(widths); i++)
		for (unsigned k = 0; k < 100; k++) {
			unsigned n = widths[i];
			term_bits d = k < 60 ? 3 + k : random_bits(r, n - 2);

			if (d < 3 || (d & (d - 1)) == 0)
				continue;
			check_division(p, r, n, d, true);
			check_division(p, r, n, d, false);
		}
	g_rand_free(r);
	term_pool_free(p);
}

/* A product that is nearly a quotient stays one: 0x66666667 / 2^34 is a tenth. */
static void other_products_are_no_divisions(void **state)
{
	struct term_pool *p = term_pool_new();
	uint32_t x = term_sext(p, term_var(p, 32, 0), 64);

	(void)state;
	for (uint64_t m = 0x66666660; m < 0x66666670; m++) {
		uint32_t product = term_op2(p, IR_MUL, x, term_const(p, 64, m));
		uint32_t t = term_sext(p, term_extract(p, product, 34, 30), 32);

		assert_true((term_node(p, t)->kind == IR_ADD) == (m == 0x66666667));
	}
	term_pool_free(p);
}

static void long_chains_are_evaluated_without_recursion(void **state)
{
	(void)state;
	struct term_pool *p = term_pool_new();
	struct world w = { .var = { 0, 7, 0, 0 } };
	uint32_t t = term_var(p, 32, 1);

	for (unsigned i = 0; i < 200000; i++)
		t = term_op2(p, IR_XOR, term_op2(p, IR_ADD, t, term_const(p, 32, i)),
			     term_const(p, 32, 0x55));
	struct term_memo *memo = term_memo_new(p, variable_value, &w);
	uint32_t want = 7;

	for (unsigned i = 0; i < 200000; i++)
		want = (want + i) ^ 0x55;
	assert_int_equal((uint32_t)term_eval(memo, t), want);
	term_memo_free(memo);
	term_pool_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(simplified_terms_have_the_value_of_their_operators),
		cmocka_unit_test(a_value_stored_in_bytes_loads_as_itself),
		cmocka_unit_test(compiled_divisions_are_divisions_again),
		cmocka_unit_test(other_products_are_no_divisions),
		cmocka_unit_test(long_chains_are_evaluated_without_recursion),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
