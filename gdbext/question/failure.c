/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/failure.h"
#include "solver/source/source.h"

#include <string.h>

static const char *known_name(const char *name)
{
	return name && strcmp(name, "??") != 0 ? name : NULL;
}

/* Is it what failed, and not its call of a library that is not traced? */
static bool is_there(const struct image_statement *s, const struct replay_failing *f)
{
	g_autofree char *here = s ? g_path_get_basename(s->file) : NULL;
	g_autofree char *there = f->file ? g_path_get_basename(f->file) : NULL;

	return s && s->line == f->line && g_strcmp0(here, there) == 0;
}

/* In the words of the recorded run; where the run cannot say, in those of the assertion. */
static void describe_assertion(struct question *q, const struct image_statement *s)
{
	struct explanation *e = q->e;
	const struct replay_failing *f = &q->failing;

	e->failure.kind = "assert";
	e->failure.function = explanation_string(e, is_there(s, f)	      ? s->function
						    : known_name(f->caller)   ? f->caller
						    : known_name(f->function) ? f->function
						    : s			      ? s->function
									      : NULL);
	e->failure.file = explanation_string(e, f->file);
	e->failure.line = f->line;
	if (is_there(s, f)) {
		e->failure.file = explanation_string(e, s->file);
		e->failure.column = s->column;
	}
	e->failure.requirement = explanation_string(e, f->expression);
	trace_point_values(q->point, e, f->expression, e->failure.values);
}

/* Its line; NULL when that is not there. */
static char *text_of(const struct trace_point *m, const struct image_statement *s)
{
	struct sources *sources = sources_new(trace_point_image(m));
	const struct source *source = sources_get(sources, s->file);
	char *text = NULL;
	size_t at;

	if (source && source_place(source, s->line, 0, &at)) {
		size_t end = at + strcspn(source->text + at, "\n");

		text = source_text(source, source_trim(source, at, end));
	}
	sources_free(sources);
	return text;
}

/* Of `n->next->key' the last pointer that is followed, `n->next': it may be null.
 * NULL: there is none. */
static char *followed(const char *text)
{
	const char *arrow = text ? g_strrstr(text, "->") : NULL;
	const char *from = arrow;

	while (from && from > text &&
	       (source_is_word(from[-1]) || from[-1] == '.' ||
		(from[-1] == '>' && from - text > 1 && from[-2] == '-') ||
		(from[-1] == '-' && *from == '>')))
		from--;
	return from < arrow ? g_strndup(from, (gsize)(arrow - from)) : NULL;
}

static void describe_end(struct question *q, const struct image_statement *s)
{
	struct explanation *e = q->e;
	g_autofree char *cause = failure_in_words(&q->failing);
	bool crashed = q->failing.end == RUN_SIGNAL;
	g_autofree char *no_signal = g_strconcat("no ", cause, NULL);
	g_autofree char *text = s ? text_of(q->point, s) : NULL;

	e->failure.kind = crashed ? "signal" : "status";
	e->failure.cause = explanation_string(e, cause);
	e->failure.requirement = explanation_string(e, crashed ? no_signal : "exit status 0");
	if (!s)
		return;
	e->failure.function = explanation_string(e, s->function);
	e->failure.file = explanation_string(e, s->file);
	e->failure.line = s->line;
	e->failure.column = s->column;
	e->failure.text = explanation_string(e, text);
	if (crashed) {
		g_autofree char *plain = followed(text);

		trace_point_values(q->point, e, text, e->failure.values);
		if (plain)
			trace_point_values(q->point, e, plain, e->failure.values);
	}
}

char *failure_in_words(const struct replay_failing *f)
{
	if (f->end == RUN_STATUS)
		return g_strdup_printf("exit status %d", f->status);
	if (f->end == RUN_SIGNAL)
		return g_strdup(replay_signal_name(f->signo));
	return g_strdup_printf("assertion `%s' failed at %s:%u",
			       f->expression ? f->expression : "?", f->file ? f->file : "?",
			       f->line);
}

bool failure_describe(struct question *q, GError **error)
{
	struct explanation *e = q->e;
	const struct replay_failing *f = &q->failing;
	g_auto(GStrv) words = question_words(q);

	q->point = trace_point_new(q->images, q->n_images, f->record, f->thread, f->line, error);
	if (!q->point)
		return false;
	e->program = explanation_string(e, q->program);
	e->argv = g_strdupv(words + 1);
	if (f->end == RUN_ASSERT)
		describe_assertion(q, trace_point_statement(q->point));
	else
		describe_end(q, trace_point_statement(q->point));
	e->stats.engine = q->o->engine == OPTIONS_ENGINE_JIT ? "jit" : "step";
	e->stats.instructions = trace_point_instructions(q->point);
	return true;
}
