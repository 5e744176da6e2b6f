/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/words/line.h"
#include "tui/report/rank/rank-private.h"

#include <math.h>
#include <string.h>

enum { HEATS = TUI_HEAT_5 - TUI_HEAT_1 + 1, TAB = 8 };

/* From the least score to the greatest, in equal steps; infinite ones are the ends. */
struct scale {
	double least, greatest;
};

static struct scale scale_of(const struct ranking *r)
{
	struct scale s = { INFINITY, -INFINITY };

	for (unsigned i = 0; i < r->lines->len; i++) {
		double score = g_array_index(r->lines, struct ranking_line, i).scores[0].score;

		if (!isfinite(score))
			continue;
		s.least = MIN(s.least, score);
		s.greatest = MAX(s.greatest, score);
	}
	return s;
}

static enum tui_role heat_of(const struct scale *s, double score)
{
	double share = s->greatest > s->least ? (score - s->least) / (s->greatest - s->least) : 0;

	return TUI_HEAT_1 + (int)CLAMP(share * HEATS, 0, HEATS - 1);
}

/* Clean text that keeps its indentation. */
static char *clean_indented(const char *text)
{
	g_autofree char *clean = tui_clean(text);
	unsigned column = 0;

	for (; *text == ' ' || *text == '\t'; text++)
		column += *text == '\t' ? TAB - column % TAB : 1;
	return *clean ? g_strdup_printf("%*s%s", (int)column, "", clean) : g_strdup("");
}

/* The file's ranked lines by number. */
static GHashTable *ranked_lines_of(const struct ranking *r, const struct ranking_file *f)
{
	GHashTable *lines = g_hash_table_new(NULL, NULL);

	for (unsigned i = 0; i < r->lines->len; i++) {
		struct ranking_line *l = &g_array_index(r->lines, struct ranking_line, i);

		if (l->file == f->name)
			g_hash_table_insert(lines, GUINT_TO_POINTER(l->number), l);
	}
	return lines;
}

static void put_source_line(struct tui_page *page, const struct scale *scale, unsigned number,
			    const char *text, const struct ranking_line *l)
{
	g_autofree char *clean = clean_indented(text);
	g_autofree char *score = l ? tui_score_text(l->scores[0].score) : g_strdup("");
	enum tui_role role = !l			      ? TUI_PLAIN
			     : l->failed || l->passed ? heat_of(scale, l->scores[0].score)
						      : TUI_FAINT;

	tui_putf(page, role, "%9s", score);
	tui_putf(page, TUI_FAINT, "%7u  ", number);
	tui_put(page, role, clean);
	tui_newline(page);
}

static void put_annotated_file(struct tui_page *page, const struct ranking *r,
			       const struct scale *scale, const struct ranking_file *f)
{
	g_autoptr(GHashTable) lines = ranked_lines_of(r, f);
	g_autofree char *place = tui_place(page, f->name, 0, page->width);

	tui_newline(page);
	tui_put(page, TUI_HEADING, place);
	if (!f->text->len)
		tui_put(page, TUI_BAD, ": the source is not there");
	tui_newline(page);
	for (unsigned i = 0; i < f->text->len; i++)
		put_source_line(page, scale, i + 1, f->text->pdata[i],
				g_hash_table_lookup(lines, GUINT_TO_POINTER(i + 1)));
}

void tui_rank_annotate(struct tui_page *page, const struct ranking *r)
{
	struct scale scale = scale_of(r);

	if (r->techniques->len > 1) {
		tui_putf(page, TUI_FAINT, "scores: %s", (const char *)r->techniques->pdata[0]);
		tui_newline(page);
	}
	for (unsigned i = 0; i < r->files->len; i++)
		put_annotated_file(page, r, &scale,
				   &g_array_index(r->files, struct ranking_file, i));
}
