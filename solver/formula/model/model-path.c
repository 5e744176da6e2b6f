/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/formula/model/model-path.h"

#include "solver/base/debug.h"

#include <stdlib.h>
#include <string.h>

bool model_path_outcome(const struct path_entry *e, const term_bits *values)
{
	return e->target ? values[e->index] == e->target : values[e->index] != 0;
}

struct follower {
	const struct formula *f;
	const term_bits *values;
	const struct trace_run *run;
	struct term_memo *memo;
	uint64_t *counts;   /* by number of the pc */
	GHashTable *at_end; /* entry of an instance's last step → GArray of definitions */
	struct model_path *path;
	const struct model_path_change *set; /* model_path_of_changes: ascending by definition */
	unsigned n_set;
};

static term_bits model_value_of(void *arg, uint32_t number)
{
	return ((const term_bits *)arg)[number];
}

static const struct definition *definition_in_model(const struct follower *w, uint32_t number)
{
	return &g_array_index(w->f->definitions, struct definition, number);
}

static gint compare_changes(gconstpointer a, gconstpointer b)
{
	const struct model_path_change *x = a, *y = b;

	return x->def < y->def ? -1 : x->def > y->def;
}

static bool is_set(const struct follower *w, uint32_t number, struct model_path_change *c)
{
	const struct model_path_change key = { .def = number };
	const struct model_path_change *found =
		bsearch(&key, w->set, w->n_set, sizeof(key), compare_changes);

	if (found)
		*c = *found;
	return found;
}

static bool is_changed_in_model(const struct follower *w, uint32_t number,
				struct model_path_change *c)
{
	const struct definition *d = definition_in_model(w, number);

	if (w->set)
		return is_set(w, number, c);
	if (!d->expr || d->selector == SELECTOR_HARD)
		return false;
	c->def = number;
	c->natural = term_eval(w->memo, d->expr);
	c->value = w->values[number];
	return c->natural != c->value;
}

/* The place of an action: the last executed instance of pc. */
static bool place_action(const struct follower *w, uint64_t pc, uint64_t nth,
			 struct trace_action *a)
{
	uint64_t link;
	const struct trace_module *m = trace_run_module_at(w->run, pc, &link);

	if (!m)
		return false;
	a->module = trace_run_module_number(w->run, m);
	a->thread = trace_run_chosen(w->run);
	a->addr = link;
	a->nth = nth;
	return true;
}

/* A store that goes elsewhere: what was there before comes back, and the value
 * goes to the new place. */
static void add_move(struct follower *w, const struct model_path_change *c, struct trace_action *a)
{
	const struct definition *d = definition_in_model(w, c->def);
	term_bits before = term_eval(w->memo, d->before), stored = term_eval(w->memo, d->stored);

	a->kind = TRACE_ACTION_MEM;
	a->size = d->size;
	a->where = (uint64_t)c->natural;
	memcpy(a->value, &before, sizeof(before));
	g_array_append_val(w->path->actions, *a);
	g_array_append_val(w->path->changes, *c);
	a->where = (uint64_t)c->value;
	memcpy(a->value, &stored, sizeof(stored));
	g_array_append_val(w->path->actions, *a);
	g_array_append_val(w->path->changes, *c);
}

/* The neighbours of a bit-field stay as the changed run has them. */
static void write_bits_only(struct trace_action *a, uint64_t bits)
{
	a->reg = TRACE_MEM_BITS;
	memcpy(a->value + TRACE_MEM_MASK, &bits, sizeof(bits));
}

static void add_path_change(struct follower *w, const struct model_path_change *c,
			    uint32_t pc_number)
{
	const struct definition *d = definition_in_model(w, c->def);
	struct trace_action a = { 0 };

	if (!place_action(w, g_array_index(w->f->pcs, uint64_t, pc_number), w->counts[pc_number],
			  &a))
		return;
	memcpy(a.value, &c->value, sizeof(c->value));
	a.size = d->size;
	switch (d->kind) {
	case DEF_ADDRESS:
		add_move(w, c, &a);
		return;
	case DEF_TARGET:
		a.kind = TRACE_ACTION_JUMP;
		if (!trace_run_module_at(w->run, (uint64_t)c->value, &a.where))
			return;
		break;
	case DEF_GUARD:
		a.kind = TRACE_ACTION_FORCE;
		break;
	case DEF_REGISTER:
		a.kind = TRACE_ACTION_REG;
		a.reg = d->reg;
		break;
	case DEF_MEMORY:
		a.kind = TRACE_ACTION_MEM;
		a.where = d->address_term ? (uint64_t)term_eval(w->memo, d->address_term)
					  : d->address;
		if (d->kept)
			write_bits_only(&a, ~d->kept);
		break;
	default:
		return;
	}
	g_array_append_val(w->path->actions, a);
	g_array_append_val(w->path->changes, *c);
}

