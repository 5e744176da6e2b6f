/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/words/suspect-words.h"
#include "tui/words/suspect-private.h"
#include "solver/base/ordinal.h"
#include "tui/words/line.h"
#include "tui/words/words.h"

#include <string.h>

struct verbs {
	const char *kind, *did, *would;
	bool named;	/* the values are of the clause, and say so */
	const char *as; /* stands between the value and the clause */
};

static const struct verbs verbs[] = {
	{ "condition", "went", "going", false, "" },
	{ "switch", "went to", "going to", false, "" },
	{ "return", "returned", "returning", false, "" },
	{ "store", "stored to", "storing to", false, "" },
	{ "call", "passed", "passing", false, " as " },
	{ "code", "", "with", false, "" },
	{ "data", "", "with", false, "" },
	{ NULL, "gave", "with", true, "" },
};

/* `CHECK(n == 2);': the line does not say what is asked. */
static bool is_call_of_macro(const char *text)
{
	return g_regex_match_simple("^\\s*(?!(if|while|for|switch|return)\\b)\\w+ ?\\(.*\\);?\\s*$",
				    text, 0, 0);
}

/* Whether it is one part of a condition of several, or stands in a macro, and has to be named. */
static bool is_part_of_condition(const struct explanation_statement *s, const char *clause)
{
	return g_strcmp0(s->kind, "condition") == 0 && *clause && s->text &&
	       g_strcmp0(s->text, s->clause) != 0 && !strstr(clause, "&&") &&
	       !strstr(clause, "||") &&
	       (strstr(s->text, "&&") || strstr(s->text, "||") || is_call_of_macro(s->text));
}

/* Is it one of those that only the changed run comes to? */
static bool is_beyond_run(const struct explanation_suspect *suspect,
			  const struct explanation_instance *in)
{
	const struct explanation_statement *s =
		&g_array_index(suspect->statements, struct explanation_statement, in->statement);

	return s->executions && (in->execution > s->executions || !s->actual);
}

static bool goes_beyond_run(const struct explanation_suspect *suspect, unsigned statement)
{
	for (unsigned i = 0; i < suspect->instances->len; i++) {
		const struct explanation_instance *in =
			&g_array_index(suspect->instances, struct explanation_instance, i);

		if (in->statement == statement && is_beyond_run(suspect, in))
			return true;
	}
	return false;
}

/* " the 3rd of 12 times", " 4 of 12 times": which executions are changed; "" where there
 * is only one, or it is not known how many there are. */
static char *words_time(const struct explanation_suspect *suspect, unsigned statement)
{
	const struct explanation_statement *s =
		&g_array_index(suspect->statements, struct explanation_statement, statement);
	const char *ending = ordinal_ending(s->execution);

	if (s->changes > 1 && goes_beyond_run(suspect, statement))
		return g_strdup_printf(" %u times", s->changes);
	if (s->executions <= 1)
		return g_strdup("");
	/* only the changed run comes there, or so often */
	if (s->execution > s->executions || (s->execution && goes_beyond_run(suspect, statement)))
		return g_strdup_printf(" the %" G_GUINT64_FORMAT "%s time", s->execution, ending);
	if (s->execution)
		return g_strdup_printf(" the %" G_GUINT64_FORMAT "%s of %" G_GUINT64_FORMAT
				       " times",
				       s->execution, ending, s->executions);
	if (s->changes > 1 && s->changes <= s->executions)
		return g_strdup_printf(" %u of %" G_GUINT64_FORMAT " times", s->changes,
				       s->executions);
	return s->changes > 1 ? g_strdup_printf(" %u times", s->changes) : g_strdup("");
}

/* The values of the statement's changed executions in their order, where they differ: "6, 11, 10";
 * otherwise NULL. */
char *suspect_values_in_turn(const struct explanation_suspect *s, unsigned statement, bool witness)
{
	enum { MOST_VALUES = 4 };
	g_autoptr(GString) out = g_string_new(NULL);
	const char *first = NULL;
	unsigned n = 0;
	bool differ = false;

	for (unsigned i = 0; i < s->instances->len; i++) {
		const struct explanation_instance *in =
			&g_array_index(s->instances, struct explanation_instance, i);
		const char *value = witness ? in->witness : in->actual;

		if (in->statement != statement || (!witness && is_beyond_run(s, in)))
			continue;
		if (!value)
			return NULL;
		first = n ? first : value;
		differ |= strcmp(first, value) != 0;
		if (n++ < MOST_VALUES)
			g_string_append_printf(out, "%s%s", n > 1 ? ", " : "", value);
	}
	if (n > MOST_VALUES)
		g_string_append(out, ", ...");
	return differ ? tui_clean(out->str) : NULL;
}

/* "the 1st, 2nd and 4th", "5": which executions these are, or how many where they are more than can
 * be listed. */
