/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/report/rank/rank-private.h"

#include <math.h>

char *tui_rank_text(const struct ranking *r, const struct ranking_score *s)
{
	return g_strdup_printf("%g", order_rank(s->standing, r->scheme));
}

char *tui_score_text(double score)
{
	char buffer[G_ASCII_DTOSTR_BUF_SIZE];

	if (isinf(score))
		return g_strdup(score > 0 ? "inf" : "-inf");
	/* whatever the locale says: a point */
	return g_strdup(g_ascii_formatd(buffer, sizeof buffer, "%.4g", score));
}

/* Whether the last names of all files tell them apart. */
static bool last_names_differ(const struct ranking *r)
{
	g_autoptr(GHashTable) names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	bool differ = true;

	for (unsigned i = 0; i < r->files->len; i++)
		differ &= g_hash_table_add(
			names,
			g_path_get_basename(g_array_index(r->files, struct ranking_file, i).name));
	return differ;
}

static char *ranking_as_text(FILE *out, const struct ranking *r, const struct tui_rank_options *o)
{
	struct tui_options t = { .color = o->color, .width = o->width, .directory = o->directory };
	struct tui_page page;
	char *text;

	tui_page_init(&page, out, &t);
	page.last_names = !o->annotate && last_names_differ(r);
	tui_rank_head(&page, r);
	if (o->annotate)
		tui_rank_annotate(&page, r);
	else if (r->techniques->len > 1)
		tui_rank_side_by_side(&page, r, o->max_lines);
	else
		tui_rank_table(&page, r, o->max_lines);
	text = g_strdup(page.out->str);
	tui_page_deinit(&page);
	return text;
}

bool tui_print_ranking(FILE *out, const struct ranking *r, const struct tui_rank_options *o)
{
	g_autofree char *text = o->format == TUI_RANK_JSON  ? tui_rank_json(r)
				: o->format == TUI_RANK_CSV ? tui_rank_csv(r)
							    : ranking_as_text(out, r, o);

	return fputs(text, out) >= 0 && fflush(out) == 0;
}
