/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/try/try-suspect.h"
#include "gdbext/options/options.h"
#include "solver/answer/json/json-read.h"
#include "solver/base/ordinal.h"

#include <string.h>

enum { INSTANCES_TOLD = 6 };

/* How a kind of statement is said to change: "list.c:14: n = 3 instead of 2". */
static const struct way {
	const char *kind, *before, *between; /* before the value; between clause and value */
	bool clause_first;
} ways[] = {
	{ "condition", "`", "' goes ", true }, { "switch", "`", "' goes to ", true },
	{ "return", "returns ", "", false },   { "store", "stores to ", "", false },
	{ "call", "passes ", " as ", false },  { NULL, "", " = ", true },
};

static void tell_value(const struct explanation_statement *st,
		       const struct explanation_instance *one, GString *out)
{
	const struct way *way = ways;
	const char *value = one->witness ? one->witness : "another value";
	const char *clause = st->clause ? st->clause : "it";

	while (way->kind && g_strcmp0(way->kind, st->kind) != 0)
		way++;
	if (way->clause_first)
		g_string_append_printf(out, "%s%s%s%s", way->before, clause, way->between, value);
	else if (*way->between)
		g_string_append_printf(out, "%s%s%s%s", way->before, value, way->between, clause);
	else
		g_string_append_printf(out, "%s%s", way->before, value);
	if (one->actual && g_strcmp0(one->actual, one->witness) == 0)
		g_string_append(out, " as before");
	else if (one->actual)
		g_string_append_printf(out, " instead of %s", one->actual);
}

static void tell_instance(const struct explanation_suspect *s,
			  const struct explanation_instance *one, GString *out)
{
	const struct explanation_statement *st =
		&g_array_index(s->statements, struct explanation_statement, one->statement);
	g_autofree char *name = st->file ? g_path_get_basename(st->file) : g_strdup("?");

	g_string_append_printf(out, "%s%s:%u: ", out->len ? "\n" : "", name, st->line);
	tell_value(st, one, out);
	if (st->executions == 1 && one->execution == 1)
		return;
	g_string_append_printf(out, ", the %" G_GUINT64_FORMAT "%s", one->execution,
			       ordinal_ending(one->execution));
	/* the changed run may come there more often */
	if (one->execution <= st->executions)
		g_string_append_printf(out, " of %" G_GUINT64_FORMAT " times", st->executions);
	else
		g_string_append(out, " time");
}

/* A change of the code is one, however often the line is executed. */
static bool changes_code(const struct explanation_suspect *s)
{
	const struct trace_action *first =
		(const struct trace_action *)(const void *)s->actions->data;

	return s->actions->len && first->kind == TRACE_ACTION_CODE;
}

static char *words_of_code(const struct explanation_suspect *s)
{
	const struct explanation_statement *st =
		&g_array_index(s->statements, struct explanation_statement, 0);
	g_autofree char *name = st->file ? g_path_get_basename(st->file) : g_strdup("?");

	return g_strdup_printf("%s:%u: with %s", name, st->line,
			       st->witness ? st->witness : "other code");
}

static char *words_of_suspect(const struct explanation_suspect *s)
{
	GString *out = g_string_new(NULL);
	guint told = MIN(s->instances->len, INSTANCES_TOLD);

	for (guint i = 0; i < told; i++) {
		const struct explanation_instance *one =
			&g_array_index(s->instances, struct explanation_instance, i);

		if (one->statement < s->statements->len)
			tell_instance(s, one, out);
	}
	if (told < s->instances->len)
		g_string_append_printf(out, "\nand %u more times", s->instances->len - told);
	return g_string_free(out, FALSE);
}

static const struct explanation_suspect *suspect_ranked(const struct explanation *e, guint64 rank)
{
	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];

		if (s->rank == rank)
			return s;
	}
	return NULL;
}

/* Addresses of one run mean something in another only if its stack lies there. */
static bool same_stack(const struct change_of *run, const struct explanation *e, const char *file,
		       GError **error)
{
	uint64_t stack;

	if (!e->stack)
		return true;
	if (!change_stack(run, &stack, error))
		return false;
	return stack == e->stack ||
	       options_wrong(
		       error,
		       "The answer in %s is of a run in another environment, where the stack lay "
		       "elsewhere; run explain again as the program is run now.",
		       file);
}

static bool find_suspect_change(const struct explanation *e, const char *file, guint64 rank,
				struct change *out, GError **error)
{
	const struct explanation_suspect *s = suspect_ranked(e, rank);

	if (!s)
		return options_wrong(error,
				     "The answer in %s has no suspect %" G_GUINT64_FORMAT ".", file,
				     rank);
	if (!s->actions || !s->statements->len || (!s->instances->len && !changes_code(s)))
		return options_wrong(error,
				     "The answer in %s does not say what suspect %" G_GUINT64_FORMAT
				     " changes; it was not run.",
				     file, rank);
	out->actions = g_array_ref(s->actions);
	out->native = changes_code(s);
	out->of_output = g_strcmp0(e->failure.kind, "output") == 0;
	if (g_strcmp0(e->failure.kind, "check") == 0 && s->replay == REPLAY_PASSES &&
	    e->failure.file) {
		g_autofree char *name = g_path_get_basename(e->failure.file);

		out->check = g_strdup_printf("%s:%u", name, e->failure.line);
	}
	out->text = out->native ? words_of_code(s) : words_of_suspect(s);
	/* its run ended well, and was not taken for a mended one */
	if (s->replay == REPLAY_FAILS && s->note) {
		g_autofree char *change = out->text;

		out->text = g_strdup_printf("%s\nthis counts as no mending: %s", change, s->note);
	}
	return true;
}

bool suspect_change(const struct change_of *run, const char *which, struct change *out,
		    GError **error)
{
	const char *colon = strrchr(which, ':');
	g_autofree char *file = colon ? g_strndup(which, (gsize)(colon - which)) : NULL;
	g_autofree char *text = NULL;
	struct explanation *e;
	guint64 rank;
	gsize n;
	bool ok;

	if (!file || !g_ascii_string_to_unsigned(colon + 1, 10, 1, G_MAXUINT32, &rank, NULL))
		return options_wrong(
			error,
			"`%s' names no suspect; say FILE:N, where FILE is an answer of "
			"explain --format json.",
			which);
	if (!g_file_get_contents(file, &text, &n, error))
		return false;
	e = tui_json_read(text, (gssize)n, error);
	if (!e)
		return false;
	ok = same_stack(run, e, file, error) && find_suspect_change(e, file, rank, out, error);
	explanation_free(e);
	return ok;
}
