/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/formula/region.h"
#include "solver/base/hash.h"
#include "solver/formula/run-walker.h"
#include "solver/formula/requirement.h"
#include "solver/formula/side/unexplored.h"

struct region {
	uint32_t guard;	  /* term, width 1 */
	uint32_t target;  /* term: of an indirect transfer, 0 for a conditional jump */
	bool first;	  /* the outcome that is walked first */
	bool second_side; /* it is being walked */
	unsigned depth;
	uint64_t join;	/* runtime address; 0 = when the frame is left */
	uint32_t reach; /* at the branch */
	size_t mark;
	uint32_t path;		   /* entry of PATH_BRANCH */
	enum unexplored_kind kind; /* what is known of the other side if no walker took it */
	struct unexplored away;	   /* the other side, as an unexplored one */
	GArray *writes;		   /* struct side_write: UNEXPLORED_EXACT */
	GPtrArray *waiting;	   /* walkers for the second side */
	GPtrArray *arrived;	   /* walkers that came through the first side */
	GArray *changed;	   /* struct symbolic_change: by the first side */
	uint32_t first_reach;
};

struct regions {
	GPtrArray *stack; /* struct region */
	GPtrArray *active;
};

static void region_free(struct region *r)
{
	g_ptr_array_free(r->waiting, TRUE);
	g_ptr_array_free(r->arrived, TRUE);
	g_array_free(r->writes, TRUE);
	if (r->changed)
		g_array_free(r->changed, TRUE);
	g_free(r);
}

struct regions *regions_new(void)
{
	struct regions *r = g_new0(struct regions, 1);

	r->stack = g_ptr_array_new_with_free_func((GDestroyNotify)region_free);
	r->active = g_ptr_array_new();
	return r;
}

void regions_free(struct regions *r)
{
	g_ptr_array_free(r->stack, TRUE);
	g_ptr_array_free(r->active, TRUE);
	g_free(r);
}

bool regions_empty(const struct regions *r)
{
	return r->stack->len == 0;
}

GPtrArray *regions_active(struct regions *r)
{
	return r->active;
}

static uint32_t outcome_term(struct walk *w, uint32_t guard, bool outcome)
{
	return outcome ? guard : term_not(w->p, guard);
}

/* ---- opening ---- */

static uint64_t join_of(const struct walk *w)
{
	const struct insn_info *s = w->info;
	const struct image *im = s->module->image;
	const struct image_block *b = s->function ? image_block_at(im, s->function, s->link) : NULL;

	if (!b || b->ipdom < 0)
		return 0;
	return image_cfg(im, s->function)->blocks[b->ipdom].lo + s->module->bias;
}

static enum unexplored_kind other_side(const struct walk *w, const struct region *r)
{
	const struct trace_insn *insn = w->step->insn;
	const struct insn_info *s = w->info;
	struct side_question q = {
		.image = s->module->image,
		.function = s->function,
		.bias = s->module->bias,
		.start = r->first ? insn->addr + insn->length : insn->target,
		.join = r->join ? r->join - s->module->bias : 0,
		.rbp = trace_cursor_reg(w->cursor, TRACE_RBP),
		.rsp = trace_cursor_reg(w->cursor, TRACE_RSP),
	};

	if (w->options->requirement->kind->wanted)
		q.wanted = w->options->requirement->kind->wanted(w, &q.n_wanted);
	return s->function ? unexplored_effect(&q, r->writes) : UNEXPLORED_LOST;
}

static uint32_t define_guard(struct walk *w, uint32_t predicate, bool taken)
{
	struct definition *d = walk_define(w, DEF_GUARD, 1, predicate, w->info->selector, taken);

	d->statement = w->info->statement;
	d->instance = w->instance;
	d->pc = w->step->pc;
	return d->variable;
}

/* Where a walker's jump or call goes. */
static uint64_t target_of_walker(const struct run_walker *l)
{
	return l->step.exit_kind == TRACE_EXIT_ON ? l->step.next : l->step.native;
}

/* Does it go the way that is walked first? */
static bool goes_first(const struct region *r, const struct run_walker *first,
		       const struct run_walker *l)
{
	return r->target ? target_of_walker(l) == target_of_walker(first)
			 : l->step.taken == r->first;
}

