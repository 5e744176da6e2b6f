/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/formula/character-table.h"
#include "solver/formula/heap.h"
#include "solver/formula/requirement.h"
#include "solver/base/debug.h"
#include "solver/base/hash.h"
#include "solver/formula/run-walker.h"
#include "solver/formula/region.h"
#include "solver/formula/sorted-array.h"
#include "solver/formula/walk-private.h"

#include <string.h>

static term_bits actual_value(void *arg, uint32_t number)
{
	struct walk *w = arg;

	return g_array_index(w->f->definitions, struct definition, number).actual;
}

static guint hash_of_pending(gconstpointer key)
{
	const struct pending_key *k = key;

	return (guint)k->key * 31 + k->instance * 1031 + k->term;
}

static gboolean pending_is_equal(gconstpointer a, gconstpointer b)
{
	const struct pending_key *x = a, *y = b;

	return x->key == y->key && x->instance == y->instance && x->term == y->term;
}

struct selector_table *selector_table_new(void)
{
	struct selector_table *t = g_new0(struct selector_table, 1);

	t->numbers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	t->statements = g_ptr_array_new();
	t->executions = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	return t;
}

void selector_table_free(struct selector_table *t)
{
	if (!t)
		return;
	g_hash_table_destroy(t->numbers);
	g_ptr_array_unref(t->statements);
	g_array_free(t->executions, TRUE);
	g_free(t);
}

static struct formula *formula_new(struct term_pool *pool)
{
	struct formula *f = g_new0(struct formula, 1);

	f->pool = pool;
	f->definitions = g_array_new(FALSE, FALSE, sizeof(struct definition));
	f->constraints = g_array_new(FALSE, FALSE, sizeof(struct constraint));
	f->unexplored = g_array_new(FALSE, FALSE, sizeof(struct unexplored));
	f->path = g_array_new(FALSE, FALSE, sizeof(struct path_entry));
	f->pcs = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	f->instance_end = g_array_new(FALSE, FALSE, sizeof(uint32_t));
	f->taken = g_ptr_array_new();
	return f;
}

enum { MOST_TAKEN = 8 };

void walk_concretized(struct walk *w)
{
	const struct image_statement *s = w->info ? w->info->statement : NULL;
	GPtrArray *taken = w->f->taken;

	w->f->concretized++;
	for (guint i = 0; s && i < taken->len; i++)
		if (image_line_equal(taken->pdata[i], s))
			return;
	if (s && s->file && !image_is_of_system(s->file) && taken->len < MOST_TAKEN)
		g_ptr_array_add(taken, (gpointer)s);
}

static void walk_init(struct walk *w, struct term_pool *pool, const struct walk_options *options)
{
	*w = (struct walk){ .p = pool, .options = options, .f = formula_new(pool) };
	w->f->limits = limits_or_default(options->limits);
	w->memory = symbolic_new();
	w->insn_infos = g_hash_table_new_full(hash_u64, g_int64_equal, NULL, g_free);
	w->sources = assigned_sources_new();
	w->asserting = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	w->marked = g_hash_table_new(NULL, NULL);
	w->softened = g_hash_table_new_full(hash_of_pending, pending_is_equal, g_free, NULL);
	w->changeable = g_hash_table_new(NULL, NULL);
	w->escapes = g_hash_table_new(NULL, NULL);
	w->bounded = g_hash_table_new(hash_u64_itself, NULL);
	w->bounded_at = g_hash_table_new(NULL, NULL);
	w->sums = g_hash_table_new(NULL, NULL);
	w->inputs = g_hash_table_new_full(hash_u64, g_int64_equal, g_free, NULL);
	w->instances = g_array_new(FALSE, TRUE, sizeof(struct instance));
	heap_init(w);
	w->sorts = sorted_arrays_new();
	character_table_init(w);
	w->actual = term_memo_new(pool, actual_value, w);
	w->reach = term_true(pool);
}

