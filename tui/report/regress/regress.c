/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/report/regress/regress.h"
#include "tui/words/line.h"
#include "tui/report/regress/regress-private.h"

#include <string.h>

/* Lines of one change that are shown: at its beginning, and in all. */
enum { SHOWN_HEAD = 8, SHOWN_MOST = 12 };

static void put_pair(struct tui_page *page, const char *name, const char *text)
{
	g_autofree char *clean = tui_clean(text);

	tui_put_padded(page, TUI_FAINT, name, 6);
	tui_put_wrapped(page, TUI_PLAIN, clean, 6);
}

static void put_code_line(struct tui_page *page, const char *line)
{
	g_autofree char *clean = tui_clean_code(line);
	g_autofree char *cut = tui_elide(clean, page->width - 6);

	tui_put_blanks(page, 6);
	tui_put(page, *line == '-' ? TUI_BAD : *line == '+' ? TUI_GOOD : TUI_CODE, cut);
	tui_newline(page);
}

static void put_change(struct tui_page *page, const struct regress_answer *a, unsigned change)
{
	g_autofree char *place = tui_regress_place(a, change);
	g_autofree char *text = regress_change_text(a->changes, change);
	g_auto(GStrv) lines = g_strsplit(g_strchomp(text), "\n", -1);
	guint n = g_strv_length(lines);

	tui_putf(page, TUI_PLAIN, "%4u  ", change + 1);
	tui_put_wrapped(page, TUI_PLACE, place, 6);
	for (guint i = 0; i < n && (n <= SHOWN_MOST || i < SHOWN_HEAD); i++)
		put_code_line(page, lines[i]);
	if (n > SHOWN_MOST) {
		tui_put_blanks(page, 6);
		tui_putf(page, TUI_FAINT, "... %u lines more", n - SHOWN_HEAD);
		tui_newline(page);
	}
}

static void put_sentence(struct tui_page *page, enum tui_role role, const char *text)
{
	g_autofree char *clean = tui_clean(text);

	tui_put_blanks(page, 2);
	tui_put_wrapped(page, role, clean, 2);
}

static void put_proof(struct tui_page *page, const struct regress_answer *a)
{
	g_autofree char *without = tui_regress_without(a), *with = tui_regress_with(a);

	put_sentence(page, a->proof.without == REGRESS_PASSES ? TUI_GOOD : TUI_BAD, without);
	put_sentence(page, a->proof.with == REGRESS_FAILS ? TUI_GOOD : TUI_PLAIN, with);
}

static char *change_numbers(const GArray *changes)
{
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < changes->len; i++)
		g_string_append_printf(out, "%s%u", i ? ", " : "",
				       g_array_index(changes, unsigned, i) + 1);
	return g_string_free(out, FALSE);
}

static void put_regress_statement(struct tui_page *page, const struct regress_statement *s)
{
	g_autofree char *place = tui_place(page, s->file, s->line, page->width / 4);
	g_autofree char *code = tui_clean(s->text);
	g_autofree char *values = tui_regress_values(s);
	g_autofree char *changes = s->changes->len ? change_numbers(s->changes) : NULL;
	unsigned left = 6 + MAX(tui_width(place) + 2, 14), half = (page->width - left) / 2;
	g_autofree char *cut = tui_elide(code, half - 2), *right = NULL;

	tui_put(page, TUI_PLAIN, changes ? "    * " : "      ");
	tui_put_padded(page, TUI_PLACE, place, left - 6);
	tui_put_padded(page, TUI_CODE, cut, half);
	right = changes ? g_strdup_printf("[change %s] %s", changes, values) : g_strdup(values);
	tui_put_wrapped(page, TUI_PLAIN, right, left + half);
}

static void put_regress_causes(struct tui_page *page, const struct regress_answer *a)
{
	for (guint i = a->causes->len; i-- > 0;) {
		const struct regress_cause *c = &g_array_index(a->causes, struct regress_cause, i);
		g_autofree char *why = tui_regress_why(a, i, false);
		g_autofree char *heading = g_strconcat(why, ":", NULL);

		if (!tui_regress_shows(a, i))
			continue;
		tui_newline(page);
		put_sentence(page, TUI_HEADING, heading);
		for (guint k = 0; k < c->statements->len; k++)
			put_regress_statement(
				page, &g_array_index(c->statements, struct regress_statement, k));
	}
}

static void put_changes(struct tui_page *page, const struct regress_answer *a)
{
	for (guint i = 0; i < a->root->len; i++)
		put_change(page, a, g_array_index(a->root, unsigned, i));
	if (!a->auxiliary->len)
		return;
	put_sentence(page, TUI_HEADING,
		     a->root->len == 1 ? "reverted with it only so that it compiles:"
				       : "reverted with them only so that they compile:");
	for (guint i = 0; i < a->auxiliary->len; i++)
		put_change(page, a, g_array_index(a->auxiliary, unsigned, i));
}

static void put_regress_stats(struct tui_page *page, const struct regress_answer *a)
{
	g_autofree char *costs = tui_regress_costs(a);
	g_autofree char *basis = a->root->len ? tui_regress_basis(a) : NULL;

	if (basis)
		put_sentence(page, TUI_FAINT, basis);
	put_sentence(page, TUI_FAINT, costs);
}

char *tui_regress_text(FILE *out, const struct regress_answer *a, const struct tui_options *o)
{
	g_autofree char *headline = tui_regress_headline(a);
	struct tui_page page;
	char *text;

	tui_page_init(&page, out, o);
	put_pair(&page, "old", a->old_name);
	put_pair(&page, "new", a->new_name);
	put_pair(&page, "test", a->test);
	put_pair(&page, "fails", a->failure);
	tui_newline(&page);
	tui_put(&page, TUI_HEADING, headline);
	tui_newline(&page);
	put_changes(&page, a);
	if (a->root->len)
		put_proof(&page, a);
	put_regress_causes(&page, a);
	tui_newline(&page);
	put_regress_stats(&page, a);
	for (guint i = 0; i < a->notes->len; i++)
		put_sentence(&page, TUI_FAINT, a->notes->pdata[i]);
	text = g_strdup(page.out->str);
	tui_page_deinit(&page);
	return text;
}

char *tui_regression_headline(const struct regress_answer *a)
{
	return tui_regress_headline(a);
}

char *tui_regression_text(const struct regress_answer *a)
{
	const struct tui_options plain = { .color = TUI_COLOR_NEVER };

	return tui_regress_text(stdout, a, &plain);
}

bool tui_print_regression(FILE *out, const struct regress_answer *a, const struct tui_options *o)
{
	g_autofree char *text = o->format == TUI_JSON	? tui_regress_json(a)
				: o->format == TUI_HTML ? tui_regress_html(a)
				: o->format == TUI_DOT	? tui_regress_dot(a)
							: tui_regress_text(out, a, o);

	return fputs(text, out) >= 0 && fflush(out) == 0;
}
