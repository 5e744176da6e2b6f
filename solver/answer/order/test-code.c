/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/answer/order/test-code.h"

#include "solver/answer/order/evidence.h"
#include "solver/answer/order/order-private.h"
#include "solver/cause/verdict.h"
#include "solver/source/source.h"

#include <string.h>

static bool is_function_of_test(const struct explanation *e, const char *function)
{
	/* main calls the tests, of which one failed */
	const bool drives = g_strcmp0(function, "main") == 0 && e->failure.function &&
			    g_regex_match_simple("(^|_)(test|check)", e->failure.function,
						 G_REGEX_CASELESS, 0),
		   asserts = g_strcmp0(e->failure.kind, "assert") == 0 &&
			     (drives || g_strcmp0(function, e->failure.function) == 0),
		   prints = g_strcmp0(e->failure.kind, "output") == 0 &&
			    g_strcmp0(function, "main") == 0,
		   crashes = e->failure.kind && g_strcmp0(e->failure.kind, "assert") != 0 &&
			     g_strcmp0(e->failure.kind, "status") != 0 &&
			     g_strcmp0(function, "main") == 0 &&
			     g_strcmp0(e->failure.function, "main") != 0;

	return asserts || prints || crashes || verdict_is_of(e, function);
}

bool test_code_changes_input(const struct explanation *e, const char *function, const char *change)
{
	/* a number, a name or a character for another one, or `another_test' for `this_one' */
	static const char value[] = "('(\\\\.|[^'\\\\])+'|`\\w+'|[\\w.-]+)";
	g_autofree char *pattern = g_strdup_printf("^%s for %s( in .*)?$", value, value);

	/* a test asks for less, or begins with less, without one of its calls */
	return is_function_of_test(e, function) &&
	       (g_regex_match_simple(pattern, change, 0, 0) ||
		g_regex_match_simple("^the call of .* left out$", change, 0, 0));
}

/* `int lefts[] = { 3, 1, 2 };' */
static bool lists_first_values(const struct explanation_statement *st)
{
	return st->text &&
	       g_regex_match_simple("^[\\w\\s*]+\\w(\\[\\w*\\])*\\s*=\\s*\\{", st->text, 0, 0);
}

/* Where that function does all of the work itself, its numbers are no input. */
static bool has_other_functions(const struct explanation *e, const char *function)
{
	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];
		const char *of = s->statements->len ? suspect_statement(s, 0)->function : NULL;

		if (of && g_strcmp0(of, function) != 0)
			return true;
	}
	return false;
}

bool test_code_has(const struct explanation *e, const char *function)
{
	return is_function_of_test(e, function) && has_other_functions(e, function);
}

static bool changes_input(const struct explanation *e, const struct explanation_suspect *s)
{
	const struct explanation_statement *st = first_of_suspect(s);
	const char *change = has_change(s) ? s->evidence->change : NULL;

	return st && st->function && s->size == 1 && change &&
	       is_function_of_test(e, st->function) &&
	       (test_code_changes_input(e, st->function, change) || lists_first_values(st) ||
		strcmp(change, "this line and the next one exchanged") == 0) &&
	       has_other_functions(e, st->function);
}

/* Is it the check itself that the test's status tells of: the condition of `if (got != want) return
 * 1;', or that return, in the function that ends the program?  Elsewhere an error was noticed,
 * which may be the mistake. */
static bool is_check(const struct explanation *e, const struct explanation_suspect *s)
{
	const struct explanation_statement *st = first_of_suspect(s);
	const struct explanation_link *first;

	if (!st || s->size != 1 || g_strcmp0(e->failure.kind, "status") != 0 ||
	    g_strcmp0(st->function, e->failure.function) != 0)
		return false;
	if (st->text && g_regex_match_simple("^return\\s+\\w+\\s*;", st->text, 0, 0) &&
	    g_strcmp0(st->kind, "code") == 0)
		return true;
	if (s->chain->len != 2 || g_strcmp0(st->kind, "condition") != 0)
		return false;
	first = &g_array_index(e->chain, struct explanation_link,
			       g_array_index(s->chain, guint, 0));
	return first->edge == EDGE_CONTROL;
}