static void walk_deinit(struct walk *w)
{
	symbolic_free(w->memory);
	g_hash_table_destroy(w->insn_infos);
	g_hash_table_unref(w->sources);
	g_hash_table_destroy(w->asserting);
	g_hash_table_destroy(w->marked);
	g_hash_table_destroy(w->softened);
	g_hash_table_destroy(w->changeable);
	g_hash_table_destroy(w->escapes);
	g_hash_table_destroy(w->bounded);
	g_hash_table_destroy(w->bounded_at);
	g_hash_table_destroy(w->sums);
	g_hash_table_destroy(w->inputs);
	g_array_free(w->instances, TRUE);
	heap_deinit(w);
	g_array_free(w->sorts, TRUE);
	character_table_deinit(w);
	term_memo_free(w->actual);
	g_free(w->terms);
}

/* A statement instance goes on while control stays in its rows, goes forward, and stays in one
 * frame. */
static bool instance_goes_on(const struct walk *w, const struct run_walker *l, unsigned depth)
{
	return w->instances->len && w->info && !w->parted && w->last_depth == depth &&
	       w->info->statement == w->next_info->statement && l->step.pc > w->info->pc;
}

static void follow_instance(struct walk *w, const struct run_walker *l)
{
	unsigned depth = walker_depth(l);

	if (!instance_goes_on(w, l, depth)) {
		struct instance in = {
			w->next_info->statement, w->next_info->selector, w->reach, l->step.pc,
			w->before[TRACE_RBP],	 w->before[TRACE_RSP],	 0
		};
		uint32_t end = w->f->path->len;

		w->instance = w->instances->len;
		g_array_append_val(w->instances, in);
		g_array_append_val(w->f->instance_end, end);
	}
	g_array_index(w->instances, struct instance, w->instance).last = walk_step_number(w);
	w->info = w->next_info;
	w->last_depth = depth;
	w->parted = false;
}

/* Makes the walker's step the present one. */
static void turn_to_walker(struct walk *w, struct run_walker *l)
{
	w->cursor = l->cursor;
	w->step = &l->step;
	w->step_run = l->run->record;
	w->step_run_number = l->number;
	memcpy(w->before, l->before, sizeof(w->before));
	w->next_info = insn_info_at(w, l->step.pc, l->step.module, l->step.insn);
	insn_info_choose_selector(w, w->next_info);
	follow_instance(w, l);
}

static void execute_walked_step(struct walk *w, struct run_walker *l)
{
	struct path_entry step = { .kind = PATH_STEP };

	turn_to_walker(w, l);
	step.index = w->info->index;
	g_array_index(w->f->instance_end, uint32_t, w->instance) = w->f->path->len;
	g_array_append_val(w->f->path, step);
	w->f->steps++;
	exec_step(w);
	w->crashed_at = 0;
	if (l->step.exit_kind == TRACE_EXIT_NATIVE) {
		heap_note_call(w);
		character_table_note_call(w);
	}
}

/* Other runs go on with the instruction at which this walker's run ended, in the same instance. */
static void end_at_step(struct walk *w, struct run_walker *l, const struct requirement_kind *kind,
			GPtrArray *others)
{
	g_autoptr(GPtrArray) alone = g_ptr_array_new();
	struct insn_info *info = w->info;
	uint32_t instance = w->instance;
	unsigned depth = w->last_depth;
	bool parted = w->parted;
	struct path_entry e = { .kind = PATH_END, .open = true };

	g_ptr_array_add(alone, l);
	w->active = alone;
	turn_to_walker(w, l);
	kind->encode(w, l, REQUIREMENT_AT_STEP, others->len > 0);
	w->active = others;
	w->info = info;
	w->instance = instance;
	w->last_depth = depth;
	w->parted = parted;
	if (!others->len) {
		w->crashed_at = 0;
		g_array_append_val(w->f->path, e);
	}
}

/* The walker goes no further here; how its path goes on stays open. */
static void leave_open(struct walk *w, const struct run_walker *l)
{
	struct path_entry e = { .kind = PATH_END, .open = true };
	struct unexplored u = { .taken = w->reach,
				.run = l->number,
				.pc = l->step.pc,
				.nth = walker_count(l, l->step.pc),
				.outcome = l->step.taken,
				.cut = true };

	g_array_append_val(w->f->unexplored, u);
	g_array_append_val(w->f->path, e);
}

