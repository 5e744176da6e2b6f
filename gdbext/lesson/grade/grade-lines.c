/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Judges answered lines by what the engine proved. */
#include "gdbext/lesson/grade/grade.h"

#include <string.h>

/* Points of 100 for a line that is not the whole fault; the handbook tells them to students. */
enum { PART_OF_SET = 60, ON_THE_WAY = 40 };

/* What is known of a line in the failing run. */
struct known {
	const struct explanation_suspect *alone;    /* that changes it alone; NULL = none */
	const struct explanation_line_value *value; /* of what the failure depends on */
	bool on_way, failed;			    /* failed: the check that failed */
	bool still_right;			    /* the wrong value comes into being after it */
	bool has_code, executed;
};

static bool has_line(const GArray *set, unsigned line)
{
	for (guint i = 0; i < set->len; i++)
		if (g_array_index(set, unsigned, i) == line)
			return true;
	return false;
}

static bool is_lesson_program(const char *file)
{
	return file && g_str_has_suffix(file, "/program.c");
}

static void match_lines_of_suspects(const struct explanation *e, unsigned line, struct known *k)
{
	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];
		bool all = s->statements->len > 0;

		for (guint j = 0; j < s->statements->len; j++) {
			const struct explanation_statement *st =
				&g_array_index(s->statements, struct explanation_statement, j);

			k->on_way |= st->line == line;
			all &= st->line == line;
		}
		if (all && !k->alone)
			k->alone = s;
	}
}

static void look_at_links(const GArray *links, unsigned line, struct known *k)
{
	for (guint i = 0; i < links->len; i++) {
		const struct explanation_link *l =
			&g_array_index(links, struct explanation_link, i);

		k->on_way |= l->line == line && is_lesson_program(l->file);
	}
}

/* Where the line stands among those whose values are known, 0 = it gave its value last; their
 * number: nowhere. */
static guint order_of_line(const struct explanation *e, unsigned line)
{
	guint i = 0;

	for (; i < e->line_values->len; i++) {
		const struct explanation_line_value *v =
			&g_array_index(e->line_values, struct explanation_line_value, i);

		if (v->line == line && is_lesson_program(v->file))
			break;
	}
	return i;
}

/* How often the failing test executed the line; 0 = not known. */
static uint64_t executions_of_line(const struct explanation *e, unsigned line)
{
	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];

		for (guint j = 0; j < s->statements->len; j++) {
			const struct explanation_statement *st =
				&g_array_index(s->statements, struct explanation_statement, j);

			if (st->line == line)
				return st->executions;
		}
	}
	return 0;
}

/* Did the line give its last value before the fault was executed, for the only time?  Until then
 * the program had done the same as the golden one. */
static bool is_before_fault(const struct lesson_variant *v, const struct lesson_truth *t,
			    unsigned line)
{
	unsigned fault = g_array_index(v->faulty, unsigned, 0);
	guint place = order_of_line(t->e, line);

	return v->faulty->len == 1 && place < t->e->line_values->len &&
	       order_of_line(t->e, fault) < place && executions_of_line(t->e, fault) == 1;
}

static struct known look_at_line(const struct lesson_truth *t, unsigned line)
{
	const struct explanation *e = t->e;
	bool failed = e->failure.line == line;
	struct known k = { .on_way = failed, .failed = failed };

	match_lines_of_suspects(e, line, &k);
	look_at_links(e->chain, line, &k);
	look_at_links(e->opening, line, &k);
	if (order_of_line(e, line) < e->line_values->len)
		k.value = &g_array_index(e->line_values, struct explanation_line_value,
					 order_of_line(e, line));
	k.on_way |= k.value != NULL;
	for (guint i = 0; i < e->sources->len; i++) {
		const struct explanation_source *source = e->sources->pdata[i];

		for (guint j = 0; is_lesson_program(source->file) && j < source->coverage->len;
		     j++) {
			const struct explanation_coverage *c =
				&g_array_index(source->coverage, struct explanation_coverage, j);

			if (c->line == line) {
				k.has_code = true;
				k.executed = c->executed;
			}
		}
	}
	return k;
}

