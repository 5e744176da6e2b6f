/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/query/incremental.h"

#include <string.h>

enum { NEEDED = 1, AFFECTED = 2, FLOAT = 4, UNSURE = 8, UNSURE_NOW = 16 };

struct what_if {
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

static const struct def *def_of(const struct what_if *w, const struct term_node *n)
{
	return n->kind == TERM_VAR && n->a < w->f->defs->len
		       ? &g_array_index(w->f->defs, struct def, n->a)
		       : NULL;
}

static void mark(struct what_if *w, uint32_t t, unsigned as)
{
	if (t)
		w->marks[t] |= (uint8_t)as;
}

static void mark_constraints(struct what_if *w)
{
	for (guint i = 0; i < w->f->hards->len; i++)
		mark(w, g_array_index(w->f->hards, struct hard, i).term, NEEDED);
	for (guint i = 0; i < w->f->unexplored->len; i++)
		mark(w, g_array_index(w->f->unexplored, struct unexplored, i).taken, NEEDED);
}

/* Operands and definitions come before what uses them. */
static void mark_needed(struct what_if *w)
{
	mark_constraints(w);
	for (uint32_t t = w->n - 1; t > 0; t--) {
		const struct term_node *n = term_node(w->f->pool, t);
		const struct def *d = def_of(w, n);

		if (!(w->marks[t] & NEEDED))
			continue;
		if (d)
			mark(w, d->expr, NEEDED);
		if (n->kind == TERM_VAR || n->kind == IR_CONST)
			continue;
		mark(w, n->a, NEEDED);
		mark(w, n->b, NEEDED);
		mark(w, n->c, NEEDED);
	}
	for (uint32_t t = 1; t < w->n; t++)
		if (w->marks[t] & NEEDED)
			g_array_append_val(w->needed, t);
}

/* Sign changes and absolute values are bitwise. */
static bool is_on_a_sign(const struct what_if *w, const struct term_node *n)
{
	uint64_t v, sign = UINT64_C(1) << (n->width - 1);

	return n->width <= 64 && (n->kind == IR_XOR || n->kind == IR_AND) &&
	       term_is_const(w->f->pool, n->b, &v) && (v == sign || v == sign - 1);
}

static void mark_float_operands(struct what_if *w, const struct term_node *n)
{
	const struct def *d = def_of(w, n);

	if (d)
		mark(w, d->expr, FLOAT);
	else if (n->kind == IR_ITE) {
		mark(w, n->a, FLOAT);
		mark(w, n->b, FLOAT);
	} else if (is_on_a_sign(w, n))
		mark(w, n->a, FLOAT);
}

/* From uses down to what is used, then from values up to what they go to. */
static void mark_floats(struct what_if *w)
{
	for (uint32_t t = w->n - 1; t > 0; t--) {
		const struct term_node *n = term_node(w->f->pool, t);

		if (n->kind == IR_FP) {
			if (n->value != IR_FP_FROM_INT)
				mark(w, n->a, FLOAT);
			if (n->value <= IR_FP_UN)
				mark(w, n->b, FLOAT);
		} else if (w->marks[t] & FLOAT) {
			mark_float_operands(w, n);
		}
	}
	for (uint32_t t = 1; t < w->n; t++) {
		const struct term_node *n = term_node(w->f->pool, t);
		const struct def *d = def_of(w, n);

		if ((d && d->expr && w->marks[d->expr] & FLOAT) ||
		    (n->kind == IR_FP && n->width > 1 && n->value != IR_FP_TO_INT))
			mark(w, t, FLOAT);
	}
}

static bool is_affected(const struct what_if *w, uint32_t t)
{
	return t && w->marks[t] & AFFECTED;
}

term_bits what_if_value(const struct what_if *w, uint32_t term)
{
	return is_affected(w, term) ? w->now[term] : w->natural[term];
}

static term_bits applied(const struct what_if *w, const struct term_node *n,
			 term_bits (*value)(const struct what_if *w, uint32_t t))
{
	const struct term_pool *p = w->f->pool;

	return term_apply(n->kind, n->width, value(w, n->a), term_width(p, n->a),
			  n->b ? value(w, n->b) : 0, n->b ? term_width(p, n->b) : 0,
			  n->c ? value(w, n->c) : 0, n->value);
}

term_bits what_if_natural(const struct what_if *w, uint32_t term)
{
	return w->natural[term];
}

/* ---- what rests on a location that an unexplored side may have written ---- */

bool what_if_is_unsure(const struct what_if *w, uint32_t term)
{
	return w->marks[term] & (is_affected(w, term) ? UNSURE_NOW : UNSURE);
}

/* Is t false (or true), for certain? */
static bool is_surely(const struct what_if *w, uint32_t t, bool truth)
{
	return !what_if_is_unsure(w, t) && (what_if_value(w, t) != 0) == truth;
}

static bool becomes_unsure(const struct what_if *w, const struct term_node *n)
{
	const struct def *d = def_of(w, n);
	bool any;

	if (d)
		return d->expr ? what_if_is_unsure(w, d->expr) : d->kind == DEF_UNKNOWN;
	if (n->kind == TERM_VAR || n->kind == IR_CONST)
		return false;
	if (n->kind == IR_ITE)
		return what_if_is_unsure(w, n->c) ||
		       what_if_is_unsure(w, what_if_value(w, n->c) ? n->a : n->b);
	any = what_if_is_unsure(w, n->a) || (n->b && what_if_is_unsure(w, n->b)) ||
	      (n->c && what_if_is_unsure(w, n->c));
	if (any && n->width == 1 && (n->kind == IR_AND || n->kind == IR_OR))
		return !is_surely(w, n->a, n->kind == IR_OR) &&
		       !is_surely(w, n->b, n->kind == IR_OR);
	return any;
}

static void evaluate_the_run(struct what_if *w)
{
	for (uint32_t t = 1; t < w->n; t++) {
		const struct term_node *n = term_node(w->f->pool, t);
		const struct def *d = def_of(w, n);

		if (d)
			w->natural[t] = d->expr ? w->natural[d->expr] : d->actual;
		else if (n->kind == IR_CONST)
			w->natural[t] = n->value;
		else if (n->kind != TERM_VAR)
			w->natural[t] = applied(w, n, what_if_natural);
		if (becomes_unsure(w, n))
			mark(w, t, UNSURE);
	}
}

struct what_if *what_if_new(const struct formula *f)
{
	struct what_if *w = g_new0(struct what_if, 1);

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

void what_if_free(struct what_if *w)
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

void what_if_change(struct what_if *w, const uint32_t *numbers, unsigned n)
{
	for (guint i = 0; i < w->affected->len; i++)
		w->marks[g_array_index(w->affected, uint32_t, i)] &= (uint8_t)~AFFECTED;
	for (guint i = 0; i < w->changed->len; i++)
		w->marks[g_array_index(w->changed, uint32_t, i)] &= (uint8_t)~AFFECTED;
	g_array_set_size(w->affected, 0);
	g_array_set_size(w->changed, 0);
	for (unsigned i = 0; i < n; i++) {
		uint32_t t = g_array_index(w->f->defs, struct def, numbers[i]).variable;

		g_array_append_val(w->changed, t);
		w->marks[t] &= (uint8_t)~UNSURE_NOW;
		mark(w, t, AFFECTED);
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
		const struct def *d = def_of(w, node);
		bool reached;

		if (w->marks[t] & AFFECTED || node->kind == IR_CONST)
			continue; /* changed itself */
		reached = node->kind == TERM_VAR
				  ? d && is_affected(w, d->expr)
				  : is_affected(w, node->a) || is_affected(w, node->b) ||
					    is_affected(w, node->c);
		if (!reached)
			continue;
		mark(w, t, AFFECTED);
		g_array_append_val(w->affected, t);
	}
}

bool what_if_affects(const struct what_if *w, uint32_t term)
{
	return term < w->n && is_affected(w, term);
}

const GArray *what_if_affected(const struct what_if *w)
{
	return w->affected;
}

bool what_if_matters(const struct what_if *w, uint32_t term)
{
	return term < w->n && w->marks[term] & NEEDED;
}

void what_if_set(struct what_if *w, const term_bits *values)
{
	for (guint i = 0; i < w->changed->len; i++)
		w->now[g_array_index(w->changed, uint32_t, i)] = values[i];
	w->work += w->affected->len;
	for (guint i = 0; i < w->affected->len; i++) {
		uint32_t t = g_array_index(w->affected, uint32_t, i);
		const struct term_node *n = term_node(w->f->pool, t);

		w->now[t] = n->kind == TERM_VAR ? what_if_value(w, def_of(w, n)->expr)
						: applied(w, n, what_if_value);
		w->marks[t] &= (uint8_t)~UNSURE_NOW;
		if (becomes_unsure(w, n))
			mark(w, t, UNSURE_NOW);
	}
}

static term_bits value_so_far(void *arg, uint32_t number)
{
	return ((term_bits *)arg)[number];
}

/* With what no constraint depends on. */
term_bits *what_if_values(const struct what_if *w)
{
	term_bits *values = g_new0(term_bits, MAX(w->f->defs->len, 1));
	struct term_memo *memo = term_memo_new(w->f->pool, value_so_far, values);
	guint next = 0;

	for (guint i = 0; i < w->f->defs->len; i++) {
		const struct def *d = &g_array_index(w->f->defs, struct def, i);

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

bool what_if_is_float(const struct what_if *w, uint32_t number)
{
	const struct def *d = &g_array_index(w->f->defs, struct def, number);
	unsigned width = term_width(w->f->pool, d->variable);

	return (width == 32 || width == 64) && w->marks[d->variable] & FLOAT;
}

uint64_t what_if_work(const struct what_if *w)
{
	return w->work;
}
