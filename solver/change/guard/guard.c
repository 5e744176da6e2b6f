/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/guard/guard.h"
#include "solver/image/variable/variable.h"

#include <math.h>
#include <string.h>

enum { BITS = 31 };

bool guard_holds(const struct guard_part *g, int64_t v, int64_t w)
{
	switch (g->op) {
	case GUARD_LT:
		return v < w;
	case GUARD_LE:
		return v <= w;
	case GUARD_GT:
		return v > w;
	case GUARD_GE:
		return v >= w;
	case GUARD_EQ:
		return v == w;
	case GUARD_NE:
		return v != w;
	case GUARD_BIT:
		return v & w;
	default:
		return !(v & w);
	}
}

struct guard guard_negated(const struct guard *g)
{
	static const enum guard_op other[] = {
		[GUARD_LT] = GUARD_GE,	    [GUARD_LE] = GUARD_GT,     [GUARD_GT] = GUARD_LE,
		[GUARD_GE] = GUARD_LT,	    [GUARD_EQ] = GUARD_NE,     [GUARD_NE] = GUARD_EQ,
		[GUARD_BIT] = GUARD_NO_BIT, [GUARD_NO_BIT] = GUARD_BIT
	};
	struct guard n = *g;

	if (g->also.v)
		n.negated = !g->negated;
	else
		n.is.op = other[g->is.op];
	return n;
}

static char *text_of_constant(const struct guard_part *g)
{
	if (g->op == GUARD_BIT || g->op == GUARD_NO_BIT)
		return g_strdup_printf("%" G_GINT64_FORMAT, g->constant);
	return image_format(g->v->type, (const uint8_t *)&g->constant, g->v->size);
}

static char *text_of_part(const struct guard_part *g)
{
	static const char *const words[] = {
		[GUARD_LT] = "<",  [GUARD_LE] = "<=", [GUARD_GT] = ">",	 [GUARD_GE] = ">=",
		[GUARD_EQ] = "==", [GUARD_NE] = "!=", [GUARD_BIT] = "&", [GUARD_NO_BIT] = "&"
	};
	g_autofree char *other = g->w ? g_strdup(g->w->text) : text_of_constant(g);

	if (g->v->type->kind == IMAGE_TYPE_BOOL && !g->w)
		return g_strconcat((g->op == GUARD_EQ) == !g->constant ? "!" : "", g->v->text,
				   NULL);
	if (g->op == GUARD_NO_BIT)
		return g_strdup_printf("!(%s & %s)", g->v->text, other);
	return g_strdup_printf("%s %s %s", g->v->text, words[g->op], other);
}

char *guard_text(const struct guard *g)
{
	g_autofree char *is = text_of_part(&g->is);
	g_autofree char *also = g->also.v ? text_of_part(&g->also) : NULL;

	if (!also)
		return g_steal_pointer(&is);
	return g_strdup_printf(g->negated ? "!(%s && %s)" : "%s && %s", is, also);
}

/* ---- what was seen ---- */

static bool watched_value_at(const struct guard_samples *s, const struct guard_hit *h, guint watch,
			     int64_t *out)
{
	const struct trace_note *n = &g_array_index(s->values, struct trace_note, h->first + watch);

	*out = watch_value(s->watches->pdata[watch], n->value);
	return n->known;
}

/* A part of a guard, with the numbers of what it compares; .w G_MAXUINT = a constant. */
struct compared {
	struct guard_part part;
	guint v, w;
};

static bool comparison_holds_for(const struct guard_samples *s, const struct compared *c,
				 const struct guard_hit *h, bool *known)
{
	int64_t v, w = c->part.constant;

	*known = watched_value_at(s, h, c->v, &v) &&
		 (c->w == G_MAXUINT || watched_value_at(s, h, c->w, &w));
	return *known && guard_holds(&c->part, v, w);
}

/* Do all n parts hold in some execution of a test, and is that unknown for some? */
struct held {
	bool any, unknown;
};

