/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/report/hint.h"
#include "tui/words/line.h"

#include <string.h>

char *tui_hint_quoted(const char *word)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_-./=:,+@%";

	return *word && strspn(word, plain) == strlen(word) ? g_strdup(word) : g_shell_quote(word);
}

/* "run <input" */
static char *run_command(const struct tui_options *o)
{
	g_autofree char *input = o->input ? tui_hint_quoted(o->input) : NULL;
	g_autofree char *line = g_strconcat("run", input ? " <" : NULL, input, NULL);

	return tui_hint_quoted(line);
}

/* What GDB is to be told before the run. */
static void put_gdb_settings(GString *out, const struct explanation *e)
{
	for (char *const *v = e->environment; v && *v; v++) {
		g_autofree char *line = g_strconcat("set environment ", *v, NULL);
		g_autofree char *command = tui_hint_quoted(line);

		g_string_append_printf(out, " -ex %s", command);
	}
	if (e->in_child)
		g_string_append(out, " -ex 'set follow-fork-mode child'");
}

static char *look_at_it_in_gdb(const struct explanation *e, const char *place,
			       const struct tui_options *o)
{
	g_autofree char *stop = g_strconcat("break ", place, NULL);
	g_autofree char *command = tui_hint_quoted(stop);
	g_autofree char *program = tui_hint_quoted(e->program ? e->program : "PROG");
	g_autofree char *run = run_command(o);
	g_autoptr(GString) out = g_string_new(NULL);

	if (o->go_to)
		return g_strdup(o->go_to);
	if (o->in_gdb)
		return g_strdup_printf("`tbreak %s' and `run' stop there", place);
	g_string_append(out, "gdb");
	put_gdb_settings(out, e);
	g_string_append_printf(out, " -ex %s -ex %s --args %s", command, run, program);
	for (char **a = e->argv; a && *a; a++) {
		g_autofree char *word = tui_hint_quoted(*a);

		g_string_append_printf(out, " %s", word);
	}
	return tui_clean(out->str);
}

/* Nothing was found, and nothing was cut. */
static const char *hint_where_nothing_is(const struct explanation *e, const struct tui_options *o)
{
	const bool at_prompt = o->go_to || o->in_gdb;

	return g_strcmp0(e->failure.kind, "output") == 0
		       ? at_prompt ? "`why output' says which call printed each line; "
				     "`why --trace-lib PATH' looks into a shared library of yours"
				   : "gdb-why ask 'why output' says which call printed each line; "
				     "--trace-lib PATH looks into a shared library of yours"
		       : "--granularity instance changes one execution at a time; "
			 "--trace-lib PATH looks into a shared library of yours";
}

/* Nothing is proven: what was not run, or which changes mended the first difference only. */
static const char *hint_where_nothing_is_proven(const struct explanation *e, bool thorough)
{
	bool waits = false, further = false;

	for (unsigned i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];

		waits |= s->replay == REPLAY_NOT_RUN;
		further |= s->further_to != 0;
	}
	if (waits)
		return "a longer --timeout leaves time for the replays that prove an explanation";
	if (!further)
		return thorough ? "--granularity instance changes one execution at a time"
				: "--thorough looks longer for changes with which the test passes";
	if (thorough)
		return "a longer --timeout; several faults are mended one after the other";
	return "--thorough looks longer for one change that mends all differences; several faults "
	       "are mended one after the other";
}

char *tui_hint(const struct explanation *e, unsigned shown, const char *place,
	       const struct tui_options *o)
{
	bool waits = false, proven = false;

	for (unsigned i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];

		waits |= s->needs_run && s->replay == REPLAY_NOT_RUN;
		proven |= s->replay == REPLAY_PASSES;
	}
	if (e->suspects->len == 0)
		return g_strdup(e->complete ? hint_where_nothing_is(e, o)
					    : "a longer --timeout, more --max-runs or a larger "
					      "--max-size");
	if (waits && !e->not_run)
		return g_strdup(o->no_hijack
					? "without --no-hijack the branches that no run took are "
					  "run"
					: "more --max-runs and a longer --timeout run the "
					  "branches that no run took");
	if (shown < e->suspects->len)
		return g_strdup("--max-suspects 0 shows all explanations");
	if (e->not_run)
		return NULL;
	if (!proven)
		return g_strdup(hint_where_nothing_is_proven(e, o->thorough));
	return place ? look_at_it_in_gdb(e, place, o) : NULL;
}
