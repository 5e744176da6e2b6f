/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/query/incremental.h"

#include <string.h>

enum {
	NEEDED = 1,
	AFFECTED = 2,
	FLOAT = 4,
	UNSURE = 8,
	UNSURE_NOW = 16,
	DIFFERS = 32, /* of those affected: not as in the run */
};

struct incremental {
	const struct formula *f;
	uint32_t n;	    /* terms */
	uint8_t *marks;	    /* by term */
	term_bits *natural; /* by term */
	term_bits *now;	    /* by term; of those affected */
	GArray *needed;	    /* uint32_t: terms that a constraint depends on, ascending */
	GArray *affected;   /* uint32_t: those of them that what is changed reaches */
	GArray *changed;    /* uint32_t: their variables */
	uint64_t work;
};

static void mark_changed_term(struct incremental *w, uint32_t t, unsigned as)
{
	if (t)
		w->marks[t] |= (uint8_t)as;
}

static void mark_constraints(struct incremental *w)
{
	for (guint i = 0; i < w->f->constraints->len; i++)
		mark_changed_term(w, g_array_index(w->f->constraints, struct constraint, i).term,
				  NEEDED);
	for (guint i = 0; i < w->f->unexplored->len; i++)
		mark_changed_term(w, g_array_index(w->f->unexplored, struct unexplored, i).taken,
				  NEEDED);
}

/* Operands and definitions come before what uses them. */
static void mark_needed(struct incremental *w)
{
	mark_constraints(w);
	for (uint32_t t = w->n - 1; t > 0; t--) {
		const struct term_node *n = term_node(w->f->pool, t);
		const struct definition *d = formula_definition(w->f, n);

		if (!(w->marks[t] & NEEDED))
			continue;
		if (d)
			mark_changed_term(w, d->expr, NEEDED);
		if (n->kind == TERM_VAR || n->kind == IR_CONST)
			continue;
		mark_changed_term(w, n->a, NEEDED);
		mark_changed_term(w, n->b, NEEDED);
		mark_changed_term(w, n->c, NEEDED);
	}
	for (uint32_t t = 1; t < w->n; t++)
		if (w->marks[t] & NEEDED)
			g_array_append_val(w->needed, t);
}

/* Sign changes and absolute values are bitwise. */
static bool is_on_a_sign(const struct incremental *w, const struct term_node *n)
{
	uint64_t v, sign = UINT64_C(1) << (n->width - 1);

	return n->width <= 64 && (n->kind == IR_XOR || n->kind == IR_AND) &&
	       term_is_const(w->f->pool, n->b, &v) && (v == sign || v == sign - 1);
}

static void mark_float_operands(struct incremental *w, const struct term_node *n)
{
	const struct definition *d = formula_definition(w->f, n);

	if (d)
		mark_changed_term(w, d->expr, FLOAT);
	else if (n->kind == IR_ITE) {
		mark_changed_term(w, n->a, FLOAT);
		mark_changed_term(w, n->b, FLOAT);
	} else if (is_on_a_sign(w, n))
		mark_changed_term(w, n->a, FLOAT);
}

/* Marks the terms that floating-point numbers go through: from users down to their operands,
 * then from values up to their users. */
static void mark_floats(struct incremental *w)
{
	for (uint32_t t = w->n - 1; t > 0; t--) {
		const struct term_node *n = term_node(w->f->pool, t);

		if (n->kind == IR_FP) {
			if (n->value != IR_FP_FROM_INT)
				mark_changed_term(w, n->a, FLOAT);
			if (n->value <= IR_FP_UN)
				mark_changed_term(w, n->b, FLOAT);
		} else if (w->marks[t] & FLOAT) {
			mark_float_operands(w, n);
		}
	}
	for (uint32_t t = 1; t < w->n; t++) {
		const struct term_node *n = term_node(w->f->pool, t);
		const struct definition *d = formula_definition(w->f, n);

		if ((d && d->expr && w->marks[d->expr] & FLOAT) ||
		    (n->kind == IR_FP && n->width > 1 && n->value != IR_FP_TO_INT))
			mark_changed_term(w, t, FLOAT);
	}
}

static bool is_term_affected(const struct incremental *w, uint32_t t)
{
	return t && w->marks[t] & AFFECTED;
}

term_bits incremental_value(const struct incremental *w, uint32_t term)
{
	return is_term_affected(w, term) ? w->now[term] : w->natural[term];
}