/* Does a check ask that function, `assert(close_to(x, 1))', `if (!close_to(got, want))'? */
static bool is_asked_by_check(const struct explanation *e, const char *function)
{
	g_autofree char *call = g_strdup_printf("\\b%s\\s*\\(", function);

	if (g_strcmp0(e->failure.kind, "assert") == 0 && e->failure.requirement)
		return g_regex_match_simple(call, e->failure.requirement, G_REGEX_ANCHORED, 0);
	for (guint i = 0; i < e->verdict->len; i++) {
		const struct explanation_verdict *v =
			&g_array_index(e->verdict, struct explanation_verdict, i);

		if (v->decides && g_strcmp0(v->function, function) != 0 &&
		    g_regex_match_simple(call, v->text, 0, 0))
			return true;
	}
	return false;
}

/* Is it the comparison with a tolerance that a check asks for: `return fabs(a - b) < 1e-6' of
 * `assert(close_to(x, 1))'?  It says whether the test fails, and not why. */
static bool is_tolerance(const struct explanation *e, const struct explanation_suspect *s)
{
	const struct explanation_statement *st = first_of_suspect(s);

	return st && st->function && st->text &&
	       g_regex_match_simple("\\bf?abs[fl]?\\s*\\(.*<", st->text, 0, 0) &&
	       is_asked_by_check(e, st->function);
}

/* The variable that begins with another value, "31 for 30 in days[3]", or that a statement changes
 * which is put there, "`fails--' put before it"; NULL: it is no such change.  Free it. */
static char *variable_changed(const struct explanation_suspect *s,
			      const struct explanation_statement *st)
{
	const bool is_data = g_strcmp0(st->kind, "data") == 0;
	const char *in = is_data && st->witness ? g_strrstr(st->witness, " in ") : NULL;
	const char *name = in		       ? in + strlen(" in ")
			   : puts_something(s) ? s->evidence->change + 1
					       : "";
	size_t n = 0;

	/* `if (a > b)' put before it changes none */
	while (source_is_word(name[n]) && !g_str_has_prefix(name, "if ("))
		n++;
	/* `p->pos' is about what p points to */
	return n && (in || !strchr(".[-", name[n]) || name[n + 1] == '-') ? g_strndup(name, n)
									  : NULL;
}

/* The line of the verdict that names that variable: what the test expects, `cases[i].want', or its
 * count of failed checks.  NULL = there is none. */
static const struct explanation_verdict *verdict_about(const struct explanation *e,
						       const struct explanation_suspect *s,
						       const struct explanation_statement *st)
{
	g_autofree char *name = variable_changed(s, st);
	g_autofree char *pattern = name ? g_strdup_printf("\\b%s\\b", name) : NULL;

	for (guint i = 0; name && i < e->verdict->len; i++) {
		const struct explanation_verdict *v =
			&g_array_index(e->verdict, struct explanation_verdict, i);

		if (g_regex_match_simple(pattern, v->text, 0, 0))
			return v;
	}
	return NULL;
}

/* The line is one by which the program finds that its test fails. */
static double cost_of_verdict(const struct explanation *e, const struct explanation_suspect *s,
			      const struct limits *l)
{
	const struct explanation_statement *st = first_of_suspect(s);
	const struct explanation_verdict *row = st ? verdict_row(e, st->file, st->line) : NULL;
	const struct explanation_verdict *about = st ? verdict_about(e, s, st) : NULL;

	if (!about && (!row || !has_other_functions(e, st->function)))
		return 0;
	row = about ? about : row;
	return cost_in_units(row->decides && !row->checks ? l->order_check : l->order_verdict);
}

double test_code_cost(const struct explanation *e, const struct explanation_suspect *s,
		      const struct limits *l)
{
	double sum = cost_of_verdict(e, s, l);

	if (changes_input(e, s))
		sum += cost_in_units(l->order_input) /
		       (g_strcmp0(e->failure.kind, "output") == 0 ? 2 : 1);
	if (is_tolerance(e, s))
		sum += cost_in_units(l->order_test_file);
	if (is_check(e, s) && !e->verdict->len)
		sum += cost_in_units(l->order_check);
	if (s->statements->len && evidence_is_of_test(e, suspect_statement(s, 0)->file))
		sum += cost_in_units(l->order_test_file);
	return sum;
}
