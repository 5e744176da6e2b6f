/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/answer/order/plausibility.h"

#include "solver/answer/order/order-private.h"
#include "solver/answer/order/test-code.h"
#include "solver/cause/verdict.h"
#include "solver/source/source.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool asks_what_others_decide(const struct explanation_statement *st)
{
	/* `if (found)': what it was set to is wrong more often than that it is asked for */
	static const char asks[] =
		"^(\\}?\\s*else\\s+)?if\\s*\\(\\s*!?\\s*\\w+\\s*(==\\s*[01]\\s*)?\\)";

	/* `if (is_leap(year))', but not `if (isdigit(c))', nor the head of a loop: that is decided
	 * in the function */
	static const char decides[] =
		"^!?\\s*(?!(is|to)[a-z]+\\b|(str|mem|wcs)[a-z]+\\b)\\w+\\s*\\([^()]*\\)$";

	return g_regex_match_simple(asks, st->text, 0, 0) ||
	       (st->clause && !g_regex_match_simple("^(for|while)\\b", st->text, 0, 0) &&
		g_regex_match_simple(decides, st->clause, 0, 0));
}

/* "return v;", "int v = expr();", "f(x, y);": what is wrong is more often made elsewhere. */
static bool hands_on(const struct explanation_statement *st)
{
	static const char copies[] = "^(return\\s+\\w+\\s*;|[\\w\\s*]*\\w+\\s*=\\s*\\w+\\s*;|"
				     "[\\w\\s*]*\\w+\\s*=\\s*\\w+\\s*\\(.*\\)\\s*;)";

	if (g_strcmp0(st->kind, "call") == 0)
		return true;
	if (st->text && g_strcmp0(st->kind, "condition") == 0)
		return asks_what_others_decide(st);
	/* `status = 0;', where it had another value before */
	if (st->text && g_regex_match_simple("^[\\w.>-]+\\s*=\\s*-?\\d+\\s*;", st->text, 0, 0))
		return false;
	/* what only a change of the code names may lack something behind it, and the number that a
	 * variable begins with comes from nowhere else */
	return st->text && g_strcmp0(st->kind, "code") != 0 && g_strcmp0(st->kind, "data") != 0 &&
	       g_regex_match_simple(copies, st->text, 0, 0);
}

/* A whole number; false for other values. */
static bool whole_number_of(const char *text, double *out)
{
	char *end;

	if (!text || !*text)
		return false;
	*out = g_ascii_strtod(text, &end);
	return *end == '\0' && isfinite(*out);
}

/* A value that only means something once it overflowed, as discount = 171798702.  The ends of a
 * type's range are what people write. */
static bool overflows_by_chance(double actual, double witness)
{
	const double size = fabs(witness);

	return size >= 1 << 24 && fabs(actual) < 1 << 16 && size != INT32_MAX &&
	       size != -(double)INT32_MIN && size != UINT32_MAX && size < (double)INT64_MAX;
}

static double cost_of_value(const struct explanation_statement *st, const struct limits *l)
{
	double actual, witness;
	int64_t less;

	if (!whole_number_of(st->actual, &actual) || !whole_number_of(st->witness, &witness))
		return 0;
	if (explanation_wrapped(st, &less))
		actual = (double)less;
	return MIN(cost_in_units(l->order_far_bit) * log2(1 + fabs(actual - witness)),
		   cost_in_units(l->order_far_value)) +
	       (overflows_by_chance(actual, witness) ? cost_in_units(l->order_overflow) : 0);
}

/* A pointer was given to something that has no name, for something else that has none. */
static bool is_any_address(const struct explanation_statement *st)
{
	return g_strcmp0(st->actual, "one address") == 0 &&
	       g_strcmp0(st->witness, "another address") == 0;
}

/* The store goes to a place where no variable, member or element begins: "storing to 16 bytes
 * before it". */
static bool goes_astray(const struct explanation_statement *st)
{
	return is_any_address(st) ||
	       (g_strcmp0(st->kind, "store") == 0 && st->witness &&
		g_regex_match_simple("^\\d+ bytes? (before|after) it($|,)", st->witness, 0, 0));
}

/* A loop that ends earlier dodges the failure.  A line that looks at the program's arguments
 * decides what the run is to do; the fault is rather in how the run does it. */
static double cost_of_place(const struct explanation_statement *st, const struct limits *l)
{
	bool loop = st->text &&
		    (g_str_has_prefix(st->text, "for") || g_str_has_prefix(st->text, "while"));
	bool checks = loop || g_strcmp0(st->kind, "condition") == 0;
	double sum = 0;

	if (loop && g_strcmp0(st->kind, "condition") == 0 && g_strcmp0(st->witness, "false") == 0)
		sum += cost_in_units(l->order_fewer_rounds);
	if (st->text && g_regex_match_simple("\\b(argc|argv)\\b", st->text, 0, 0))
		sum += cost_in_units(checks ? l->order_argument_check : l->order_arguments);
	return sum;
}

