/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/answer/way.h"

#include "solver/answer/chain-private.h"
#include "solver/answer/changed-run.h"
#include "solver/answer/way-start.h"
#include "solver/cause/cause.h"

#include <string.h>

struct ways {
	const struct way_run *run;
	struct explanation *e;
	GPtrArray *open;     /* struct explanation_suspect *: those without a way */
	GHashTable *of_line; /* of these → the first struct slice_instance * of its line */
	gint64 began;	     /* as g_get_monotonic_time */
};

enum { FIRST_SHOWN = 3 };

static bool lacks_way(const struct explanation_suspect *s)
{
	return s->replay == REPLAY_PASSES && s->size == 1 && s->statements->len &&
	       (!s->chain->len || s->chain_leaves);
}

/* ---- links ---- */

/* An instance on the way, and what it gave. */
static struct explanation_link link_of_instance(const struct cause *c,
						const struct slice_instance *i)
{
	struct explanation_link l = chain_link(i->decides ? EDGE_CONTROL : EDGE_DATA);

	l.function = c->function;
	l.file = c->file;
	l.line = c->line;
	l.text = c->text;
	l.clause = c->clause;
	l.at.step = i->step;
	l.at.pc = i->pc;
	if (c->clause)
		chain_value(&l, c->kind == CAUSE_RETURNED ? "result" : c->clause, c->value);
	return l;
}

/* What the run that is the proof gives in its place; NULL = that is not known. */
static void say_changed(struct explanation *e, const struct changed_value *changed,
			struct explanation_link *l)
{
	struct explanation_value *v =
		l->values->len ? &g_array_index(l->values, struct explanation_value, 0) : NULL;
	const char *before = v && changed && changed->before ? changed->before
			     : v			     ? v->value
							     : NULL;
	g_autofree char *both = NULL;

	l->before_only = v && (!changed || !changed->after);
	if (!v || l->before_only || g_strcmp0(before, changed->after) == 0)
		return;
	both = g_strdup_printf("%s -> %s", before, changed->after);
	v->value = explanation_string(e, both);
}

/* Those of the suspects that are shown first. */
static bool may_see_changed(const struct ways *w, const struct explanation_suspect *s)
{
	const struct limits *l = limits_or_default(w->run->limits);
	const gint64 most = (gint64)l->way_changed_ms * G_TIME_SPAN_MILLISECOND;
	guint number;

	return g_ptr_array_find(w->e->suspects, s, &number) && number < l->way_changed_runs &&
	       (number < FIRST_SHOWN || g_get_monotonic_time() - w->began < most) &&
	       !deadline_is_over(w->run->until);
}

/* NULL = not known. */
static GArray *values_with_change(const struct ways *w, const struct explanation_suspect *s,
				  const GPtrArray *path, const struct cause_tree *t)
{
	struct changed_run *c = may_see_changed(w, s) ? changed_run_new(w->run, w->e, s) : NULL;
	GArray *values = c ? changed_run_values(c, path, t) : NULL;

	changed_run_free(c);
	return values;
}

/* Appends the link to the suspect's way, unless it is there. */
static void append_way_link(struct explanation *e, struct explanation_suspect *s,
			    struct explanation_link l)
{
	unsigned link = chain_share(e, l);

	for (guint i = 0; i < s->chain->len; i++)
		if (g_array_index(s->chain, unsigned, i) == link)
			return;
	if (s->chain->len)
		chain_because(e, link, g_array_index(s->chain, unsigned, s->chain->len - 1));
	g_array_append_val(s->chain, link);
}

/* The failure is a link of its own. */
static bool is_failure(const struct ways *w, const struct cause *c)
{
	return c->line == w->e->failure.line && g_strcmp0(c->file, w->e->failure.file) == 0;
}

/* The line is the suspect's, but perhaps not what this instruction of it gave. */
static void say_line_only(struct explanation_link *l)
{
	const struct explanation_value *v =
		l->values->len ? &g_array_index(l->values, struct explanation_value, 0) : NULL;

	if (v && !strstr(v->value, " -> ")) {
		g_array_set_size(l->values, 0);
		l->clause = NULL;
	}
}

