/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/specs/specs-report.h"

#include "solver/answer/json/json-put.h"
#include "solver/answer/json/json.h"

enum { SCHEMA = 1 };

struct specs_json {
	const struct specs_subject *s;
	const struct said *said;
	char *const *arguments;
	char *no_states;
	GPtrArray *notes; /* char *, then NULL at the end */
	JsonBuilder *b;	  /* stands among the faults, until specs_json_tests */
	bool has_tests;
	bool is_open; /* a fault was begun by specs_json_violation */
};

static void put_rating_number(JsonBuilder *b, const char *name, double value)
{
	json_builder_set_member_name(b, name);
	json_builder_add_double_value(b, value);
}

static void put_strings(JsonBuilder *b, const char *name, char *const *words)
{
	begin_array(b, name);
	for (; *words; words++)
		put_string(b, NULL, *words);
	json_builder_end_array(b);
}

struct specs_json *specs_json_new(const struct specs_subject *s, const struct options *o,
				  const struct said *said)
{
	struct specs_json *j = g_new0(struct specs_json, 1);

	j->s = s;
	j->said = said;
	j->arguments = o->program + 1;
	j->notes = g_ptr_array_new_with_free_func(g_free);
	j->b = json_builder_new();
	json_builder_begin_object(j->b);
	put_count(j->b, "schema", SCHEMA);
	put_string(j->b, "program", image_path(s->image));
	put_strings(j->b, "arguments", j->arguments);
	put_string(j->b, "specification", s->spec->path);
	begin_array(j->b, "faults");
	return j;
}

/* ---- parts of a fault ---- */

static void put_constraint(struct specs_json *j, unsigned number)
{
	const struct spec_constraint *c = spec_constraint(j->s->spec, number);

	json_builder_begin_object(j->b);
	put_string(j->b, "name", c->rule->predicate);
	put_string(j->b, "file", c->rule->file);
	put_count(j->b, "line", c->rule->line);
	put_string(j->b, "expression", c->call);
	put_string(j->b, "at", c->at_exit ? "return" : "call");
	json_builder_end_object(j->b);
}

static void put_constraints(struct specs_json *j, const char *name, locate_set set)
{
	begin_array(j->b, name);
	for (unsigned i = 0; i < j->s->spec->constraints->len && i < SPEC_MOST_CONSTRAINTS; i++)
		if (set >> i & 1)
			put_constraint(j, i);
	json_builder_end_array(j->b);
}

static void put_violated(struct specs_json *j, locate_set violated)
{
	put_constraints(j, "violates", violated);
	put_bool(j->b, "crashes", violated & STUDY_CRASHED);
}

static void put_test(struct specs_json *j, const char *name, const struct study_test *t)
{
	g_autofree char *state = t->state ? specs_input_words(j->s, t) : NULL;

	if (name)
		json_builder_set_member_name(j->b, name);
	json_builder_begin_object(j->b);
	put_strings(j->b, "arguments", t->argv + 1);
	put_string(j->b, "state", state);
	put_string(j->b, "made_by", t->state ? t->calls : NULL);
	put_string(j->b, "input", t->text);
	put_count(j->b, "call", t->call);
	put_violated(j, t->violated);
	put_string(j->b, "said", specs_said_of(j->s, j->said, t));
	json_builder_end_object(j->b);
}

static void put_rating(struct specs_json *j, const struct locate_rating *r)
{
	unsigned line;
	g_autofree char *file = specs_statement(r->statement, &line);
	g_autofree char *text = specs_source(j->s, r->statement);

	json_builder_begin_object(j->b);
	put_count(j->b, "rank", r->rank);
	put_string(j->b, "file", file);
	put_count(j->b, "line", line);
	put_string(j->b, "text", text);
	put_rating_number(j->b, "suspiciousness", r->suspiciousness);
	put_rating_number(j->b, "confidence", r->confidence);
	put_bool(j->b, "suspect", r->suspect);
	put_rating_number(j->b, "mends", r->mends);
	json_builder_end_object(j->b);
}

