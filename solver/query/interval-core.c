/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the statements for which a question is unsatisfiable: those whose definitions support
 * the constraints that dropped a box. */
#include "solver/query/interval-private.h"

static struct range range_at(const struct interval_solver *b, uint32_t t)
{
	return incremental_affects(b->w, t) ? b->of[t] : range_of(incremental_natural(b->w, t));
}

/* A term that does not change is visited once; one that changes is visited once for each box. */
static void visit_box_term(struct interval_solver *b, uint32_t t)
{
	uint32_t as = incremental_affects(b->w, t) ? b->boxes : b->question;

	if (!t || b->explained[t] == as)
		return;
	b->explained[t] = as;
	g_array_append_val(b->to_explain, t);
}

static void visit_definition(struct interval_solver *b, uint32_t t, const struct term_node *n)
{
	const struct definition *d = &g_array_index(b->f->definitions, struct definition, n->a);

	if (incremental_affects(b->w, t)) {
		const struct interval_step *s = interval_step_at(b, b->step_of[t]);

		if (s->dim != NO_DIM && interval_dim_at(b, s->dim)->free)
			return;
	}
	if (d->expr && d->selector != SELECTOR_HARD)
		g_hash_table_add(b->core, GUINT_TO_POINTER(d->selector));
	visit_box_term(b, d->expr);
}

static bool is_core_decided(const struct interval_solver *b, uint32_t t, bool value)
{
	struct range r = range_at(b, t);

	return !r.span && (r.lo != 0) == value;
}

static void visit_operands(struct interval_solver *b, uint32_t t)
{
	const struct term_node *n = term_node(b->f->pool, t);
	bool absorbs = n->width == 1 && (n->kind == IR_AND || n->kind == IR_OR);

	if (n->kind == TERM_VAR) {
		visit_definition(b, t, n);
	} else if (n->kind == IR_ITE && !range_at(b, n->c).span) {
		visit_box_term(b, n->c);
		visit_box_term(b, range_at(b, n->c).lo ? n->a : n->b);
	} else if (absorbs && is_core_decided(b, n->a, n->kind == IR_OR)) {
		visit_box_term(b, n->a);
	} else if (absorbs && is_core_decided(b, n->b, n->kind == IR_OR)) {
		visit_box_term(b, n->b);
	} else if (n->kind != IR_CONST) {
		visit_box_term(b, n->a);
		visit_box_term(b, n->b);
		visit_box_term(b, n->c);
	}
}

void interval_explain(struct interval_solver *b, uint32_t goal)
{
	if (!b->core)
		return;
	b->boxes += 2;
	visit_box_term(b, goal);
	while (b->to_explain->len) {
		uint32_t t = g_array_index(b->to_explain, uint32_t, b->to_explain->len - 1);

		g_array_set_size(b->to_explain, b->to_explain->len - 1);
		b->work++;
		visit_operands(b, t);
	}
}
