/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/smt/term/term-reason.h"

/* What is to be looked at. */
struct reason_search {
	const struct term_pool *pool;
	struct term_memo *memo;
	GHashTable *reasons;
	GArray *open; /* uint32_t */
};

static void reason_is(struct reason_search *s, uint32_t t)
{
	if (t && g_hash_table_add(s->reasons, GUINT_TO_POINTER(t)))
		g_array_append_val(s->open, t);
}

static bool reason_holds(struct reason_search *s, uint32_t boolean)
{
	return term_eval(s->memo, boolean) & 1;
}

/* A conjunction or disjunction of one bit, one operand of which has the value that decides it. */
static bool is_decided_by_one(struct reason_search *s, const struct term_node *n)
{
	bool decides = n->kind == IR_OR;

	if (n->width != 1 || (n->kind != IR_AND && n->kind != IR_OR))
		return false;
	if (reason_holds(s, n->a) == decides)
		reason_is(s, n->a);
	else if (reason_holds(s, n->b) == decides)
		reason_is(s, n->b);
	else
		return false;
	return true;
}

static void open_reasons(struct reason_search *s, const struct term_node *n)
{
	if (n->kind == IR_CONST || n->kind == TERM_VAR || is_decided_by_one(s, n))
		return;
	if (n->kind == IR_ITE) {
		reason_is(s, n->c);
		reason_is(s, reason_holds(s, n->c) ? n->a : n->b);
		return;
	}
	reason_is(s, n->a);
	reason_is(s, n->b);
	reason_is(s, n->c);
}

void term_reasons(const struct term_pool *p, struct term_memo *m, uint32_t term,
		  GHashTable *instead, GHashTable *reasons)
{
	g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	struct reason_search s = { p, m, reasons, open };

	reason_is(&s, term);
	while (open->len) {
		uint32_t t = g_array_index(open, uint32_t, open->len - 1);
		uint32_t other = instead ? GPOINTER_TO_UINT(g_hash_table_lookup(
						   instead, GUINT_TO_POINTER(t)))
					 : 0;

		g_array_set_size(open, open->len - 1);
		if (other)
			reason_is(&s, other);
		else
			open_reasons(&s, term_node(p, t));
	}
}