/* In the student's names. */
static char *was_in_student_names(const struct lesson_variant *v, const char *name,
				  const char *value)
{
	g_autofree char *its = lesson_rename(v, name), *said = lesson_rename(v, value);

	return g_strdup_printf("%s was %s", its, said);
}

static char *there_in_student_names(const struct lesson_variant *v, const char *name,
				    const char *value)
{
	g_autofree char *said = was_in_student_names(v, name, value);

	return g_strdup_printf("; %s there in the failing test", said);
}

static char *in_line(const struct lesson_variant *v, unsigned line, const char *name,
		     const char *value)
{
	g_autofree char *said = was_in_student_names(v, name, value);

	return g_strdup_printf("; in line %u, %s", line, said);
}

/* "; m was 1 there in the failing test", "" = no value is known. */
static char *value_in_failing_test(const struct lesson_variant *v, const struct lesson_truth *t,
				   const struct known *k)
{
	const struct explanation_value *failed =
		k->failed && t->e->failure.values->len
			? &g_array_index(t->e->failure.values, struct explanation_value, 0)
			: NULL;
	const struct explanation_statement *st =
		k->alone ? &g_array_index(k->alone->statements, struct explanation_statement, 0)
			 : NULL;

	if (k->value && k->value->value.name && k->value->value.value)
		return there_in_student_names(v, k->value->value.name, k->value->value.value);
	if (st && st->clause && st->actual)
		return there_in_student_names(v, st->clause, st->actual);
	return failed ? there_in_student_names(v, failed->name, failed->value) : g_strdup("");
}

static const char *contradiction_of_known(const struct known *k)
{
	return k->alone && k->alone->evidence ? k->alone->evidence->contradicted : NULL;
}

/* What the line above that the failing test executed last, in the function, gave there: that may
 * have kept the test from the line.  NULL = it is not known; free it. */
static char *decision_above(const struct lesson_variant *v, const struct lesson_truth *t,
			    unsigned line)
{
	unsigned first = line, last;
	g_autofree char *function = lesson_function_of(v, line, &first, &last);

	for (unsigned above = line - 1; function && above >= first; above--) {
		struct known k = look_at_line(t, above);
		const struct explanation_statement *st =
			k.alone ? &g_array_index(k.alone->statements, struct explanation_statement,
						 0)
				: NULL;

		if (st && g_strcmp0(st->kind, "condition") == 0 && st->clause && st->actual)
			return in_line(v, above, st->clause, st->actual);
		if (k.executed)
			return k.value && k.value->value.name && k.value->value.value
				       ? in_line(v, above, k.value->value.name,
						 k.value->value.value)
				       : NULL;
	}
	return NULL;
}

/* Why this line, alone, is not right. */
static char *reason_against_line(const struct lesson_variant *v, const struct lesson_truth *t,
				 unsigned line, const struct known *k)
{
	g_autofree char *value = value_in_failing_test(v, t, k);

	if (k->still_right)
		return g_strdup_printf("the failing test comes there before anything is wrong%s, "
				       "as it should be. Go on forwards: what is made of it?",
				       value);
	if (t->e->failure.line && k->on_way && contradiction_of_known(k))
		return g_strdup_printf("another value here would mend the failing test, but a test "
				       "that passes does the same here with the same operands, and "
				       "would fail then%s. What the line gets is wrong already: "
				       "where does that come from?",
				       value);
	if (k->on_way)
		return g_strdup_printf("it is on the way to the failure, but a change of it alone "
				       "does not make all tests pass%s. Go on backwards: which "
				       "line gave it its values?",
				       value);
	if (k->executed) {
		g_autofree char *text = lesson_line_text(v->program, line);

		return g_strdup_printf("the failing test executes it, but nothing that the line "
				       "itself computes comes to the check that failed%s.",
				       strchr(text, '(') ? "; functions that it calls have lines "
							   "of their own"
							 : "");
	}
	if (k->has_code) {
		g_autofree char *above = decision_above(v, t, line);

		return g_strdup_printf("the failing test never comes there%s.", above ? above : "");
	}
	return g_strdup("it has no code that the failing test could execute.");
}

