/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/report/rank/rank-private.h"

#include <math.h>
#include <string.h>

/* A field as RFC 4180 has it. */
static void put_field(GString *out, const char *text)
{
	g_autofree char *valid = g_utf8_make_valid(text ? text : "", -1);

	if (!strpbrk(valid, ",\"\r\n")) {
		g_string_append(out, valid);
		return;
	}
	g_string_append_c(out, '"');
	for (const char *p = valid; *p; p++) {
		if (*p == '"')
			g_string_append_c(out, '"');
		g_string_append_c(out, *p);
	}
	g_string_append_c(out, '"');
}

static void put_csv_head(GString *out, const struct ranking *r)
{
	static const char *const parts[] = { "score", "rank", "first", "last" };

	g_string_append(out, "file,line,failed,passed");
	for (unsigned t = 0; t < r->techniques->len; t++) {
		for (unsigned i = 0; i < G_N_ELEMENTS(parts); i++) {
			g_autofree char *name = g_strdup_printf(
				"%s %s", (const char *)r->techniques->pdata[t], parts[i]);

			g_string_append_c(out, ',');
			put_field(out, name);
		}
	}
	g_string_append(out, ",text\r\n");
}

static void put_score(GString *out, double score)
{
	char buffer[G_ASCII_DTOSTR_BUF_SIZE];

	if (isinf(score))
		g_string_append(out, score > 0 ? "inf" : "-inf");
	else
		g_string_append(out, g_ascii_dtostr(buffer, sizeof buffer, score));
}

char *tui_rank_csv(const struct ranking *r)
{
	GString *out = g_string_new(NULL);

	put_csv_head(out, r);
	for (unsigned i = 0; i < r->lines->len; i++) {
		const struct ranking_line *l = &g_array_index(r->lines, struct ranking_line, i);

		put_field(out, l->file);
		g_string_append_printf(out, ",%u,%u,%u", l->number, l->failed, l->passed);
		for (unsigned t = 0; t < r->techniques->len; t++) {
			const struct ranking_score *s = &l->scores[t];

			g_string_append_c(out, ',');
			put_score(out, s->score);
			g_string_append_c(out, ',');
			put_score(out, order_rank(s->standing, r->scheme));
			g_string_append_printf(out, ",%u,%u", s->standing.first, s->standing.last);
		}
		g_string_append_c(out, ',');
		put_field(out, l->text);
		g_string_append(out, "\r\n");
	}
	return g_string_free(out, FALSE);
}
