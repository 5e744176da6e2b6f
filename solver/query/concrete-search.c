/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/query/concrete-search.h"

/* How many values of one definition are tried. */
struct concrete_search {
	const struct formula *f;
	const struct limits *limits; /* limits are counts, so that the same is found each time */
	struct incremental *w;
	const struct encoding_question *q;
	bool quick;
	const struct deadline *until;
	uint64_t most_work;
	uint32_t variable;
	unsigned width;
	GArray *constraints; /* uint32_t: those that it reaches */
	GArray *sides;	     /* uint32_t: unexplored ones that it reaches */
	bool elsewhere;	     /* a requirement fails, and the change does not reach it */
};

static term_bits mask_of_concrete_width(unsigned width)
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
	term_bits above = (value - actual) & mask_of_concrete_width(width);
	struct likely v = { value & mask_of_concrete_width(width),
			    MIN(above, -above & mask_of_concrete_width(width)), likely->len };

	if (v.far)
		g_array_append_val(likely, v);
}

static __int128 signed_side(term_bits v, unsigned width)
{
	term_bits sign = (term_bits)1 << (width - 1);

	return (__int128)((v ^ sign) - sign);
}

/* A comparison of integers: the width of what is compared, else 0. */
static unsigned compared_width(const struct concrete_search *t, const struct term_node *n)
{
	unsigned width = n->kind == IR_EQ || n->kind == IR_ULT || n->kind == IR_ULE ||
					 n->kind == IR_SLT || n->kind == IR_SLE
				 ? term_width(t->f->pool, n->a)
				 : 0;

	return width > 1 && width <= 64 ? width : 0;
}

/* How much greater the left side of a comparison is than the right side. */
static __int128 lead_of_left_side(const struct term_node *n, unsigned width, term_bits a,
				  term_bits b)
{
	if (n->kind == IR_ULT || n->kind == IR_ULE)
		return (__int128)a - (__int128)b;
	return signed_side(a, width) - signed_side(b, width);
}

/* Adds values around the one at which a lead that grows by `growth' over `distance' is gone; as
 * many as the growth is uncertain. */
static void append_turn(term_bits natural, __int128 lead, __int128 growth, unsigned distance,
			GArray *values)
{
	__int128 to = -lead * distance / growth;
	__int128 off = distance / (growth < 0 ? -growth : growth);

	for (int i = -2; i <= 2; i++) {
		term_bits v = natural + (term_bits)(to + (i > 1 || i < -1 ? i * (off + 1) / 2 : i));

		g_array_append_val(values, v);
	}
}

static void append_turns_over(const struct concrete_search *t, unsigned distance, GArray *values)
{
	term_bits natural = incremental_natural(t->w, t->variable), value = natural + distance;
	const GArray *affected = incremental_affected(t->w);

	value &= mask_of_concrete_width(t->width);
	incremental_set(t->w, &value);
	for (guint i = 0; i < affected->len; i++) {
		const struct term_node *n =
			term_node(t->f->pool, g_array_index(affected, uint32_t, i));
		unsigned width = compared_width(t, n);
		__int128 first, growth;

		if (!width)
			continue;
		first = lead_of_left_side(n, width, incremental_natural(t->w, n->a),
					  incremental_natural(t->w, n->b));
		growth = lead_of_left_side(n, width, incremental_value(t->w, n->a),
					   incremental_value(t->w, n->b)) -
			 first;
		if (growth && (distance == 1 || growth % distance))
			append_turn(natural, first, growth, distance, values);
	}
}

/* Appends values (term_bits) at which a comparison may turn, guessed by secants. */
static void append_turns(const struct concrete_search *t, GArray *values)
{
	static const unsigned distances[] = { 1, 256 };

	for (unsigned i = 0; i < G_N_ELEMENTS(distances); i++)
		if (distances[i] <= mask_of_concrete_width(t->width) / 2)
			append_turns_over(t, distances[i], values);
}

/* Values around the actual one, values at which something later turns, and powers of two and
 * ten; the nearest first. */
static GArray *likely_values(const struct concrete_search *t)
{
	term_bits n = incremental_natural(t->w, t->variable), ten = 1;
	const term_bits near[] = { n + 1, n - 1,   n + 2,   n - 2,	   n + 3, n - 3,  n + 4,
				   n - 4, 0,	   1,	    n / 2,	   2 * n, n / 10, 10 * n,
				   3,	  n / 100, n * 100, (term_bits)-1, ~n };
	g_autoptr(GArray) turns = g_array_new(FALSE, FALSE, sizeof(term_bits));
	GArray *likely = g_array_new(FALSE, FALSE, sizeof(struct likely));

	append_turns(t, turns);
	for (size_t i = 0;
	     i < (t->quick ? MIN(t->limits->quick_values, G_N_ELEMENTS(near)) : G_N_ELEMENTS(near));
	     i++)
		add_likely(likely, t->width, n, near[i]);
	for (guint i = 0; i < turns->len; i++)
		add_likely(likely, t->width, n, g_array_index(turns, term_bits, i));
	for (unsigned i = 0; !t->quick && i < t->width; i++)
		add_likely(likely, t->width, n, (term_bits)1 << i);
	for (unsigned i = 0; !t->quick && i < MIN(t->width, 64) * 3 / 10; i++, ten *= 10)
		add_likely(likely, t->width, n, ten);
	g_array_sort(likely, compare_distances);
	return likely;
}

