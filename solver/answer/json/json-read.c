/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/answer/json/json-read.h"
#include "solver/answer/json/json-object.h"
#include "solver/change/action-text.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

G_DEFINE_QUARK(tui - json - error, tui_json_error)

enum { SCHEMA = 1, MOST_SOURCE_BYTES = 64 << 20 };

/* --- members, NULL, 0 or false where they are not there --- */

static JsonNode *json_member(JsonObject *o, const char *name, JsonNodeType type)
{
	JsonNode *node = o ? json_object_get_member(o, name) : NULL;

	return node && JSON_NODE_TYPE(node) == type ? node : NULL;
}

static const char *json_string_of(struct explanation *e, JsonObject *o, const char *name)
{
	JsonNode *node = json_member(o, name, JSON_NODE_VALUE);

	return node && json_node_get_value_type(node) == G_TYPE_STRING
		       ? explanation_string(e, json_node_get_string(node))
		       : NULL;
}

/* Counters above 2^53 - 1 are strings. */
static uint64_t count_of(JsonObject *o, const char *name)
{
	JsonNode *node = json_member(o, name, JSON_NODE_VALUE);
	guint64 n = 0;

	if (!node)
		return 0;
	if (json_node_get_value_type(node) == G_TYPE_STRING)
		g_ascii_string_to_unsigned(json_node_get_string(node), 10, 0, G_MAXUINT64, &n,
					   NULL);
	else if (json_node_get_value_type(node) == G_TYPE_INT64)
		n = (guint64)MAX(json_node_get_int(node), 0);
	return n;
}

static unsigned json_number(JsonObject *o, const char *name)
{
	return (unsigned)MIN(count_of(o, name), G_MAXUINT);
}

static double double_of(JsonObject *o, const char *name)
{
	JsonNode *node = json_member(o, name, JSON_NODE_VALUE);

	double value = node ? json_node_get_double(node) : 0;

	return isfinite(value) ? value : 0; /* 1e999 is no number that can be written */
}

static bool bool_of(JsonObject *o, const char *name)
{
	JsonNode *node = json_member(o, name, JSON_NODE_VALUE);

	return node && json_node_get_boolean(node);
}

static JsonObject *json_object_of(JsonObject *o, const char *name)
{
	JsonNode *node = json_member(o, name, JSON_NODE_OBJECT);

	return node ? json_node_get_object(node) : NULL;
}

static JsonArray *json_array_of(JsonObject *o, const char *name)
{
	JsonNode *node = json_member(o, name, JSON_NODE_ARRAY);

	return node ? json_node_get_array(node) : NULL;
}

static guint json_length_of(JsonArray *a)
{
	return a ? json_array_get_length(a) : 0;
}

static JsonObject *json_object_at(JsonArray *a, guint i)
{
	JsonNode *node = json_array_get_element(a, i);

	return JSON_NODE_HOLDS_OBJECT(node) ? json_node_get_object(node) : NULL;
}

/* --- the parts of an explanation --- */

static void read_values(struct explanation *e, JsonObject *o, GArray *out)
{
	JsonArray *a = json_array_of(o, "values");

	for (guint i = 0; i < json_length_of(a); i++) {
		struct explanation_value v = { json_string_of(e, json_object_at(a, i), "name"),
					       json_string_of(e, json_object_at(a, i), "value") };

		g_array_append_val(out, v);
	}
}

static void read_indices(JsonArray *a, guint limit, GArray *out)
{
	for (guint i = 0; i < json_length_of(a); i++) {
		JsonNode *node = json_array_get_element(a, i);
		gint64 n = JSON_NODE_HOLDS_VALUE(node) ? json_node_get_int(node) : -1;
		guint index = (guint)n;

		if (n >= 0 && n < (gint64)limit)
			g_array_append_val(out, index);
	}
}

static void read_story(struct explanation *e, JsonArray *a)
{
	for (guint i = 0; i < json_length_of(a); i++) {
		JsonObject *o = json_object_at(a, i);
		struct explanation_event v = {
			.what = json_string_of(e, o, "what"),
			.by = json_string_of(e, o, "by"),
			.function = json_string_of(e, o, "function"),
			.file = json_string_of(e, o, "file"),
			.line = json_number(o, "line"),
			.call = json_number(o, "call"),
		};

		g_array_append_val(e->failure.story, v);
	}
}