/* Walkers that went the other way have to wait. */
static void part_walkers(const struct region *r, GPtrArray *active, GPtrArray *waiting)
{
	const struct run_walker *first = active->pdata[0];

	for (guint i = active->len; i > 0; i--) {
		struct run_walker *l = active->pdata[i - 1];

		if (goes_first(r, first, l))
			continue;
		g_ptr_array_insert(waiting, 0, l);
		g_ptr_array_remove_index(active, i - 1);
	}
}

static struct region *region_new(struct walk *w, uint32_t guard, bool first, uint32_t path)
{
	struct region *r = g_new0(struct region, 1);
	struct path_entry *e = &g_array_index(w->f->path, struct path_entry, path);

	r->guard = guard;
	r->first = first;
	r->reach = w->reach;
	r->mark = symbolic_mark(w->memory);
	r->path = path;
	e->kind = PATH_BRANCH;
	e->first = first;
	r->writes = g_array_new(FALSE, FALSE, sizeof(struct side_write));
	r->waiting = g_ptr_array_new();
	r->arrived = g_ptr_array_new();
	return r;
}

static struct unexplored other_side_of(struct walk *w, const struct region *r,
				       const struct run_walker *l)
{
	const struct term_node guard = *term_node(w->p, r->guard);

	return (struct unexplored){
		.taken = term_and(w->p, r->reach, outcome_term(w, r->guard, !r->first)),
		.run = l->number,
		.guard = guard.kind == TERM_VAR ? guard.a : UINT32_MAX,
		.pc = l->step.pc,
		.nth = walker_count(l, l->step.pc),
		.outcome = !r->first,
		.indirect = r->target != 0,
	};
}

/* Looks at the other side when no walker took it. */
static void open_unexplored(struct walk *w, struct region *r, const struct run_walker *l)
{
	r->kind = r->target ? UNEXPLORED_LOST : other_side(w, r);
	if (w->options->other_sides == WALK_SIDES_FREE && r->kind == UNEXPLORED_LOST)
		r->kind = UNEXPLORED_EXACT;
	else if (w->options->other_sides == WALK_SIDES_LOST)
		r->kind = UNEXPLORED_LOST;
	r->away = other_side_of(w, r, l);
	r->away.returns = r->kind == UNEXPLORED_EXACT;
	if (r->kind == UNEXPLORED_EXACT || r->kind == UNEXPLORED_LOST)
		g_array_append_val(w->f->unexplored, r->away);
	if (r->kind == UNEXPLORED_FAILS) {
		struct constraint h = { .term = term_not(w->p, r->away.taken),
					.requirement = true,
					.pc = w->step->pc };

		g_array_append_val(w->f->constraints, h);
	}
}

static void open_region(struct regions *rs, struct walk *w, struct region *r)
{
	const struct run_walker *l = rs->active->pdata[0];

	g_ptr_array_add(rs->stack, r);
	part_walkers(r, rs->active, r->waiting);
	w->reach = term_and(w->p, r->reach, outcome_term(w, r->guard, r->first));
	if (!r->waiting->len)
		open_unexplored(w, r, l);
	w->parted = true;
}

/* The rounds of a long loop are regions one inside the other, and merging each one costs what
 * all later rounds wrote.  So only the first and the last rounds of a loop may end differently;
 * between them, the branch is taken as it went. */
static bool is_in_the_middle(const struct regions *rs, const struct walk *w,
			     const struct run_walker *l)
{
	uint64_t total = trace_summary_count(w->options->summary, l->step.pc);

	return rs->stack->len >= w->f->limits->open_regions &&
	       walker_count(l, l->step.pc) + w->f->limits->last_rounds < total + w->options->unroll;
}

void regions_branch(struct regions *rs, struct walk *w)
{
	const struct run_walker *l = rs->active->pdata[0];
	bool taken = l->step.taken, agree = true;
	uint32_t predicate = w->predicate ? w->predicate : term_const(w->p, 1, taken);
	struct region *r;
	uint32_t guard;

	for (guint i = 1; i < rs->active->len; i++)
		agree &= ((struct run_walker *)rs->active->pdata[i])->step.taken == taken;
	if (agree && w->info->selector == SELECTOR_HARD && !walk_is_changeable(w, predicate))
		return;
	if (agree && is_in_the_middle(rs, w, l)) {
		walk_require(w, taken ? predicate : term_not(w->p, predicate), false);
		walk_concretized(w);
		limits_reached(w->f->limits, LIMIT_open_regions);
		return;
	}
	guard = define_guard(w, predicate, taken);
	r = region_new(w, guard, taken, w->f->path->len - 1);
	r->depth = walker_depth(l);
	r->join = join_of(w);
	open_region(rs, w, r);
}

