/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/words/suspect-words.h"
#include "tui/words/suspect-private.h"
#include "tui/words/line.h"

#include <string.h>

static bool is_condition_kind(const char *kind)
{
	return g_strcmp0(kind, "condition") == 0;
}

static bool is_change_of_program(const struct explanation_statement *s)
{
	return g_strcmp0(s->kind, "code") == 0 || g_strcmp0(s->kind, "data") == 0;
}

/* The evidence, where its change is all that the suspect is; else NULL. */
static const struct explanation_evidence *changed_alone(const struct explanation_suspect *s)
{
	return s->statements->len && is_change_of_program(&g_array_index(
					     s->statements, struct explanation_statement, 0))
		       ? s->evidence
		       : NULL;
}

/* What passes with the small change: the check alone that is asked about, or all. */
static const char *what_passes(const struct explanation_evidence *v, const char *kind)
{
	return v && v->whole ? "whole test" : g_strcmp0(kind, "check") == 0 ? "check" : "test";
}

char *tui_words_outcome(const struct explanation_suspect *s, const char *kind)
{
	g_autofree char *note = tui_clean(s->note);
	const char *colon = *note ? ": " : "";

	if (s->replay == REPLAY_PASSES)
		return is_condition_kind(kind)
			       ? g_strdup("it holds")
			       : g_strdup_printf("the %s passes%s",
						 what_passes(changed_alone(s), kind),
						 s->unchecked ? " unchecked" : "");
	if (s->further_to && s->further_to == s->further_from)
		return g_strdup_printf("the test gets further in line %u of its output",
				       s->further_to);
	if (s->further_to)
		return g_strdup_printf("the test gets further: from line %u of its output to line "
				       "%u",
				       s->further_from, s->further_to);
	if (s->replay == REPLAY_FAILS)
		return g_strdup_printf("it should %s, but the replay failed%s%s",
				       is_condition_kind(kind) ? "hold" : "pass", colon, note);
	if (s->needs_run)
		return g_strdup_printf("it may %s: a run of the other branch is needed",
				       is_condition_kind(kind) ? "hold" : "pass");
	return g_strdup_printf("it may %s: not replayed%s%s",
			       is_condition_kind(kind) ? "hold" : "pass", colon, note);
}

char *tui_words_verdict(const struct explanation_suspect *s, unsigned i, const char *kind)
{
	g_autofree char *change = tui_words_change(s, i);
	g_autofree char *outcome = NULL;

	if (i + 1 < s->statements->len)
		return g_strconcat(change, ",", NULL);
	outcome = tui_words_outcome(s, kind);
	/* "with b = 0 the test passes" reads on; all else takes a comma. */
	if (g_strrstr(change, "with ") && s->replay == REPLAY_PASSES &&
	    !(g_str_has_suffix(change, " it") && g_str_has_prefix(outcome, "it ")))
		return g_strconcat(change, " ", outcome, NULL);
	return g_strconcat(change, ", ", outcome, NULL);
}

char *tui_words_change_alone(const struct explanation_suspect *s)
{
	const struct explanation_evidence *v = s->evidence;
	const struct explanation_statement *st =
		s->statements->len ? &g_array_index(s->statements, struct explanation_statement, 0)
				   : NULL;
	g_autofree char *change = v ? tui_clean(v->change) : NULL;
	g_autofree char *in_turn = st ? suspect_values_in_turn(s, 0, true) : NULL;

	if (!st || !v || !v->change || v->condition || v->passing || v->failing != 1 ||
	    s->size != 1 || s->replay != REPLAY_PASSES || is_change_of_program(st) ||
	    !(in_turn || g_strcmp0(st->actual, "one address") == 0))
		return NULL;
	return g_strdup_printf("with %s the test passes", change);
}

/* "all 12 failing tests" */
static char *words_for_test_count(unsigned n, const char *which)
{
	return n == 1 ? g_strdup_printf("the one %s test", which)
		      : g_strdup_printf("all %u %s tests", n, which);
}

static char *words_of_condition(const struct explanation_evidence *v, const char *change,
				const char *failing)
{
	return g_strdup_printf("a condition is missing here: with %s %s tried %s, and none of %u "
			       "passing ones fails",
			       change, failing, v->failing == 1 ? "passes" : "pass", v->passing);
}

/* "15 for 14 here"; "`break' put behind it" and "0 for 1 in line 4" say where by themselves. */
static const char *words_of_where(const char *change)
{
	return g_str_has_suffix(change, " it") || g_str_has_prefix(change, "this line ") ||
			       strstr(change, " it, ") || strstr(change, " in line ")
		       ? ""
		       : " here";
}

char *tui_words_evidence(const struct explanation_suspect *s, const char *kind)
{
	const struct explanation_evidence *v = s->evidence;
	g_autofree char *change = v ? tui_clean(v->change) : NULL;
	g_autofree char *name = v ? tui_clean(v->contradicted) : NULL;
	g_autofree char *failing = v ? words_for_test_count(v->failing, "failing") : NULL;

	if (v && !v->passing && changed_alone(s))
		return NULL; /* the suspect says it */
	if (v && v->condition)
		return words_of_condition(v, change, failing);
	if (v && v->change && v->failing == 1 && !v->passing)
		return g_strdup_printf("%s%s: the %s passes with that, too", change,
				       words_of_where(change), what_passes(v, kind));
	if (v && v->change && !v->passing)
		return g_strdup_printf("%s%s: %s tried pass with it", change,
				       words_of_where(change), failing);
	if (v && v->change)
		return g_strdup_printf("%s%s: %s tried %s with it, and %u of %u passing ones %s",
				       change, words_of_where(change), failing,
				       v->failing == 1 ? "passes" : "pass", v->broken, v->passing,
				       v->broken == 1 ? "fails" : "fail");
	if (v && v->contradicted)
		return g_strdup_printf(
			"test %s passes and has the same operands there, but fails with this "
			"change: any expression over these operands would change both tests",
			name);
	return NULL;
}