static void read_failure(struct explanation *e, JsonObject *o)
{
	e->failure.kind = json_string_of(e, o, "kind");
	e->failure.function = json_string_of(e, o, "function");
	e->failure.file = json_string_of(e, o, "file");
	e->failure.line = json_number(o, "line");
	e->failure.column = json_number(o, "column");
	e->failure.requirement = json_string_of(e, o, "requirement");
	e->failure.cause = json_string_of(e, o, "cause");
	e->failure.text = json_string_of(e, o, "text");
	read_values(e, o, e->failure.values);
	read_story(e, json_array_of(o, "story"));
}

static struct explanation_statement read_statement(struct explanation *e, JsonObject *o)
{
	return (struct explanation_statement){
		.function = json_string_of(e, o, "function"),
		.file = json_string_of(e, o, "file"),
		.line = json_number(o, "line"),
		.column = json_number(o, "column"),
		.text = json_string_of(e, o, "text"),
		.kind = json_string_of(e, o, "kind"),
		.clause = json_string_of(e, o, "clause"),
		.actual = json_string_of(e, o, "actual"),
		.witness = json_string_of(e, o, "witness"),
		.changes = json_number(o, "changes"),
		.execution = json_number(o, "execution"),
		.executions = json_number(o, "executions"),
		.witness_is = json_string_of(e, o, "witness_is"),
	};
}

static enum explanation_replay read_replay(struct explanation *e, JsonObject *o)
{
	const char *text = json_string_of(e, o, "replay");

	return g_strcmp0(text, "passes") == 0  ? REPLAY_PASSES
	       : g_strcmp0(text, "fails") == 0 ? REPLAY_FAILS
					       : REPLAY_NOT_RUN;
}

static void read_evidence(struct explanation *e, struct explanation_suspect *s, JsonObject *o)
{
	JsonObject *from = json_object_of(o, "evidence");
	struct explanation_evidence *v;

	if (!from)
		return;
	v = g_new0(struct explanation_evidence, 1);
	v->contradicted = json_string_of(e, from, "contradicted");
	v->change = json_string_of(e, from, "change");
	v->condition = json_string_of(e, from, "condition");
	v->effort = double_of(from, "effort");
	v->whole = bool_of(from, "whole");
	v->mended = json_number(from, "mended");
	v->failing = json_number(from, "failing");
	v->broken = json_number(from, "broken");
	v->passing = json_number(from, "passing");
	g_ptr_array_add(e->evidence, v);
	s->evidence = v;
}

static void read_instances(struct explanation *e, JsonObject *o, GArray *instances)
{
	JsonArray *from = json_array_of(o, "instances");

	for (guint i = 0; i < json_length_of(from); i++) {
		JsonObject *one = json_object_at(from, i);
		struct explanation_instance instance = {
			.statement = json_number(one, "statement"),
			.execution = json_number(one, "execution"),
			.stop = json_string_of(e, one, "stop"),
			.actual = json_string_of(e, one, "actual"),
			.witness = json_string_of(e, one, "witness"),
		};

		g_array_append_val(instances, instance);
	}
}

/* NULL when there are none, or one that makes no sense. */
static GArray *read_actions(JsonObject *o)
{
	JsonArray *from = json_array_of(o, "actions");
	g_autoptr(GArray) actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));

	for (guint i = 0; i < json_length_of(from); i++) {
		struct trace_action a;

		if (!change_action_parse(json_array_get_string_element(from, i), &a))
			return NULL;
		g_array_append_val(actions, a);
	}
	return actions->len ? g_steal_pointer(&actions) : NULL;
}

static void read_further(struct explanation_suspect *s, JsonObject *o)
{
	JsonObject *from = json_object_of(o, "further");

	if (!from)
		return;
	s->further_from = json_number(from, "from");
	s->further_to = json_number(from, "to");
}