static struct held held_in(const struct guard_samples *s, const struct compared *parts, guint n,
			   guint from, guint to)
{
	struct held held = { false, false };

	for (guint i = from; i < to; i++) {
		const struct guard_hit *h = &g_array_index(s->hits, struct guard_hit, i);
		bool holds = true, known = true;

		for (guint k = 0; k < n; k++) {
			bool part_known;

			holds &= comparison_holds_for(s, &parts[k], h, &part_known);
			known &= part_known;
		}
		held.any |= holds;
		held.unknown |= !known;
	}
	return held;
}

/* The end of the samples of the test that begins at `from'. */
static guint end_of_test(const struct guard_samples *s, guint from)
{
	const struct guard_hit *first = &g_array_index(s->hits, struct guard_hit, from);
	guint i = from;

	for (; i < s->hits->len; i++) {
		const struct guard_hit *h = &g_array_index(s->hits, struct guard_hit, i);

		if (h->test != first->test || h->failing != first->failing)
			break;
	}
	return i;
}

/* Do the parts hold together in an execution of each failing test?  *wrong: in so many of the
 * others they do, too; it is not counted beyond most. */
static bool hold_in_failing(const struct guard_samples *s, const struct compared *parts, guint n,
			    unsigned most, unsigned *wrong)
{
	*wrong = 0;
	for (guint i = 0, end; i < s->hits->len && *wrong <= most; i = end) {
		const bool failing = g_array_index(s->hits, struct guard_hit, i).failing;
		struct held held;

		end = end_of_test(s, i);
		held = held_in(s, parts, n, i, end);
		if (failing && !held.any)
			return false;
		*wrong += !failing && (held.any || held.unknown);
	}
	return true;
}

/* The values of a watch, told apart by what a guard has to do. */
struct seen {
	int64_t low, high;	 /* a guard `<= c' holds in all failing tests when c >= low, and
				  * `>= c' when c <= high */
	int64_t least, greatest; /* in passing tests */
	GArray *some;		 /* int64_t: in the first failing test, each once */
	bool one;		 /* all passing ones are the same */
	bool usable;
};

static void note_some(GArray *some, int64_t v, const struct limits *limits)
{
	for (guint i = 0; i < some->len; i++)
		if (g_array_index(some, int64_t, i) == v)
			return;
	if (some->len < limits->guard_values)
		g_array_append_val(some, v);
}

/* some: takes .some; empty. */
static struct seen look_at_watch(const struct guard_samples *s, guint watch, GArray *some,
				 const struct limits *limits)
{
	struct seen seen = { .low = INT64_MIN,
			     .high = INT64_MAX,
			     .least = INT64_MAX,
			     .greatest = INT64_MIN,
			     .some = some,
			     .usable = true };
	bool passing = false, failing = false;

	for (guint i = 0; i < s->hits->len;) {
		const struct guard_hit *first = &g_array_index(s->hits, struct guard_hit, i);
		int64_t least = INT64_MAX, greatest = INT64_MIN;

		for (; i < s->hits->len; i++) {
			const struct guard_hit *h = &g_array_index(s->hits, struct guard_hit, i);
			int64_t v;

			if (h->test != first->test || h->failing != first->failing)
				break;
			if (!watched_value_at(s, h, watch, &v)) {
				seen.usable &= h->failing;
				continue;
			}
			if (h->failing && !failing)
				note_some(some, v, limits);
			least = MIN(least, v);
			greatest = MAX(greatest, v);
		}
		failing |= first->failing;
		passing |= !first->failing;
		if (first->failing) {
			seen.low = MAX(seen.low, least);
			seen.high = MIN(seen.high, greatest);
		} else {
			seen.least = MIN(seen.least, least);
			seen.greatest = MAX(seen.greatest, greatest);
		}
	}
	seen.one = seen.least == seen.greatest;
	seen.usable &= passing && failing;
	return seen;
}

/* ---- constants ---- */

static bool is_known_constant(const GArray *constants, int64_t c)
{
	for (guint i = 0; i < constants->len; i++)
		if (g_array_index(constants, int64_t, i) == c)
			return true;
	return false;
}

