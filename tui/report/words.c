/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/report/words.h"
#include "solver/base/ordinal.h"
#include "tui/report/line.h"

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
static char *equation_text(const char *name, const char *value)
{
	if (!*name)
		return g_strdup(*value ? value : "another value");
	if (!*value)
		return g_strdup_printf("another value of %s", name);
	if (g_str_has_prefix(value, NOT_RUN)) {
		g_autofree char *would = equation_text(name, value + strlen(NOT_RUN));

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

	return *clean_value ? equation_text(clean_name, clean_value)
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
static char *values_in_turn(const struct explanation_suspect *s, unsigned statement, bool witness)
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
	g_autofree char *actual = values_in_turn(s, statement, false), *which = NULL, *of = NULL;
	g_autofree char *witness = values_in_turn(s, statement, true), *stays = NULL;
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
	g_autofree char *witnesses = values_in_turn(suspect, statement, true);
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
	g_autofree char *before = equation_text(v->named ? clause : "", actual),
			*after = equation_text(v->named ? clause : "", witness),
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
	g_autofree char *witnesses = values_in_turn(suspect, statement, true);
	g_autofree char *clause = tui_clean(s->clause);
	g_autofree char *clean = words_of_wrapped(s, tui_clean(s->actual));
	g_autofree char *all = values_in_turn(suspect, statement, false);
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
	g_autofree char *after = equation_text(name, witness);

	/* another change would give it another value */
	if (*actual && strcmp(actual, witness) == 0) {
		g_string_append_printf(out, "%s %s%s%s as before", v->would, after, v->as,
				       *v->as ? clause : "");
		return g_string_free(out, FALSE);
	}
	if (*actual) {
		g_autofree char *before = equation_text(name, actual);

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

static bool is_condition_kind(const char *kind)
{
	return g_strcmp0(kind, "condition") == 0;
}

char *tui_words_outcome(const struct explanation_suspect *s, const char *kind)
{
	g_autofree char *note = tui_clean(s->note);
	const char *colon = *note ? ": " : "";

	if (s->replay == REPLAY_PASSES)
		return g_strdup(is_condition_kind(kind)		? "it holds"
				: g_strcmp0(kind, "check") == 0 ? "the check passes"
				: s->unchecked			? "the test passes unchecked"
								: "the test passes");
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

static bool is_change_of_program(const struct explanation_statement *s)
{
	return g_strcmp0(s->kind, "code") == 0 || g_strcmp0(s->kind, "data") == 0;
}

char *tui_words_change_alone(const struct explanation_suspect *s)
{
	const struct explanation_evidence *v = s->evidence;
	const struct explanation_statement *st =
		s->statements->len ? &g_array_index(s->statements, struct explanation_statement, 0)
				   : NULL;
	g_autofree char *change = v ? tui_clean(v->change) : NULL;
	g_autofree char *in_turn = st ? values_in_turn(s, 0, true) : NULL;

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
	return g_str_has_suffix(change, " it") || strstr(change, " it, ") ||
			       strstr(change, " in line ")
		       ? ""
		       : " here";
}

char *tui_words_evidence(const struct explanation_suspect *s, const char *kind)
{
	const struct explanation_evidence *v = s->evidence;
	g_autofree char *change = v ? tui_clean(v->change) : NULL;
	g_autofree char *name = v ? tui_clean(v->contradicted) : NULL;
	g_autofree char *failing = v ? words_for_test_count(v->failing, "failing") : NULL;

	if (v && !v->passing && s->statements->len &&
	    is_change_of_program(&g_array_index(s->statements, struct explanation_statement, 0)))
		return NULL; /* the suspect says it */
	if (v && v->condition)
		return words_of_condition(v, change, failing);
	if (v && v->change && v->failing == 1 && !v->passing)
		return g_strdup_printf("%s%s: the %s passes with that, too", change,
				       words_of_where(change),
				       g_strcmp0(kind, "check") == 0 ? "check" : "test");
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