/* ---- indirect transfers ---- */

/* Where a jump through a table or a call through a pointer may go: to the table's entries, or
 * to the program's functions. */
static GArray *ways_of(const struct walk *w, const struct regions *rs)
{
	const struct insn_info *s = w->info;
	const struct image *im = s->module->image;
	GArray *ways = g_array_new(FALSE, FALSE, sizeof(uint64_t));
	const struct image_block *b = s->function ? image_block_at(im, s->function, s->link) : NULL;
	const struct image_function *functions;
	size_t n_functions = image_functions(im, &functions);

	for (guint i = 0; i < rs->active->len; i++) {
		uint64_t way = target_of_walker(rs->active->pdata[i]);

		g_array_append_val(ways, way);
	}
	if (w->step->insn->flow == TRACE_FLOW_JUMP_IND) {
		for (uint32_t i = 0; b && i < b->n_succ; i++) {
			uint64_t way =
				image_cfg(im, s->function)->blocks[b->succ[i]].lo + s->module->bias;

			g_array_append_val(ways, way);
		}
		return ways;
	}
	if (n_functions > w->f->limits->indirect_functions) {
		limits_reached(w->f->limits, LIMIT_indirect_functions);
		return ways;
	}
	for (size_t i = 0; i < n_functions; i++) {
		uint64_t way = functions[i].entry + s->module->bias;

		g_array_append_val(ways, way);
	}
	return ways;
}

static void require_a_way(struct walk *w, const struct regions *rs, uint32_t target)
{
	g_autoptr(GArray) ways = ways_of(w, rs);
	uint32_t any = term_false(w->p);

	for (guint i = 0; i < ways->len; i++)
		any = term_or(w->p, any,
			      term_eq(w->p, target,
				      term_const(w->p, 64, g_array_index(ways, uint64_t, i))));
	walk_require(w, any, false);
}

/* Opens a region whose first side is the way of the first active walker. */
static struct region *region_of_way(struct walk *w, const struct run_walker *l, uint32_t target,
				    uint32_t path)
{
	uint64_t way = target_of_walker(l);
	uint32_t guard = term_eq(w->p, target, term_const(w->p, 64, way));
	struct region *r = region_new(w, guard, true, path);

	r->target = target;
	g_array_index(w->f->path, struct path_entry, path).target = way;
	return r;
}

void regions_transfer(struct regions *rs, struct walk *w)
{
	const struct run_walker *l = rs->active->pdata[0];
	bool calls = l->step.insn->flow == TRACE_FLOW_CALL_IND;
	struct region *r;
	struct definition *d;

	if (w->info->selector == SELECTOR_HARD && !walk_is_changeable(w, w->target))
		return;
	walk_rely_on(w, w->target);
	d = walk_define(w, DEF_TARGET, 64, w->target, w->info->selector, target_of_walker(l));
	d->statement = w->info->statement;
	d->instance = w->instance;
	d->pc = w->step->pc;
	require_a_way(w, rs, d->variable);
	r = region_of_way(w, l, d->variable, w->f->path->len - 1);
	/* a call's sides join at the place to which it returns */
	r->depth = walker_depth(l) - (calls && l->step.exit_kind == TRACE_EXIT_ON);
	r->join = calls ? w->step->pc + w->step->insn->length : join_of(w);
	open_region(rs, w, r);
}

/* The second side's walkers may go several ways.  Then all but the first way become the second
 * side of a region inside. */
static void part_ways(struct regions *rs, struct walk *w, const struct region *outer)
{
	const struct path_entry *e = &g_array_index(w->f->path, struct path_entry, outer->path);
	struct path_entry again = { .kind = PATH_DEF, .index = e->index };
	struct region *r;

	g_array_append_val(w->f->path, again);
	r = region_of_way(w, rs->active->pdata[0], outer->target, w->f->path->len - 1);
	r->depth = outer->depth;
	r->join = outer->join;
	open_region(rs, w, r);
}

/* ---- closing ---- */

static bool is_at_join(const struct region *r, const struct run_walker *l)
{
	unsigned depth = walker_depth(l);

	return depth < r->depth ||
	       (depth == r->depth && r->join && trace_cursor_pc(l->cursor) == r->join);
}