static term_bits applied_incrementally(const struct incremental *w, const struct term_node *n,
				       term_bits (*value)(const struct incremental *w, uint32_t t))
{
	const struct term_pool *p = w->f->pool;

	return term_apply(n->kind, n->width, value(w, n->a), term_width(p, n->a),
			  n->b ? value(w, n->b) : 0, n->b ? term_width(p, n->b) : 0,
			  n->c ? value(w, n->c) : 0, n->value);
}

term_bits incremental_natural(const struct incremental *w, uint32_t term)
{
	return w->natural[term];
}

/* ---- what rests on a location that an unexplored side may have written ---- */

bool incremental_is_unsure(const struct incremental *w, uint32_t term)
{
	return w->marks[term] & (is_term_affected(w, term) ? UNSURE_NOW : UNSURE);
}

/* Is t false (or true), for certain? */
static bool is_surely(const struct incremental *w, uint32_t t, bool truth)
{
	return !incremental_is_unsure(w, t) && (incremental_value(w, t) != 0) == truth;
}

static bool becomes_unsure(const struct incremental *w, const struct term_node *n)
{
	const struct definition *d = formula_definition(w->f, n);
	bool any;

	if (d)
		return d->expr ? incremental_is_unsure(w, d->expr) : d->kind == DEF_UNKNOWN;
	if (n->kind == TERM_VAR || n->kind == IR_CONST)
		return false;
	if (n->kind == IR_ITE)
		return incremental_is_unsure(w, n->c) ||
		       incremental_is_unsure(w, incremental_value(w, n->c) ? n->a : n->b);
	any = incremental_is_unsure(w, n->a) || (n->b && incremental_is_unsure(w, n->b)) ||
	      (n->c && incremental_is_unsure(w, n->c));
	if (any && n->width == 1 && (n->kind == IR_AND || n->kind == IR_OR))
		return !is_surely(w, n->a, n->kind == IR_OR) &&
		       !is_surely(w, n->b, n->kind == IR_OR);
	return any;
}

static void evaluate_the_run(struct incremental *w)
{
	for (uint32_t t = 1; t < w->n; t++) {
		const struct term_node *n = term_node(w->f->pool, t);
		const struct definition *d = formula_definition(w->f, n);

		if (d)
			w->natural[t] = d->expr ? w->natural[d->expr] : d->actual;
		else if (n->kind == IR_CONST)
			w->natural[t] = n->value;
		else if (n->kind != TERM_VAR)
			w->natural[t] = applied_incrementally(w, n, incremental_natural);
		if (becomes_unsure(w, n))
			mark_changed_term(w, t, UNSURE);
	}
}

struct incremental *incremental_new(const struct formula *f)
{
	struct incremental *w = g_new0(struct incremental, 1);

	w->f = f;
	w->n = term_pool_size(f->pool);
	w->marks = g_new0(uint8_t, w->n);
	w->natural = g_new0(term_bits, w->n);
	w->now = g_new0(term_bits, w->n);
	w->needed = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	w->affected = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	w->changed = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	mark_floats(w);
	mark_needed(w);
	evaluate_the_run(w);
	return w;
}

uint32_t incremental_terms(const struct incremental *w)
{
	return w->n;
}

void incremental_free(struct incremental *w)
{
	if (!w)
		return;
	g_free(w->marks);
	g_free(w->natural);
	g_free(w->now);
	g_array_free(w->needed, TRUE);
	g_array_free(w->affected, TRUE);
	g_array_free(w->changed, TRUE);
	g_free(w);
}