/* How many zeros a number ends in when it is written down. */
static unsigned count_final_zeros(int64_t c)
{
	unsigned n = 0;

	for (; c && c % 10 == 0; c /= 10)
		n++;
	return n;
}

static int64_t roundest_number(int64_t from, int64_t to)
{
	if (from <= 0 && to >= 0)
		return 0;
	for (int64_t step = 1000000000; step > 1; step /= 10) {
		int64_t up = from / step * step;

		if (up < from)
			up += step;
		if (up <= to)
			return up;
	}
	return from;
}

static int64_t bits_of(double d, unsigned size)
{
	int64_t bits = 0;
	float f = (float)d;

	if (size == sizeof f) {
		int32_t small;

		memcpy(&small, &f, sizeof f);
		return small;
	}
	memcpy(&bits, &d, sizeof d);
	return bits;
}

static double real_of_bits(int64_t bits)
{
	double d;

	memcpy(&d, &bits, sizeof d);
	return d;
}

/* ---- making them ---- */

struct learning {
	const struct guard_samples *s;
	const struct limits *limits;
	const GArray *constants;
	GArray *found;
	GArray *halves;	  /* struct half */
	unsigned passing; /* tests */
	guint watch;
	const struct watch *v;
};

/* What tells the failing tests from some of the passing ones. */
struct half {
	struct compared is;
	double cost;
};

/* The rows of the table of limits are in hundredths. */
static double cost_of(uint64_t hundredths)
{
	return (double)hundredths / 100;
}

static void offer_part(struct learning *l, const struct compared *c, double cost)
{
	struct guard g = { .is = c->part, .cost = cost };
	struct half half = { *c, cost };
	unsigned wrong;

	if (!hold_in_failing(l->s, c, 1, l->passing / 2, &wrong))
		return;
	if (wrong <= l->s->spare)
		g_array_append_val(l->found, g);
	else if (wrong <= l->passing / 2)
		g_array_append_val(l->halves, half);
}

static void offer_guard(struct learning *l, enum guard_op op, int64_t constant, double cost)
{
	const struct compared c = { { .v = l->v, .op = op, .constant = constant },
				    l->watch,
				    G_MAXUINT };

	offer_part(l, &c,
		   cost + cost_of(l->limits->guard_distance) * l->v->distance +
			   cost_of(l->limits->guard_later) * l->watch);
}

static double cost_of_constant(const struct learning *l, int64_t c)
{
	return cost_of(c == 0				    ? l->limits->guard_zero
		       : is_known_constant(l->constants, c) ? l->limits->guard_program
		       : c == 1 || c == -1		    ? l->limits->guard_one
		       : count_final_zeros(c) > 1	    ? l->limits->guard_round
							    : l->limits->guard_number);
}

/* `v <= c' with c from `from' to `to', which may also be written `v < c + 1'; upwards: `v >= c'. */
static void offer_bound(struct learning *l, int64_t from, int64_t to, bool upwards)
{
	int64_t best = roundest_number(from, to), near = upwards ? to : from;
	double cost;

	for (guint i = 0; i < l->constants->len; i++) {
		int64_t c = g_array_index(l->constants, int64_t, i);

		if (c >= from && c <= to && c)
			offer_guard(l, upwards ? GUARD_GE : GUARD_LE, c, cost_of_constant(l, c));
		if (upwards ? c >= from - 1 && c <= to - 1 : c >= from + 1 && c <= to + 1)
			offer_guard(l, upwards ? GUARD_GT : GUARD_LT, c, cost_of_constant(l, c));
	}
	cost = cost_of_constant(l, best);
	offer_guard(l, upwards ? GUARD_GE : GUARD_LE, best, cost);
	if (near != best)
		offer_guard(l, upwards ? GUARD_GE : GUARD_LE, near,
			    cost + cost_of(l->limits->guard_edge));
	if (upwards && best == 0) /* more than nothing */
		offer_guard(l, GUARD_GT, 0, cost);
}