/* Does the line give the variable a number as it stands in the source?  Another one is a small
 * change of it, unless it is far from all others.  Where a loop begins is not meant. */
static bool gives_constant(const struct explanation_suspect *s)
{
	const struct explanation_statement *st = first_of_suspect(s);
	g_autofree char *variable = NULL, *pattern = NULL;

	if (!st || has_change(s) || !st->text || !st->clause ||
	    g_strcmp0(st->kind, "assignment") != 0 || g_str_has_prefix(st->text, "for"))
		return false;
	variable = g_strndup(st->clause, strcspn(st->clause, "[.- "));
	pattern = g_strdup_printf("\\b%s(\\[\\w*\\])*\\s*=\\s*(\\{|-?[\\d.]+[uUlLfF]*\\s*[;,])",
				  variable);
	return *variable && source_is_word(*variable) &&
	       g_regex_match_simple(pattern, st->text, 0, 0);
}

static double cost_of_slip(const struct explanation_suspect *s, const struct limits *l)
{
	if (has_change(s))
		return s->evidence->effort - 1;
	return s->statements->len && g_strcmp0(suspect_statement(s, 0)->actual, "NULL") == 0
		       ? cost_in_units(l->order_null)
		       : cost_in_units(l->order_no_slip);
}

static bool is_null(const struct explanation_link *row)
{
	for (guint i = 0; row->values && i < row->values->len; i++)
		if (g_strcmp0(g_array_index(row->values, struct explanation_value, i).value,
			      "NULL") == 0)
			return true;
	return false;
}

/* Did the NULL that the failure followed come through that line?  There, a check of it would
 * stand. */
static bool null_came_through(const struct explanation *e, const struct explanation_statement *st)
{
	for (guint i = 0; i < e->opening->len; i++) {
		const struct explanation_link *row =
			&g_array_index(e->opening, struct explanation_link, i);

		if (row->line == st->line && g_strcmp0(row->file, st->file) == 0 && is_null(row))
			return true;
	}
	return false;
}

static bool had_null_at_hand(const struct explanation *e, const struct explanation_suspect *s)
{
	return s->statements->len && null_came_through(e, suspect_statement(s, 0)) &&
	       g_strcmp0(suspect_statement(s, 0)->kind, "condition") == 0;
}

/* The decision itself that let an access be made which crashed: the check that is wrong there is
 * the first thing that a programmer looks at. */
static bool guards_crash(const struct explanation *e, const struct explanation_suspect *s)
{
	return s->distance == 1 && g_strcmp0(e->failure.kind, "signal") == 0 &&
	       s->statements->len && g_strcmp0(suspect_statement(s, 0)->kind, "condition") == 0;
}

bool plausibility_dodges(const struct explanation *e, const struct explanation_suspect *s)
{
	return s->unchecked || (s->avoids && !had_null_at_hand(e, s) && !guards_crash(e, s));
}

/* Another number than one or two more or less, or another letter, which meets an assertion by
 * chance. */
static bool is_far_constant(const struct explanation *e, const struct explanation_suspect *s)
{
	const bool checks = g_strcmp0(e->failure.kind, "assert") == 0 || e->verdict->len > 0;
	g_auto(GStrv) words =
		has_change(s) && checks ? g_strsplit(s->evidence->change, " ", 0) : NULL;
	double to, from;

	if (!words || g_strv_length(words) < 3 || !g_str_equal(words[1], "for"))
		return false;
	return *words[0] == '\'' || (whole_number_of(words[0], &to) &&
				     whole_number_of(words[2], &from) && fabs(to - from) > 2);
}

static bool is_check_of_null(const char *change, const char *pointer)
{
	g_autofree char *name = pointer ? g_regex_escape_string(pointer, -1) : NULL;
	g_autofree char *pattern =
		g_strdup_printf("^`(if \\(%s == NULL\\) return|%s != NULL' checked)",
				name ? name : ".*", name ? name : ".*");

	return g_regex_match_simple(pattern, change, 0, 0);
}

/* Is its change the check of the pointer that was NULL, in the function that crashed, or in a line
 * through which it came there? */
static bool checks_null(const struct explanation *e, const struct explanation_suspect *s)
{
	const GArray *values = e->failure.values;
	bool does = false;

	if (!has_change(s) || g_strcmp0(e->failure.kind, "signal") != 0 || !s->statements->len)
		return false;
	if (null_came_through(e, suspect_statement(s, 0)))
		return is_check_of_null(s->evidence->change, NULL);
	if (g_strcmp0(suspect_statement(s, 0)->function, e->failure.function) != 0)
		return false;
	for (guint i = 0; i < values->len && !does; i++) {
		const struct explanation_value *v =
			&g_array_index(values, struct explanation_value, i);

		does = g_strcmp0(v->value, "NULL") == 0 &&
		       is_check_of_null(s->evidence->change, v->name);
	}
	return does;
}

