/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What decides a term's value: nothing else may change it. */
#include "solver/smt/term/term-reason.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

enum { VARIABLES = 8, WIDTH = 8, TERMS = 60, SEEDS = 200 };

struct reasoned {
	struct term_pool *pool;
	GRand *rand;
	uint32_t words[TERMS], bits[TERMS]; /* terms of WIDTH bits, and of one */
	unsigned n_words, n_bits;
	term_bits values[2 * VARIABLES];
};

static term_bits reasoned_value(void *arg, uint32_t number)
{
	return ((struct reasoned *)arg)->values[number];
}

static uint32_t some_word(struct reasoned *r)
{
	return r->words[g_rand_int_range(r->rand, 0, (int)r->n_words)];
}

static uint32_t some_bit(struct reasoned *r)
{
	return r->bits[g_rand_int_range(r->rand, 0, (int)r->n_bits)];
}

static void grow_terms(struct reasoned *r)
{
	struct term_pool *p = r->pool;

	switch (g_rand_int_range(r->rand, 0, 7)) {
	case 0:
		r->words[r->n_words++] = term_op2(p, IR_MUL, some_word(r), some_word(r));
		return;
	case 1:
		r->words[r->n_words++] = term_op2(p, IR_ADD, some_word(r), some_word(r));
		return;
	case 2:
		r->words[r->n_words++] = term_ite(p, some_bit(r), some_word(r), some_word(r));
		return;
	case 3:
		r->bits[r->n_bits++] = term_and(p, some_bit(r), some_bit(r));
		return;
	case 4:
		r->bits[r->n_bits++] = term_or(p, some_bit(r), some_bit(r));
		return;
	case 5:
		r->bits[r->n_bits++] = term_not(p, some_bit(r));
		return;
	default:
		r->bits[r->n_bits++] = term_op2(p, IR_ULT, some_word(r), some_word(r));
	}
}

static void make_terms(struct reasoned *r, uint32_t seed)
{
	*r = (struct reasoned){ .pool = term_pool_new(), .rand = g_rand_new_with_seed(seed) };
	for (uint32_t i = 0; i < VARIABLES; i++) {
		r->words[r->n_words++] = term_var(r->pool, WIDTH, i);
		r->bits[r->n_bits++] = term_var(r->pool, 1, VARIABLES + i);
	}
	while (r->n_words < TERMS && r->n_bits < TERMS)
		grow_terms(r);
}

/* Gives another value to each variable that is no reason. */
static unsigned change_others(struct reasoned *r, GHashTable *reasons)
{
	unsigned changed = 0;

	for (uint32_t i = 0; i < 2 * VARIABLES; i++) {
		uint32_t t = i < VARIABLES ? r->words[i] : r->bits[i - VARIABLES];

		if (g_hash_table_contains(reasons, GUINT_TO_POINTER(t)))
			continue;
		r->values[i] ^= i < VARIABLES ? (term_bits)g_rand_int_range(r->rand, 1, 256) : 1;
		changed++;
	}
	return changed;
}

static void only_reasons_decide(void **state)
{
	unsigned changed = 0;

	(void)state;
	for (uint32_t seed = 1; seed <= SEEDS; seed++) {
		g_autoptr(GHashTable) reasons = g_hash_table_new(NULL, NULL);
		struct reasoned r;
		struct term_memo *m;
		term_bits before;
		uint32_t t;

		make_terms(&r, seed);
		for (unsigned i = 0; i < 2 * VARIABLES; i++)
			r.values[i] = g_rand_int(r.rand) & (i < VARIABLES ? 0xff : 1);
		t = seed % 2 ? r.words[r.n_words - 1] : r.bits[r.n_bits - 1];
		m = term_memo_new(r.pool, reasoned_value, &r);
		before = term_eval(m, t);
		term_reasons(r.pool, m, t, NULL, reasons);
		assert_true(g_hash_table_contains(reasons, GUINT_TO_POINTER(t)));
		changed += change_others(&r, reasons);
		term_memo_forget(m, &r);
		assert_true(term_eval(m, t) == before);
		term_memo_free(m);
		g_rand_free(r.rand);
		term_pool_free(r.pool);
	}
	assert_true(changed > SEEDS); /* else all terms would be reasons */
}

/* a && x * y, where a does not hold: the product is no reason.  Where it holds, it is one. */
static void what_does_not_matter_is_no_reason(void **state)
{
	struct reasoned r;
	uint32_t product, both, one, other;

	(void)state;
	make_terms(&r, 1);
	product = term_op2(r.pool, IR_MUL, r.words[0], r.words[1]);
	both = term_and(r.pool, r.bits[0], term_eq(r.pool, product, r.words[2]));
	one = term_var(r.pool, WIDTH, 0), other = term_var(r.pool, WIDTH, 1);
	for (unsigned a = 0; a < 2; a++) {
		g_autoptr(GHashTable) reasons = g_hash_table_new(NULL, NULL);
		struct term_memo *m = term_memo_new(r.pool, reasoned_value, &r);

		r.values[VARIABLES] = a;
		term_reasons(r.pool, m, both, NULL, reasons);
		assert_int_equal(g_hash_table_contains(reasons, GUINT_TO_POINTER(product)), a);
		assert_int_equal(g_hash_table_contains(reasons, GUINT_TO_POINTER(one)), a);
		term_memo_free(m);
	}
	/* another term in place of the product */
	g_autoptr(GHashTable) reasons = g_hash_table_new(NULL, NULL);
	g_autoptr(GHashTable) instead = g_hash_table_new(NULL, NULL);
	struct term_memo *m = term_memo_new(r.pool, reasoned_value, &r);

	g_hash_table_insert(instead, GUINT_TO_POINTER(product), GUINT_TO_POINTER(other));
	term_reasons(r.pool, m, both, instead, reasons);
	assert_false(g_hash_table_contains(reasons, GUINT_TO_POINTER(one)));
	assert_true(g_hash_table_contains(reasons, GUINT_TO_POINTER(other)));
	term_memo_free(m);
	g_rand_free(r.rand);
	term_pool_free(r.pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_reasons_decide),
		cmocka_unit_test(what_does_not_matter_is_no_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
