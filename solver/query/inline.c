/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/query/inline.h"

struct inlined {
	const struct formula *f;
	const struct inlined_scope *scope; /* while it is made */
	struct incremental *w;
	bool owns_w;
	uint32_t n; /* no term of the formula is that great; the rest of the pool was made of it */
	uint32_t *form; /* by term: its new form; 0 = not made, or not needed until now */
};

static bool stays_variable(const struct inlined *x, const struct definition *d)
{
	const struct inlined_scope *s = x->scope;

	if (!d->expr)
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

/* Numbers of the definitions that stay variables; each is its own new form. */
static GArray *take_variables(struct inlined *x)
{
	GArray *numbers = g_array_new(FALSE, FALSE, sizeof(uint32_t));

	for (uint32_t i = 0; i < x->f->definitions->len; i++) {
		const struct definition *d =
			&g_array_index(x->f->definitions, struct definition, i);

		if (!incremental_matters(x->w, d->variable) || !stays_variable(x, d))
			continue;
		g_array_append_val(numbers, i);
		x->form[d->variable] = d->variable;
	}
	return numbers;
}

/* What rests on no variable has the value of the run. */
static uint32_t form_of_term(const struct inlined *x, uint32_t t)
{
	if (t && !x->form[t])
		x->form[t] = term_const_wide(x->f->pool, term_width(x->f->pool, t),
					     incremental_natural(x->w, t));
	return x->form[t];
}

static uint32_t new_form(const struct inlined *x, uint32_t t)
{
	struct term_pool *p = x->f->pool;
	const struct term_node n = *term_node(p, t);

	if (n.kind == TERM_VAR)
		return form_of_term(x, formula_definition(x->f, &n)->expr);
	return term_op(p, n.kind, n.width, form_of_term(x, n.a), form_of_term(x, n.b),
		       form_of_term(x, n.c), n.value);
}

/* The clock is read after so many terms. */
enum { TERMS_BETWEEN_LOOKS = 256 };

struct inlined *inlined_new(const struct formula *f, const struct inlined_scope *scope,
			    struct incremental *w, const struct deadline *until)
{
	struct inlined *x = g_new0(struct inlined, 1);
	g_autoptr(GArray) numbers = NULL;
	const GArray *affected;
	bool over = false;

	x->f = f;
	x->scope = scope;
	x->owns_w = !w;
	x->w = w ? w : incremental_new(f);
	x->n = incremental_terms(x->w);
	x->form = g_new0(uint32_t, x->n);
	numbers = take_variables(x);
	incremental_change(x->w, (const uint32_t *)(const void *)numbers->data, numbers->len);
	affected = incremental_affected(x->w);
	for (guint i = 0; i < affected->len; i++) {
		uint32_t t = g_array_index(affected, uint32_t, i);

		if (i % TERMS_BETWEEN_LOOKS == 0)
			over = deadline_is_over(until);
		x->form[t] = over ? t : new_form(x, t);
	}
	x->scope = NULL;
	return x;
}

void inlined_free(struct inlined *x)
{
	if (!x)
		return;
	if (x->owns_w)
		incremental_free(x->w);
	g_free(x->form);
	g_free(x);
}

uint32_t inlined_term(const struct inlined *x, uint32_t term)
{
	return term < x->n && incremental_matters(x->w, term) ? form_of_term(x, term) : term;
}
