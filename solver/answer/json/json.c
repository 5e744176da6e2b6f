/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/answer/json/json.h"
#include "solver/answer/json/json-put.h"
#include "solver/change/action-text.h"

#include <math.h>

enum { SCHEMA = 1 };

/* JSON has neither NaN nor infinity. */
static void put_double(JsonBuilder *b, const char *name, double value)
{
	json_builder_set_member_name(b, name);
	if (isfinite(value))
		json_builder_add_double_value(b, value);
	else
		json_builder_add_null_value(b);
}

static void put_values(JsonBuilder *b, const GArray *values)
{
	begin_array(b, "values");
	for (unsigned i = 0; values && i < values->len; i++) {
		const struct explanation_value *v =
			&g_array_index(values, struct explanation_value, i);

		json_builder_begin_object(b);
		put_string(b, "name", v->name);
		put_string(b, "value", v->value);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
}

static void put_indices(JsonBuilder *b, const char *name, const GArray *indices)
{
	begin_array(b, name);
	for (unsigned i = 0; indices && i < indices->len; i++)
		put_count(b, NULL, g_array_index(indices, unsigned, i));
	json_builder_end_array(b);
}

static void put_story(JsonBuilder *b, const GArray *story)
{
	begin_array(b, "story");
	for (guint i = 0; i < story->len; i++) {
		const struct explanation_event *v =
			&g_array_index(story, struct explanation_event, i);

		json_builder_begin_object(b);
		put_string(b, "what", v->what);
		put_string(b, "by", v->by);
		put_string(b, "function", v->function);
		put_string(b, "file", v->file);
		put_count(b, "line", v->line);
		put_count(b, "call", v->call);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
}

static void put_failure(JsonBuilder *b, const struct explanation_failure *f)
{
	json_builder_set_member_name(b, "failure");
	json_builder_begin_object(b);
	put_string(b, "kind", f->kind);
	put_string(b, "function", f->function);
	put_string(b, "file", f->file);
	put_count(b, "line", f->line);
	put_count(b, "column", f->column);
	put_string(b, "requirement", f->requirement);
	if (f->cause)
		put_string(b, "cause", f->cause);
	if (f->text)
		put_string(b, "text", f->text);
	put_values(b, f->values);
	if (f->story->len)
		put_story(b, f->story);
	json_builder_end_object(b);
}

static void put_suspect_statement(JsonBuilder *b, const struct explanation_statement *s)
{
	json_builder_begin_object(b);
	put_string(b, "function", s->function);
	put_string(b, "file", s->file);
	put_count(b, "line", s->line);
	put_count(b, "column", s->column);
	put_string(b, "text", s->text);
	put_string(b, "kind", s->kind);
	put_string(b, "clause", s->clause);
	put_string(b, "actual", s->actual);
	put_string(b, "witness", s->witness);
	put_count(b, "changes", s->changes);
	put_count(b, "execution", s->execution);
	put_count(b, "executions", s->executions);
	put_string(b, "witness_is", s->witness_is);
	json_builder_end_object(b);
}

static void put_instances(JsonBuilder *b, const GArray *instances)
{
	begin_array(b, "instances");
	for (guint i = 0; i < instances->len; i++) {
		const struct explanation_instance *one =
			&g_array_index(instances, struct explanation_instance, i);

		json_builder_begin_object(b);
		put_count(b, "statement", one->statement);
		put_count(b, "execution", one->execution);
		put_string(b, "stop", one->stop);
		put_string(b, "actual", one->actual);
		put_string(b, "witness", one->witness);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
}

static void put_actions(JsonBuilder *b, const GArray *actions)
{
	begin_array(b, "actions");
	for (guint i = 0; actions && i < actions->len; i++) {
		g_autofree char *text =
			change_action_text(&g_array_index(actions, struct trace_action, i));

		put_string(b, NULL, text);
	}
	json_builder_end_array(b);
}

static void put_evidence(JsonBuilder *b, const struct explanation_evidence *v)
{
	json_builder_set_member_name(b, "evidence");
	if (!v) {
		json_builder_add_null_value(b);
		return;
	}
	json_builder_begin_object(b);
	put_string(b, "contradicted", v->contradicted);
	put_string(b, "change", v->change);
	put_string(b, "condition", v->condition);
	put_double(b, "effort", v->effort);
	put_bool(b, "whole", v->whole);
	put_count(b, "mended", v->mended);
	put_count(b, "failing", v->failing);
	put_count(b, "broken", v->broken);
	put_count(b, "passing", v->passing);
	json_builder_end_object(b);
}

static void put_further(JsonBuilder *b, const struct explanation_suspect *s)
{
	json_builder_set_member_name(b, "further");
	if (!s->further_to) {
		json_builder_add_null_value(b);
		return;
	}
	json_builder_begin_object(b);
	put_count(b, "from", s->further_from);
	put_count(b, "to", s->further_to);
	json_builder_end_object(b);
}

static void put_json_suspect(JsonBuilder *b, const struct explanation_suspect *s)
{
	static const char *const replays[] = {
		[REPLAY_PASSES] = "passes",
		[REPLAY_FAILS] = "fails",
		[REPLAY_NOT_RUN] = "not run",
	};

	json_builder_begin_object(b);
	put_count(b, "rank", s->rank);
	put_double(b, "score", s->score);
	put_double(b, "weight", s->weight > 0 ? s->weight : NAN);
	put_count(b, "tests", s->tests);
	begin_array(b, "statements");
	for (unsigned i = 0; i < s->statements->len; i++)
		put_suspect_statement(
			b, &g_array_index(s->statements, struct explanation_statement, i));
	json_builder_end_array(b);
	put_instances(b, s->instances);
	put_actions(b, s->actions);
	put_string(b, "replay", replays[s->replay]);
	put_count(b, "size", s->size);
	put_further(b, s);
	put_bool(b, "needs_run", s->needs_run);
	put_bool(b, "unchecked", s->unchecked);
	put_string(b, "note", s->note);
	put_evidence(b, s->evidence);
	put_indices(b, "chain", s->chain);
	json_builder_end_object(b);
}

static void put_json_link(JsonBuilder *b, const struct explanation_link *l)
{
	json_builder_begin_object(b);
	put_string(b, "function", l->function);
	put_string(b, "file", l->file);
	put_count(b, "line", l->line);
	put_string(b, "text", l->text);
	put_string(b, "clause", l->clause);
	put_string(b, "stop", l->at.stop);
	put_values(b, l->values);
	put_bool(b, "before_only", l->before_only);
	put_indices(b, "because", l->because);
	put_string(b, "edge", l->edge == EDGE_CONTROL ? "control" : "data");
	json_builder_end_object(b);
}

static void put_stages(JsonBuilder *b, const GArray *stages)
{
	begin_array(b, "stages");
	for (unsigned i = 0; i < stages->len; i++) {
		const struct explanation_stage *s =
			&g_array_index(stages, struct explanation_stage, i);

		json_builder_begin_object(b);
		put_string(b, "name", s->name);
		put_double(b, "ms", s->ms);
		put_count(b, "count", s->count);
		put_string(b, "unit", s->unit);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
}

static void put_json_techniques(JsonBuilder *b, const GArray *techniques)
{
	json_builder_set_member_name(b, "techniques");
	json_builder_begin_object(b);
	for (guint i = 0; i < techniques->len; i++) {
		const struct explanation_technique *t =
			&g_array_index(techniques, struct explanation_technique, i);

		json_builder_set_member_name(b, t->name);
		json_builder_begin_object(b);
		put_count(b, "tried", t->tried);
		put_count(b, "found", t->found);
		put_count(b, "proven", t->proven);
		put_count(b, "refuted", t->refuted);
		put_count(b, "runs", t->runs);
		put_double(b, "ms", t->ms);
		json_builder_end_object(b);
	}
	json_builder_end_object(b);
}

static void put_json_limits(JsonBuilder *b, const GArray *limits)
{
	begin_array(b, "limits");
	for (guint i = 0; i < limits->len; i++) {
		const struct explanation_limit *l =
			&g_array_index(limits, struct explanation_limit, i);

		json_builder_begin_object(b);
		put_string(b, "name", l->name);
		put_count(b, "value", l->value);
		put_count(b, "default", l->standard);
		put_count(b, "reached", l->reached);
		put_bool(b, "cuts", l->cuts);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
}

static void put_stats_object(JsonBuilder *b, const struct explanation_stats *s)
{
	json_builder_set_member_name(b, "stats");
	json_builder_begin_object(b);
	put_string(b, "engine", s->engine);
	put_count(b, "instructions", s->instructions);
	put_count(b, "statements", s->statements);
	put_count(b, "runs", s->runs);
	put_count(b, "iterations", s->iterations);
	put_count(b, "checks", s->checks);
	put_count(b, "clauses", s->clauses);
	put_double(b, "record_ms", s->record_ms);
	put_double(b, "solve_ms", s->solve_ms);
	put_double(b, "total_ms", s->total_ms);
	put_count(b, "concretized", s->concretized);
	put_count(b, "memory_kb", s->memory_kb);
	put_stages(b, s->stages);
	put_json_techniques(b, s->techniques);
	put_json_limits(b, s->limits);
	json_builder_end_object(b);
}

static void put_words(JsonBuilder *b, const char *name, char *const *words)
{
	begin_array(b, name);
	for (; words && *words; words++)
		put_string(b, NULL, *words);
	json_builder_end_array(b);
}

static void put_json_lines(JsonBuilder *b, const GArray *lines)
{
	begin_array(b, "lines");
	for (unsigned i = 0; i < lines->len; i++) {
		const struct explanation_line *l =
			&g_array_index(lines, struct explanation_line, i);

		json_builder_begin_object(b);
		put_string(b, "file", l->file);
		put_count(b, "line", l->line);
		put_double(b, "score", l->score);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
}

static void put_line_values(JsonBuilder *b, const GArray *values)
{
	begin_array(b, "line_values");
	for (guint i = 0; i < values->len; i++) {
		const struct explanation_line_value *v =
			&g_array_index(values, struct explanation_line_value, i);

		json_builder_begin_object(b);
		put_string(b, "file", v->file);
		put_count(b, "line", v->line);
		put_string(b, "name", v->value.name);
		put_string(b, "value", v->value.value);
		put_string(b, "stop", v->at.stop);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
}

static const struct explanation_coverage *coverage_at(const GArray *coverage, guint i)
{
	return &g_array_index(coverage, struct explanation_coverage, i);
}

/* Pairs of numbers: the first and the last line of each group of lines in this state. */
static void put_ranges(JsonBuilder *b, const char *name, const GArray *coverage, bool executed)
{
	begin_array(b, name);
	for (guint i = 0, last; i < coverage->len; i = last + 1) {
		unsigned first = coverage_at(coverage, i)->line;

		for (last = i; last + 1 < coverage->len; last++)
			if (coverage_at(coverage, last + 1)->executed !=
				    coverage_at(coverage, i)->executed ||
			    coverage_at(coverage, last + 1)->line !=
				    coverage_at(coverage, last)->line + 1)
				break;
		if (coverage_at(coverage, i)->executed != executed)
			continue;
		begin_array(b, NULL);
		put_count(b, NULL, first);
		put_count(b, NULL, coverage_at(coverage, last)->line);
		json_builder_end_array(b);
	}
	json_builder_end_array(b);
}

static void put_line_tests(JsonBuilder *b, const GArray *coverage)
{
	begin_array(b, "tests");
	for (guint i = 0; i < coverage->len; i++) {
		const struct explanation_coverage *c = coverage_at(coverage, i);

		if (!c->passed && !c->failed)
			continue;
		begin_array(b, NULL);
		put_count(b, NULL, c->line);
		put_count(b, NULL, c->passed);
		put_count(b, NULL, c->failed);
		json_builder_end_array(b);
	}
	json_builder_end_array(b);
}

static void put_json_coverage(JsonBuilder *b, const struct explanation *e)
{
	begin_array(b, "coverage");
	for (guint i = 0; i < e->sources->len; i++) {
		const struct explanation_source *s = e->sources->pdata[i];

		if (!s->coverage->len)
			continue;
		json_builder_begin_object(b);
		put_string(b, "file", s->file);
		put_ranges(b, "executed", s->coverage, true);
		put_ranges(b, "not_executed", s->coverage, false);
		put_line_tests(b, s->coverage);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
}

static void put_tests_object(JsonBuilder *b, const struct explanation_tests *t)
{
	json_builder_set_member_name(b, "tests");
	if (!t->suite) {
		json_builder_add_null_value(b);
		return;
	}
	json_builder_begin_object(b);
	put_string(b, "suite", t->suite);
	put_string(b, "technique", t->technique);
	put_count(b, "passed", t->passed);
	put_count(b, "failed", t->failed);
	begin_array(b, "explained");
	for (unsigned i = 0; i < t->explained->len; i++)
		put_string(b, NULL, t->explained->pdata[i]);
	json_builder_end_array(b);
	json_builder_end_object(b);
}

static void put_explanation(JsonBuilder *b, const struct explanation *e)
{
	json_builder_begin_object(b);
	put_count(b, "schema", SCHEMA);
	put_string(b, "program", e->program);
	put_words(b, "argv", e->argv);
	if (e->environment && *e->environment)
		put_words(b, "environment", e->environment);
	if (e->in_child)
		put_bool(b, "in_child", true);
	put_failure(b, &e->failure);
	begin_array(b, "suspects");
	for (unsigned i = 0; i < e->suspects->len; i++)
		put_json_suspect(b, e->suspects->pdata[i]);
	json_builder_end_array(b);
	begin_array(b, "chain");
	for (unsigned i = 0; i < e->chain->len; i++)
		put_json_link(b, &g_array_index(e->chain, struct explanation_link, i));
	json_builder_end_array(b);
	begin_array(b, "opening");
	for (unsigned i = 0; i < e->opening->len; i++)
		put_json_link(b, &g_array_index(e->opening, struct explanation_link, i));
	json_builder_end_array(b);
	put_json_lines(b, e->lines);
	put_line_values(b, e->line_values);
	put_json_coverage(b, e);
	begin_array(b, "notes");
	for (unsigned i = 0; i < e->notes->len; i++)
		put_string(b, NULL, e->notes->pdata[i]);
	json_builder_end_array(b);
	put_tests_object(b, &e->tests);
	put_count(b, "stack", e->stack);
	put_string(b, "not_run", e->not_run);
	put_string(b, "differs", e->differs);
	put_bool(b, "complete", e->complete);
	put_stats_object(b, &e->stats);
	json_builder_end_object(b);
}

static void put_cause_links(JsonBuilder *b, const GArray *links)
{
	static const char *const edges[] = {
		[CAUSE_DATA] = "data",
		[CAUSE_WHICH] = "which",
		[CAUSE_CONTROL] = "control",
		[CAUSE_AWAY] = "away",
	};

	begin_array(b, "because");
	for (guint i = 0; links && i < links->len; i++) {
		const struct cause_link *l = &g_array_index(links, struct cause_link, i);

		json_builder_begin_object(b);
		put_count(b, "cause", l->cause);
		put_string(b, "edge", edges[l->edge]);
		json_builder_end_object(b);
	}
	json_builder_end_array(b);
}

static void put_cause(JsonBuilder *b, const struct cause *c)
{
	static const char *const kinds[] = {
		[CAUSE_ASKED] = "question",    [CAUSE_ASSIGNED] = "assignment",
		[CAUSE_DECIDED] = "condition", [CAUSE_PASSED] = "call",
		[CAUSE_RETURNED] = "return",   [CAUSE_INPUT] = "input",
		[CAUSE_INITIAL] = "initial",
	};
	bool last = c->kind == CAUSE_INPUT || c->kind == CAUSE_INITIAL;

	json_builder_begin_object(b);
	put_string(b, "kind", kinds[c->kind]);
	put_string(b, "function", c->function);
	put_string(b, "file", c->file);
	put_count(b, "line", c->line);
	put_string(b, "text", c->text);
	put_string(b, "clause", c->clause);
	put_string(b, "value", c->value);
	put_string(b, "stop", c->stop);
	put_cause_links(b, c->because);
	put_bool(b, "unfolded", c->because || last);
	json_builder_end_object(b);
}

char *tui_json_causes(const struct cause_tree *t, const char *question)
{
	g_autoptr(JsonBuilder) b = json_builder_new();

	json_builder_begin_object(b);
	put_count(b, "schema", SCHEMA);
	put_string(b, "question", question);
	begin_array(b, "causes");
	for (guint i = 0; i < t->causes->len; i++)
		put_cause(b, t->causes->pdata[i]);
	json_builder_end_array(b);
	json_builder_end_object(b);
	return put_end(b, true);
}

char *tui_json(const struct explanation *e)
{
	g_autoptr(JsonBuilder) builder = json_builder_new();

	put_explanation(builder, e);
	return put_end(builder, true);
}

char *tui_json_line(const struct explanation *e)
{
	g_autoptr(JsonBuilder) builder = json_builder_new();

	put_explanation(builder, e);
	return put_end(builder, false);
}