/* before: a link that leads to the instances of path, NULL = none.  is_sure: the first of them is
 * what the suspect changes. */
static void put_links_of_path(const struct ways *w, struct explanation_suspect *s,
			      const struct explanation_link *before, const GPtrArray *path,
			      const struct cause_tree *t, const GArray *changed, bool is_sure)
{
	guint most = (guint)limits_or_default(w->run->limits)->chain_links, middle = most / 2;
	guint dropped = path->len > most - 1 ? path->len - (most - 1) : 0;

	if (before)
		append_way_link(w->e, s, *before);
	for (guint i = 0; i < path->len; i++) {
		const struct cause *c = t->causes->pdata[i];
		struct explanation_link l;

		if (!c->file || (i >= middle && i < middle + dropped))
			continue;
		if ((i || before) && (is_failure(w, c) || image_is_of_system(c->file)))
			continue;
		l = link_of_instance(c, path->pdata[i]);
		say_changed(w->e, changed ? &g_array_index(changed, struct changed_value, i) : NULL,
			    &l);
		if (!i && !before && !is_sure)
			say_line_only(&l);
		append_way_link(w->e, s, l);
	}
	append_way_link(w->e, s, chain_failure(w->e, false));
}

/* The way over these instances.  Links that do not tell what would have been give way only to some
 * that do. */
static void describe_path(const struct ways *w, struct explanation_suspect *s,
			  const struct explanation_instance *execution, bool is_behind,
			  const GPtrArray *path, bool is_sure)
{
	struct cause_tree *t = cause_of_instances(w->e, w->run->point, w->run->index, path);
	g_autoptr(GArray) changed = path->len ? values_with_change(w, s, path, t) : NULL;
	struct explanation_link before;

	if (!s->chain->len || !path->len || changed) {
		g_array_set_size(s->chain, 0);
		if (is_behind)
			before = way_start_link(w->e, s, execution);
		put_links_of_path(w, s, is_behind ? &before : NULL, path, t, changed, is_sure);
	}
	cause_tree_free(t);
}

static GPtrArray *path_from(const struct slice_instance *first)
{
	GPtrArray *path = g_ptr_array_new();

	for (const struct slice_instance *i = first; i; i = i->effect)
		g_ptr_array_add(path, (gpointer)i);
	return path;
}

/* first: the instance that is changed; NULL = the failure itself. */
static void describe_way(const struct ways *w, struct explanation_suspect *s,
			 const struct slice_instance *first, bool is_sure)
{
	g_autoptr(GPtrArray) path = path_from(first);

	describe_path(w, s, NULL, false, path, is_sure);
}

/* From that execution of the suspect's statement (NULL = not known which) to the first instance
 * that uses what it changes, NULL = the failure itself, and on. */
static void describe_way_behind(const struct ways *w, struct explanation_suspect *s,
				const struct explanation_instance *execution,
				const struct slice_instance *first)
{
	g_autoptr(GPtrArray) path = path_from(first);

	describe_path(w, s, execution, true, path, true);
}

/* ---- the search ---- */

static bool take_instance_of(struct ways *w, struct explanation_suspect *s,
			     const struct slice_instance *i)
{
	const struct explanation_instance *changed;

	switch (way_start(w->run, s, i, &changed)) {
	case WAY_NOT_HERE:
		return false;
	case WAY_OF_LINE:
		if (!g_hash_table_contains(w->of_line, s))
			g_hash_table_insert(w->of_line, s, (gpointer)i);
		return false;
	case WAY_AT:
		describe_way(w, s, i, true);
		return true;
	case WAY_BEHIND:
		describe_way_behind(w, s, changed, i->effect);
		return true;
	}
	return false;
}

static void take_instance(struct ways *w, const struct slice_instance *i)
{
	for (guint k = w->open->len; k > 0; k--) {
		struct explanation_suspect *s = w->open->pdata[k - 1];

		if (!way_is_of_data(s) && take_instance_of(w, s, i))
			g_ptr_array_remove_index(w->open, k - 1);
	}
}

