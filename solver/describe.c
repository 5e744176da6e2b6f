/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/describe.h"

#include <string.h>

static const char *trimmed_line(struct explanation *e, const struct image *im,
				const struct image_statement *s)
{
	const char *line = image_source_line(im, s->file, s->line);
	g_autofree char *copy = line ? g_strstrip(g_strdup(line)) : NULL;

	return explanation_string(e, copy);
}

static const char *kind_of(const struct def *d)
{
	return d->kind == DEF_GUARD ? "condition" : "assignment";
}

/* Values are shown as signed numbers where no type is known. */
static const char *value_text(struct explanation *e, const struct def *d, term_bits v)
{
	char text[32];

	if (d->kind == DEF_GUARD)
		return v ? "true" : "false";
	if (d->size == 8)
		g_snprintf(text, sizeof(text), "%" G_GINT64_FORMAT, (int64_t)v);
	else
		g_snprintf(text, sizeof(text), "%d",
			   d->size == 4	  ? (int)v
			   : d->size == 2 ? (int16_t)v
					  : (int)(int8_t)v);
	return explanation_string(e, text);
}

/* The text before an assignment's operator, where the statement has one. */
static const char *clause_of(struct explanation *e, const char *text, const struct def *d)
{
	const char *equals = text ? strchr(text, '=') : NULL;
	g_autofree char *left = NULL;

	if (!text || d->kind == DEF_GUARD || !equals || equals == text || equals[1] == '=' ||
	    strchr("=!<>", equals[-1]))
		return text;
	left = g_strstrip(g_strndup(text, (size_t)(equals - text)));
	if (*left && strchr("+-*/%&|^", left[strlen(left) - 1]))
		left[strlen(left) - 1] = '\0';
	return explanation_string(e, g_strstrip(left));
}

static void describe_change(struct explanation *e, const struct search_answer *a, guint i,
			    const struct image *im, struct explanation_statement *out)
{
	const struct def *d = &g_array_index(a->changed, struct def, i);
	const struct path_change *c = &g_array_index(a->path->changes, struct path_change, i);
	const struct image_statement *s = image_statement(im, d->statement);

	out->function = s->function;
	out->file = s->file;
	out->line = s->line;
	out->column = s->column;
	out->text = trimmed_line(e, im, s);
	out->kind = kind_of(d);
	out->clause = clause_of(e, out->text, d);
	out->actual = value_text(e, d, c->natural);
	out->witness = value_text(e, d, c->value);
	out->changes = 0;
}

/* A statement of the set that the witness did not need to change, or that was
 * not followed: no values. */
static void describe_selector(struct explanation *e, const struct search *s, unsigned selector,
			      const struct image *im, struct explanation_statement *out)
{
	uint32_t id = g_array_index(search_selectors(s)->statements, uint32_t, selector);
	const struct image_statement *st = image_statement(im, id);

	out->function = st->function;
	out->file = st->file;
	out->line = st->line;
	out->column = st->column;
	out->text = trimmed_line(e, im, st);
	out->kind = "assignment";
	out->clause = out->text;
	out->actual = out->witness = "?";
}

void describe_answer(struct explanation *e, const struct search *s, const struct search_answer *a,
		     const struct image *im)
{
	struct explanation_suspect *suspect = explanation_suspect_new();

	suspect->rank = e->suspects->len + 1;
	suspect->size = a->selectors->len;
	suspect->needs_run = a->needs_run;
	suspect->replay = a->replay;
	suspect->note = a->note;
	for (guint i = 0; i < a->selectors->len; i++) {
		unsigned selector = g_array_index(a->selectors, unsigned, i);
		struct explanation_statement st = { 0 };

		describe_selector(e, s, selector, im, &st);
		for (guint k = 0; k < a->changed->len; k++) {
			unsigned changes = st.changes;

			if (g_array_index(a->changed, struct def, k).selector != selector)
				continue;
			if (changes == 0)
				describe_change(e, a, k, im, &st);
			st.changes = changes + 1;
		}
		g_array_append_val(suspect->statements, st);
	}
	g_ptr_array_add(e->suspects, suspect);
}

static gint proven_first(gconstpointer a, gconstpointer b)
{
	const struct explanation_suspect *x = *(struct explanation_suspect *const *)a;
	const struct explanation_suspect *y = *(struct explanation_suspect *const *)b;
	int px = x->replay == REPLAY_PASSES, py = y->replay == REPLAY_PASSES;

	if (px != py)
		return py - px;
	return x->rank < y->rank ? -1 : x->rank > y->rank;
}

static void add_line(struct explanation *e, const struct explanation_statement *s, double score)
{
	struct explanation_line line = { s->file, s->line, score };

	for (guint i = 0; i < e->lines->len; i++) {
		const struct explanation_line *l =
			&g_array_index(e->lines, struct explanation_line, i);

		if (l->line == s->line && strcmp(l->file, s->file) == 0)
			return;
	}
	g_array_append_val(e->lines, line);
}

/* Sets of the same size are as suspicious as each other; unproven ones less. */
static double score_of(const struct explanation_suspect *s)
{
	double score = 1.0 / MAX(s->size, 1);

	return s->replay == REPLAY_PASSES ? score : score / 10;
}

void describe_finish(struct explanation *e)
{
	g_ptr_array_sort(e->suspects, proven_first);
	for (guint i = 0; i < e->suspects->len; i++) {
		struct explanation_suspect *s = e->suspects->pdata[i];

		s->rank = i + 1;
		s->score = score_of(s);
		for (guint k = 0; k < s->statements->len; k++)
			add_line(e, &g_array_index(s->statements, struct explanation_statement, k),
				 s->score);
	}
}
