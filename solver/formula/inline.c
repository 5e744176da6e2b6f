/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/formula/inline.h"

struct inlined {
	uint32_t n;
	uint32_t *form; /* by term: its new form; needed ones only */
};

static void mark(uint32_t *form, uint32_t term)
{
	if (term)
		form[term] = 1;
}

static void mark_roots(const struct formula *f, uint32_t *form)
{
	for (guint i = 0; i < f->hards->len; i++)
		mark(form, g_array_index(f->hards, struct hard, i).term);
	for (guint i = 0; i < f->unexplored->len; i++)
		mark(form, g_array_index(f->unexplored, struct unexplored, i).taken);
}

static const struct def *def_of(const struct formula *f, const struct term_node *n)
{
	return n->kind == TERM_VAR && n->a < f->defs->len ?
		       &g_array_index(f->defs, struct def, n->a) :
		       NULL;
}

/* Operands and definitions come before what uses them. */
static void mark_operands(const struct formula *f, uint32_t *form, uint32_t n)
{
	for (uint32_t t = n - 1; t > 0; t--) {
		const struct term_node *node = term_node(f->pool, t);
		const struct def *d = def_of(f, node);

		if (!form[t])
			continue;
		if (d)
			mark(form, d->expr);
		else if (node->kind != IR_CONST && node->kind != TERM_VAR) {
			mark(form, node->a);
			mark(form, node->b);
			mark(form, node->c);
		}
	}
}

static uint32_t new_form(const struct formula *f, const uint32_t *form, uint32_t t)
{
	const struct term_node n = *term_node(f->pool, t);
	const struct def *d = def_of(f, &n);

	if (n.kind == TERM_VAR)
		return d && d->expr && d->selector == SELECTOR_HARD ? form[d->expr] : t;
	if (n.kind == IR_CONST)
		return t;
	return term_op(f->pool, n.kind, n.width, form[n.a], n.b ? form[n.b] : 0,
		       n.c ? form[n.c] : 0, n.value);
}

struct inlined *inlined_new(const struct formula *f)
{
	struct inlined *x = g_new0(struct inlined, 1);

	x->n = term_pool_size(f->pool);
	x->form = g_new0(uint32_t, x->n);
	mark_roots(f, x->form);
	mark_operands(f, x->form, x->n);
	for (uint32_t t = 1; t < x->n; t++)
		if (x->form[t])
			x->form[t] = new_form(f, x->form, t);
	return x;
}

void inlined_free(struct inlined *n)
{
	if (!n)
		return;
	g_free(n->form);
	g_free(n);
}

uint32_t inlined_term(const struct inlined *n, uint32_t term)
{
	return term < n->n && n->form[term] ? n->form[term] : term;
}
