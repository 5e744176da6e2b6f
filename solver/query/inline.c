/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/query/inline.h"

struct inlined {
	const struct formula *f;
	const struct inlined_scope *scope; /* while it is made */
	uint32_t n; /* no term of the formula is that great; the rest of the pool was made of it */
	uint32_t *form; /* by term: its new form; needed ones only */
};

static void mark_term_form(uint32_t *form, uint32_t term)
{
	if (term)
		form[term] = 1;
}

static uint32_t constraint_term(const struct formula *f, guint i)
{
	return g_array_index(f->constraints, struct constraint, i).term;
}

static uint32_t unexplored_term(const struct formula *f, guint i)
{
	return g_array_index(f->unexplored, struct unexplored, i).taken;
}

/* What a term is made of has smaller numbers. */
static uint32_t greatest_root(const struct formula *f)
{
	uint32_t greatest = 0;

	for (guint i = 0; i < f->constraints->len; i++)
		greatest = MAX(greatest, constraint_term(f, i));
	for (guint i = 0; i < f->unexplored->len; i++)
		greatest = MAX(greatest, unexplored_term(f, i));
	return greatest;
}

static void mark_roots(const struct formula *f, uint32_t *form)
{
	for (guint i = 0; i < f->constraints->len; i++)
		mark_term_form(form, constraint_term(f, i));
	for (guint i = 0; i < f->unexplored->len; i++)
		mark_term_form(form, unexplored_term(f, i));
}

/* Operands and definitions come before what uses them. */
static void mark_used_operands(const struct formula *f, uint32_t *form, uint32_t n)
{
	for (uint32_t t = n - 1; t > 0; t--) {
		const struct term_node *node = term_node(f->pool, t);
		const struct definition *d = formula_definition(f, node);

		if (!form[t])
			continue;
		if (d)
			mark_term_form(form, d->expr);
		else if (node->kind != IR_CONST && node->kind != TERM_VAR) {
			mark_term_form(form, node->a);
			mark_term_form(form, node->b);
			mark_term_form(form, node->c);
		}
	}
}

static bool stays_variable(const struct inlined *x, const struct definition *d)
{
	const struct inlined_scope *s = x->scope;

	if (!d || !d->expr)
		return true;
	if (!s->only)
		return d->selector != SELECTOR_HARD;
	if (s->no_address && d->kind == DEF_ADDRESS)
		return false;
	for (unsigned i = 0; i < s->n; i++)
		if (s->only[i] == d->selector)
			return d >= &g_array_index(x->f->definitions, struct definition, s->first);
	return false;
}

static uint32_t new_form(const struct inlined *x, uint32_t t)
{
	struct term_pool *p = x->f->pool;
	const struct term_node n = *term_node(p, t);
	const struct definition *d = formula_definition(x->f, &n);

	if (n.kind == TERM_VAR)
		return stays_variable(x, d) ? t : x->form[d->expr];
	if (n.kind == IR_CONST)
		return t;
	return term_op(p, n.kind, n.width, x->form[n.a], n.b ? x->form[n.b] : 0,
		       n.c ? x->form[n.c] : 0, n.value);
}

/* The clock is read after so many terms. */
enum { TERMS_BETWEEN_LOOKS = 256 };

struct inlined *inlined_new(const struct formula *f, const struct inlined_scope *scope,
			    const struct deadline *until)
{
	struct inlined *x = g_new0(struct inlined, 1);
	bool over = false;

	x->f = f;
	x->scope = scope;
	x->n = greatest_root(f) + 1;
	x->form = g_new0(uint32_t, x->n);
	mark_roots(f, x->form);
	mark_used_operands(f, x->form, x->n);
	for (uint32_t t = 1; t < x->n; t++) {
		if (t % TERMS_BETWEEN_LOOKS == 1)
			over = deadline_is_over(until);
		if (x->form[t])
			x->form[t] = over ? t : new_form(x, t);
	}
	x->scope = NULL;
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
