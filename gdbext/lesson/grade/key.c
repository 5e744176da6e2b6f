/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/lesson/grade/key.h"

#include "solver/answer/json/json-put.h"

static bool is_same_key(const GArray *a, const GArray *b)
{
	for (guint i = 0; a->len == b->len && i < a->len; i++)
		if (g_array_index(a, unsigned, i) != g_array_index(b, unsigned, i))
			return false;
	return a->len == b->len;
}

struct lesson_key *lesson_key_of(const struct lesson_variant *v, const struct lesson_truth *t)
{
	struct lesson_key *k = g_new0(struct lesson_key, 1);
	const struct explanation_suspect *of_chain = NULL;
	struct lesson_difficulty first;

	k->accepted = t->sets->len;
	k->failing = t->e->tests.failed;
	k->passing = t->e->tests.passed;
	k->difficulty.suspects = t->e->suspects->len;
	k->holds_fault = lesson_truth_accepts(t, v->faulty);
	for (guint i = 0; i < t->e->suspects->len; i++) {
		const struct explanation_suspect *s = t->e->suspects->pdata[i];
		g_autoptr(GArray) lines = lesson_truth_lines(s);

		if (k->difficulty.rank || !is_same_key(lines, v->faulty))
			continue;
		k->difficulty.rank = i + 1;
		of_chain = s;
	}
	if (!of_chain && t->e->suspects->len)
		of_chain = t->e->suspects->pdata[0];
	k->difficulty.chain =
		of_chain && of_chain->chain->len ? of_chain->chain->len : t->e->chain->len;
	k->equal = !lesson_difficulty_first(v->lesson, &first) ||
		   lesson_is_as_difficult(&first, &k->difficulty);
	return k;
}

static void add_key_lines(GString *out, const GArray *lines)
{
	for (guint i = 0; i < lines->len; i++)
		g_string_append_printf(out, "%s%u", i ? "+" : "",
				       g_array_index(lines, unsigned, i));
}

static void put_accepted(JsonBuilder *b, const struct lesson_truth *t, const struct lesson_key *k)
{
	begin_array(b, "accepted");
	for (guint i = 0; i < t->sets->len; i++) {
		g_autoptr(GString) set = g_string_new(NULL);

		add_key_lines(set, t->sets->pdata[i]);
		put_string(b, NULL, set->str);
	}
	json_builder_end_array(b);
	put_bool(b, "holds_fault", k->holds_fault);
	put_count(b, "failing", k->failing);
	put_count(b, "passing", k->passing);
	put_bool(b, "equal", k->equal);
	put_count(b, "chain", k->difficulty.chain);
	put_count(b, "suspects", k->difficulty.suspects);
	put_count(b, "rank", k->difficulty.rank);
}

static char *key_as_json(const struct lesson_variant *v, const struct lesson_truth *t)
{
	g_autoptr(JsonBuilder) b = json_builder_new();
	g_autoptr(GString) fault = g_string_new(NULL);
	g_autofree struct lesson_key *k = t ? lesson_key_of(v, t) : NULL;
	g_autofree char *name = lesson_variant_name(v);

	add_key_lines(fault, v->faulty);
	json_builder_begin_object(b);
	put_string(b, "lesson", v->lesson->name);
	put_string(b, "seed", v->seed);
	put_string(b, "variant", name);
	put_string(b, "fault", fault->str);
	if (k)
		put_accepted(b, t, k);
	json_builder_end_object(b);
	return put_end(b, true);
}

static void add_set(GString *out, const struct lesson_variant *v, const GArray *set)
{
	for (guint i = 0; i < set->len; i++) {
		unsigned line = g_array_index(set, unsigned, i);
		g_autofree char *text = lesson_line_text(v->program, line);
		g_autofree char *said = lesson_rename(v, text);

		g_string_append_printf(out, "  %s program.c:%-4u %s\n", i ? "and" : "   ", line,
				       said);
	}
}

static void add_accepted(GString *out, const struct lesson_variant *v, const struct lesson_truth *t)
{
	g_autofree struct lesson_key *k = lesson_key_of(v, t);

	g_string_append_printf(out, "accepted, because other values there make all tests pass:%s\n",
			       k->accepted ? "" : " nothing");
	for (guint i = 0; i < t->sets->len; i++)
		add_set(out, v, t->sets->pdata[i]);
	if (!k->holds_fault)
		g_string_append(out, "The fault is not among them: give the suite more tests, "
				     "let the program check a number rather than a text that the "
				     "C library made, or say --timeout.\n");
	if (!k->equal)
		g_string_append(out, "It is not as difficult as the lesson's first variant.\n");
	g_string_append_printf(out,
			       "%u tests fail, %u pass; %u links from the fault to the failure, "
			       "%u explanations, the fault is number %u\n",
			       k->failing, k->passing, k->difficulty.chain, k->difficulty.suspects,
			       k->difficulty.rank);
}

char *lesson_key_text(const struct lesson_variant *v, const struct lesson_truth *t,
		      enum lesson_format format)
{
	GString *out;

	if (format == LESSON_JSON)
		return key_as_json(v, t);
	out = g_string_new("the fault:\n");
	add_set(out, v, v->faulty);
	if (t)
		add_accepted(out, v, t);
	return g_string_free(out, FALSE);
}