static void start_second_side(struct regions *rs, struct walk *w, struct region *r)
{
	r->changed = symbolic_changed(w->memory, r->mark);
	r->first_reach = w->reach;
	symbolic_undo(w->memory, r->mark);
	while (rs->active->len)
		g_ptr_array_add(r->arrived, g_ptr_array_steal_index(rs->active, 0));
	while (r->waiting->len)
		g_ptr_array_add(rs->active, g_ptr_array_steal_index(r->waiting, 0));
	r->second_side = true;
	g_array_index(w->f->path, struct path_entry, r->path).other = w->f->path->len;
	w->reach = term_and(w->p, r->reach, outcome_term(w, r->guard, !r->first));
	if (r->target)
		part_ways(rs, w, r);
}

static GHashTable *by_key(GArray *changes)
{
	GHashTable *t = g_hash_table_new(hash_u64, g_int64_equal);

	for (guint i = 0; i < changes->len; i++) {
		struct symbolic_change *c = &g_array_index(changes, struct symbolic_change, i);

		g_hash_table_insert(t, &c->key, c);
	}
	return t;
}

static uint32_t present_value(struct walk *w, uint64_t key)
{
	struct cell c = symbolic_get(w->memory, key);

	if (c.term)
		return exec_settle(w, key, c);
	return key & SYMBOLIC_STATE ? 0 : memory_byte(w, key);
}

static uint32_t before_the_branch(struct walk *w, const struct symbolic_change *c)
{
	if (c->before.term)
		return exec_settle(w, c->key, c->before);
	return c->key & SYMBOLIC_STATE ? 0 : memory_untouched(w, c->key);
}

static void merge_cell(struct walk *w, const struct region *r, uint64_t key, uint32_t first,
		       uint32_t second)
{
	struct cell c = { 0, w->instance, false };

	/* when one side does not know a piece of memory, it was not in use there */
	if (!(key & SYMBOLIC_STATE) && !first != !second)
		c.term = first ? first : second;
	else if (first && second)
		c.term = term_ite(w->p, outcome_term(w, r->guard, r->first), first, second);
	symbolic_set(w->memory, key, c);
}

/* Merges what the first side wrote into the store as the second side left it. */
static void merge_sides(struct walk *w, struct region *r)
{
	g_autoptr(GArray) second = symbolic_changed(w->memory, r->mark);
	g_autoptr(GHashTable) first = by_key(r->changed);

	for (guint i = 0; i < r->changed->len; i++) {
		struct symbolic_change *c = &g_array_index(r->changed, struct symbolic_change, i);

		merge_cell(w, r, c->key, exec_settle(w, c->key, c->now), present_value(w, c->key));
	}
	for (guint i = 0; i < second->len; i++) {
		struct symbolic_change *c = &g_array_index(second, struct symbolic_change, i);

		if (g_hash_table_contains(first, &c->key))
			continue;
		merge_cell(w, r, c->key, before_the_branch(w, c), exec_settle(w, c->key, c->now));
	}
}

static uint32_t unknown_side_value(struct walk *w, uint32_t taken, unsigned width)
{
	struct definition *d = walk_define(w, DEF_UNKNOWN, width, 0, SELECTOR_HARD, 0);

	d->escapes = taken;
	return d->variable;
}

/* What an unexplored side may write is free if that side is taken. */
static void write_unknowns(struct walk *w, const struct region *r)
{
	for (guint i = 0; i < r->writes->len; i++) {
		const struct side_write *s = &g_array_index(r->writes, struct side_write, i);

		if (!s->is_memory) {
			symbolic_set(w->memory, SYMBOLIC_STATE + s->reg,
				     (struct cell){ unknown_side_value(w, r->away.taken, 64),
						    w->instance, false });
			continue;
		}
		for (unsigned k = 0; k < s->size; k++)
			symbolic_set(w->memory, s->address + k,
				     (struct cell){ unknown_side_value(w, r->away.taken, 8),
						    w->instance, false });
	}
}

