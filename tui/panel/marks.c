/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands beside the lines of a source: found once for what is selected, so
 * that a screen costs its rows alone, however long the source and the way are. */
#include "tui/words/line.h"
#include "tui/panel/private.h"
#include "tui/panel/syntax.h"
#include "tui/words/words.h"

struct place {
	char *file;
	unsigned line;
};

struct remark {
	struct place at;
	enum panel_remark kind;
	char *text;
};

static void remark_free(gpointer data)
{
	struct remark *r = data;

	g_free(r->at.file);
	g_free(r->text);
	g_free(r);
}

static void panel_mark_free(gpointer data)
{
	struct panel_mark *m = data;

	g_free(m->values);
	g_free(m->remarks);
	g_free(m);
}

void panel_marks_init(struct panel *p)
{
	p->remarks = g_ptr_array_new_with_free_func(remark_free);
	p->marks = g_hash_table_new_full(NULL, NULL, NULL, panel_mark_free);
}

void panel_marks_deinit(struct panel *p)
{
	g_clear_pointer(&p->comments, g_byte_array_unref);
	g_ptr_array_unref(p->remarks);
	g_hash_table_unref(p->marks);
}

void panel_marks_change(struct panel *p)
{
	p->marks_valid = false;
}

static struct panel_mark *mark_of_panel_line(struct panel *p, unsigned line)
{
	struct panel_mark *m = g_hash_table_lookup(p->marks, GUINT_TO_POINTER(line));

	if (!m) {
		m = g_new0(struct panel_mark, 1);
		g_hash_table_insert(p->marks, GUINT_TO_POINTER(line), m);
	}
	return m;
}

/* --- what the answer says --- */

/* Where something is stored is not what it is, and "one address" says nothing alone. */
static bool mark_tells(const struct explanation_statement *st)
{
	return st->actual && g_strcmp0(st->kind, "store") != 0 &&
	       !g_str_has_prefix(st->actual, "one ");
}

static void mark_suspects(struct panel *p, const char *file)
{
	for (unsigned i = 0; i < p->e->suspects->len; i++) {
		const struct explanation_suspect *s = p->e->suspects->pdata[i];

		for (unsigned k = 0; k < s->statements->len; k++) {
			const struct explanation_statement *st =
				&g_array_index(s->statements, struct explanation_statement, k);
			struct panel_mark *m;

			if (!st->line || g_strcmp0(st->file, file) != 0)
				continue;
			m = mark_of_panel_line(p, st->line);
			if (!m->rank)
				m->rank = s->rank;
			if (!m->values && st->clause && mark_tells(st))
				m->values = tui_words_value(
					g_strcmp0(st->kind, "return") == 0 ? "result" : st->clause,
					st->actual);
		}
	}
}

/* The way's values have been and would have been: they beat a suspect's. */
static void mark_way(struct panel *p, const char *file)
{
	for (unsigned i = 0; i < panel_n_links(p); i++) {
		const struct explanation_link *l = panel_link(p, i);
		struct panel_mark *m;

		if (!l || !l->line || g_strcmp0(l->file, file) != 0)
			continue;
		m = mark_of_panel_line(p, l->line);
		if (!m->on_way) {
			g_free(m->values);
			m->values = tui_words_values(l->values);
		}
		m->on_way = true;
	}
}

/* Where nothing else is said. */
static void mark_panel_values(struct panel *p, const char *file)
{
	for (unsigned i = 0; i < p->e->line_values->len; i++) {
		const struct explanation_line_value *v =
			&g_array_index(p->e->line_values, struct explanation_line_value, i);
		struct panel_mark *m;

		if (!v->line || g_strcmp0(v->file, file) != 0)
			continue;
		m = mark_of_panel_line(p, v->line);
		if (!m->values)
			m->values = tui_words_value(v->value.name, v->value.value);
	}
}

