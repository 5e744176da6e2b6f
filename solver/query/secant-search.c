/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/query/secant-search.h"
#include "solver/base/hash.h"
#include "solver/query/branch-distance.h"

#include <math.h>
#include <string.h>

struct secant_search {
	const struct formula *f;
	const struct limits *limits;
	struct incremental *w;
	struct branch_distance *distance;
	uint32_t number; /* of the definition that is changed */
	unsigned width;
	bool is_float;
	GArray *constraints; /* guint: those that it reaches */
	GArray *sides;	     /* guint: unexplored ones that it reaches */
	term_bits natural;   /* its value in the run */
	double solution;
	bool found;
	uint64_t most_work;
	const struct deadline *until;
};

static bool secant_search_is_over(const struct secant_search *d)
{
	return incremental_work(d->w) >= d->most_work || deadline_is_over(d->until);
}

/* Prepares it for a constraint; false when what has to change does not reach it. */
static bool begin_search(struct secant_search *d, const uint32_t *numbers, unsigned n)
{
	incremental_change(d->w, numbers, n);
	g_array_set_size(d->constraints, 0);
	g_array_set_size(d->sides, 0);
	for (guint i = 0; i < d->f->constraints->len; i++) {
		uint32_t term = g_array_index(d->f->constraints, struct constraint, i).term;

		if (incremental_affects(d->w, term))
			g_array_append_val(d->constraints, i);
		else if (!incremental_natural(d->w, term))
			return false;
	}
	for (guint i = 0; i < d->f->unexplored->len; i++) {
		uint32_t taken = g_array_index(d->f->unexplored, struct unexplored, i).taken;

		if (incremental_affects(d->w, taken))
			g_array_append_val(d->sides, i);
	}
	return d->constraints->len > 0;
}

/* It is not known what happens on a side that no run took, so the requirement may hold there. */
static bool goes_away(const struct secant_search *d, bool *forbidden)
{
	bool any = false;

	for (guint i = 0; i < d->sides->len; i++) {
		const struct unexplored *u = &g_array_index(d->f->unexplored, struct unexplored,
							    g_array_index(d->sides, guint, i));

		if (!incremental_value(d->w, u->taken) || incremental_is_unsure(d->w, u->taken))
			continue;
		*forbidden |= branch_distance_is_closed(d->distance, u);
		any |= !u->returns;
	}
	return any;
}

/* The distance of all constraints together.  What must not happen at all is closed; what may
 * happen or not, a run will tell. */
static double branch_distance_with(const struct secant_search *d, const term_bits *values)
{
	bool forbidden = false, away;
	double sum = 0;

	incremental_set(d->w, values);
	away = goes_away(d, &forbidden);
	for (guint i = 0; !forbidden && i < d->constraints->len; i++) {
		const struct constraint *h =
			&g_array_index(d->f->constraints, struct constraint,
				       g_array_index(d->constraints, guint, i));

		if (incremental_value(d->w, h->term) || incremental_is_unsure(d->w, h->term) ||
		    (away && h->requirement))
			continue;
		if (!h->requirement)
			return INFINITY;
		sum += branch_distance_to(d->distance, h->term);
	}
	return forbidden ? INFINITY : sum;
}

static double secant_number_of(const struct secant_search *d, term_bits value)
{
	uint64_t bits = (uint64_t)value;
	uint32_t low = (uint32_t)bits;
	float single;
	double both;

	if (!d->is_float)
		return (double)((int64_t)(bits << (64 - d->width)) >> (64 - d->width));
	memcpy(&single, &low, sizeof(single));
	memcpy(&both, &bits, sizeof(both));
	return d->width == 32 ? (double)single : both;
}

static term_bits as_bits(const struct secant_search *d, double x)
{
	float single = (float)x;
	uint32_t low;
	uint64_t bits;

	if (!d->is_float) {
		double limit = ldexp(1, (int)d->width - 1);

		bits = x >= limit ? (uint64_t)INT64_MAX : x < -limit ? 0 : (uint64_t)llrint(x);
		return bits & (~UINT64_C(0) >> (64 - d->width));
	}
	memcpy(&low, &single, sizeof(low));
	memcpy(&bits, &x, sizeof(bits));
	return d->width == 32 ? low : bits;
}

