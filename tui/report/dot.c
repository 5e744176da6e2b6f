/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/report/dot.h"
#include "tui/words/line.h"
#include "tui/report/page.h"
#include "tui/words/words.h"

static char *escaped_for_dot(const char *text)
{
	GString *out = g_string_new(NULL);

	for (const char *p = text; *p; p++) {
		if (*p == '"' || *p == '\\')
			g_string_append_c(out, '\\');
		g_string_append_c(out, *p);
	}
	return g_string_free(out, FALSE);
}

/* "3 ": the suspects that start there. */
static char *ranks_at(const struct explanation *e, guint link)
{
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];

		if (s->chain->len && g_array_index(s->chain, guint, 0) == link)
			g_string_append_printf(out, "%s%u", out->len ? ", " : "", s->rank);
	}
	return g_string_free(out, FALSE);
}

static void put_node(GString *out, const struct tui_page *page, const struct explanation *e,
		     guint i)
{
	const struct explanation_link *l = &g_array_index(e->chain, struct explanation_link, i);
	g_autofree char *place = tui_place(page, l->file, l->line, G_MAXUINT);
	g_autofree char *clean = tui_clean(l->text ? l->text : l->clause);
	g_autofree char *values = tui_words_values(l->values);
	g_autofree char *name = escaped_for_dot(place);
	g_autofree char *code = escaped_for_dot(clean);
	g_autofree char *changes = escaped_for_dot(values);
	g_autofree char *ranks = ranks_at(e, i);

	g_string_append_printf(out, "\tn%u [label=\"%s%s%s\\l%s\\l%s%s\"%s];\n", i, ranks,
			       *ranks ? "   " : "", name, code, changes, *changes ? "\\l" : "",
			       i + 1 == e->chain->len ? ", peripheries=2"
			       : *ranks		      ? ", penwidth=2"
						      : "");
}

/* --- regions --- */

/* "2, 5": the suspects with a statement on that line. */
static char *ranks_on_line(const struct explanation *e, const char *file, unsigned line)
{
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];

		for (guint k = 0; k < s->statements->len; k++) {
			const struct explanation_statement *st =
				&g_array_index(s->statements, struct explanation_statement, k);

			if (st->line != line || g_strcmp0(st->file, file) != 0)
				continue;
			g_string_append_printf(out, "%s%u", out->len ? ", " : "", s->rank);
			break;
		}
	}
	return g_string_free(out, FALSE);
}

static char *label_of(const struct explanation_region *r)
{
	g_autofree char *text = tui_clean(r->text ? r->text : "a condition");
	g_autofree char *side = tui_clean(r->side);

	return r->kind == REGION_CALL ? g_strdup_printf("%s()", text)
				      : g_strdup_printf("%s: %s", text, side);
}

/* What a function does is drawn where it was called first, and on the way to the failure.  Other
 * calls with more regions inside than this are folded. */
enum { FEW_REGIONS = 2 };

struct fold {
	unsigned inside; /* regions */
	bool folded, hidden;
};

static const struct explanation_region *region_of_call(const struct explanation *e, guint i)
{
	return &g_array_index(e->regions, struct explanation_region, i);
}

/* For each region; a region stands behind the one that it is in.  Free it. */
static struct fold *folds_of(const struct explanation *e)
{
	const guint n = e->regions->len;
	struct fold *folds = g_new0(struct fold, n + 1);
	g_autoptr(GHashTable) drawn = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = n; i-- > 0;)
		if (region_of_call(e, i)->parent < i)
			folds[region_of_call(e, i)->parent].inside += folds[i].inside + 1;
	for (guint i = 0; i < n; i++) {
		const struct explanation_region *r = region_of_call(e, i);
		const struct fold *around = r->parent < i ? &folds[r->parent] : NULL;

		folds[i].hidden = around && (around->hidden || around->folded);
		if (r->kind != REGION_CALL || !r->function || folds[i].hidden)
			continue;
		folds[i].folded = !g_hash_table_add(drawn, (gpointer)r->function) &&
				  folds[i].inside > FEW_REGIONS && !r->at_end;
	}
	return folds;
}