/* Floating-point numbers from 0 upwards are in order as their bits are. */
static void offer_real_bound(struct learning *l, int64_t from, int64_t to, bool upwards)
{
	static const double some[] = { 0, 1, 2, 5, 10, 20, 25, 50, 100, 1000, 0.5, 0.1, 0.01 };
	int64_t least = MAX(from, 0);

	for (unsigned i = 0; i < G_N_ELEMENTS(some); i++) {
		int64_t c = bits_of(some[i], l->v->size);
		double cost = cost_of(some[i] != 0 ? l->limits->guard_real : l->limits->guard_zero);

		if (c >= from - 1 && c <= to)
			offer_guard(l, upwards ? GUARD_GT : GUARD_LE, c, cost);
		if (c >= from && c <= to + 1)
			offer_guard(l, upwards ? GUARD_GE : GUARD_LT, c, cost);
	}
	for (guint i = 0; l->s->reals && i < l->s->reals->len; i++) {
		double d = real_of_bits(g_array_index(l->s->reals, int64_t, i));
		int64_t c = bits_of(d, l->v->size);
		double cost = cost_of(l->limits->guard_program);

		if (d > 0 && c >= from - 1 && c <= to)
			offer_guard(l, upwards ? GUARD_GT : GUARD_LE, c, cost);
		if (d > 0 && c >= from && c <= to + 1)
			offer_guard(l, upwards ? GUARD_GE : GUARD_LT, c, cost);
	}
	if (to >= least)
		offer_guard(l, upwards ? GUARD_GE : GUARD_LE, least + (to - least) / 2,
			    cost_of(l->limits->guard_between));
}

static void offer_bounds(struct learning *l, const struct seen *seen)
{
	bool real = l->v->type->kind == IMAGE_TYPE_FLOAT;
	void (*bound)(struct learning *, int64_t, int64_t, bool) =
		real ? offer_real_bound : offer_bound;

	if (l->v->type->kind == IMAGE_TYPE_POINTER || l->v->type->kind == IMAGE_TYPE_BOOL)
		return;
	if (seen->low < seen->least)
		bound(l, seen->low, seen->least - 1, false);
	else if (seen->low < seen->greatest) /* some passing tests are above it */
		bound(l, seen->low, seen->greatest - 1, false);
	if (seen->high > seen->greatest)
		bound(l, seen->greatest + 1, seen->high, true);
	else if (seen->high > seen->least)
		bound(l, seen->least + 1, seen->high, true);
}

static void offer_equal(struct learning *l, const struct seen *seen)
{
	bool pointer = l->v->type->kind == IMAGE_TYPE_POINTER;

	for (guint i = 0; i < seen->some->len; i++) {
		int64_t v = g_array_index(seen->some, int64_t, i);

		if (!pointer || !v)
			offer_guard(l, GUARD_EQ, v, pointer ? 0 : cost_of_constant(l, v));
	}
	if (seen->one && (!pointer || !seen->least))
		offer_guard(l, GUARD_NE, seen->least,
			    pointer ? 0 : cost_of_constant(l, seen->least));
	else if (pointer)
		offer_guard(l, GUARD_NE, 0, 0);
}

static void offer_bits(struct learning *l)
{
	if (l->v->type->kind != IMAGE_TYPE_INT && l->v->type->kind != IMAGE_TYPE_ENUM)
		return;
	for (unsigned bit = 0; bit < BITS && bit < l->v->size * 8; bit++) {
		double cost = cost_of(is_known_constant(l->constants, 1ll << bit)
					      ? l->limits->guard_program_bit
					      : l->limits->guard_bit);

		offer_guard(l, GUARD_BIT, 1ll << bit, cost);
		offer_guard(l, GUARD_NO_BIT, 1ll << bit, cost);
	}
}

