/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/answer/way.h"

#include "solver/answer/chain-private.h"
#include "solver/cause/cause.h"
#include "solver/format/trace.h"
#include "solver/slice/handed.h"

#include <string.h>

struct ways {
	const struct way_run *run;
	struct explanation *e;
	GPtrArray *open;     /* struct explanation_suspect *: those without a way */
	GHashTable *of_line; /* of these → the first struct slice_instance * of its line */
};

static const struct explanation_statement *statement_of_suspect(const struct explanation_suspect *s)
{
	return &g_array_index(s->statements, struct explanation_statement, 0);
}

static bool is_data(const struct explanation_suspect *s)
{
	return g_strcmp0(statement_of_suspect(s)->kind, "data") == 0;
}

static bool lacks_way(const struct explanation_suspect *s)
{
	return s->replay == REPLAY_PASSES && s->size == 1 && s->statements->len && !s->chain->len;
}

/* ---- which instance is the suspect's ---- */

/* The execution that is changed, when it is one of the failing run's; UINT64_MAX = not known. */
static uint64_t step_of_suspect(const struct explanation_suspect *s)
{
	const struct explanation_instance *one =
		s->instances->len ? &g_array_index(s->instances, struct explanation_instance, 0)
				  : NULL;

	return one && one->at.pc ? one->at.step : UINT64_MAX;
}

static bool is_instance_of_suspect(const struct ways *w, const struct explanation_suspect *s,
				   const struct slice_instance *i)
{
	const struct explanation_statement *st = statement_of_suspect(s);
	const struct image_row *row = image_row_at(w->run->program, i->insn->addr);
	const struct image_statement *there =
		row ? image_statement(w->run->program, row->statement) : NULL;

	if (step_of_suspect(s) != UINT64_MAX)
		return step_of_suspect(s) == i->step;
	return there && there->line == st->line && g_strcmp0(there->file, st->file) == 0;
}

/* The instruction that a change of the code changes; NULL = it changes none. */
static const struct trace_action *changed_code(const struct explanation_suspect *s)
{
	const struct trace_action *a = s->actions && s->actions->len
					       ? &g_array_index(s->actions, struct trace_action, 0)
					       : NULL;

	return a && a->kind == TRACE_ACTION_CODE && !is_data(s) ? a : NULL;
}

static bool is_changed_instance(const struct explanation_suspect *s, const struct slice_instance *i)
{
	return changed_code(s) && changed_code(s)->addr == i->insn->addr;
}

/* Is what the instance returned handed on by the instruction at pc, which calls? */
static bool is_handed_on_by(const struct ways *w, const struct slice_instance *i, uint64_t pc)
{
	struct reverse_index *index = w->run->index;

	for (uint64_t at = handed_by_call(index, i, i->step); at != UINT64_MAX;
	     at = handed_by_call(index, i, at)) {
		const struct reverse_index_step call = *reverse_index_at(index, at);

		if (reverse_index_insn_of(index, &call)->pc == pc)
			return true;
	}
	return false;
}

/* Is what the instance returned changed behind it, by a line that hands it on?  A change of what a
 * call returns is one of the instruction that calls. */