static void read_suspect(struct explanation *e, JsonObject *o, guint links)
{
	struct explanation_suspect *s = explanation_suspect_new();
	JsonArray *statements = json_array_of(o, "statements");

	s->rank = json_number(o, "rank");
	read_further(s, o);
	s->score = double_of(o, "score");
	s->weight = double_of(o, "weight");
	s->tests = MAX(json_number(o, "tests"), 1);
	s->size = json_number(o, "size");
	s->needs_run = bool_of(o, "needs_run");
	s->unchecked = bool_of(o, "unchecked");
	s->replay = read_replay(e, o);
	s->note = json_string_of(e, o, "note");
	read_evidence(e, s, o);
	for (guint i = 0; i < json_length_of(statements); i++) {
		struct explanation_statement st = read_statement(e, json_object_at(statements, i));

		g_array_append_val(s->statements, st);
	}
	read_instances(e, o, s->instances);
	s->actions = read_actions(o);
	read_indices(json_array_of(o, "chain"), links, s->chain);
	g_ptr_array_add(e->suspects, s);
}

static void read_link(struct explanation *e, JsonObject *o, guint links, GArray *to)
{
	struct explanation_link l = {
		.function = json_string_of(e, o, "function"),
		.file = json_string_of(e, o, "file"),
		.line = json_number(o, "line"),
		.text = json_string_of(e, o, "text"),
		.clause = json_string_of(e, o, "clause"),
		.values = g_array_new(FALSE, TRUE, sizeof(struct explanation_value)),
		.because = g_array_new(FALSE, FALSE, sizeof(guint)),
		.edge = g_strcmp0(json_string_of(e, o, "edge"), "control") == 0 ? EDGE_CONTROL
										: EDGE_DATA,
		.at.stop = json_string_of(e, o, "stop"),
		.before_only = bool_of(o, "before_only"),
	};

	read_values(e, o, l.values);
	read_indices(json_array_of(o, "because"), links, l.because);
	g_array_append_val(to, l);
}

static void read_stages(struct explanation *e, JsonArray *a)
{
	for (guint i = 0; i < json_length_of(a); i++) {
		JsonObject *o = json_object_at(a, i);
		struct explanation_stage s = { json_string_of(e, o, "name"), double_of(o, "ms"),
					       count_of(o, "count"), json_string_of(e, o, "unit") };

		g_array_append_val(e->stats.stages, s);
	}
}

static void read_techniques(struct explanation *e, JsonObject *all)
{
	g_autoptr(GList) names = all ? json_object_get_members(all) : NULL;

	for (GList *name = names; name; name = name->next) {
		JsonObject *o = json_object_of(all, name->data);
		struct explanation_technique t = { explanation_string(e, name->data),
						   count_of(o, "tried"),
						   count_of(o, "found"),
						   count_of(o, "proven"),
						   count_of(o, "refuted"),
						   count_of(o, "runs"),
						   double_of(o, "ms") };

		g_array_append_val(e->stats.techniques, t);
	}
}

static void read_stats(struct explanation *e, JsonObject *o)
{
	struct explanation_stats *s = &e->stats;

	s->engine = json_string_of(e, o, "engine");
	s->instructions = count_of(o, "instructions");
	s->statements = count_of(o, "statements");
	s->runs = count_of(o, "runs");
	s->iterations = count_of(o, "iterations");
	s->checks = count_of(o, "checks");
	s->clauses = count_of(o, "clauses");
	s->record_ms = double_of(o, "record_ms");
	s->solve_ms = double_of(o, "solve_ms");
	s->total_ms = double_of(o, "total_ms");
	s->concretized = count_of(o, "concretized");
	s->memory_kb = count_of(o, "memory_kb");
	read_stages(e, json_array_of(o, "stages"));
	read_techniques(e, json_object_of(o, "techniques"));
}

static void read_tests(struct explanation *e, JsonObject *o)
{
	JsonArray *names = json_array_of(o, "explained");

	e->tests.suite = json_string_of(e, o, "suite");
	e->tests.technique = json_string_of(e, o, "technique");
	e->tests.passed = json_number(o, "passed");
	e->tests.failed = json_number(o, "failed");
	for (guint i = 0; i < json_length_of(names); i++) {
		JsonNode *node = json_array_get_element(names, i);
		const char *name = JSON_NODE_HOLDS_VALUE(node) ? json_node_get_string(node) : NULL;

		if (name)
			g_ptr_array_add(e->tests.explained, (gpointer)explanation_string(e, name));
	}
}

