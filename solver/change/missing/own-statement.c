/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/missing/own-statement.h"

#include "solver/change/missing/adapted-statement.h"
#include "solver/change/missing/inserted-spot.h"
#include "solver/change/code/code-statement.h"

struct owning {
	const struct image *im;
	struct expression_texts *texts;
	GPtrArray *all;
	GHashTable *seen; /* "function text" */
};

static void own_statement_free(gpointer own)
{
	g_free(((struct own_statement *)own)->text);
	g_free(own);
}

static void add_own_text(struct owning *o, const struct image_function *f, uint64_t addr,
			 const char *text, bool is_first_value)
{
	struct own_statement own = { NULL, f, addr, is_first_value };

	if (!g_hash_table_add(o->seen, g_strdup_printf("%u %s", f->id, text)))
		return;
	own.text = g_strdup(text);
	g_ptr_array_add(o->all, g_memdup2(&own, sizeof own));
}

/* The statement's own assignment; where it is `a = b = c', `b = c' as well. */
static void add_own_statement(struct owning *o, const struct image_statement *st, uint64_t addr)
{
	const struct image_function *f = image_function_at(o->im, addr);
	g_autofree char *text =
		f && !image_is_of_system(st->file) ? inserted_statement_text(o->texts, st) : NULL;
	g_autofree char *first =
		text ? adapted_first_value(expression_texts_sources(o->texts), st) : NULL;

	if (first)
		add_own_text(o, f, addr, first, true);
	for (const char *part = text; part; part = code_statement_assigned(part))
		add_own_text(o, f, addr, part, false);
}

GPtrArray *own_statements(const struct image *im, struct expression_texts *texts)
{
	g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	struct owning o = { im, texts, g_ptr_array_new_with_free_func(own_statement_free), seen };
	const struct trace_insn *insns;
	size_t n = image_insns(im, &insns);
	const struct image_row *last = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct image_row *row = image_row_at(im, insns[i].addr);

		if (row && row != last && !row->prologue)
			add_own_statement(&o, image_statement(im, row->statement), insns[i].addr);
		last = row;
	}
	return o.all;
}