/* Only one walker is left, and its record is at the end. */
static void run_out(struct walk *w, struct run_walker *l)
{
	const struct requirement_kind *kind =
		l->run->open ? NULL : requirement_ends_run(w, l, REQUIREMENT_RAN_OUT);

	if (l->run->open)
		leave_open(w, l);
	if (kind)
		kind->encode(w, l, REQUIREMENT_RAN_OUT, false);
}

/* All walkers do one step.  Those that end there are taken off the active ones. */
static bool step_all(struct walk *w, GPtrArray *active, GError **error)
{
	const struct requirement_kind *kind = NULL;
	struct run_walker *ended = NULL; /* the first walker whose step ends its run */

	for (guint i = 0; i < active->len;) {
		struct run_walker *l = active->pdata[i];
		const struct requirement_kind *here;

		if (walker_step(l, error) < 0)
			return false;
		here = requirement_ends_run(w, l, REQUIREMENT_AT_STEP);
		if (here) {
			kind = ended ? kind : here;
			ended = ended ? ended : l;
			g_ptr_array_remove_index(active, i);
		} else if (l->ended) {
			/* after a call to nowhere, only the walkers that came first are left */
			if (i == 0 && active->len == 1)
				run_out(w, l);
			g_ptr_array_remove_index(active, i);
		} else {
			i++;
		}
	}
	if (ended)
		end_at_step(w, ended, kind, active);
	return true;
}

static bool is_transfer(unsigned flow)
{
	return flow == TRACE_FLOW_JUMP_IND || flow == TRACE_FLOW_CALL_IND;
}

/* A walker that went to another place than the first one, by a return or a signal, is not
 * followed any more. */
static void drop_those_that_differ(GPtrArray *active)
{
	const struct run_walker *first = active->pdata[0];
	unsigned flow = first->step.insn->flow;
	bool parts = flow == TRACE_FLOW_COND || is_transfer(flow);

	for (guint i = active->len; i > 1; i--) {
		const struct run_walker *l = active->pdata[i - 1];

		if (l->step.pc != first->step.pc || (!parts && l->step.next != first->step.next))
			g_ptr_array_remove_index(active, i - 1);
	}
}

static bool loops_on(const struct walk *w, const struct run_walker *l)
{
	return l->number > 0 && l->step.insn->flow == TRACE_FLOW_COND &&
	       walker_count(l, l->step.pc) >
		       trace_summary_count(w->options->summary, l->step.pc) + w->options->unroll;
}

/* Runs that stay in a loop for too long are left here. */
static void leave_long_loops(struct walk *w, GPtrArray *active)
{
	const struct run_walker *last = active->pdata[active->len - 1];

	for (guint i = active->len; i > 0; i--)
		if (loops_on(w, active->pdata[i - 1]))
			g_ptr_array_remove_index(active, i - 1);
	if (!active->len)
		leave_open(w, last);
}

/* No run goes on from here. */
static void end_path(struct walk *w)
{
	struct path_entry e = { .kind = PATH_END };

	g_array_append_val(w->f->path, e);
}

/* The clock is read after so many steps. */
enum { STEPS_BETWEEN_LOOKS = 256 };

static bool is_walk_too_long(const struct walk *w, GError **error)
{
	if (w->f->steps % STEPS_BETWEEN_LOOKS)
		return false;
	if (!deadline_check(w->options->until, error))
		return true;
	if (term_pool_size(w->p) <= w->f->limits->formula_terms)
		return false;
	limits_reached(w->f->limits, LIMIT_formula_terms);
	g_set_error(
		error, TRACE_ERROR, TRACE_ERROR_LONG,
		"The last part of the run that was looked at has more values than a formula may "
		"have (limit `formula_terms', reached after %" G_GUINT64_FORMAT
		" instructions); `gdb-why ask 'why EXPR'' looks back as far as you like.",
		w->f->steps);
	return true;
}