static void mark_failure(struct panel *p, const char *file)
{
	const struct explanation_failure *f = &p->e->failure;
	struct panel_mark *m;

	if (!f->line || g_strcmp0(f->file, file) != 0)
		return;
	m = mark_of_panel_line(p, f->line);
	m->failed = true;
	if (!m->values)
		m->values = tui_words_values(f->values);
}

static void mark_panel_coverage(struct panel *p, const GArray *coverage)
{
	for (unsigned i = 0; i < coverage->len; i++) {
		const struct explanation_coverage *c =
			&g_array_index(coverage, struct explanation_coverage, i);

		if (c->executed && !c->passed)
			continue;
		mark_of_panel_line(p, c->line)->not_executed = !c->executed;
		mark_of_panel_line(p, c->line)->passed = c->passed > 0;
	}
}

/* --- what was added to it --- */

static void mark_remarks(struct panel *p, const char *file)
{
	for (unsigned i = 0; i < p->remarks->len; i++) {
		const struct remark *r = p->remarks->pdata[i];
		struct panel_mark *m;
		char *text;

		if (g_strcmp0(r->at.file, file) != 0)
			continue;
		m = mark_of_panel_line(p, r->at.line);
		if (r->kind == PANEL_REMARK_BREAK) {
			m->breakpoint = true;
			continue;
		}
		text = g_strdup_printf("%s%s%s%s%s", m->remarks ? m->remarks : "",
				       m->remarks ? "   " : "",
				       r->kind == PANEL_REMARK_RESULT ? "[" : "# ", r->text,
				       r->kind == PANEL_REMARK_RESULT ? "]" : "");
		g_free(m->remarks);
		m->remarks = text;
	}
}

static void make_marks(struct panel *p)
{
	const struct explanation_source *source = panel_source(p);

	g_hash_table_remove_all(p->marks);
	g_clear_pointer(&p->comments, g_byte_array_unref);
	if (source)
		p->comments = syntax_comments(source->lines);
	p->marks_valid = true;
	if (!source || !source->file)
		return;
	mark_suspects(p, source->file);
	mark_way(p, source->file);
	mark_failure(p, source->file);
	mark_panel_values(p, source->file);
	mark_panel_coverage(p, source->coverage);
	mark_remarks(p, source->file);
}

const struct panel_mark *panel_mark_at(struct panel *p, unsigned line)
{
	static const struct panel_mark none = { 0 };
	const struct panel_mark *m;

	if (!p->marks_valid)
		make_marks(p);
	m = g_hash_table_lookup(p->marks, GUINT_TO_POINTER(line));
	return m ? m : &none;
}

static struct remark *find_remark(const struct panel *p, const char *file, unsigned line,
				  enum panel_remark kind)
{
	for (unsigned i = 0; i < p->remarks->len; i++) {
		struct remark *r = p->remarks->pdata[i];

		if (r->kind == kind && r->at.line == line && g_strcmp0(r->at.file, file) == 0)
			return r;
	}
	return NULL;
}

void panel_remark(struct panel *p, const char *file, unsigned line, enum panel_remark kind,
		  const char *text)
{
	struct remark *r = find_remark(p, file, line, kind);

	panel_marks_change(p);
	if (r)
		g_ptr_array_remove(p->remarks, r);
	if (!text || !*text || !file || !line)
		return;
	r = g_new0(struct remark, 1);
	r->at = (struct place){ g_strdup(file), line };
	r->kind = kind;
	r->text = tui_clean(text);
	g_ptr_array_add(p->remarks, r);
}

const char *panel_remark_at(const struct panel *p, const char *file, unsigned line,
			    enum panel_remark kind)
{
	const struct remark *r = find_remark(p, file, line, kind);

	return r ? r->text : NULL;
}

void panel_remarks(const struct panel *p, enum panel_remark kind, panel_remark_fn *each, void *arg)
{
	for (unsigned i = 0; i < p->remarks->len; i++) {
		const struct remark *r = p->remarks->pdata[i];

		if (r->kind == kind)
			each(arg, r->at.file, r->at.line, r->text);
	}
}