/* The distance at x; an x with distance zero is a solution. */
static double distance_at_x(struct secant_search *d, double x)
{
	term_bits value = as_bits(d, x);
	double distance;

	if (isnan(x) || isinf(x))
		return INFINITY;
	distance = branch_distance_with(d, &value);
	if (distance == 0 && value != d->natural) {
		d->found = true;
		d->solution = x;
	}
	return distance;
}

static bool may_secant_go_on(const struct secant_search *d)
{
	return !d->found && !secant_search_is_over(d);
}

/* For a strict comparison, equal sides are not enough. */
static void overshoot_equality(struct secant_search *d, double x, double direction)
{
	static const double by[] = { 1e-12, 1e-6, 1e-3, 0.1, 1 };

	for (unsigned i = 0; i < G_N_ELEMENTS(by) && may_secant_go_on(d); i++) {
		double step = d->is_float ? by[i] * fmax(fabs(x), 1e-3) : i + 1;

		distance_at_x(d, direction < 0 ? x - step : x + step);
	}
}

/* Where the line through both points is zero: as they are, or if one of them lies
 * beyond the solution, where a distance has the wrong sign. */
static double next_point(struct secant_search *d, double x0, double y0, double x1, double y1,
			 double *y)
{
	double outside = x1 - y1 * (x1 - x0) / (y1 - y0);
	double inside = x0 + (x1 - x0) * y0 / (y0 + y1);
	double y_outside = distance_at_x(d, outside), y_inside;

	*y = y_outside;
	if (d->found)
		return outside;
	y_inside = distance_at_x(d, inside);
	if (!(y_inside < y_outside))
		return outside;
	*y = y_inside;
	return inside;
}

/* Goes from point to point; when a step leads no nearer it goes only half as far, and so on. */
static void follow_secants(struct secant_search *d, double x0, double y0, double x1, double y1)
{
	for (unsigned step = 0; step < d->limits->secant_steps && may_secant_go_on(d); step++) {
		double y, x = next_point(d, x0, y0, x1, y1, &y);

		for (unsigned i = 0;
		     i < d->limits->secant_halvings && !(y < y1) && may_secant_go_on(d); i++) {
			x = x1 + (x - x1) / 2;
			y = distance_at_x(d, x);
		}
		if (d->found)
			return;
		if (!(y < y1) || x == x1) {
			overshoot_equality(d, x1, x1 - x0);
			return;
		}
		x0 = x1;
		y0 = y1;
		x1 = x;
		y1 = y;
	}
}

/* Starts with a step that makes a difference. */
static void descend_from(struct secant_search *d, double x, double y)
{
	static const double steps[] = { 1e-6, 1e-3, 0.1, 10 };

	for (unsigned i = 0; i < G_N_ELEMENTS(steps) && may_secant_go_on(d) && isfinite(y); i++) {
		double by = d->is_float ? steps[i] * fmax(fabs(x), 1e-3) : 1 << (4 * i);
		double up = distance_at_x(d, x + by), down;

		if (d->found)
			return;
		if (up < y) {
			follow_secants(d, x, y, x + by, up);
			return;
		}
		down = distance_at_x(d, x - by);
		if (d->found)
			return;
		if (down < y) {
			follow_secants(d, x, y, x - by, down);
			return;
		}
	}
}

/* Finds the fewest digits that are enough. */
static void simplify_solution(struct secant_search *d)
{
	double exact = d->solution;

	for (int digits = 1; d->is_float && digits <= (int)d->limits->secant_digits; digits++) {
		char text[40];

		g_snprintf(text, sizeof(text), "%.*e", digits - 1, exact);
		d->found = false;
		distance_at_x(d, g_ascii_strtod(text, NULL));
		if (d->found)
			return;
	}
	d->solution = exact;
	distance_at_x(d, exact);
}