/* Sets the definition that is tried; false when changing it cannot help. */
static bool begin_number(struct concrete_search *t, uint32_t number)
{
	t->variable = g_array_index(t->f->definitions, struct definition, number).variable;
	t->width = term_width(t->f->pool, t->variable);
	t->elsewhere = false;
	g_array_set_size(t->constraints, 0);
	g_array_set_size(t->sides, 0);
	incremental_change(t->w, &number, 1);
	for (uint32_t i = 0; i < t->f->constraints->len; i++) {
		const struct constraint *h =
			&g_array_index(t->f->constraints, struct constraint, i);

		if (incremental_affects(t->w, h->term))
			g_array_append_val(t->constraints, i);
		else if (!incremental_natural(t->w, h->term) && !h->requirement)
			return false;
		else if (!incremental_natural(t->w, h->term))
			t->elsewhere = true;
	}
	for (uint32_t i = 0; i < t->f->unexplored->len; i++)
		if (incremental_affects(
			    t->w, g_array_index(t->f->unexplored, struct unexplored, i).taken))
			g_array_append_val(t->sides, i);
	return t->constraints->len || t->sides->len;
}

/* The place where the path leaves the formula; false when it must not leave. */
static bool goes_where_it_may(const struct concrete_search *t, bool *away)
{
	for (guint i = 0; i < t->sides->len; i++) {
		uint32_t side = g_array_index(t->sides, uint32_t, i);
		const struct unexplored *u =
			&g_array_index(t->f->unexplored, struct unexplored, side);

		if (!incremental_value(t->w, u->taken))
			continue;
		if (u->cut || encoding_question_avoids(t->q, side))
			return false;
		*away |= !t->quick || !u->returns;
	}
	return true;
}

/* Does the question hold with that value, when all others follow from it?  It is not known what
 * happens on a side that no run took.  If the question allows that side, the requirement may
 * hold.  When such a side comes back, we assume that it leaves what it may write unchanged,
 * which is one way to come back; or we guess that it helps. */
static bool is_held_by_values(const struct concrete_search *t, term_bits value)
{
	bool away = false;

	incremental_set(t->w, &value);
	if (!goes_where_it_may(t, &away) || (t->elsewhere && !away))
		return false;
	for (guint i = 0; i < t->constraints->len; i++) {
		const struct constraint *h =
			&g_array_index(t->f->constraints, struct constraint,
				       g_array_index(t->constraints, uint32_t, i));

		if (!(away && h->requirement) && !incremental_value(t->w, h->term))
			return false;
	}
	return true;
}

static bool concrete_search_is_over(const struct concrete_search *t)
{
	return incremental_work(t->w) > t->most_work || deadline_is_over(t->until);
}

/* The nearest likely value that works; it is the last one that was set. */
static bool try_values_nearby(const struct concrete_search *t)
{
	g_autoptr(GArray) likely = likely_values(t);
	const struct likely *before = NULL;

	for (guint i = 0; i < likely->len && !concrete_search_is_over(t); i++) {
		const struct likely *v = &g_array_index(likely, struct likely, i);

		if ((!before || v->value != before->value) && is_held_by_values(t, v->value))
			return true;
		before = v;
	}
	return false;
}

/* Tries late instances first. */
static term_bits *try_late_ones(struct concrete_search *t, enum definition_readability readability,
				unsigned *tried)
{
	for (uint32_t i = t->f->definitions->len;
	     i > 0 && *tried < t->limits->concrete_instances && !deadline_is_over(t->until); i--) {
		const struct definition *d =
			&g_array_index(t->f->definitions, struct definition, i - 1);

		if (definition_readability(d) != readability ||
		    !encoding_question_relaxes(t->q, d) || !incremental_matters(t->w, d->variable))
			continue;
		++*tried;
		if (begin_number(t, i - 1) && try_values_nearby(t))
			return incremental_values(t->w);
	}
	return NULL;
}

term_bits *concrete_search_witness(const struct formula *f, struct incremental *w,
				   const struct encoding_question *q, bool quick,
				   const struct deadline *until)
{
	const struct limits *l = limits_or_default(f->limits);
	struct concrete_search t = { .f = f,
				     .limits = l,
				     .w = w,
				     .q = q,
				     .quick = quick,
				     .until = until,
				     .most_work = incremental_work(w) +
						  (quick ? l->quick_work : l->concrete_work),
				     .constraints = g_array_new(FALSE, FALSE, sizeof(uint32_t)),
				     .sides = g_array_new(FALSE, FALSE, sizeof(uint32_t)) };
	unsigned tried = 0;
	term_bits *values = NULL;

	for (enum definition_readability k = DEF_READS_WELL; !values && k < N_DEF_READABILITY; k++)
		values = try_late_ones(&t, k, &tried);
	g_array_free(t.constraints, TRUE);
	g_array_free(t.sides, TRUE);
	return values;
}