static void put_region(GString *out, const struct tui_page *page, const struct explanation *e,
		       guint i, const struct fold *fold)
{
	const struct explanation_region *r = region_of_call(e, i);
	bool branch = r->kind == REGION_BRANCH;
	g_autofree char *plain = label_of(r);
	g_autofree char *place = tui_place(page, r->file, r->line, G_MAXUINT);
	g_autofree char *label = escaped_for_dot(plain), *name = escaped_for_dot(place);
	g_autofree char *ranks = branch ? ranks_on_line(e, r->file, r->line) : g_strdup("");
	g_autofree char *times =
		r->times > 1 ? g_strdup_printf("\\l%" G_GUINT64_FORMAT " times", (guint64)r->times)
			     : g_strdup("");
	g_autofree char *folded =
		fold->folded ? g_strdup_printf("\\l(%u regions inside, folded)", fold->inside)
			     : g_strdup("");

	g_string_append_printf(out, "\tr%u [label=\"%s%s%s\\l%s%s%s\\l\"%s%s];\n", i, ranks,
			       *ranks ? "   " : "", label, name, times, folded,
			       branch ? "" : ", style=rounded", r->at_end ? ", color=red" : "");
	if (r->parent < i)
		g_string_append_printf(out, "\tr%u -> r%u%s;\n", r->parent, i,
				       r->at_end ? " [color=red]" : "");
}

static void put_regions(GString *out, const struct tui_page *page, const struct explanation *e)
{
	g_autofree struct fold *folds = folds_of(e);

	g_string_append(out, "\trankdir=LR;\n");
	for (guint i = 0; i < e->regions->len; i++)
		if (!folds[i].hidden)
			put_region(out, page, e, i, &folds[i]);
}

/* --- the chain --- */

static void put_dot_edges(GString *out, const struct explanation *e, guint to)
{
	const GArray *because = g_array_index(e->chain, struct explanation_link, to).because;

	for (guint k = 0; because && k < because->len; k++) {
		guint from = g_array_index(because, guint, k);

		if (from < e->chain->len)
			g_string_append_printf(
				out, "\tn%u -> n%u%s;\n", from, to,
				g_array_index(e->chain, struct explanation_link, from).edge ==
						EDGE_CONTROL
					? " [style=dashed]"
					: "");
	}
}

static void put_dot_chain(GString *out, const struct tui_page *page, const struct explanation *e)
{
	for (guint i = 0; i < e->chain->len; i++)
		put_node(out, page, e, i);
	for (guint i = 0; i < e->chain->len; i++)
		put_dot_edges(out, e, i);
}

char *tui_dot(FILE *file, const struct explanation *e, const struct tui_options *o)
{
	GString *out = g_string_new("digraph why {\n"
				    "\tnode [shape=box, fontname=monospace];\n");
	struct tui_page page;
	g_autofree char *failure = NULL;
	g_autofree char *title = NULL;
	g_autofree char *place = NULL;
	bool cut = o->graph == TUI_REGIONS && e->reached.times[LIMIT_regions];

	tui_page_init(&page, file, o);
	place = tui_place(&page, e->failure.file, e->failure.line, G_MAXUINT);
	failure = tui_words_failure(&e->failure, place);
	title = escaped_for_dot(failure);
	g_string_append_printf(out, "\tlabel=\"%s%s\";\n\tlabelloc=t;\n", title,
			       cut ? "\\n(only its first regions are shown one by one)" : "");
	if (o->graph == TUI_REGIONS)
		put_regions(out, &page, e);
	else
		put_dot_chain(out, &page, e);
	g_string_append(out, "}\n");
	tui_page_deinit(&page);
	return g_string_free(out, FALSE);
}
