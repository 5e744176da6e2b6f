/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/explanation.h"

static void suspect_free(void *p)
{
	struct explanation_suspect *s = p;

	if (!s)
		return;
	if (s->actions)
		g_array_unref(s->actions);
	if (s->instances)
		g_array_unref(s->instances);
	if (s->statements)
		g_array_unref(s->statements);
	if (s->chain)
		g_array_unref(s->chain);
	g_free(s);
}

static void link_clear(void *p)
{
	struct explanation_link *link = p;

	if (link->values)
		g_array_unref(link->values);
	if (link->because)
		g_array_unref(link->because);
}

static void explanation_source_free(void *p)
{
	struct explanation_source *source = p;

	g_ptr_array_unref(source->lines);
	g_array_unref(source->coverage);
	g_free(source);
}

static void make_found(struct explanation *e)
{
	e->failure = (struct explanation_failure){
		.values = g_array_new(FALSE, TRUE, sizeof(struct explanation_value)),
		.story = g_array_new(FALSE, TRUE, sizeof(struct explanation_event))
	};
	e->suspects = g_ptr_array_new_with_free_func(suspect_free);
	e->chain = g_array_new(FALSE, TRUE, sizeof(struct explanation_link));
	g_array_set_clear_func(e->chain, link_clear);
}

void explanation_found_clear(struct explanation_found *found)
{
	g_array_unref(found->failure.values);
	g_array_unref(found->failure.story);
	g_ptr_array_unref(found->suspects);
	g_array_unref(found->chain);
}

struct explanation_found explanation_put_aside(struct explanation *e)
{
	struct explanation_found found = { e->failure, e->suspects, e->chain };

	make_found(e);
	return found;
}

void explanation_take_back(struct explanation *e, struct explanation_found *found)
{
	struct explanation_found now = { e->failure, e->suspects, e->chain };

	explanation_found_clear(&now);
	e->failure = found->failure;
	e->suspects = found->suspects;
	e->chain = found->chain;
}

struct explanation *explanation_new(void)
{
	struct explanation *e = g_new0(struct explanation, 1);

	make_found(e);
	e->evidence = g_ptr_array_new_with_free_func(g_free);
	e->opening = g_array_new(FALSE, TRUE, sizeof(struct explanation_link));
	g_array_set_clear_func(e->opening, link_clear);
	e->verdict = g_array_new(FALSE, TRUE, sizeof(struct explanation_verdict));
	e->lines = g_array_new(FALSE, TRUE, sizeof(struct explanation_line));
	e->line_values = g_array_new(FALSE, TRUE, sizeof(struct explanation_line_value));
	e->sources = g_ptr_array_new_with_free_func(explanation_source_free);
	e->regions = g_array_new(FALSE, TRUE, sizeof(struct explanation_region));
	e->notes = g_ptr_array_new();
	e->tests.explained = g_ptr_array_new();
	e->stats.stages = g_array_new(FALSE, TRUE, sizeof(struct explanation_stage));
	e->stats.techniques = g_array_new(FALSE, TRUE, sizeof(struct explanation_technique));
	e->stats.limits = g_array_new(FALSE, TRUE, sizeof(struct explanation_limit));
	e->strings = g_string_chunk_new(4096);
	return e;
}

void explanation_free(struct explanation *e)
{
	if (!e)
		return;
	g_strfreev(e->argv);
	g_strfreev(e->environment);
	g_array_unref(e->failure.values);
	g_array_unref(e->failure.story);
	g_ptr_array_unref(e->suspects);
	g_ptr_array_unref(e->evidence);
	g_array_unref(e->chain);
	g_array_unref(e->opening);
	g_array_unref(e->verdict);
	g_array_unref(e->lines);
	g_array_unref(e->line_values);
	g_ptr_array_unref(e->sources);
	g_array_unref(e->regions);
	g_ptr_array_unref(e->notes);
	g_ptr_array_unref(e->tests.explained);
	g_array_unref(e->stats.stages);
	g_array_unref(e->stats.techniques);
	g_array_unref(e->stats.limits);
	g_string_chunk_free(e->strings);
	g_free(e);
}

const char *explanation_string(struct explanation *e, const char *s)
{
	return s ? g_string_chunk_insert_const(e->strings, s) : NULL;
}

void explanation_add_stage(struct explanation *e, const char *name, double ms, uint64_t count,
			   const char *unit)
{
	struct explanation_stage s = { name, ms, count, unit };

	g_array_append_val(e->stats.stages, s);
}

struct explanation_suspect *explanation_suspect_new(void)
{
	struct explanation_suspect *s = g_new0(struct explanation_suspect, 1);

	s->replay = REPLAY_NOT_RUN;
	s->tests = 1;
	s->statements = g_array_new(FALSE, TRUE, sizeof(struct explanation_statement));
	s->chain = g_array_new(FALSE, FALSE, sizeof(unsigned));
	s->instances = g_array_new(FALSE, TRUE, sizeof(struct explanation_instance));
	return s;
}

/* `a - b', `a -= b', `a--', and no `p->b'. */
static bool text_subtracts(const char *text)
{
	for (const char *at = text ? strchr(text, '-') : NULL; at; at = strchr(at + 1, '-'))
		if (at[1] != '>')
			return true;
	return false;
}

bool explanation_wrapped(const struct explanation_statement *s, int64_t *less)
{
	/* no count or sum is so near to the end of its type otherwise */
	const int64_t least = -(INT64_C(1) << 24);
	uint64_t value;
	char *end;

	if (!s->actual || !g_ascii_isdigit(*s->actual) || !text_subtracts(s->text))
		return false;
	value = g_ascii_strtoull(s->actual, &end, 10);
	*less = value <= UINT32_MAX ? (int32_t)(uint32_t)value : (int64_t)value;
	return !*end && *less < 0 && *less >= least;
}

struct explanation_source *explanation_source_add(struct explanation *e, const char *file)
{
	struct explanation_source *s = g_new0(struct explanation_source, 1);

	s->file = file;
	s->lines = g_ptr_array_new_with_free_func(g_free);
	s->coverage = g_array_new(FALSE, FALSE, sizeof(struct explanation_coverage));
	g_ptr_array_add(e->sources, s);
	return s;
}

const struct explanation_source *explanation_source(const struct explanation *e, const char *file)
{
	for (guint i = 0; file && i < e->sources->len; i++) {
		const struct explanation_source *s = e->sources->pdata[i];

		if (g_strcmp0(s->file, file) == 0)
			return s;
	}
	return NULL;
}