static void take_first_of_lines(struct ways *w)
{
	for (guint k = w->open->len; k > 0; k--) {
		struct explanation_suspect *s = w->open->pdata[k - 1];
		const struct slice_instance *i = g_hash_table_lookup(w->of_line, s);

		if (!i)
			continue;
		describe_way(w, s, i, false);
		g_ptr_array_remove_index(w->open, k - 1);
	}
}

/* Takes the instances that read what suspects change before the program starts. */
static void take_readers(struct ways *w, uint64_t bias)
{
	for (guint k = w->open->len; k > 0; k--) {
		struct explanation_suspect *s = w->open->pdata[k - 1];
		const struct trace_action *a =
			s->actions && s->actions->len
				? &g_array_index(s->actions, struct trace_action, 0)
				: NULL;
		const struct slice_instance *i;
		bool at_end = false;

		if (!way_is_of_data(s) || !a)
			continue;
		i = slice_reader(w->run->slice, a->addr + bias, a->size, &at_end);
		if (!i && !at_end)
			continue;
		if (i && way_start_is_of_line(w->run, s, i))
			describe_way(w, s, i, true);
		else
			describe_way_behind(w, s, NULL, i);
		g_ptr_array_remove_index(w->open, k - 1);
	}
}

static void search_ways(struct ways *w)
{
	uint64_t most = limits_or_default(w->run->limits)->way_instances, bias = UINT64_MAX;
	const struct slice_instance *i;

	for (uint64_t n = 0; n < most && w->open->len && !deadline_is_over(w->run->until); n++) {
		i = slice_next(w->run->slice);
		if (!i)
			break;
		if (i->module->image != w->run->program)
			continue;
		bias = i->module->bias;
		take_instance(w, i);
	}
	take_first_of_lines(w);
	if (bias != UINT64_MAX)
		take_readers(w, bias);
}

/* A link with what would have been, in the place of one of the way that does not tell it. */
static void put_told_link(struct explanation *e, struct explanation_suspect *s, guint i,
			  const char *after)
{
	const unsigned old = g_array_index(s->chain, unsigned, i);
	struct explanation_link l = g_array_index(e->chain, struct explanation_link, old);
	const struct changed_value changed = { .after = after };
	unsigned told;

	l.values = g_array_copy(l.values);
	l.because = g_array_copy(l.because);
	say_changed(e, &changed, &l);
	told = chain_share(e, l);
	g_array_index(s->chain, unsigned, i) = told;
	if (i + 1 < s->chain->len)
		chain_because(e, g_array_index(s->chain, unsigned, i + 1), told);
}

/* Of a way that leaves what any run did, at least the decisions. */
static void tell_decisions(const struct ways *w, struct explanation_suspect *s)
{
	struct changed_run *c = may_see_changed(w, s) ? changed_run_new(w->run, w->e, s) : NULL;

	for (guint i = 0; c && i < s->chain->len; i++) {
		const struct explanation_link *l = &g_array_index(
			w->e->chain, struct explanation_link, g_array_index(s->chain, unsigned, i));
		const char *after = l->before_only && l->edge == EDGE_CONTROL && l->at.pc
					    ? changed_run_decision(c, l->at.step)
					    : NULL;

		if (after)
			put_told_link(w->e, s, i, after);
	}
	changed_run_free(c);
}

static void tell_open_decisions(const struct ways *w)
{
	for (guint k = 0; k < w->open->len; k++) {
		struct explanation_suspect *s = w->open->pdata[k];

		if (s->chain_leaves && s->chain->len)
			tell_decisions(w, s);
	}
}

void ways_describe(struct explanation *e, const struct way_run *run)
{
	struct ways w = { .run = run,
			  .e = e,
			  .open = g_ptr_array_new(),
			  .of_line = g_hash_table_new(NULL, NULL),
			  .began = g_get_monotonic_time() };

	for (guint i = e->suspects->len; i > 0; i--)
		if (lacks_way(e->suspects->pdata[i - 1]))
			g_ptr_array_add(w.open, e->suspects->pdata[i - 1]);
	if (w.open->len)
		search_ways(&w);
	tell_open_decisions(&w);
	g_hash_table_unref(w.of_line);
	g_ptr_array_unref(w.open);
}