static char *words_which(const GArray *executions)
{
	enum { MOST_LISTED = 4 };
	const unsigned n = executions->len;
	GString *out = g_string_new(NULL);

	if (n > MOST_LISTED) {
		g_string_printf(out, "%u", n);
		return g_string_free(out, FALSE);
	}
	for (unsigned i = 0; i < n; i++) {
		uint64_t k = g_array_index(executions, uint64_t, i);

		g_string_append_printf(out, "%s%" G_GUINT64_FORMAT "%s",
				       i == 0 ? "the " : (i + 1 < n ? ", " : " and "), k,
				       ordinal_ending(k));
	}
	return g_string_free(out, FALSE);
}

/* " of 5 times"; where only the changed run comes there so often, " time". */
static char *words_of_all(const GArray *executions, uint64_t all)
{
	const uint64_t last = g_array_index(executions, uint64_t, executions->len - 1);

	return last > all ? g_strdup(executions->len > 1 ? " times" : " time")
			  : g_strdup_printf(" of %" G_GUINT64_FORMAT " times", all);
}

/* ", and false the 3rd as before": which would be another one with the changes before it. */
static char *words_of_held(const GArray *executions, const char *value)
{
	g_autofree char *which = words_which(executions);

	return executions->len ? g_strdup_printf(", and %s %s%s as before", value, which,
						 g_str_has_prefix(which, "the ") ? "" : " times")
			       : g_strdup("");
}

/* Are some of the executions turned, and others not? */
static bool has_held(const struct explanation_suspect *s, unsigned statement)
{
	bool held = false, turned = false;

	for (unsigned i = 0; i < s->instances->len; i++) {
		const struct explanation_instance *in =
			&g_array_index(s->instances, struct explanation_instance, i);
		const bool stays = g_strcmp0(in->actual, in->witness) == 0;

		held |= in->statement == statement && stays;
		turned |= in->statement == statement && !stays;
	}
	return held && turned;
}

/* Where executions of a condition are turned, some from true and others from false: "went false,
 * true (the 1st and 4th of 5 times); going the other way each time".  NULL: it is no such suspect.
 */
static char *words_of_turned(const struct explanation_suspect *s, unsigned statement)
{
	const struct explanation_statement *st =
		&g_array_index(s->statements, struct explanation_statement, statement);
	g_autoptr(GArray) executions = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	g_autoptr(GArray) held = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	g_autoptr(GString) went = g_string_new(NULL);
	g_autofree char *actual = suspect_values_in_turn(s, statement, false), *which = NULL,
			*of = NULL;
	g_autofree char *witness = suspect_values_in_turn(s, statement, true), *stays = NULL;
	const char *kept = "";

	if (g_strcmp0(st->kind, "condition") != 0 ||
	    (!has_held(s, statement) && ((!actual && !goes_beyond_run(s, statement)) || !witness)))
		return NULL;
	for (unsigned i = 0; i < s->instances->len; i++) {
		const struct explanation_instance *in =
			&g_array_index(s->instances, struct explanation_instance, i);
		g_autofree char *value = NULL;

		if (in->statement != statement)
			continue;
		if (g_strcmp0(in->actual, in->witness) == 0) {
			kept = held->len && g_strcmp0(kept, in->actual) != 0 ? "it" : in->actual;
			g_array_append_val(held, in->execution);
			continue;
		}
		value = tui_clean(in->actual);
		if (!is_beyond_run(s, in))
			g_string_append_printf(went, "%s%s", went->len ? ", " : "", value);
		g_array_append_val(executions, in->execution);
	}
	which = words_which(executions);
	if (!g_str_has_prefix(which, "the "))
		g_string_assign(went, "one way and the other");
	of = words_of_all(executions, st->executions);
	stays = words_of_held(held, kept);
	return g_strdup_printf("went %s (%s%s); going the other way%s%s", went->str, which, of,
			       executions->len > 1 ? " each time" : "", stays);
}

/* "`b' for `a' here: the test passes with that, too" says as well whose value it is. */
static bool is_told_by_change(const struct explanation_suspect *s, const char *witness_is)
{
	const char *change = s->evidence ? s->evidence->change : NULL;
	const char *name = strchr(witness_is, '`');

	return change && name && g_str_has_prefix(change, name);
}

/* "4294967246 (-50, wrapped around)" */
static char *words_of_wrapped(const struct explanation_statement *s, char *actual)
{
	int64_t less;
	char *out;

	if (!explanation_wrapped(s, &less))
		return actual;
	out = g_strdup_printf("%s (%" G_GINT64_FORMAT ", wrapped around)", actual, less);
	g_free(actual);
	return out;
}

/* Has the value no name that could be told twice? */
static bool is_nameless(const char *clause)
{
	return strcmp(clause, "an intermediate result") == 0;
}