/* How many of the answered lines a set has, at most, and whether it has all of its own. */
static unsigned overlap_with_answer(const struct lesson_truth *t, const GArray *lines, bool *whole)
{
	unsigned most = 0;

	*whole = false;
	for (guint i = 0; i < t->sets->len; i++) {
		const GArray *set = t->sets->pdata[i];
		unsigned n = 0;

		for (guint k = 0; k < set->len; k++)
			n += has_line(lines, g_array_index(set, unsigned, k));
		*whole |= n == set->len;
		most = MAX(most, n);
	}
	return most;
}

static bool alone_is_right(const struct lesson_truth *t, unsigned line)
{
	g_autoptr(GArray) one = g_array_new(FALSE, FALSE, sizeof(unsigned));

	g_array_append_val(one, line);
	return lesson_truth_accepts(t, one);
}

static void say_reasons(struct lesson_grade *g, const struct lesson_variant *v,
			const struct lesson_truth *t, const GArray *lines, bool *on_way)
{
	for (guint i = 0; i < lines->len; i++) {
		unsigned line = g_array_index(lines, unsigned, i);
		struct known k = look_at_line(t, line);
		bool right = alone_is_right(t, line);
		g_autofree char *name = g_strdup_printf("program.c:%u", line);
		g_autofree char *why = NULL;

		k.still_right = !right && is_before_fault(v, t, line);
		why = reason_against_line(v, t, line, &k);
		*on_way |= k.on_way && !k.still_right;
		lesson_grade_check(g, name, right, right ? NULL : why);
		if (!right)
			lesson_grade_say(g, "%s: %s", name, why);
	}
}

static void say_right_line(struct lesson_grade *g, const struct lesson_variant *v,
			   const struct lesson_truth *t, const GArray *lines)
{
	g_autofree char *final = lesson_say(v, v->lesson->final);

	for (guint i = 0; i < lines->len; i++) {
		g_autofree char *name =
			g_strdup_printf("program.c:%u", g_array_index(lines, unsigned, i));

		lesson_grade_check(g, name, true, NULL);
	}
	lesson_grade_say(g,
			 "Proven: with other values there, all %u failing hidden tests pass, and "
			 "none of the %u passing ones speaks against it.",
			 t->e->tests.failed, t->e->tests.passed);
	if (*final)
		lesson_grade_say(g, "The last question: %s", final);
}

void lesson_grade_lines(struct lesson_grade *g, const struct lesson_variant *v,
			const struct lesson_truth *t, const GArray *lines)
{
	bool whole, on_way = false;
	unsigned found = overlap_with_answer(t, lines, &whole);

	if (!lines->len)
		return;
	if (lesson_truth_accepts(t, lines)) {
		g->verdict = LESSON_RIGHT;
		g->points = 100;
		say_right_line(g, v, t, lines);
		return;
	}
	say_reasons(g, v, t, lines, &on_way);
	if (whole)
		lesson_grade_say(g, "Fewer of these lines are enough: name only what has to be "
				    "changed.");
	else if (found)
		lesson_grade_say(g, "That is one of several places that have to be changed "
				    "together; the failing tests that are left show the others.");
	g->points = found ? PART_OF_SET : on_way ? ON_THE_WAY : 0;
	/* naming half of the program is no answer */
	if (lines->len > 4)
		g->points = 0;
	g->verdict = g->points ? LESSON_PARTIAL : LESSON_WRONG;
}