static void try_likely_values(struct secant_search *d, double x, double *best, double *at_best)
{
	const double likely[] = { x + 1, x - 1, 0, 1, 2 * x, x / 2, -x, -1 };

	for (unsigned i = 0; i < G_N_ELEMENTS(likely) && may_secant_go_on(d); i++) {
		double y = distance_at_x(d, likely[i]);

		if (y < *best) {
			*best = y;
			*at_best = likely[i];
		}
	}
}

static bool vary_definition(struct secant_search *d, uint32_t number)
{
	const struct definition *def = &g_array_index(d->f->definitions, struct definition, number);
	double x, y, best, at_best;

	d->number = number;
	d->width = term_width(d->f->pool, def->variable);
	d->is_float = incremental_is_float(d->w, number);
	d->natural = incremental_natural(d->w, def->variable);
	d->found = false;
	if (d->width > 64 || !begin_search(d, &number, 1))
		return false;
	if (d->width == 1) {
		distance_at_x(d, d->natural ? 0 : -1);
		return d->found;
	}
	x = at_best = secant_number_of(d, d->natural);
	y = best = distance_at_x(d, x);
	try_likely_values(d, x, &best, &at_best);
	if (!d->found)
		descend_from(d, x, y);
	if (!d->found && best < y)
		descend_from(d, at_best, best);
	if (d->found)
		simplify_solution(d);
	return d->found;
}

static bool is_definition_of(const struct definition *d, unsigned selector)
{
	return d->expr && d->selector == selector &&
	       (d->kind == DEF_REGISTER || d->kind == DEF_MEMORY || d->kind == DEF_GUARD);
}

/* The branch at one place, as often as it is made: always so. */
static bool turn_all(struct secant_search *d, const GArray *numbers, bool outcome)
{
	g_autofree term_bits *values = g_new(term_bits, numbers->len);

	for (guint i = 0; i < numbers->len; i++)
		values[i] = outcome;
	return begin_search(d, (const uint32_t *)(const void *)numbers->data, numbers->len) &&
	       branch_distance_with(d, values) == 0;
}

static bool turn_branches(struct secant_search *d, unsigned selector)
{
	g_autoptr(GHashTable) seen = g_hash_table_new(hash_u64, g_int64_equal);

	for (guint i = 0; i < d->f->definitions->len && !secant_search_is_over(d); i++) {
		const struct definition *first =
			&g_array_index(d->f->definitions, struct definition, i);
		g_autoptr(GArray) numbers = NULL;

		if (first->kind != DEF_GUARD || !is_definition_of(first, selector) ||
		    !g_hash_table_add(seen, (gpointer)&first->pc))
			continue;
		numbers = g_array_new(FALSE, FALSE, sizeof(uint32_t));
		for (uint32_t k = i; k < d->f->definitions->len; k++) {
			const struct definition *other =
				&g_array_index(d->f->definitions, struct definition, k);

			if (other->kind == DEF_GUARD && other->pc == first->pc &&
			    is_definition_of(other, selector))
				g_array_append_val(numbers, k);
		}
		if (numbers->len > 1 && (turn_all(d, numbers, true) || turn_all(d, numbers, false)))
			return true;
	}
	return false;
}

term_bits *secant_search_witness(const struct formula *f, struct incremental *w, unsigned selector,
				 bool anywhere, uint64_t work, const struct deadline *until)
{
	struct secant_search d = { .f = f,
				   .limits = limits_or_default(f->limits),
				   .w = w,
				   .distance = branch_distance_new(f, w, anywhere),
				   .constraints = g_array_new(FALSE, FALSE, sizeof(guint)),
				   .sides = g_array_new(FALSE, FALSE, sizeof(guint)),
				   .most_work = incremental_work(w) + work,
				   .until = until };
	bool found = false;

	for (guint i = f->definitions->len; !found && i > 0 && !secant_search_is_over(&d); i--)
		if (is_definition_of(&g_array_index(f->definitions, struct definition, i - 1),
				     selector))
			found = vary_definition(&d, i - 1);
	found = found || turn_branches(&d, selector);
	branch_distance_free(d.distance);
	g_array_free(d.constraints, TRUE);
	g_array_free(d.sides, TRUE);
	return found ? incremental_values(w) : NULL;
}