/* Neither address says anything.  NULL: they are no such ones. */
static char *words_of_addresses(const char *clause, const char *actual, const char *time)
{
	return is_nameless(clause) && strcmp(actual, "one address") == 0
		       ? g_strdup_printf("used one address%s; with another one", time)
		       : NULL;
}

/* Of some executions it is not known what they would give after the changes before them: "gave n =
 * 6 (the 8th of 10 times); with n = 5 (the 8th and 9th times)".  NULL: it is no such suspect. */
static char *words_of_partly_known(const struct explanation_suspect *suspect, unsigned statement,
				   const struct verbs *v)
{
	const struct explanation_statement *s =
		&g_array_index(suspect->statements, struct explanation_statement, statement);
	g_autoptr(GArray) known = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
			  all = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	g_autofree char *clause = tui_clean(s->clause), *actual = tui_clean(s->actual);
	g_autofree char *witnesses = suspect_values_in_turn(suspect, statement, true);
	g_autofree char *witness = witnesses ? g_strdup(witnesses) : tui_clean(s->witness);

	for (unsigned i = 0; i < suspect->instances->len; i++) {
		const struct explanation_instance *in =
			&g_array_index(suspect->instances, struct explanation_instance, i);

		if (in->statement != statement)
			continue;
		if (in->actual && g_strcmp0(in->actual, s->actual) != 0)
			return NULL;
		if (in->actual)
			g_array_append_val(known, in->execution);
		g_array_append_val(all, in->execution);
	}
	if (!known->len || known->len == all->len || goes_beyond_run(suspect, statement) ||
	    s->executions < all->len)
		return NULL;
	g_autofree char *before = tui_words_equation(v->named ? clause : "", actual),
			*after = tui_words_equation(v->named ? clause : "", witness),
			*which = words_which(known), *of = words_of_all(known, s->executions),
			*changed = words_which(all);

	return g_strdup_printf("%s %s%s%s (%s%s); %s %s%s%s%s (%s times)", v->did, before, v->as,
			       *v->as ? clause : "", which, of, v->would, after, v->as,
			       *v->as ? clause : "", witnesses ? " in turn" : "", changed);
}

char *tui_words_change(const struct explanation_suspect *suspect, unsigned statement)
{
	const struct explanation_statement *s =
		&g_array_index(suspect->statements, struct explanation_statement, statement);
	const struct verbs *v = verbs;
	g_autofree char *witnesses = suspect_values_in_turn(suspect, statement, true);
	g_autofree char *clause = tui_clean(s->clause);
	g_autofree char *clean = words_of_wrapped(s, tui_clean(s->actual));
	g_autofree char *all = suspect_values_in_turn(suspect, statement, false);
	const char *actual = all && s->actual ? all : clean; /* else it did nothing */
	g_autofree char *witness = witnesses ? g_strdup(witnesses) : tui_clean(s->witness);
	g_autofree char *time = words_time(suspect, statement);
	g_autofree char *bracketed = *time ? g_strdup_printf(" (%s)", time + 1) : g_strdup("");
	/* how many executions are changed says nothing of what the others gave */
	const bool counted = !s->execution;
	g_autofree char *turned = words_of_turned(suspect, statement);
	const char *name;
	GString *out = g_string_new(NULL);

	while (v->kind && g_strcmp0(v->kind, s->kind) != 0)
		v++;
	if (is_part_of_condition(s, clause))
		g_string_append_printf(out, "%s ", clause);
	if (!turned)
		turned = words_of_addresses(clause, actual, time);
	if (!turned)
		turned = words_of_partly_known(suspect, statement, v);
	if (turned) {
		g_string_append(out, turned);
		return g_string_free(out, FALSE);
	}
	name = v->named && !is_nameless(clause) ? clause : "";
	g_autofree char *after = tui_words_equation(name, witness);

	/* another change would give it another value */
	if (*actual && strcmp(actual, witness) == 0) {
		g_string_append_printf(out, "%s %s%s%s as before", v->would, after, v->as,
				       *v->as ? clause : "");
		return g_string_free(out, FALSE);
	}
	if (*actual) {
		g_autofree char *before = tui_words_equation(name, actual);

		g_string_append_printf(out, "%s %s%s%s%s; ", v->did, before, v->as,
				       *v->as ? clause : "",
				       all	 ? bracketed
				       : counted ? ""
						 : time);
	}
	g_string_append_printf(out, "%s %s%s%s", v->would, after, witnesses ? " in turn" : "",
			       !*actual		 ? time
			       : counted && !all ? bracketed
						 : "");
	if (s->witness_is && !is_told_by_change(suspect, s->witness_is))
		g_string_append_printf(out, " (%s)", s->witness_is);
	return g_string_free(out, FALSE);
}