static void offer_pairs(struct learning *l)
{
	for (guint k = l->watch + 1; k < l->s->watches->len; k++) {
		const struct watch *w = l->s->watches->pdata[k];

		for (enum guard_op op = GUARD_LT; op <= GUARD_NE; op++) {
			bool ordered = op < GUARD_EQ;
			const struct compared c = { { .v = l->v, .w = w, .op = op }, l->watch, k };

			if (watches_are_comparable(l->v, w) &&
			    (!ordered || l->v->type->kind != IMAGE_TYPE_POINTER))
				offer_part(l, &c,
					   cost_of(l->limits->guard_variables) +
						   cost_of(l->limits->guard_distance) *
							   (l->v->distance + w->distance) +
						   cost_of(l->limits->guard_later) *
							   (l->watch + k));
		}
	}
}

static gint cheapest_guard_first(gconstpointer a, gconstpointer b)
{
	const struct guard *x = a, *y = b;

	return (x->cost > y->cost) - (x->cost < y->cost);
}

static bool is_same_part(const struct guard_part *a, const struct guard_part *b)
{
	return a->v == b->v && a->w == b->w && a->op == b->op && a->constant == b->constant;
}

static bool is_same(const struct guard *a, const struct guard *b)
{
	return is_same_part(&a->is, &b->is) && is_same_part(&a->also, &b->also);
}

static void leave_out_doubles(GArray *found)
{
	guint n = 0;

	for (guint i = 0; i < found->len; i++) {
		const struct guard *g = &g_array_index(found, struct guard, i);
		bool seen = false;

		for (guint k = 0; k < n && !seen; k++)
			seen = is_same(g, &g_array_index(found, struct guard, k));
		if (!seen)
			g_array_index(found, struct guard, n++) = *g;
	}
	g_array_set_size(found, n);
}

static gint cheapest_half_first(gconstpointer a, gconstpointer b)
{
	const struct half *x = a, *y = b;

	return (x->cost > y->cost) - (x->cost < y->cost);
}

/* Two comparisons, where one alone does not do. */
static void offer_together(struct learning *l)
{
	g_array_sort(l->halves, cheapest_half_first);
	if (l->halves->len > l->limits->guard_halves)
		g_array_set_size(l->halves, (guint)l->limits->guard_halves);
	for (guint i = 0; i < l->halves->len; i++)
		for (guint k = i + 1; k < l->halves->len; k++) {
			const struct half *a = &g_array_index(l->halves, struct half, i);
			const struct half *b = &g_array_index(l->halves, struct half, k);
			const struct compared both[] = { a->is, b->is };
			struct guard g = { .is = a->is.part, .also = b->is.part };
			unsigned wrong;

			g.cost = cost_of(l->limits->guard_together) + a->cost + b->cost;
			if (hold_in_failing(l->s, both, 2, l->s->spare, &wrong) &&
			    wrong <= l->s->spare)
				g_array_append_val(l->found, g);
		}
}

static unsigned passing_tests(const struct guard_samples *s)
{
	unsigned n = 0;

	for (guint i = 0; i < s->hits->len; i = end_of_test(s, i))
		n += !g_array_index(s->hits, struct guard_hit, i).failing;
	return n;
}

GArray *guards_learn(const struct guard_samples *s, const GArray *constants,
		     const struct limits *limits)
{
	struct learning l = { .s = s,
			      .limits = limits,
			      .constants = constants,
			      .passing = passing_tests(s),
			      .halves = g_array_new(FALSE, FALSE, sizeof(struct half)),
			      .found = g_array_new(FALSE, FALSE, sizeof(struct guard)) };

	for (l.watch = 0; l.watch < s->watches->len; l.watch++) {
		g_autoptr(GArray) some = g_array_new(FALSE, FALSE, sizeof(int64_t));
		struct seen seen = look_at_watch(s, l.watch, some, limits);

		l.v = s->watches->pdata[l.watch];
		if (!seen.usable)
			continue;
		offer_equal(&l, &seen);
		offer_bounds(&l, &seen);
		offer_bits(&l);
		offer_pairs(&l);
	}
	if (!l.found->len)
		offer_together(&l);
	g_array_unref(l.halves);
	g_array_sort(l.found, cheapest_guard_first);
	leave_out_doubles(l.found);
	if (l.found->len > limits->guard_tries)
		g_array_set_size(l.found, (guint)limits->guard_tries);
	return l.found;
}