/* All walkers stop where the first one's run ends before its step. */
static bool end_before_step(struct walk *w, GPtrArray *active)
{
	struct run_walker *first = active->len ? active->pdata[0] : NULL;
	const struct requirement_kind *own = w->options->requirement->kind;
	const struct requirement_kind *kind =
		first ? requirement_ends_run(w, first, REQUIREMENT_BEFORE_STEP) : NULL;

	if (first && own->pass) {
		w->active = active;
		own->pass(w, first);
	}
	if (!kind)
		return false;
	w->active = active;
	kind->encode(w, first, REQUIREMENT_BEFORE_STEP, false);
	g_ptr_array_set_size(active, 0);
	end_path(w);
	return true;
}

static void end_after_step(struct walk *w, struct run_walker *l)
{
	const struct requirement_kind *kind = requirement_ends_run(w, l, REQUIREMENT_AFTER_STEP);

	if (kind)
		kind->encode(w, l, REQUIREMENT_AFTER_STEP, false);
}

static bool walk_on(struct walk *w, struct regions *r, GError **error)
{
	GPtrArray *active = regions_active(r);

	while (active->len || !regions_empty(r)) {
		if (regions_at_join(r, w)) {
			active = regions_active(r);
			continue;
		}
		if (end_before_step(w, active))
			continue;
		if (is_walk_too_long(w, error) || !step_all(w, active, error))
			return false;
		if (regions_empty(r))
			symbolic_commit(w->memory); /* nothing can be undone */
		if (active->len)
			leave_long_loops(w, active);
		if (!active->len) {
			end_path(w);
			continue;
		}
		struct run_walker *l = active->pdata[0];

		drop_those_that_differ(active);
		w->active = active;
		execute_walked_step(w, l);
		end_after_step(w, l);
		if (l->step.exit_kind == TRACE_EXIT_AWAY || l->step.exit_kind == TRACE_EXIT_CUT) {
			g_ptr_array_set_size(active, 0);
			end_path(w);
		} else if (l->step.insn->flow == TRACE_FLOW_COND) {
			regions_branch(r, w);
		} else if (is_transfer(l->step.insn->flow) && w->target) {
			regions_transfer(r, w);
		}
	}
	return true;
}

/* With GDB_WHY_LOG=formula:debug. */
static void say_formula(const struct formula *f, size_t n_runs)
{
	g_autofree char *text = NULL;
	size_t size = 0;
	FILE *out;

	if (!debug_is_wanted(G_LOG_DOMAIN))
		return;
	out = open_memstream(&text, &size);
	formula_dump(out, f);
	fclose(out);
	g_debug("formula of %zu runs:\n%s", n_runs, text);
}

struct formula *walk_runs(struct term_pool *pool, const struct walk_run *runs, size_t n_runs,
			  struct lift *lift, const struct walk_options *options, GError **error)
{
	struct walk w;
	struct formula *f;
	g_autoptr(GPtrArray) walkers = g_ptr_array_new_with_free_func((GDestroyNotify)walker_free);
	struct walker_counts *counts = walker_counts_new((unsigned)n_runs);
	struct regions *regions = regions_new();
	bool ok;

	walk_init(&w, pool, options);
	f = w.f;
	for (size_t i = 0; i < n_runs; i++) {
		struct run_walker *l = walker_new(&runs[i], (unsigned)i, counts, f->limits, lift);
		const struct run_walker *first;

		g_ptr_array_add(walkers, l);
		first = walkers->pdata[0];
		trace_cursor_share(l->cursor, first->cursor);
		g_ptr_array_add(regions_active(regions), l);
	}
	w.cursor = ((struct run_walker *)walkers->pdata[0])->cursor;
	w.step_run = runs[0].record;
	exec_enter(&w, true);
	ok = walk_on(&w, regions, error);
	regions_free(regions);
	walker_counts_free(counts);
	walk_deinit(&w);
	if (!ok)
		g_clear_pointer(&f, formula_free);
	else
		say_formula(f, n_runs);
	return f;
}
