/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/answer/json/json-put.h"
#include "tui/report/regress/regress-private.h"

enum { SCHEMA = 1 };

static void put_regress_number(JsonBuilder *b, const char *name, double value)
{
	json_builder_set_member_name(b, name);
	json_builder_add_double_value(b, value);
}

/* People count changes from 1. */
static void put_numbers(JsonBuilder *b, const char *name, const GArray *changes)
{
	begin_array(b, name);
	for (guint i = 0; i < changes->len; i++)
		put_count(b, NULL, g_array_index(changes, unsigned, i) + 1);
	json_builder_end_array(b);
}

static void put_range(JsonBuilder *b, const char *name, unsigned first, unsigned count)
{
	json_builder_set_member_name(b, name);
	json_builder_begin_object(b);
	put_count(b, "first", first);
	put_count(b, "count", count);
	json_builder_end_object(b);
}

static void put_json_changes(JsonBuilder *b, const char *name, const struct regress_answer *a,
			     const GArray *changes)
{
	begin_array(b, name);
	for (guint i = 0; i < changes->len; i++) {
		unsigned n = g_array_index(changes, unsigned, i);
		const struct regress_change *x = regress_change_at(a->changes, n);
		const struct regress_file *f = regress_file_of(a->changes, n);
		g_autofree char *text = regress_change_text(a->changes, n);

		json_builder_begin_object(b);
		put_count(b, "number", n + 1);
		put_string(b, "kind", regress_kind_name(x->kind));
		put_string(b, "old_file", f->old_path);
		put_string(b, "new_file", f->new_path);
		put_string(b, "function", x->function);
		put_range(b, "old_lines", x->old_first, x->old_count);
		put_range(b, "new_lines", x->new_first, x->new_count);
		put_string(b, "text", text);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
}

static void put_json_proof(JsonBuilder *b, const struct regress_proof *p)
{
	json_builder_set_member_name(b, "proof");
	json_builder_begin_object(b);
	put_string(b, "new_without_root", regress_verdict_name(p->without));
	put_string(b, "new_without_root_ending", p->without_ending);
	put_string(b, "old_with_root", regress_verdict_name(p->with));
	put_string(b, "old_with_root_ending", p->with_ending);
	put_bool(b, "old_with_root_and_auxiliary", p->with_auxiliary);
	json_builder_end_object(b);
}

static void put_regress_statement_json(JsonBuilder *b, const struct regress_statement *s)
{
	json_builder_begin_object(b);
	put_string(b, "file", s->file);
	put_string(b, "function", s->function);
	put_count(b, "line", s->line);
	put_string(b, "text", s->text);
	put_string(b, "clause", s->clause);
	put_string(b, "value", s->value);
	put_string(b, "before", s->before);
	put_numbers(b, "changes", s->changes);
	json_builder_end_object(b);
}

static void put_json_causes(JsonBuilder *b, const struct regress_answer *a)
{
	begin_array(b, "causes");
	for (guint i = 0; i < a->causes->len; i++) {
		const struct regress_cause *c = &g_array_index(a->causes, struct regress_cause, i);

		json_builder_begin_object(b);
		put_bool(b, "relevant", c->relevant);
		put_string(b, "predicate", c->predicate);
		json_builder_set_member_name(b, "effect");
		json_builder_add_int_value(b, c->effect);
		put_numbers(b, "changes", c->changes);
		begin_array(b, "statements");
		for (guint k = 0; k < c->statements->len; k++)
			put_regress_statement_json(
				b, &g_array_index(c->statements, struct regress_statement, k));
		json_builder_end_array(b);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
}

static void put_json_stats(JsonBuilder *b, const struct regress_answer *a)
{
	const struct regress_stats *s = &a->stats;

	json_builder_set_member_name(b, "stats");
	json_builder_begin_object(b);
	put_count(b, "changes", regress_changes_count(a->changes));
	begin_array(b, "candidates");
	for (guint i = 0; i < a->candidates->len; i++)
		put_count(b, NULL, g_array_index(a->candidates, unsigned, i));
	json_builder_end_array(b);
	put_count(b, "builds", s->builds);
	put_count(b, "failed_builds", s->failed_builds);
	put_count(b, "tests", s->tests);
	put_count(b, "jobs", s->jobs);
	put_regress_number(b, "build_s", s->build_s);
	put_regress_number(b, "test_s", s->test_s);
	put_regress_number(b, "analysis_s", s->analysis_s);
	put_regress_number(b, "total_s", s->total_s);
	json_builder_end_object(b);
}

char *tui_regress_json(const struct regress_answer *a)
{
	g_autoptr(JsonBuilder) b = json_builder_new();

	json_builder_begin_object(b);
	put_count(b, "schema", SCHEMA);
	put_string(b, "old", a->old_name);
	put_string(b, "new", a->new_name);
	put_string(b, "test", a->test);
	put_string(b, "failure", a->failure);
	put_string(b, "technique", regress_technique_name(a->technique));
	put_string(b, "outcome", regress_outcome_name(a->outcome));
	put_string(b, "basis", regress_basis_name(a->basis));
	put_json_changes(b, "root", a, a->root);
	put_json_changes(b, "auxiliary", a, a->auxiliary);
	put_json_proof(b, &a->proof);
	put_json_causes(b, a);
	put_json_stats(b, a);
	begin_array(b, "notes");
	for (guint i = 0; i < a->notes->len; i++)
		put_string(b, NULL, a->notes->pdata[i]);
	json_builder_end_array(b);
	json_builder_end_object(b);
	return put_end(b, true);
}
