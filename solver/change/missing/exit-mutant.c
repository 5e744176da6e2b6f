/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/change/missing/exit-mutant.h"

#include <string.h>

/* Statements in front of one way out that are looked at, and of all. */
enum { MOST_BEFORE = 2, MOST_TEXTS = 12 };

/* The way out that may lack a statement. */
struct way_out {
	const struct source *s;
	size_t at;		  /* of its word */
	const char *word;	  /* `return' or `continue' */
	struct source_span block; /* what it leaves: from `{' to `}' */
};

/* The body of the function, or of the innermost loop; false: there is none. */
static bool find_block(struct way_out *w, size_t declared)
{
	const bool leaves_function = strcmp(w->word, "return") == 0;
	size_t brace = source_brace_around(w->s, w->at), found = SIZE_MAX;

	for (; brace != SIZE_MAX && brace > declared; brace = source_brace_around(w->s, brace)) {
		if (!leaves_function && !mutant_maker_opens_loop(w->s, brace, true))
			continue;
		found = brace;
		if (!leaves_function)
			break;
	}
	if (found == SIZE_MAX)
		return false;
	w->block = (struct source_span){ found, source_closing(w->s, found) };
	return w->block.to != SIZE_MAX;
}

static bool find_way_out(struct mutant_maker *x, const struct image_function *f, uint64_t addr,
			 struct way_out *out)
{
	static const char *const words[] = { "return", "continue" };
	size_t at, declared;

	*out = (struct way_out){ .s = mutant_maker_source(x, addr, &at) };
	if (!out->s || !source_place(out->s, f->line, 0, &declared))
		return false;
	out->at = source_statement(out->s, at).from;
	for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
		if (source_has_word(out->s, out->at, words[i]))
			out->word = words[i];
	return out->word && find_block(out, declared);
}

/* Appends the texts of the statements that stand directly in front of a place, the last one first.
 */
static void add_texts_before(const struct source *s, size_t at, GPtrArray *texts)
{
	for (unsigned i = 0; i < MOST_BEFORE && texts->len < MOST_TEXTS; i++) {
		size_t end = source_end_before(s, at);
		struct source_span span;
		char *text;

		if (end < 2 || s->code[end - 1] != ';')
			return;
		span = source_statement(s, end - 2);
		text = span.from < at ? source_text(s, span) : NULL;
		if (!text)
			return;
		g_ptr_array_add(texts, text);
		at = span.from;
	}
}

/* The statements before the other ways out of the block, and before its end. */
static GPtrArray *texts_before_others(const struct way_out *w)
{
	GPtrArray *texts = g_ptr_array_new_with_free_func(g_free);

	add_texts_before(w->s, w->block.to, texts);
	for (size_t at = w->block.from; at < w->block.to; at++)
		if (at != w->at && source_has_word(w->s, at, w->word))
			add_texts_before(w->s, at, texts);
	return texts;
}

static bool has_text(const GPtrArray *texts, guint n, const char *text)
{
	for (guint i = 0; i < n; i++)
		if (strcmp(texts->pdata[i], text) == 0)
			return true;
	return false;
}

static void add_exit_mutants(struct mutant_maker *x, const struct trace_insn *insn,
			     const struct way_out *w, GArray *all)
{
	g_autoptr(GPtrArray) own = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GPtrArray) texts = texts_before_others(w);

	add_texts_before(w->s, w->at, own);
	for (guint i = 0; i < texts->len; i++) {
		const char *text = texts->pdata[i];

		if (!has_text(own, own->len, text) && !has_text(texts, i, text))
			mutant_maker_put_before(x, insn, text, MUTANT_MISSING, all);
	}
}

void exit_mutants_of_line(struct mutant_maker *x, const struct image_function *f,
			  const GArray *addrs, GArray *all)
{
	struct way_out w;

	for (guint i = 0; i < addrs->len; i++) {
		uint64_t addr = g_array_index(addrs, uint64_t, i);

		if (!find_way_out(x, f, addr, &w))
			continue;
		add_exit_mutants(x, image_insn_at(x->im, addr), &w, all);
		return;
	}
}
