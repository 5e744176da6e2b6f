/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/answer/regions.h"

#include "solver/source/polarity.h"
#include "solver/trace/run.h"

#include <string.h>

#define NO_NODE UINT32_MAX

/* A node is known by the node that it stands in, by where it begins, and by its side. */
struct key {
	uint32_t parent;
	const struct image *image;
	uint64_t link;
	bool taken;
};

/* A region that is open. */
struct open {
	uint32_t node;
	const struct trace_insn *branch; /* NULL: a call */
	uint64_t end;			 /* branch: where it ends, runtime; 0: with the function */
	uint64_t sp;			 /* call: the stack pointer at its beginning */
};

struct walk {
	struct explanation *e;
	const struct limits *limits;
	struct trace_run *run;
	struct lift *lift;
	struct trace_cursor *cursor;
	GArray *stack;	     /* struct open */
	GHashTable *nodes;   /* struct key -> number + 1 */
	GHashTable *ends;    /* struct trace_insn -> link-time end of its region, 0 = none */
	GHashTable *sources; /* struct image -> struct sources */
	struct trace_step step;
	bool jumped;	   /* control did something else than go on to the next instruction */
	uint64_t returned; /* the stack pointer before a return, 0 = it was no return */
};

static guint region_key_hash(gconstpointer data)
{
	const struct key *k = data;

	return (guint)(k->link * 31 + k->parent * 2 + k->taken) ^
	       (guint)(GPOINTER_TO_SIZE(k->image) >> 4);
}

static gboolean region_key_equal(gconstpointer a, gconstpointer b)
{
	const struct key *x = a, *y = b;

	return x->parent == y->parent && x->image == y->image && x->link == y->link &&
	       x->taken == y->taken;
}

static struct open *top_region(const struct walk *w)
{
	return w->stack->len ? &g_array_index(w->stack, struct open, w->stack->len - 1) : NULL;
}

static void pop_region(struct walk *w)
{
	g_array_set_size(w->stack, w->stack->len - 1);
}

static struct sources *sources_of_region(struct walk *w, const struct image *im)
{
	struct sources *s = g_hash_table_lookup(w->sources, im);

	if (!s) {
		s = sources_new(im);
		g_hash_table_insert(w->sources, (gpointer)im, s);
	}
	return s;
}

/* --- nodes --- */

static void name_branch(struct walk *w, const struct key *k, struct explanation_region *r)
{
	const char *source = r->file ? image_source_line(k->image, r->file, r->line) : NULL;
	g_autofree char *line = source ? g_strstrip(g_strdup(source)) : NULL;
	struct polarity s = { 0 };
	bool is_true;

	polarity_find(k->image, sources_of_region(w, k->image), w->limits, k->link, &s);
	is_true = (s.meaning == POLARITY_TAKEN_IS_TRUE) == k->taken;
	r->text = explanation_string(w->e, s.clause ? s.clause : line);
	if (s.meaning == POLARITY_SWITCH)
		r->side = explanation_string(w->e, s.cases[k->taken] ? s.cases[k->taken]
								     : "another case");
	else
		r->side = s.meaning == POLARITY_UNKNOWN ? (k->taken ? "one way" : "the other way")
			  : is_true			? "true"
							: "false";
	polarity_clear(&s);
}

static uint32_t add_region_node(struct walk *w, const struct key *k, bool branch)
{
	const struct image_row *row = image_row_at(k->image, k->link);
	const struct image_statement *s = row ? image_statement(k->image, row->statement) : NULL;
	const struct image_function *f = image_function_at(k->image, k->link);
	struct explanation_region r = {
		.kind = branch ? REGION_BRANCH : REGION_CALL,
		.function = explanation_string(w->e, f ? f->name : NULL),
		.file = explanation_string(w->e, s ? s->file : NULL),
		.line = s ? s->line : 0,
		.parent = k->parent,
	};

	if (branch)
		name_branch(w, k, &r);
	else
		r.text = r.function;
	g_array_append_val(w->e->regions, r);
	return w->e->regions->len - 1;
}

static void enter_region(struct walk *w, const struct image *im, uint64_t link, struct open region,
			 bool taken)
{
	struct key k = { w->stack->len ? top_region(w)->node : NO_NODE, im, link, taken };
	gpointer known = g_hash_table_lookup(w->nodes, &k);

	if (!known && w->e->regions->len < w->limits->regions) {
		region.node = add_region_node(w, &k, region.branch);
		g_hash_table_insert(w->nodes, g_memdup2(&k, sizeof(k)),
				    GUINT_TO_POINTER(region.node + 1));
	} else {
		region.node = known ? GPOINTER_TO_UINT(known) - 1 : k.parent;
		if (!known)
			limits_reached(w->limits, LIMIT_regions);
	}
	if (known || region.node != k.parent)
		g_array_index(w->e->regions, struct explanation_region, region.node).times++;
	g_array_append_val(w->stack, region);
}

/* --- where regions end --- */

static uint64_t find_end(const struct image *im, const struct trace_insn *insn)
{
	const struct image_function *f = image_function_at(im, insn->addr);
	const struct image_function *whole = f && f->parent ? f->parent : f;
	const struct image_block *b = whole ? image_block_at(im, whole, insn->addr) : NULL;

	return b && b->ipdom >= 0 ? image_cfg(im, whole)->blocks[b->ipdom].lo : 0;
}

