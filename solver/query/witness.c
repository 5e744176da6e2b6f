/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/query/witness.h"

/* Which distances from the actual value are tried.  The last ones are those of floating-point
 * numbers, read as whole ones: a float is at most doubled by 2^23, a double moves by a sixteenth of
 * its power of two by 2^48, and is doubled by 2^52. */
static const uint64_t distances[] = {
	1,
	4,
	16,
	256,
	65536,
	1 << 20,
	1 << 23,
	UINT64_C(1) << 48,
	UINT64_C(1) << 50,
	UINT64_C(1) << 52,
};

struct nearing {
	struct encoding *e;
	const struct encoding_question *q;
	term_bits *values; /* of the last model, by number */
	GArray *assumed;   /* uint32_t: literals that hold from here on */
	GArray *changed;   /* uint32_t: numbers of the definitions that have to change */
	unsigned left;	   /* questions that may still be asked */
};

static const struct definition *definition_in_witness(const struct nearing *x, uint32_t number)
{
	return &g_array_index(x->e->formula->definitions, struct definition, number);
}

/* Do these hold too?  If so they are assumed from now on. */
static bool assume_if_possible(struct nearing *x, const uint32_t *literals, unsigned n)
{
	guint before = x->assumed->len;

	g_array_append_vals(x->assumed, literals, n);
	if (x->left && x->left-- &&
	    smt_check(x->e->smt, (const uint32_t *)(void *)x->assumed->data, x->assumed->len,
		      (unsigned)limits_or_default(x->e->formula->limits)->witness_effort) ==
		    SMT_SAT) {
		g_free(x->values);
		x->values = encoding_model(x->e, x->q);
		return true;
	}
	g_array_set_size(x->assumed, before);
	return false;
}

static term_bits value_in_model(void *arg, uint32_t number)
{
	return ((const term_bits *)arg)[number];
}

/* What the program computes there, in the model. */
static term_bits computed_in_model(const struct nearing *x, const struct definition *d)
{
	struct term_memo *memo = term_memo_new(x->e->formula->pool, value_in_model, x->values);
	term_bits value = term_eval(memo, d->expr);

	term_memo_free(memo);
	return value;
}

/* Appends the numbers of the relaxed definitions of this readability. */
static void append_relaxed(const struct nearing *x, enum definition_readability readability,
			   GArray *numbers)
{
	for (uint32_t i = 0; i < x->e->formula->definitions->len; i++)
		if (definition_readability(definition_in_witness(x, i)) == readability &&
		    encoding_is_relaxed(x->e, definition_in_witness(x, i), x->q))
			g_array_append_val(numbers, i);
}

/* Leaves as many of the definitions unchanged as possible: those that read worst first, then
 * early ones before late ones.  What the model leaves unchanged anyway takes no question. */
static void keep_most(struct nearing *x)
{
	g_autoptr(GArray) numbers = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (int k = N_DEF_READABILITY - 1; k >= 0; k--)
		append_relaxed(x, (enum definition_readability)k, numbers);
	for (guint i = 0; i < numbers->len; i++) {
		uint32_t number = g_array_index(numbers, uint32_t, i);
		uint32_t literal = encoding_keep(x->e, number);

		if (x->values[number] == computed_in_model(x, definition_in_witness(x, number)))
			g_array_append_val(x->assumed, literal);
		else if ((i + 1 == numbers->len && !x->changed->len) ||
			 !assume_if_possible(x, &literal, 1))
			g_array_append_val(x->changed, number); /* not all can be kept */
	}
}

static term_bits mask_of_witness_width(unsigned width)
{
	return width < 128 ? ((term_bits)1 << width) - 1 : ~(term_bits)0;
}

static void bring_witness_near(struct nearing *x, uint32_t number)
{
	const struct definition *d = definition_in_witness(x, number);
	unsigned width = term_width(x->e->formula->pool, d->variable);
	term_bits above = x->values[number] - computed_in_model(x, d), below = -above;
	term_bits now =
		MIN(above & mask_of_witness_width(width), below & mask_of_witness_width(width));

	for (guint i = 0; i < G_N_ELEMENTS(distances) && distances[i] < now; i++) {
		uint32_t literal;

		if (width < 64 && 2 * distances[i] >= (uint64_t)1 << width)
			return;
		literal = encoding_near(x->e, number, distances[i]);
		if (assume_if_possible(x, &literal, 1))
			return;
	}
}

term_bits *witness_near_the_run(struct encoding *e, const struct encoding_question *q,
				unsigned questions)
{
	struct nearing x = { .e = e,
			     .q = q,
			     .values = encoding_model(e, q),
			     .assumed = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
			     .changed = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
			     .left = questions };

	encoding_assume(e, q, x.assumed, NULL);
	keep_most(&x);
	for (guint i = 0, done = 0;
	     i < x.changed->len && done < limits_or_default(e->formula->limits)->witness_near;
	     i++) {
		uint32_t number = g_array_index(x.changed, uint32_t, i);

		if (definition_in_witness(&x, number)->kind == DEF_GUARD)
			continue;
		bring_witness_near(&x, number);
		done++;
	}
	g_array_free(x.assumed, TRUE);
	g_array_free(x.changed, TRUE);
	return x.values;
}