/* For WALK_SIDES_FREE: all that the first side left otherwise than it was. */
static void free_changed(struct walk *w, const struct region *r)
{
	for (guint i = 0; i < r->changed->len; i++) {
		const struct symbolic_change *c =
			&g_array_index(r->changed, struct symbolic_change, i);
		uint32_t now = exec_settle(w, c->key, c->now), before = before_the_branch(w, c);

		if (now && before && now != before)
			symbolic_set(w->memory, c->key,
				     (struct cell){ unknown_side_value(w, r->away.taken,
								       term_width(w->p, now)),
						    w->instance, false });
	}
}

static void merge_unexplored(struct walk *w, struct region *r)
{
	r->changed = symbolic_changed(w->memory, r->mark);
	r->first_reach = w->reach;
	symbolic_undo(w->memory, r->mark);
	if (w->options->other_sides == WALK_SIDES_FREE && r->kind == UNEXPLORED_EXACT)
		free_changed(w, r);
	else
		write_unknowns(w, r);
	merge_sides(w, r);
}

static uint32_t joined_reach(struct walk *w, const struct region *r, uint32_t second_reach)
{
	uint32_t first_start = term_and(w->p, r->reach, outcome_term(w, r->guard, r->first));
	uint32_t second_start = term_and(w->p, r->reach, outcome_term(w, r->guard, !r->first));

	if (r->first_reach == first_start && second_reach == second_start)
		return r->reach;
	return term_or(w->p, r->first_reach, second_reach);
}

static gint compare_walkers(gconstpointer a, gconstpointer b)
{
	const struct run_walker *x = *(struct run_walker *const *)a,
				*y = *(struct run_walker *const *)b;

	return x->number < y->number ? -1 : x->number > y->number;
}

/* The walkers of both sides go on together, from where the first of them stands. */
static void gather_walkers(struct regions *rs, struct region *r)
{
	while (r->arrived->len)
		g_ptr_array_add(rs->active, g_ptr_array_steal_index(r->arrived, 0));
	for (guint i = rs->active->len; i > 1; i--) {
		const struct run_walker *l = rs->active->pdata[i - 1],
					*first = rs->active->pdata[0];

		if (trace_cursor_pc(l->cursor) != trace_cursor_pc(first->cursor) ||
		    walker_depth(l) != walker_depth(first))
			g_ptr_array_remove_index(rs->active, i - 1);
	}
	g_ptr_array_sort(rs->active, compare_walkers);
}

static void close_explored(struct regions *rs, struct walk *w, struct region *r)
{
	bool first_lives = r->arrived->len > 0, second_lives = rs->active->len > 0;

	g_array_index(w->f->path, struct path_entry, r->path).joins = second_lives;

	if (first_lives && second_lives) {
		w->reach = joined_reach(w, r, w->reach);
		merge_sides(w, r);
	} else if (first_lives) {
		symbolic_undo(w->memory, r->mark);
		for (guint i = 0; i < r->changed->len; i++) {
			struct symbolic_change *c =
				&g_array_index(r->changed, struct symbolic_change, i);

			symbolic_set(w->memory, c->key, c->now);
		}
		w->reach = r->first_reach;
	}
	gather_walkers(rs, r);
}

static void close_unexplored(struct regions *rs, struct walk *w, struct region *r)
{
	/* no run has seen what comes after the join */
	if (!rs->active->len && r->kind == UNEXPLORED_EMPTY)
		g_array_append_val(w->f->unexplored, r->away);
	if (!rs->active->len || (r->kind != UNEXPLORED_EMPTY && r->kind != UNEXPLORED_EXACT))
		return;
	merge_unexplored(w, r);
	g_array_index(w->f->path, struct path_entry, r->path).joins = true;
	w->reach =
		joined_reach(w, r, term_and(w->p, r->reach, outcome_term(w, r->guard, !r->first)));
}

bool regions_at_join(struct regions *rs, struct walk *w)
{
	struct region *r = rs->stack->len ? rs->stack->pdata[rs->stack->len - 1] : NULL;
	struct path_entry *e;

	if (!r || (rs->active->len && !is_at_join(r, rs->active->pdata[0])))
		return false;
	w->parted = true;
	if (!r->second_side && r->waiting->len) {
		start_second_side(rs, w, r);
		return true;
	}
	if (r->second_side)
		close_explored(rs, w, r);
	else
		close_unexplored(rs, w, r);
	e = &g_array_index(w->f->path, struct path_entry, r->path);
	e->join = w->f->path->len;
	if (!r->second_side)
		e->other = e->join;
	g_ptr_array_set_size(rs->stack, (gint)rs->stack->len - 1);
	return true;
}