static uint64_t end_of_region(struct walk *w, const struct image *im, const struct trace_insn *insn)
{
	gpointer end;

	if (!g_hash_table_lookup_extended(w->ends, insn, NULL, &end)) {
		end = GSIZE_TO_POINTER(find_end(im, insn));
		g_hash_table_insert(w->ends, (gpointer)insn, end);
	}
	return GPOINTER_TO_SIZE(end);
}

/* A callback's return may be followed by the next call of it, deeper in the stack. */
static bool is_left(const struct walk *w, const struct open *o, uint64_t sp)
{
	return o->sp < sp || o->sp == w->returned;
}

/* When a call is left, everything in it is left, too.  A branch is only looked at when nothing
 * above it goes on. */
static void leave_region(struct walk *w, uint64_t pc, uint64_t sp)
{
	for (guint i = w->jumped ? w->stack->len : 0; i > 1; i--) {
		const struct open *o = &g_array_index(w->stack, struct open, i - 1);

		if (o->branch)
			continue;
		if (!is_left(w, o, sp))
			break;
		g_array_set_size(w->stack, i - 1);
	}
	while (w->stack->len > 1 && top_region(w)->branch && top_region(w)->end == pc)
		pop_region(w);
}

/* --- the walk --- */

/* Control comes to a function in which it is not yet. */
static bool is_entry(const struct walk *w, const struct image_function *f, uint64_t link)
{
	enum trace_flow flow = w->step.insn ? w->step.insn->flow : TRACE_FLOW_CALL;

	if (!f || f->parent || f->entry != link)
		return false;
	return w->step.exit_kind != TRACE_EXIT_ON || flow == TRACE_FLOW_CALL ||
	       flow == TRACE_FLOW_CALL_IND ||
	       image_function_at(w->step.module->image, w->step.insn->addr) != f;
}

static void begin_calls(struct walk *w, uint64_t pc)
{
	uint64_t link = 0;
	const struct trace_module *m = trace_run_module_at(w->run, pc, &link);
	uint64_t sp = trace_cursor_reg(w->cursor, TRACE_RSP);

	if (m && (!w->stack->len || is_entry(w, image_function_at(m->image, link), link)))
		enter_region(w, m->image, link, (struct open){ .sp = sp }, false);
}

/* The next round of a loop begins where the one before it ends. */
static void end_region_round(struct walk *w, const struct trace_insn *branch)
{
	for (guint i = w->stack->len; i > 1; i--) {
		const struct open *o = &g_array_index(w->stack, struct open, i - 1);

		if (!o->branch)
			return;
		if (o->branch == branch) {
			g_array_set_size(w->stack, i - 1);
			return;
		}
	}
}

static void take_region_branch(struct walk *w)
{
	const struct trace_step *s = &w->step;
	uint64_t end = end_of_region(w, s->module->image, s->insn);

	end_region_round(w, s->insn);
	enter_region(w, s->module->image, s->insn->addr,
		     (struct open){ .branch = s->insn, .end = end ? end + s->module->bias : 0 },
		     s->taken);
}

static bool walk_all_regions(struct walk *w, GError **error)
{
	int r = 1;

	w->jumped = true;
	while (r == 1) {
		uint64_t pc = trace_cursor_pc(w->cursor);
		uint64_t sp = trace_cursor_reg(w->cursor, TRACE_RSP);

		if (pc)
			leave_region(w, pc, sp);
		if (pc && w->jumped)
			begin_calls(w, pc);
		r = trace_cursor_step(w->cursor, &w->step, error);
		if (r != 1)
			break;
		w->jumped = w->step.next != w->step.pc + w->step.insn->length ||
			    w->step.exit_kind != TRACE_EXIT_ON;
		w->returned = w->step.insn->flow == TRACE_FLOW_RET ? sp : 0;
		if (w->step.insn->flow == TRACE_FLOW_COND && w->stack->len)
			take_region_branch(w);
	}
	return r == 0;
}

/* From the outermost to the one that the run ended in. */
static void mark_end(struct walk *w)
{
	for (guint i = 0; i < w->stack->len; i++) {
		uint32_t node = g_array_index(w->stack, struct open, i).node;

		g_array_index(w->e->regions, struct explanation_region, node).at_end = true;
	}
}

static void sources_free_one(gpointer data)
{
	sources_free(data);
}

bool regions_describe(struct explanation *e, struct image *const *images, size_t n_images,
		      const char *record, unsigned thread, const struct limits *limits,
		      const struct deadline *until, GError **error)
{
	struct walk w = { .e = e, .limits = limits_or_default(limits) };
	bool ok;

	w.stack = g_array_new(FALSE, FALSE, sizeof(struct open));
	w.nodes = g_hash_table_new_full(region_key_hash, region_key_equal, g_free, NULL);
	w.ends = g_hash_table_new(NULL, NULL);
	w.sources = g_hash_table_new_full(NULL, NULL, NULL, sources_free_one);
	w.lift = lift_new();
	w.run = trace_run_open(record, images, n_images, error);
	ok = w.run && trace_run_choose(w.run, thread, error);
	if (ok) {
		trace_run_end_at(w.run, until);
		w.cursor = trace_cursor_new(w.run, thread, w.lift);
		ok = walk_all_regions(&w, error);
		mark_end(&w);
	}
	trace_cursor_free(w.cursor);
	trace_run_free(w.run);
	lift_free(w.lift);
	g_array_unref(w.stack);
	g_hash_table_unref(w.nodes);
	g_hash_table_unref(w.ends);
	g_hash_table_unref(w.sources);
	return ok;
}