/* The first term of the needed ones that is not before t. */
static guint first_from(const GArray *needed, uint32_t t)
{
	guint low = 0, high = needed->len;

	while (low < high) {
		guint middle = (low + high) / 2;

		if (g_array_index(needed, uint32_t, middle) < t)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void incremental_change(struct incremental *w, const uint32_t *numbers, unsigned n)
{
	for (guint i = 0; i < w->affected->len; i++)
		w->marks[g_array_index(w->affected, uint32_t, i)] &= (uint8_t)~AFFECTED;
	for (guint i = 0; i < w->changed->len; i++)
		w->marks[g_array_index(w->changed, uint32_t, i)] &= (uint8_t)~AFFECTED;
	g_array_set_size(w->affected, 0);
	g_array_set_size(w->changed, 0);
	for (unsigned i = 0; i < n; i++) {
		uint32_t t =
			g_array_index(w->f->definitions, struct definition, numbers[i]).variable;

		g_array_append_val(w->changed, t);
		w->marks[t] &= (uint8_t)~UNSURE_NOW;
		mark_changed_term(w, t, AFFECTED);
	}
	if (!n)
		return;
	w->work +=
		(w->needed->len - first_from(w->needed, g_array_index(w->changed, uint32_t, 0))) /
		8;
	for (guint i = first_from(w->needed, g_array_index(w->changed, uint32_t, 0));
	     i < w->needed->len; i++) {
		uint32_t t = g_array_index(w->needed, uint32_t, i);
		const struct term_node *node = term_node(w->f->pool, t);
		const struct definition *d = formula_definition(w->f, node);
		bool reached;

		if (w->marks[t] & AFFECTED || node->kind == IR_CONST)
			continue; /* changed itself */
		reached = node->kind == TERM_VAR
				  ? d && is_term_affected(w, d->expr)
				  : is_term_affected(w, node->a) || is_term_affected(w, node->b) ||
					    is_term_affected(w, node->c);
		if (!reached)
			continue;
		mark_changed_term(w, t, AFFECTED);
		g_array_append_val(w->affected, t);
	}
}

bool incremental_affects(const struct incremental *w, uint32_t term)
{
	return term < w->n && is_term_affected(w, term);
}

const GArray *incremental_affected(const struct incremental *w)
{
	return w->affected;
}

bool incremental_matters(const struct incremental *w, uint32_t term)
{
	return term < w->n && w->marks[term] & NEEDED;
}

static bool term_differs(const struct incremental *w, uint32_t t)
{
	return (w->marks[t] & (AFFECTED | DIFFERS)) == (AFFECTED | DIFFERS);
}

/* The term is affected; now has its value. */
static void note_difference(struct incremental *w, uint32_t t, bool unsure)
{
	bool was_unsure = w->marks[t] & UNSURE;

	w->marks[t] &= (uint8_t) ~(UNSURE_NOW | DIFFERS);
	w->marks[t] |=
		(uint8_t)((unsure ? UNSURE_NOW : 0) |
			  (unsure != was_unsure || w->now[t] != w->natural[t] ? DIFFERS : 0));
}

/* Most of what is affected comes out as in the run again, so only what is made of something else
 * is evaluated. */
static void evaluate_affected(struct incremental *w, uint32_t t)
{
	const struct term_node *n = term_node(w->f->pool, t);
	const struct definition *d = formula_definition(w->f, n);
	bool differs = d ? term_differs(w, d->expr)
			 : term_differs(w, n->a) || term_differs(w, n->b) || term_differs(w, n->c);

	if (!differs) {
		w->now[t] = w->natural[t];
		note_difference(w, t, w->marks[t] & UNSURE);
		return;
	}
	w->now[t] =
		d ? incremental_value(w, d->expr) : applied_incrementally(w, n, incremental_value);
	note_difference(w, t, becomes_unsure(w, n));
}

void incremental_set(struct incremental *w, const term_bits *values)
{
	for (guint i = 0; i < w->changed->len; i++) {
		uint32_t t = g_array_index(w->changed, uint32_t, i);

		w->now[t] = values[i];
		note_difference(w, t, false);
	}
	w->work += w->affected->len;
	for (guint i = 0; i < w->affected->len; i++)
		evaluate_affected(w, g_array_index(w->affected, uint32_t, i));
}

static term_bits value_in_incremental_so_far(void *arg, uint32_t number)
{
	return ((term_bits *)arg)[number];
}

/* What no constraint depends on has its value, too. */
term_bits *incremental_values(const struct incremental *w)
{
	term_bits *values = g_new0(term_bits, MAX(w->f->definitions->len, 1));
	struct term_memo *memo = term_memo_new(w->f->pool, value_in_incremental_so_far, values);
	guint next = 0;

	for (guint i = 0; i < w->f->definitions->len; i++) {
		const struct definition *d =
			&g_array_index(w->f->definitions, struct definition, i);

		if (next < w->changed->len &&
		    d->variable == g_array_index(w->changed, uint32_t, next)) {
			values[i] = w->now[d->variable];
			next++;
		} else {
			values[i] = d->expr ? term_eval(memo, d->expr) : d->actual;
		}
	}
	term_memo_free(memo);
	return values;
}

bool incremental_is_float(const struct incremental *w, uint32_t number)
{
	const struct definition *d = &g_array_index(w->f->definitions, struct definition, number);
	unsigned width = term_width(w->f->pool, d->variable);

	return (width == 32 || width == 64) && w->marks[d->variable] & FLOAT;
}

uint64_t incremental_work(const struct incremental *w)
{
	return w->work;
}
