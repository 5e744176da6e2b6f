/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/formula/trial.h"

/* Instances that are tried, from the last one back: for a quick trial only that
 * one, for an earlier one is worse than what the solver may find for the last. */
enum { MOST_TRIED = 16, QUICK_TRIED = 1, QUICK_VALUES = 14 };

struct trial {
	const struct encoding *e;
	const struct formula *f;
	const struct encoding_question *q;
	term_bits *values;  /* by variable number */
	term_bits *natural; /* of the failing run */
	bool quick;
	gint64 end; /* monotonic time, microseconds */
};

static term_bits value_so_far(void *arg, uint32_t number)
{
	return ((term_bits *)arg)[number];
}

/* What happens on a side that no run took is not known: where the question
 * allows to go there, the requirement may hold.  A side that comes back leaves what
 * it may write as it is, which is one way to come back. */
static bool all_hold(const struct trial *t, struct term_memo *memo)
{
	bool goes_away = false;

	for (guint i = 0; i < t->f->unexplored->len; i++) {
		const struct unexplored *u = &g_array_index(t->f->unexplored, struct unexplored, i);

		if (!term_eval(memo, u->taken))
			continue;
		if (u->cut || encoding_avoids(t->e, t->q, i))
			return false;
		goes_away |= !u->returns;
	}
	for (guint i = 0; i < t->f->hards->len; i++) {
		const struct hard *h = &g_array_index(t->f->hards, struct hard, i);

		if (!(goes_away && h->requirement) && !term_eval(memo, h->term))
			return false;
	}
	return true;
}

/* Does all hold when this definition has that value? */
static bool works(struct trial *t, uint32_t changed, term_bits value)
{
	struct term_memo *memo = term_memo_new(t->f->pool, value_so_far, t->values);
	bool ok;

	for (uint32_t i = 0; i < t->f->defs->len; i++) {
		const struct def *d = &g_array_index(t->f->defs, struct def, i);

		if (i == changed)
			t->values[i] = value;
		else if (i < changed || !d->expr)
			t->values[i] = t->natural[i];
		else
			t->values[i] = term_eval(memo, d->expr);
	}
	ok = all_hold(t, memo);
	term_memo_free(memo);
	return ok;
}

static term_bits width_mask(unsigned width)
{
	return width >= 128 ? ~(term_bits)0 : ((term_bits)1 << width) - 1;
}

static bool try_value(struct trial *t, uint32_t number, term_bits value)
{
	return g_get_monotonic_time() < t->end && works(t, number, value);
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

/* Values around the actual one, and powers of two and ten; nearest first. */
static GArray *likely_values(unsigned width, term_bits n, bool quick)
{
	const term_bits near[] = { n + 1, n - 1,   n + 2,   n - 2,	   n + 3, n - 3,  n + 4,
				   n - 4, 0,	   1,	    n / 2,	   2 * n, n / 10, 10 * n,
				   3,	  n / 100, n * 100, (term_bits)-1, ~n };
	GArray *likely = g_array_new(FALSE, FALSE, sizeof(struct likely));
	term_bits ten = 1;

	for (size_t i = 0; i < (quick ? QUICK_VALUES : G_N_ELEMENTS(near)); i++)
		add_likely(likely, width, n, near[i]);
	for (unsigned i = 0; !quick && i < width; i++)
		add_likely(likely, width, n, (term_bits)1 << i);
	for (unsigned i = 0; !quick && i < MIN(width, 64) * 3 / 10; i++, ten *= 10)
		add_likely(likely, width, n, ten);
	g_array_sort(likely, compare_distances);
	return likely;
}

static bool try_values(struct trial *t, uint32_t number)
{
	const struct def *d = &g_array_index(t->f->defs, struct def, number);
	g_autoptr(GArray) likely =
		likely_values(term_width(t->f->pool, d->variable), t->natural[number], t->quick);
	const struct likely *before = NULL;

	for (guint i = 0; i < likely->len; i++) {
		const struct likely *v = &g_array_index(likely, struct likely, i);

		if ((!before || v->value != before->value) && try_value(t, number, v->value))
			return true;
		before = v;
	}
	return false;
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

term_bits *trial_witness(struct encoding *e, const struct encoding_question *q, bool quick,
			 unsigned budget_ms)
{
	struct trial t = { .e = e, .f = e->formula, .q = q, .quick = quick };
	guint most = quick ? QUICK_TRIED : MOST_TRIED;
	bool found = false;

	t.end = g_get_monotonic_time() + 1000 * (gint64)budget_ms;
	t.natural = trial_values(t.f, UINT32_MAX, 0);
	t.values = g_new0(term_bits, MAX(t.f->defs->len, 1));
	for (guint i = t.f->defs->len, tried = 0; !found && i > 0 && tried < most; i--) {
		const struct def *d = &g_array_index(t.f->defs, struct def, i - 1);

		if (!encoding_is_relaxed(e, d, q))
			continue;
		found = try_values(&t, i - 1);
		tried++;
	}
	g_free(t.natural);
	if (!found)
		g_clear_pointer(&t.values, g_free);
	return t.values;
}