/* Registers take their new value when their instance ends. */
static void index_registers(struct follower *w)
{
	for (uint32_t i = 0; i < w->f->definitions->len; i++) {
		const struct definition *d = definition_in_model(w, i);
		struct model_path_change c;
		gpointer end;
		GArray *list;

		if (d->kind != DEF_REGISTER || !is_changed_in_model(w, i, &c))
			continue;
		end = GUINT_TO_POINTER(g_array_index(w->f->instance_end, uint32_t, d->instance));
		list = g_hash_table_lookup(w->at_end, end);
		if (!list) {
			list = g_array_new(FALSE, FALSE, sizeof(struct model_path_change));
			g_hash_table_insert(w->at_end, end, list);
		}
		g_array_append_val(list, c);
	}
}

static void pass_modelled_step(struct follower *w, uint32_t entry, uint32_t pc_number)
{
	GArray *list = g_hash_table_lookup(w->at_end, GUINT_TO_POINTER(entry));

	w->counts[pc_number]++;
	for (guint i = 0; list && i < list->len; i++)
		add_path_change(w, &g_array_index(list, struct model_path_change, i), pc_number);
}

static void pass_modelled_definition(struct follower *w, uint32_t number, uint32_t pc_number)
{
	struct model_path_change c;

	if (definition_in_model(w, number)->kind != DEF_REGISTER &&
	    is_changed_in_model(w, number, &c))
		add_path_change(w, &c, pc_number);
}

/* Where a branch goes on in the log; join when the side it takes was never
 * walked. */
static uint32_t pass_modelled_branch(struct follower *w, uint32_t entry, const struct path_entry *e,
				     uint32_t end)
{
	bool outcome = model_path_outcome(e, w->values);

	if (outcome == e->first)
		return entry + 1;
	if (e->other < e->join)
		return e->other;
	if (e->joins)
		return e->join;
	w->path->leaves = true;
	return MIN(e->join, end);
}

static void follow_model(struct follower *w)
{
	const GArray *log = w->f->path;
	GArray *ends = g_array_new(FALSE, FALSE, sizeof(uint32_t)); /* of first sides, joins */
	uint32_t at = 0, pc_number = 0;

	while (at < log->len && !w->path->leaves) {
		const struct path_entry *e = &g_array_index(log, struct path_entry, at);

		/* the end of a first side: its second side is skipped */
		if (ends->len && g_array_index(ends, uint32_t, ends->len - 2) == at) {
			at = g_array_index(ends, uint32_t, ends->len - 1);
			g_array_set_size(ends, ends->len - 2);
			continue;
		}
		switch ((enum path_kind)e->kind) {
		case PATH_STEP:
			pc_number = e->index;
			pass_modelled_step(w, at++, pc_number);
			break;
		case PATH_DEF:
			pass_modelled_definition(w, e->index, pc_number);
			at++;
			break;
		case PATH_BRANCH: {
			uint32_t next;

			pass_modelled_definition(w, e->index, pc_number);
			next = pass_modelled_branch(w, at, e, log->len);
			/* by its outcome: a first side without entries starts where
			 * the second one does */
			if (model_path_outcome(e, w->values) == e->first && e->other < e->join) {
				g_array_append_val(ends, e->other);
				g_array_append_val(ends, e->join);
			}
			at = next;
			break;
		}
		case PATH_END:
			w->path->leaves = e->open;
			at = log->len;
		}
	}
	g_array_free(ends, TRUE);
}

static void free_list(gpointer list)
{
	g_array_free(list, TRUE);
}

/* With GDB_WHY_LOG=formula:debug. */
static void say_path(const struct model_path *p)
{
	g_autofree char *text = NULL;
	size_t size = 0;
	FILE *out;

	if (!debug_is_wanted(G_LOG_DOMAIN))
		return;
	out = open_memstream(&text, &size);
	model_path_dump(out, p);
	fclose(out);
	g_debug("path of a model:\n%s", text);
}

static struct model_path *path_by(struct follower w)
{
	const struct formula *f = w.f;
	struct model_path *p = w.path = g_new0(struct model_path, 1);

	p->actions = g_array_new(FALSE, FALSE, sizeof(struct trace_action));
	p->changes = g_array_new(FALSE, FALSE, sizeof(struct model_path_change));
	w.memo = term_memo_new(f->pool, model_value_of, (gpointer)w.values);
	w.counts = g_new0(uint64_t, MAX(f->pcs->len, 1));
	w.at_end = g_hash_table_new_full(NULL, NULL, NULL, free_list);
	index_registers(&w);
	follow_model(&w);
	g_hash_table_destroy(w.at_end);
	g_free(w.counts);
	term_memo_free(w.memo);
	say_path(p);
	return p;
}

struct model_path *model_path_of_model(const struct formula *f, const term_bits *values,
				       const struct trace_run *run)
{
	return path_by((struct follower){ .f = f, .values = values, .run = run });
}

struct model_path *model_path_of_changes(const struct formula *f, const term_bits *values,
					 const struct model_path_change *changes, unsigned n,
					 const struct trace_run *run)
{
	return path_by((struct follower){
		.f = f, .values = values, .run = run, .set = changes, .n_set = n });
}

void model_path_free(struct model_path *p)
{
	if (!p)
		return;
	g_array_free(p->actions, TRUE);
	g_array_free(p->changes, TRUE);
	g_free(p);
}
