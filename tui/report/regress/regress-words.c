/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said of a regression, without layout. */
#include "tui/words/line.h"
#include "tui/report/regress/regress-private.h"

#include <string.h>

char *tui_regress_headline(const struct regress_answer *a)
{
	guint n = a->root->len, all = regress_changes_count(a->changes);
	const char *s = all == 1 ? "" : "s";

	if (a->outcome == REGRESS_FOUND && a->proof.without == REGRESS_PASSES)
		return g_strdup_printf("%u of %u change%s to blame", n, all, s);
	if (a->outcome == REGRESS_FOUND)
		return g_strdup_printf("%u of %u change%s named by %s, not proven", n, all, s,
				       regress_technique_name(a->technique));
	return g_strdup_printf(a->outcome == REGRESS_CUT
				       ? "stopped before the changes to blame were found, of %u"
				       : "reverting none of the %u changes lets the test pass",
			       all);
}

static const struct regress_cause *regress_cause_at(const struct regress_answer *a, guint i)
{
	return &g_array_index(a->causes, struct regress_cause, i);
}

bool tui_regress_shows(const struct regress_answer *a, guint cause)
{
	bool any = false;

	for (guint i = 0; i < a->causes->len; i++)
		any |= regress_cause_at(a, i)->relevant;
	return regress_cause_at(a, cause)->statements->len &&
	       (any ? regress_cause_at(a, cause)->relevant
		    : regress_cause_at(a, cause)->effect < 0);
}

char *tui_regress_why(const struct regress_answer *a, guint cause, bool capital)
{
	const struct regress_cause *c = regress_cause_at(a, cause);
	const char *why = capital ? "Why" : "why";

	if (c->effect >= 0)
		return g_strdup_printf("%s %s", why, c->predicate);
	return g_strdup_printf("%s it fails%s", why,
			       c->relevant || !a->root->len
				       ? ""
				       : " (on none of these lines stands a change to blame)");
}

/* " (exit status 1)" for what did not pass. */
static char *in_brackets(enum regress_verdict v, const char *ending)
{
	g_autofree char *clean = tui_clean(ending);

	return v == REGRESS_PASSES || !*clean ? g_strdup("") : g_strdup_printf(" (%s)", clean);
}

static const char *pronoun_for_root(const struct regress_answer *a)
{
	return a->root->len == 1 ? "it" : "them";
}

char *tui_regress_without(const struct regress_answer *a)
{
	g_autofree char *ending = in_brackets(a->proof.without, a->proof.without_ending);
	const char *what = a->auxiliary->len   ? "the new version without them"
			   : a->root->len == 1 ? "the new version without it"
					       : "the new version without them";

	return g_strdup_printf("%s: %s%s", what,
			       a->proof.without == REGRESS_PASSES
				       ? "the test passes"
				       : regress_verdict_name(a->proof.without),
			       ending);
}

char *tui_regress_with(const struct regress_answer *a)
{
	g_autofree char *ending = in_brackets(a->proof.with, a->proof.with_ending);

	return g_strdup_printf("the old version with %s alone%s: %s%s", pronoun_for_root(a),
			       a->proof.with_auxiliary ? " (and what it needs to compile)" : "",
			       a->proof.with == REGRESS_FAILS ? "the test fails"
			       : a->proof.with == REGRESS_PASSES
				       ? "the test passes"
				       : regress_verdict_name(a->proof.with),
			       ending);
}

char *tui_regress_basis(const struct regress_answer *a)
{
	guint last = a->candidates->len
			     ? g_array_index(a->candidates, unsigned, a->candidates->len - 1)
			     : 0;

	static const char *const which[] = {
		[REGRESS_BY_CAUSES] = " that the failure was caused by",
		[REGRESS_BY_CODE] = " that the test executes and whose code differs",
		[REGRESS_BY_EXECUTED] = " that the test executes",
		[REGRESS_BY_SOURCES] = " that the test executes or that declare something",
		[REGRESS_BY_ALL] = "",
	};

	if (last == 1)
		return regress_changes_count(a->changes) == 1 ? g_strdup("it is the only change")
		       : a->basis == REGRESS_BY_SOURCES
			       ? g_strdup("it is the only change of a source")
			       : g_strdup_printf("it is the only change%s", which[a->basis]);
	return g_strdup_printf("found among %s %u changes%s",
			       a->basis == REGRESS_BY_ALL ? "all" : "the", last, which[a->basis]);
}

char *tui_regress_costs(const struct regress_answer *a)
{
	const struct regress_stats *s = &a->stats;

	return g_strdup_printf("%s: %u build%s (%u did not compile), %u run%s of the test, %.1f s",
			       regress_technique_name(a->technique), s->builds,
			       s->builds == 1 ? "" : "s", s->failed_builds, s->tests,
			       s->tests == 1 ? "" : "s", s->total_s);
}

static void append_line_range(GString *out, const struct regress_change *x)
{
	unsigned first = x->new_count ? x->new_first : x->old_first;
	unsigned count = x->new_count ? x->new_count : x->old_count;

	g_string_append_printf(out, ":%u", first);
	if (count > 1)
		g_string_append_printf(out, "-%u", first + count - 1);
	if (!x->new_count)
		g_string_append(out, " of the old version");
}

char *tui_regress_place(const struct regress_answer *a, unsigned change)
{
	const struct regress_change *x = regress_change_at(a->changes, change);
	g_autofree char *path = tui_clean(regress_change_path(a->changes, change));
	g_autofree char *function = tui_clean(x->function);
	GString *out = g_string_new(path);

	if (x->kind == REGRESS_LINES)
		append_line_range(out, x);
	if (*function)
		g_string_append_printf(out, " in %s", function);
	return g_string_free(out, FALSE);
}

char *tui_regress_values(const struct regress_statement *s)
{
	g_autofree char *clause = tui_clean(s->clause), *value = tui_clean(s->value);
	g_autofree char *before = tui_clean(s->before);
	GString *out = g_string_new(clause);

	if (*value)
		g_string_append_printf(out, "%s%s", out->len ? " = " : "", value);
	if (*before && strcmp(before, value) != 0)
		g_string_append_printf(out, ", before %s", before);
	return g_string_free(out, FALSE);
}