static void put_rounds(struct specs_json *j, const struct study_fault *f, const char *first)
{
	begin_array(j->b, "rounds");
	for (guint i = 0; i < f->chosen->len; i++) {
		const struct study_test *t = f->chosen->pdata[i];

		json_builder_begin_object(j->b);
		put_test(j, "test", t);
		put_bool(j->b, "executed", g_hash_table_contains(t->lines, first));
		put_count(j->b, "rank", specs_rank_in(f->ratings->pdata[i + 1], first));
		json_builder_end_object(j->b);
	}
	json_builder_end_array(j->b);
}

static void put_causes_of_why(struct specs_json *j, const struct specs_why *why)
{
	g_autofree char *causes = why && why->causes ? tui_json_causes(why->causes, "why") : NULL;
	g_autofree char *answer =
		why && why->is_asked && why->q.e->failure.kind ? tui_json(why->q.e) : NULL;

	put_string(j->b, "called_with", why ? why->called_with : NULL);
	put_document(j->b, "causes", causes);
	put_document(j->b, "explanation", answer);
}

/* ---- faults ---- */

void specs_json_fault(struct specs_json *j, const struct study_fault *f)
{
	const GArray *ratings = f->ratings->pdata[f->ratings->len - 1];
	const char *first = g_array_index(ratings, struct locate_rating, 0).statement;

	json_builder_begin_object(j->b);
	put_test(j, "test", f->first);
	put_constraints(j, "constraints", f->constraints);
	put_string(j->b, "no_core", f->why_not);
	begin_array(j->b, "statements");
	for (guint i = 0; i < ratings->len; i++)
		put_rating(j, &g_array_index(ratings, struct locate_rating, i));
	json_builder_end_array(j->b);
	put_rounds(j, f, first);
	put_causes_of_why(j, NULL);
	json_builder_end_object(j->b);
}

void specs_json_violation(struct specs_json *j, const struct spec_event *e)
{
	json_builder_begin_object(j->b);
	json_builder_set_member_name(j->b, "test");
	json_builder_begin_object(j->b);
	put_strings(j->b, "arguments", j->arguments);
	put_string(j->b, "state", NULL);
	put_string(j->b, "made_by", NULL);
	put_string(j->b, "input", NULL);
	put_count(j->b, "call", e->call);
	put_violated(j, (locate_set)1 << e->constraint);
	put_string(j->b, "said", NULL);
	json_builder_end_object(j->b);
	put_constraints(j, "constraints", (locate_set)1 << e->constraint);
	put_string(j->b, "no_core", NULL);
	begin_array(j->b, "statements");
	json_builder_end_array(j->b);
	begin_array(j->b, "rounds");
	json_builder_end_array(j->b);
	j->is_open = true;
}

void specs_json_why(struct specs_json *j, const struct specs_why *why)
{
	put_causes_of_why(j, why);
	json_builder_end_object(j->b);
	j->is_open = false;
}

/* ---- the end ---- */

void specs_json_without_states(struct specs_json *j, const char *why)
{
	g_free(j->no_states);
	j->no_states = g_strdup(why);
}

void specs_json_note(struct specs_json *j, const char *note)
{
	g_ptr_array_add(j->notes, g_strdup(note));
}

void specs_json_tests(struct specs_json *j, const GPtrArray *tests)
{
	json_builder_end_array(j->b);
	begin_array(j->b, "tests");
	for (guint i = 0; i < tests->len; i++)
		put_test(j, NULL, tests->pdata[i]);
	json_builder_end_array(j->b);
	j->has_tests = true;
}

char *specs_json_end(struct specs_json *j, int status, const char *message)
{
	g_autoptr(GPtrArray) none = g_ptr_array_new();
	char *text;

	if (j->is_open)
		specs_json_why(j, NULL);
	if (!j->has_tests)
		specs_json_tests(j, none);
	put_string(j->b, "no_states", j->no_states);
	g_ptr_array_add(j->notes, NULL);
	put_strings(j->b, "notes", (char *const *)j->notes->pdata);
	put_string(j->b, "message", message);
	put_count(j->b, "status", (uint64_t)status);
	json_builder_end_object(j->b);
	text = put_end(j->b, true);
	g_object_unref(j->b);
	g_free(j->no_states);
	g_ptr_array_unref(j->notes);
	g_free(j);
	return text;
}