/* Do few other changes mend but of the test's own checks and input?  Hundreds of statements are
 * tried then, so one that mends does not do so by chance. */
static bool is_one_of_few_changes(const struct explanation *e)
{
	enum { FEW = 4 };
	unsigned n = 0;

	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];
		const struct explanation_statement *st = first_of_suspect(s);

		n += has_change(s) && st && !verdict_row(e, st->file, st->line) &&
		     !test_code_changes_input(e, st->function, s->evidence->change);
	}
	return n <= FEW;
}

/* A statement, or a word as `break', is put where the program has none, or another line comes
 * first: it is no wonder that the line computes nothing that the failure depends on, and few such
 * changes meet a check by chance. */
static bool is_put_there(const struct explanation *e, const struct explanation_suspect *s,
			 const struct limits *l)
{
	return puts_something(s) &&
	       (g_strcmp0(e->failure.kind, "output") == 0 ||
		s->evidence->effort <= cost_in_units(MAX(l->slip_missing, l->slip_order)) ||
		is_one_of_few_changes(e));
}

/* No value that the line computes mends the run, or none was found.  Many changes of the code meet
 * a check, an exit status or the end of a crash by chance. */
static bool is_unnamed(const struct explanation *e, const struct explanation_suspect *s)
{
	static const char *const by_chance[] = { "assert", "signal", "status", NULL };

	return !s->called_back && e->failure.kind && g_strv_contains(by_chance, e->failure.kind) &&
	       s->statements->len && g_strcmp0(suspect_statement(s, 0)->kind, "code") == 0;
}

/* Is it a value that a variable begins with, of which nobody knows how far it is to the failure?
 * Many meet a check by chance, and few all of the output. */
static bool is_first_value(const struct explanation *e, const struct explanation_suspect *s)
{
	return g_strcmp0(e->failure.kind, "output") != 0 && !s->chain->len && !s->distance &&
	       s->statements->len && g_strcmp0(suspect_statement(s, 0)->kind, "data") == 0;
}

/* How far it is to the failure.  That nobody knows it, of a line that was only executed late, does
 * not make it near. */
static double cost_of_way(const struct explanation *e, const struct explanation_suspect *s,
			  const struct limits *l)
{
	bool unknown = !s->chain->len && !s->distance && s->statements->len &&
		       g_strcmp0(suspect_statement(s, 0)->kind, "code") == 0 && !is_unnamed(e, s);

	const uint64_t hops = unknown ? l->order_hops : MIN(s->chain->len, l->order_hops),
		       statements = unknown ? l->order_hops / 2 : MIN(s->distance, l->order_hops);

	const double calls =
		cost_in_units(l->order_call) * (double)MIN(s->calls_since, l->order_calls);

	if (is_put_there(e, s, l) || is_first_value(e, s))
		return cost_in_units(l->order_hop) * (double)l->order_hops / 2 + calls;
	return cost_in_units(l->order_hop) * (double)hops +
	       cost_in_units(l->order_distance) * (double)statements + calls;
}

/* Nobody wants that, whatever mends the test. */
static bool makes_value_wrap(const struct explanation_suspect *s)
{
	int64_t less;

	return s->size == 1 && s->statements->len &&
	       explanation_wrapped(suspect_statement(s, 0), &less);
}

/* "0 for 1", where 1 is passed: a number that is written in the call comes from nowhere else. */
static bool passes_other_number(const struct explanation_suspect *s)
{
	const struct explanation_statement *st =
		s->size == 1 && s->statements->len ? suspect_statement(s, 0) : NULL;
	g_autofree char *change = NULL;

	if (!st || !has_change(s) || !st->actual || !st->witness ||
	    g_strcmp0(st->kind, "call") != 0)
		return false;
	change = g_strdup_printf("%s for %s", st->witness, st->actual);
	return strcmp(change, s->evidence->change) == 0;
}

/* Does its change meet all of several failed checks, and not by another input? */
static bool meets_all_checks(const struct explanation *e, const struct explanation_suspect *s)
{
	const struct explanation_statement *st = first_of_suspect(s);

	return st && has_change(s) && s->evidence->whole &&
	       !test_code_changes_input(e, st->function, s->evidence->change);
}

/* Does another suspect's change meet all of the failed checks, and nothing known of this one? */
static bool leaves_other_checks(const struct explanation *e, const struct explanation_suspect *s)
{
	bool known = false;

	for (guint i = 0; i < e->suspects->len && !known; i++)
		known = meets_all_checks(e, e->suspects->pdata[i]);
	return known && !meets_all_checks(e, s);
}