static bool is_changed_behind(const struct ways *w, const struct explanation_suspect *s,
			      const struct slice_instance *i)
{
	const struct trace_action *a = changed_code(s);
	const uint64_t pc = a ? a->addr + i->module->bias : 0;

	return a && i->effect && !i->decides && !i->place.memory &&
	       (i->place.reg == TRACE_RAX || i->place.reg == TRACE_XMM0) && i->user > i->step + 1 &&
	       reverse_index_met(w->run->index, pc) &&
	       (reverse_index_find_insn(w->run->index, i->step + 1, i->user, &pc, 1) !=
			UINT64_MAX ||
		is_handed_on_by(w, i, pc));
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

/* The value with which the test passes is known of the one execution that is changed. */
static void say_witness(struct explanation *e, const struct explanation_suspect *s,
			struct explanation_link *l)
{
	const struct explanation_statement *st = statement_of_suspect(s);
	struct explanation_value *v =
		l->values->len ? &g_array_index(l->values, struct explanation_value, 0) : NULL;
	g_autofree char *both = NULL;

	if (!v || s->instances->len != 1 || !st->witness || g_strcmp0(v->value, st->actual) != 0)
		return;
	both = g_strdup_printf("%s -> %s", v->value, st->witness);
	v->value = explanation_string(e, both);
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

/* path: of the instances from the suspect's to the last one before the failure. */
static void put_links_of_path(const struct ways *w, struct explanation_suspect *s,
			      const GPtrArray *path)
{
	struct cause_tree *t = cause_of_instances(w->e, w->run->point, w->run->index, path);
	guint most = (guint)limits_or_default(w->run->limits)->chain_links, middle = most / 2;
	guint dropped = path->len > most - 1 ? path->len - (most - 1) : 0;

	for (guint i = 0; i < path->len; i++) {
		const struct cause *c = t->causes->pdata[i];
		struct explanation_link l;

		if (!c->file || (i >= middle && i < middle + dropped))
			continue;
		if (i && (is_failure(w, c) || image_is_of_system(c->file)))
			continue;
		l = link_of_instance(c, path->pdata[i]);
		if (i == 0)
			say_witness(w->e, s, &l);
		append_way_link(w->e, s, l);
	}
	append_way_link(w->e, s, chain_failure(w->e, false));
	cause_tree_free(t);
}

/* first: NULL = the failure itself. */
static void describe_way(const struct ways *w, struct explanation_suspect *s,
			 const struct slice_instance *first)
{
	g_autoptr(GPtrArray) path = g_ptr_array_new();

	for (const struct slice_instance *i = first; i; i = i->effect)
		g_ptr_array_add(path, (gpointer)i);
	put_links_of_path(w, s, path);
}

/* ---- the search ---- */

/* The line that hands a value on, then what depends on that. */
static void describe_way_behind(const struct ways *w, struct explanation_suspect *s,
				const struct slice_instance *i)
{
	const struct explanation_statement *st = statement_of_suspect(s);
	struct explanation_link l = chain_link(EDGE_DATA);

	l.function = st->function;
	l.file = st->file;
	l.line = st->line;
	l.text = st->text;
	append_way_link(w->e, s, l);
	describe_way(w, s, i->effect);
}

/* Of a change of the code, what the changed instruction gave, or else what its line did. */
static bool take_instance_of(struct ways *w, struct explanation_suspect *s,
			     const struct slice_instance *i)
{
	const bool is_of_line = is_instance_of_suspect(w, s, i);

	if (is_of_line && (!changed_code(s) || is_changed_instance(s, i))) {
		describe_way(w, s, i);
		return true;
	}
	if (is_changed_behind(w, s, i)) {
		describe_way_behind(w, s, i);
		return true;
	}
	if (is_of_line && !g_hash_table_contains(w->of_line, s))
		g_hash_table_insert(w->of_line, s, (gpointer)i);
	return false;
}

static void take_instance(struct ways *w, const struct slice_instance *i)
{
	for (guint k = w->open->len; k > 0; k--) {
		struct explanation_suspect *s = w->open->pdata[k - 1];

		if (!is_data(s) && take_instance_of(w, s, i))
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
		describe_way(w, s, i);
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

		if (!is_data(s) || !a)
			continue;
		i = slice_reader(w->run->slice, a->addr + bias, a->size, &at_end);
		if (!i && !at_end)
			continue;
		describe_way(w, s, i);
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

void ways_describe(struct explanation *e, const struct way_run *run)
{
	struct ways w = { .run = run,
			  .e = e,
			  .open = g_ptr_array_new(),
			  .of_line = g_hash_table_new(NULL, NULL) };

	for (guint i = e->suspects->len; i > 0; i--)
		if (lacks_way(e->suspects->pdata[i - 1]))
			g_ptr_array_add(w.open, e->suspects->pdata[i - 1]);
	if (w.open->len)
		search_ways(&w);
	g_hash_table_unref(w.of_line);
	g_ptr_array_unref(w.open);
}
