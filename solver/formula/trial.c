/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/formula/trial.h"
#include "solver/formula/what-if.h"

/* Instances that are tried, from the last one back, and operators evaluated for
 * them: limits by count, so that the same is found each time. */
enum { MOST_TRIED = 16, MOST_WORK = 4000000, QUICK_WORK = 200000, QUICK_VALUES = 14 };

static term_bits width_mask(unsigned width)
{
	return width >= 128 ? ~(term_bits)0 : ((term_bits)1 << width) - 1;
}

/* A value and how far it is from the actual one. */
struct likely {
	term_bits value, far;
	guint order;
};

static gint compare_distances(gconstpointer a, gconstpointer b)
{
	const struct likely *x = a, *y = b;

	if (x->far != y->far)
		return x->far < y->far ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static void add_likely(GArray *likely, unsigned width, term_bits actual, term_bits value)
{
	term_bits above = (value - actual) & width_mask(width);
	struct likely v = { value & width_mask(width), MIN(above, -above & width_mask(width)),
			    likely->len };

	if (v.far)
		g_array_append_val(likely, v);
}

/* Values around the actual one, those at which something later turns, and powers
 * of two and ten; nearest first. */
static GArray *likely_values(struct what_if *w, unsigned instance, unsigned width, bool quick)
{
	term_bits n = what_if_natural(w, instance), ten = 1;
	const term_bits near[] = { n + 1, n - 1,   n + 2,   n - 2,	   n + 3, n - 3,  n + 4,
				   n - 4, 0,	   1,	    n / 2,	   2 * n, n / 10, 10 * n,
				   3,	  n / 100, n * 100, (term_bits)-1, ~n };
	g_autoptr(GArray) turns = g_array_new(FALSE, FALSE, sizeof(term_bits));
	GArray *likely = g_array_new(FALSE, FALSE, sizeof(struct likely));

	what_if_turns(w, instance, turns);
	for (size_t i = 0; i < (quick ? QUICK_VALUES : G_N_ELEMENTS(near)); i++)
		add_likely(likely, width, n, near[i]);
	for (guint i = 0; i < turns->len; i++)
		add_likely(likely, width, n, g_array_index(turns, term_bits, i));
	for (unsigned i = 0; !quick && i < width; i++)
		add_likely(likely, width, n, (term_bits)1 << i);
	for (unsigned i = 0; !quick && i < MIN(width, 64) * 3 / 10; i++, ten *= 10)
		add_likely(likely, width, n, ten);
	g_array_sort(likely, compare_distances);
	return likely;
}

/* The nearest likely value of the instance that works. */
static bool try_values(struct what_if *w, unsigned instance, unsigned width, bool quick,
		       term_bits *found)
{
	g_autoptr(GArray) likely = likely_values(w, instance, width, quick);
	const struct likely *before = NULL;

	for (guint i = 0; i < likely->len; i++) {
		const struct likely *v = &g_array_index(likely, struct likely, i);

		if (before && v->value == before->value)
			continue;
		if (what_if_work(w) > (quick ? QUICK_WORK : MOST_WORK))
			return false;
		if (what_if_holds(w, instance, v->value)) {
			*found = v->value;
			return true;
		}
		before = v;
	}
	return false;
}

static term_bits value_so_far(void *arg, uint32_t number)
{
	return ((term_bits *)arg)[number];
}

term_bits *trial_values(const struct formula *f, uint32_t number, term_bits value)
{
	term_bits *values = g_new0(term_bits, MAX(f->defs->len, 1));
	struct term_memo *memo = term_memo_new(f->pool, value_so_far, values);

	for (guint i = 0; i < f->defs->len; i++) {
		const struct def *d = &g_array_index(f->defs, struct def, i);

		values[i] = i == number ? value : d->expr ? term_eval(memo, d->expr) : d->actual;
	}
	term_memo_free(memo);
	return values;
}

term_bits *trial_witness(const struct encoding *e, const struct encoding_question *q, bool quick)
{
	struct what_if *w = what_if_new(e, q, !quick);
	unsigned n = what_if_instances(w);
	term_bits *values = NULL;

	for (unsigned i = n; !values && i > 0 && n - i < MOST_TRIED; i--) {
		uint32_t number = what_if_definition(w, i - 1);
		const struct def *d = &g_array_index(e->formula->defs, struct def, number);
		term_bits value;

		if (try_values(w, i - 1, term_width(e->formula->pool, d->variable), quick, &value))
			values = trial_values(e->formula, number, value);
	}
	what_if_free(w);
	return values;
}