double plausibility_cost(const struct explanation *e, const struct explanation_suspect *s,
			 const struct limits *l)
{
	double sum = cost_of_slip(s, l) +
		     (plausibility_dodges(e, s) ? cost_in_units(l->order_unchecked) : 0);
	double most = 0;

	for (guint i = 0; i < s->statements->len; i++) {
		const struct explanation_statement *st = suspect_statement(s, i);

		/* what a small change stores to is something that the source can name */
		sum += cost_of_place(st, l) +
		       (goes_astray(st) && !has_change(s) ? cost_in_units(l->order_astray) : 0);
		most = MAX(most, cost_of_value(st, l));
		if (st->changes > 1)
			most = MAX(most, cost_in_units(l->order_executions));
	}
	/* a small change of the line has a cost of its own, whatever values do the same */
	if (has_change(s))
		most = 0;
	/* a search that was cut may have missed the value */
	if (checks_null(e, s))
		sum = MAX(0, sum - cost_in_units(l->order_null_check));
	else if (is_unnamed(e, s) && !is_put_there(e, s, l))
		sum += cost_in_units(l->order_unnamed) / (e->complete ? 1 : 2);
	/* "`+=' for `=' here": the line has to do more than to hand on */
	if (s->statements->len && hands_on(suspect_statement(s, 0)) && !passes_other_number(s) &&
	    !(has_change(s) && g_regex_match_simple("^`\\S+=' for `='", s->evidence->change, 0, 0)))
		sum += cost_in_units(l->order_hands_on);
	if (s->size > 1)
		sum += cost_in_units(l->order_line) * (s->size - 1);
	if (is_far_constant(e, s))
		sum += cost_in_units(l->order_far_constant);
	sum += test_code_cost(e, s, l);
	if (leaves_other_checks(e, s))
		sum += cost_in_units(l->order_other_checks);
	if (gives_constant(s))
		sum += cost_in_units(l->order_constant);
	sum += most + cost_of_way(e, s, l);
	return makes_value_wrap(s) ? MAX(0, sum - cost_in_units(l->order_wrapped)) : sum;
}

struct placed {
	struct explanation_suspect *suspect;
	double weight, cost;
};

/* A change that mends the first of several differences tells less than one that mends all, and more
 * than one that mends none. */
static double weight_of_replay(const struct explanation_suspect *s, const struct limits *l)
{
	return s->replay == REPLAY_PASSES ? 1
	       : s->further_to		  ? (double)l->order_further / 100
					  : (double)l->order_unproven / 100;
}

static gint likelier_suspect_first(gconstpointer a, gconstpointer b)
{
	const struct placed *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	if (x->cost != y->cost)
		return x->cost < y->cost ? -1 : 1;
	return x->suspect->rank < y->suspect->rank ? -1 : x->suspect->rank > y->suspect->rank;
}

static gint higher_first(gconstpointer a, gconstpointer b)
{
	const struct explanation_line *x = a, *y = b;

	return x->score > y->score ? -1 : x->score < y->score;
}

/* A line's score is that of its first suspect. */
static void score_lines_by_suspect(struct explanation *e)
{
	for (guint i = 0; i < e->lines->len; i++) {
		struct explanation_line *l = &g_array_index(e->lines, struct explanation_line, i);
		bool scored = false;

		for (guint k = 0; k < e->suspects->len && !scored; k++) {
			const struct explanation_suspect *s = e->suspects->pdata[k];

			for (guint j = 0; j < s->statements->len; j++)
				scored |= suspect_statement(s, j)->line == l->line &&
					  g_strcmp0(suspect_statement(s, j)->file, l->file) == 0;
			if (scored)
				l->score = s->score;
		}
	}
	g_array_sort(e->lines, higher_first);
}

void plausibility_order(struct explanation *e, const struct limits *limits)
{
	g_autoptr(GArray) placed = g_array_new(FALSE, FALSE, sizeof(struct placed));

	for (guint i = 0; i < e->suspects->len; i++) {
		struct explanation_suspect *s = e->suspects->pdata[i];
		struct placed p = { s, weight_of_replay(s, limits),
				    plausibility_cost(e, s, limits) };

		g_array_append_val(placed, p);
	}
	g_array_sort(placed, likelier_suspect_first);
	for (guint i = 0; i < placed->len; i++) {
		const struct placed *p = &g_array_index(placed, struct placed, i);

		e->suspects->pdata[i] = p->suspect;
		p->suspect->rank = i + 1;
		p->suspect->score = p->weight / (1 + p->cost);
	}
	score_lines_by_suspect(e);
}