/* NULL-terminated; g_strfreev frees it. */
static char **words_of_array(JsonArray *a)
{
	GPtrArray *words = g_ptr_array_new();

	for (guint i = 0; i < json_length_of(a); i++) {
		JsonNode *node = json_array_get_element(a, i);
		const char *word = JSON_NODE_HOLDS_VALUE(node) ? json_node_get_string(node) : NULL;

		g_ptr_array_add(words, g_strdup(word ? word : ""));
	}
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_free(words, FALSE);
}

static void read_lists(struct explanation *e, JsonObject *o)
{
	JsonArray *suspects = json_array_of(o, "suspects"), *chain = json_array_of(o, "chain");
	JsonArray *lines = json_array_of(o, "lines"), *notes = json_array_of(o, "notes");
	JsonArray *values = json_array_of(o, "line_values"), *opening = json_array_of(o, "opening");

	for (guint i = 0; i < json_length_of(suspects); i++)
		read_suspect(e, json_object_at(suspects, i), json_length_of(chain));
	for (guint i = 0; i < json_length_of(chain); i++)
		read_link(e, json_object_at(chain, i), json_length_of(chain), e->chain);
	for (guint i = 0; i < json_length_of(opening); i++)
		read_link(e, json_object_at(opening, i), 0, e->opening);
	for (guint i = 0; i < json_length_of(lines); i++) {
		JsonObject *l = json_object_at(lines, i);
		struct explanation_line line = { json_string_of(e, l, "file"),
						 json_number(l, "line"), double_of(l, "score"), 1,
						 NULL };

		g_array_append_val(e->lines, line);
	}
	for (guint i = 0; i < json_length_of(values); i++) {
		JsonObject *v = json_object_at(values, i);
		struct explanation_line_value value = {
			json_string_of(e, v, "file"),
			json_number(v, "line"),
			{ json_string_of(e, v, "name"), json_string_of(e, v, "value") },
			{ .stop = json_string_of(e, v, "stop") },
		};

		g_array_append_val(e->line_values, value);
	}
	for (guint i = 0; i < json_length_of(notes); i++) {
		JsonNode *node = json_array_get_element(notes, i);
		const char *note = JSON_NODE_HOLDS_VALUE(node) ? json_node_get_string(node) : NULL;

		if (note)
			g_ptr_array_add(e->notes, (gpointer)explanation_string(e, note));
	}
}

/* --- their sources --- */

static void read_missing_source(struct explanation *e, const char *file)
{
	struct explanation_source *s;
	g_autofree char *text = NULL;
	gsize length = 0;

	if (!file || explanation_source(e, file))
		return;
	s = explanation_source_add(e, file);
	if (!g_file_get_contents(file, &text, &length, NULL) || length > MOST_SOURCE_BYTES)
		return;
	for (char *line = text, *end; *line; line = end) {
		size_t n = strcspn(line, "\n");

		g_ptr_array_add(s->lines, g_strndup(line, n));
		end = line + n + (line[n] == '\n');
	}
}

static void add_sources(struct explanation *e)
{
	read_missing_source(e, e->failure.file);
	for (guint i = 0; i < e->lines->len; i++)
		read_missing_source(e, g_array_index(e->lines, struct explanation_line, i).file);
	for (guint i = 0; i < e->chain->len; i++)
		read_missing_source(e, g_array_index(e->chain, struct explanation_link, i).file);
}

/* --- what was executed of them --- */

static guint array_number(JsonArray *a, guint i)
{
	JsonNode *node = i < json_length_of(a) ? json_array_get_element(a, i) : NULL;
	gint64 n = node && JSON_NODE_HOLDS_VALUE(node) ? json_node_get_int(node) : 0;

	return (guint)CLAMP(n, 0, G_MAXINT);
}

static JsonArray *json_array_at(JsonArray *a, guint i)
{
	JsonNode *node = json_array_get_element(a, i);

	return JSON_NODE_HOLDS_ARRAY(node) ? json_node_get_array(node) : NULL;
}

