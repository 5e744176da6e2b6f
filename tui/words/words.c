/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/words/words.h"
#include "solver/base/ordinal.h"
#include "tui/words/line.h"

#include <string.h>

char *tui_words_failure(const struct explanation_failure *f, const char *place)
{
	g_autofree char *what = tui_clean(f->requirement);
	g_autofree char *function = tui_clean(f->function);
	g_autofree char *kind = tui_clean(f->kind);
	g_autofree char *subject = NULL;

	if (strcmp(kind, "condition") == 0)
		return g_strdup_printf("`%s' does not hold at %s%s%s", what, place,
				       *function ? " in " : "", function);
	if (f->cause) {
		g_autofree char *cause = tui_clean(f->cause);

		return g_strdup_printf("%s%s at %s%s%s", cause,
				       g_str_has_suffix(cause, " that was freed") ? "," : "", place,
				       *function ? " in " : "", function);
	}
	if (strcmp(kind, "assert") == 0 || !*kind)
		subject =
			*what ? g_strdup_printf("assertion `%s'", what) : g_strdup("an assertion");
	else
		subject = *what ? g_strdup_printf("%s `%s'", kind, what) : g_strdup(kind);
	return g_strdup_printf("%s failed at %s%s%s", subject, place, *function ? " in " : "",
			       function);
}

static bool starts_with_relation(const char *witness)
{
	return *witness == '<' || *witness == '>' || *witness == '!' || *witness == '=';
}

/* Of a statement that only the changed run comes to. */
static const char NOT_RUN[] = "not run -> ";

/* "b = 1", "b <= 0", or "1" when there is no name; "not run -> b = 0". */
char *tui_words_equation(const char *name, const char *value)
{
	if (!*name)
		return g_strdup(*value ? value : "another value");
	if (!*value)
		return g_strdup_printf("another value of %s", name);
	if (g_str_has_prefix(value, NOT_RUN)) {
		g_autofree char *would = tui_words_equation(name, value + strlen(NOT_RUN));

		return g_strconcat(NOT_RUN, would, NULL);
	}
	/* "b <= a = false" would read as an equation of its own, and no pointer is "true". */
	if (g_str_has_prefix(value, "true") || g_str_has_prefix(value, "false"))
		return g_strdup_printf("%s: %s", name, value);
	return g_strdup_printf(starts_with_relation(value) ? "%s %s" : "%s = %s", name, value);
}

char *tui_words_value(const char *name, const char *value)
{
	g_autofree char *clean_name = tui_clean(name);
	g_autofree char *clean_value = tui_clean(value);

	return *clean_value ? tui_words_equation(clean_name, clean_value)
			    : g_strdup_printf("%s is not known", clean_name);
}

static bool has_operator_word(const char *text)
{
	return strstr(text, "&&") || strstr(text, "||") || strchr(text, '?');
}

bool tui_words_is_part(const char *text, const char *clause)
{
	const char *at = strstr(text, clause);
	g_autofree char *before = at ? g_strndup(text, (gsize)(at - text)) : NULL;

	return at && (has_operator_word(before) || has_operator_word(at + strlen(clause)));
}

bool tui_words_is_told(const char *line, const struct explanation_value *v, unsigned room)
{
	g_autofree char *both = tui_words_value(v->name, v->value);

	return v->name && v->value && tui_width(both) > room && strstr(line, v->name) &&
	       !tui_words_is_part(line, v->name);
}

char *tui_words_values(const GArray *values)
{
	GString *out = g_string_new(NULL);

	for (unsigned i = 0; values && i < values->len; i++) {
		const struct explanation_value *v =
			&g_array_index(values, struct explanation_value, i);
		g_autofree char *text = tui_words_value(v->name, v->value);

		g_string_append_printf(out, "%s%s", i ? ", " : "", text);
	}
	return g_string_free(out, FALSE);
}

char *tui_words_differs(const struct explanation *e)
{
	return e->differs ? g_strdup_printf("this test does not do the same each time: run again, "
					    "%s.  So a changed run may pass, or fail, without its "
					    "change.",
					    e->differs)
			  : NULL;
}

char *tui_words_count(const struct explanation *e)
{
	unsigned n = e->suspects->len, proven = 0, further = 0;

	for (unsigned i = 0; i < n; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];

		proven += s->replay == REPLAY_PASSES;
		further += s->further_to > 0;
	}
	if (n && further == n)
		return g_strdup_printf("%u explanation%s of the first difference only, shown by "
				       "replay",
				       n, n == 1 ? "" : "s");
	if (n == 0)
		return g_strdup(e->complete ? "no explanation was found"
					    : "no explanation was found within the limits");
	if (n == 1)
		return g_strdup(proven ? "1 explanation, proven by replay"
				       : "1 explanation, not proven by replay");
	if (proven == n)
		return g_strdup_printf("%u explanations, each proven by replay", n);
	if (proven == 0)
		return g_strdup_printf("%u explanations, none proven by replay", n);
	return g_strdup_printf("%u explanations, %u proven by replay", n, proven);
}

char *tui_words_time(double ms)
{
	char number[G_ASCII_DTOSTR_BUF_SIZE];

	if (!(ms >= 0 && ms < 1e12))
		return g_strdup("");
	if (ms < 99.5)
		return g_strdup_printf("%s ms", g_ascii_formatd(number, sizeof number,
								ms < 9.95 ? "%.1f" : "%.0f", ms));
	return g_strdup_printf("%s s", g_ascii_formatd(number, sizeof number,
						       ms < 99500 ? "%.1f" : "%.0f", ms / 1000));
}
