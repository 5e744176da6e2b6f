/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/report/fold.h"

/* A value that is told of the link, and of none that decides something; NULL = none. */
static const char *passed_value(const struct explanation_link *l)
{
	const bool has_one = l->file && l->edge == EDGE_DATA && l->values && l->values->len == 1;

	return has_one ? g_array_index(l->values, struct explanation_value, 0).value : NULL;
}

static bool have_same_value(const struct explanation_link *a, const struct explanation_link *b)
{
	return passed_value(a) && g_strcmp0(passed_value(a), passed_value(b)) == 0 &&
	       g_strcmp0(a->file, b->file) == 0;
}

guint tui_fold(const GPtrArray *links, guint i)
{
	guint end = i;

	while (i && end < links->len && have_same_value(links->pdata[i - 1], links->pdata[end]))
		end++;
	return end > i + 2 ? end - i - 1 : 0;
}

char *tui_fold_places(const struct tui_page *page, const GPtrArray *links, guint i, guint n)
{
	const struct explanation_link *first = links->pdata[i], *l;
	g_autofree char *place = tui_place(page, first->file, first->line, page->width / 2);
	GString *out = g_string_new(place);

	for (guint k = 1; k < n; k++) {
		l = links->pdata[i + k];
		g_string_append_printf(out, "%s %u", k + 1 < n ? "," : " and", l->line);
	}
	return g_string_free(out, FALSE);
}