/* lines: line n stands at n; .line 0 = nothing is known of it. */
static void read_ranges(JsonArray *ranges, bool executed, GArray *lines)
{
	for (guint i = 0; i < json_length_of(ranges); i++) {
		guint first = array_number(json_array_at(ranges, i), 0);
		guint last = MIN(array_number(json_array_at(ranges, i), 1), lines->len - 1);

		for (guint line = MAX(first, 1); line <= last; line++)
			g_array_index(lines, struct explanation_coverage, line) =
				(struct explanation_coverage){ .line = line, .executed = executed };
	}
}

static void read_line_tests(JsonArray *tests, GArray *lines)
{
	for (guint i = 0; i < json_length_of(tests); i++) {
		guint line = array_number(json_array_at(tests, i), 0);
		struct explanation_coverage *c =
			&g_array_index(lines, struct explanation_coverage, line);

		if (line >= lines->len || !c->line)
			continue;
		c->passed = array_number(json_array_at(tests, i), 1);
		c->failed = array_number(json_array_at(tests, i), 2);
	}
}

static void read_coverage(struct explanation *e, JsonObject *o)
{
	const struct explanation_source *source =
		explanation_source(e, json_string_of(e, o, "file"));
	g_autoptr(GArray) lines = g_array_new(FALSE, TRUE, sizeof(struct explanation_coverage));

	if (!source || source->coverage->len)
		return;
	g_array_set_size(lines, source->lines->len + 1);
	read_ranges(json_array_of(o, "executed"), true, lines);
	read_ranges(json_array_of(o, "not_executed"), false, lines);
	read_line_tests(json_array_of(o, "tests"), lines);
	for (guint i = 1; i < lines->len; i++)
		if (g_array_index(lines, struct explanation_coverage, i).line)
			g_array_append_val(source->coverage,
					   g_array_index(lines, struct explanation_coverage, i));
}

static void refuse_answer_json(GError **error, const char *between, const char *why)
{
	g_set_error(error, TUI_JSON_ERROR, TUI_JSON_ERROR_SYNTAX,
		    "This is not an answer of gdb-why in JSON, schema %d%s%s.", SCHEMA, between,
		    why);
}

struct explanation *json_object_to_explanation(JsonObject *o, GError **error)
{
	struct explanation *e;

	if (count_of(o, "schema") != SCHEMA) {
		refuse_answer_json(error, "", "");
		return NULL;
	}
	e = explanation_new();
	e->program = json_string_of(e, o, "program");
	e->stack = count_of(o, "stack");
	e->not_run = json_string_of(e, o, "not_run");
	e->differs = json_string_of(e, o, "differs");
	e->complete = bool_of(o, "complete");
	e->argv = words_of_array(json_array_of(o, "argv"));
	e->environment = words_of_array(json_array_of(o, "environment"));
	e->in_child = bool_of(o, "in_child");
	read_failure(e, json_object_of(o, "failure"));
	read_lists(e, o);
	if (json_object_of(o, "tests"))
		read_tests(e, json_object_of(o, "tests"));
	read_stats(e, json_object_of(o, "stats"));
	add_sources(e);
	for (guint i = 0; i < json_length_of(json_array_of(o, "coverage")); i++)
		read_coverage(e, json_object_at(json_array_of(o, "coverage"), i));
	return e;
}

/* The parser quotes what it did not expect, line breaks and escape codes included. */
static char *on_one_message_line(const char *message)
{
	char *line = g_strdup(message);

	for (char *c = line; *c; c++)
		if (g_ascii_iscntrl(*c))
			*c = ' ';
	return line;
}

struct explanation *tui_json_read(const char *text, gssize length, GError **error)
{
	g_autoptr(JsonParser) parser = json_parser_new();
	g_autoptr(GError) cause = NULL;
	JsonNode *root = NULL;

	if (!json_parser_load_from_data(parser, text, length, &cause)) {
		g_autofree char *why = on_one_message_line(cause->message);

		refuse_answer_json(error, ": ", why);
		return NULL;
	}
	root = json_parser_get_root(parser);
	return json_object_to_explanation(
		root && JSON_NODE_HOLDS_OBJECT(root) ? json_node_get_object(root) : NULL, error);
}
