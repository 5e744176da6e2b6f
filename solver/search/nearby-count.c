/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which execution of its instruction a candidate is, and what the earlier ones gave. */
#include "solver/search/nearby-private.h"

#include "solver/base/hash.h"

/* How often a candidate's instruction was executed so far and before each checkpoint, and what it
 * gave. */
struct count {
	uint64_t pc, times, before[LIMIT_MOST_checkpoints];
	const struct slice_instance *of; /* one of its candidates */
	/* the latest: number i at i % its length */
	struct given {
		uint64_t value;
		bool is_step; /* .value is the step that gave it: see is_frequent() */
	} given[LIMIT_MOST_nearby_earlier];
	uint64_t n_given;
};

/* A superblock's instructions that are counted. */
struct counted {
	uint32_t at; /* of the superblock's instructions */
	struct count *count;
};

struct counting {
	const struct nearby *n;
	GHashTable *counts;	/* uint64_t * pc → struct count *, owned */
	GPtrArray *by_step;	/* struct candidate_instance *, in the order of the run */
	guint next;		/* of .by_step */
	uint64_t steps;		/* instructions so far */
	GPtrArray *superblocks; /* GArray of struct counted, by number; NULL = not known yet */
	unsigned n_checkpoints; /* that were passed */
};

/* Puts checkpoints before candidates (struct candidate_instance *, in the order of the run), so
 * that no run goes more than 1 / share of what is left of it before it comes to its change. Returns
 * how many there are, of which `most' are kept. */
static unsigned place_checkpoints(struct nearby *n, const GPtrArray *by_step, uint64_t insns,
				  uint64_t share, unsigned most)
{
	uint64_t last = 0;
	unsigned placed = 0;

	for (guint i = 0; i < by_step->len; i++) {
		const uint64_t step =
			((const struct candidate_instance *)by_step->pdata[i])->at.step;
		const uint64_t left = insns - MIN(step, insns),
			       near = MAX(left / share, n->limits->nearby_checkpoint);

		if (placed && step - last <= near)
			continue;
		/* what stands near the beginning is run from there */
		last = placed || step > near ? step : 1;
		if (placed < most)
			n->checkpoints[placed] = MAX(last, 1);
		placed++;
	}
	return placed;
}

/* As many as there may be: the share is halved until they are. */
static void choose_checkpoints(struct nearby *n, const GPtrArray *by_step)
{
	const uint64_t insns = trace_run_head(n->run, n->options.thread)->insns;
	const unsigned most = (unsigned)n->limits->checkpoints;
	uint64_t share = n->limits->checkpoint_times;
	unsigned placed = 0;

	if (!n->limits->nearby_checkpoint || !most || trace_point_left_out(n->options.point))
		return;
	for (; share; share /= 2) {
		placed = place_checkpoints(n, by_step, insns, share, most);
		if (placed <= most)
			break;
	}
	n->n_checkpoints = MIN(placed, most);
	for (unsigned i = 0; i < n->n_checkpoints; i++)
		g_debug("nearby: a checkpoint before instruction %" G_GUINT64_FORMAT
			" of %" G_GUINT64_FORMAT,
			n->checkpoints[i], insns);
}

static void pass_checkpoint(struct counting *k)
{
	GHashTableIter i;
	gpointer count;

	g_hash_table_iter_init(&i, k->counts);
	while (g_hash_table_iter_next(&i, NULL, &count))
		((struct count *)count)->before[k->n_checkpoints] = ((struct count *)count)->times;
	k->n_checkpoints++;
}

static void note_earlier(const struct nearby *n, const struct count *count,
			 struct candidate_instance *candidate)
{
	unsigned most = (unsigned)n->limits->nearby_earlier;

	candidate->n_earlier = (unsigned)MIN(count->n_given, most);
	candidate->earlier = g_new(uint64_t, candidate->n_earlier);
	for (unsigned i = 0; i < candidate->n_earlier; i++) {
		const struct given *g =
			&count->given[(count->n_given - 1 - i) % G_N_ELEMENTS(count->given)];

		candidate->earlier[i] = g->value;
		candidate->earlier_steps |= (uint32_t)g->is_step << i;
	}
}

/* What the step, which executed the instruction, gave. */
static bool value_given_by_step(const struct slice_instance *i, const struct trace_cursor *cursor,
				const struct trace_step *step, uint64_t *value)
{
	if (i->decides)
		return false;
	if (!i->place.memory) {
		*value = trace_cursor_reg(cursor, i->place.reg);
		return true;
	}
	for (uint32_t k = 0; k < step->n_ran; k++) {
		const struct ir_op *op = &step->ir->ops[k];

		if (op->kind == IR_STORE && step->ir->ops[op->b].width / 8u == i->place.size) {
			*value = step->temps[op->b].w[0];
			return true;
		}
	}
	return false;
}

/* It is executed next. */
static void note_execution(const struct counting *k, const struct count *count,
			   struct candidate_instance *candidate)
{
	candidate->nth = count->times;
	note_earlier(k->n, count, candidate);
	if (!k->n_checkpoints)
		return;
	candidate->from = k->n->checkpoints[k->n_checkpoints - 1];
	candidate->before = count->before[k->n_checkpoints - 1];
}

/* No superblock has a candidate that gives a value except as its first instruction. */
static bool is_counted_pc(uint64_t pc, void *counting)
{
	const struct count *c = g_hash_table_lookup(((struct counting *)counting)->counts, &pc);

	return c && !c->of->decides;
}

/* To look at each execution takes ten times as long as to go on by superblocks.  What an
 * instruction gave that is executed as often is asked of the index, because its latest executions
 * are near. */
static bool is_frequent(const struct counting *k, const struct count *c)
{
	return c->of->decides || c->times >= k->n->limits->nearby_counted;
}

/* The instruction at pc, which is a candidate's, is next. */
static void count_next(struct counting *k, struct count *c)
{
	while (k->n_checkpoints < k->n->n_checkpoints &&
	       k->n->checkpoints[k->n_checkpoints] <= k->steps)
		pass_checkpoint(k);
	c->times++;
	while (k->next < k->by_step->len) {
		struct candidate_instance *candidate = k->by_step->pdata[k->next];

		if (candidate->at.step > k->steps)
			return;
		if (candidate->at.step == k->steps)
			note_execution(k, c, candidate);
		k->next++;
	}
}

/* Numbers between those of superblocks that were executed have nothing. */
static void free_counted(gpointer counted)
{
	if (counted)
		g_array_unref(counted);
}

static const GArray *counted_of_superblock(struct counting *k, const struct superblocks *all,
					   const struct superblock_run *block)
{
	GArray *known;

	if (block->number >= k->superblocks->len)
		g_ptr_array_set_size(k->superblocks, (gint)block->number + 1);
	if (k->superblocks->pdata[block->number])
		return k->superblocks->pdata[block->number];
	known = g_array_new(FALSE, FALSE, sizeof(struct counted));
	for (uint32_t i = 0; i < block->n; i++) {
		const uint64_t pc = superblocks_place(all, block->number, i).pc;
		const struct counted c = { i, g_hash_table_lookup(k->counts, &pc) };

		if (c.count)
			g_array_append_val(known, c);
	}
	k->superblocks->pdata[block->number] = known;
	return known;
}

/* Counts what it executed. */
static void count_superblock(struct counting *k, const struct superblocks *all,
			     const struct superblock_run *block)
{
	const GArray *counted = counted_of_superblock(k, all, block);
	const uint64_t first = k->steps;

	for (guint i = 0; i < counted->len; i++) {
		const struct counted *c = &g_array_index(counted, struct counted, i);

		k->steps = first + c->at;
		count_next(k, c->count);
		if (!c->count->of->decides)
			c->count->given[c->count->n_given++ % G_N_ELEMENTS(c->count->given)] =
				(struct given){ k->steps, true };
	}
	k->steps = first + block->n;
}

static void count_walked_step(struct counting *k, struct count *c,
			      const struct trace_cursor *cursor, const struct trace_step *step)
{
	struct given given = { 0 };

	if (c && value_given_by_step(c->of, cursor, step, &given.value))
		c->given[c->n_given++ % G_N_ELEMENTS(c->given)] = given;
	k->steps++;
}

/* Does the reverse index tell of the whole run? */
static bool is_indexed_whole(const struct nearby *n)
{
	struct reverse_index *h = n->options.index;

	return h && reverse_index_steps(h) == trace_run_head(n->run, n->options.thread)->insns;
}

/* As if all before that step had been counted. */
static void take_counts(const struct nearby *n, struct counting *k, uint64_t step)
{
	struct prefix_counts *counts = reverse_index_counts(n->options.index, step);
	GHashTableIter i;
	gpointer count;

	g_hash_table_iter_init(&i, k->counts);
	while (g_hash_table_iter_next(&i, NULL, &count))
		((struct count *)count)->times =
			prefix_counts_of(counts, ((struct count *)count)->pc);
	prefix_counts_free(counts);
	k->steps = step;
}

/* A cursor from where the candidates have to be counted.  What they gave long before the first of
 * them is not looked for. */
static struct trace_cursor *begin_counting(const struct nearby *n, struct counting *k,
					   struct lift *lift)
{
	const struct candidate_instance *first = k->by_step->pdata[0];
	const uint64_t before = n->limits->nearby_seen_insns,
		       from = first->at.step > before ? first->at.step - before : 0;
	struct trace_cursor *cursor;

	if (!is_indexed_whole(n) || (n->n_checkpoints && n->checkpoints[0] < from))
		return trace_cursor_new(n->run, n->options.thread, lift);
	cursor = reverse_index_window(n->options.index, from, &k->steps);
	take_counts(n, k, k->steps);
	return cursor;
}

static bool count_through(struct nearby *n, struct counting *k, GError **error)
{
	struct lift *lift = lift_new();
	struct superblocks *superblocks = superblocks_new(is_counted_pc, k);
	struct trace_cursor *cursor = begin_counting(n, k, lift);
	const bool rest_is_known = is_indexed_whole(n);
	struct superblock_run block;
	struct trace_step step;
	int more = 1;

	while (more > 0 && !(rest_is_known && k->next == k->by_step->len)) {
		uint64_t pc = trace_cursor_pc(cursor);
		struct count *c = g_hash_table_lookup(k->counts, &pc);

		more = c && !is_frequent(k, c)
			       ? 0
			       : superblocks_run(superblocks, cursor, &block, error);
		if (more == 1) {
			count_superblock(k, superblocks, &block);
		} else if (more == 0) {
			if (c)
				count_next(k, c);
			more = trace_cursor_step(cursor, &step, error);
			if (more == 1)
				count_walked_step(k, c, cursor, &step);
		}
	}
	trace_cursor_free(cursor);
	superblocks_free(superblocks);
	lift_free(lift);
	if (more >= 0 && rest_is_known)
		take_counts(n, k, reverse_index_steps(n->options.index));
	return more >= 0;
}

static gint earliest_first(gconstpointer a, gconstpointer b)
{
	const struct candidate_instance *x = *(struct candidate_instance *const *)a,
					*y = *(struct candidate_instance *const *)b;

	return x->at.step < y->at.step ? -1 : x->at.step > y->at.step;
}

bool nearby_count(struct nearby *n, GError **error)
{
	struct counting k = {
		.n = n,
		.counts = g_hash_table_new_full(hash_u64, g_int64_equal, NULL, g_free),
		.by_step = g_ptr_array_new(),
		.superblocks = g_ptr_array_new_with_free_func(free_counted),
	};
	bool ok;

	for (guint i = 0; i < n->candidates->len; i++) {
		const struct candidate_instance *c = n->candidates->pdata[i];
		struct count count = { .pc = c->at.pc, .of = &c->at }, *kept;

		g_ptr_array_add(k.by_step, (gpointer)c);
		if (g_hash_table_contains(k.counts, &c->at.pc))
			continue;
		kept = g_memdup2(&count, sizeof(count));
		g_hash_table_insert(k.counts, &kept->pc, kept);
	}
	g_ptr_array_sort(k.by_step, earliest_first);
	choose_checkpoints(n, k.by_step);
	ok = count_through(n, &k, error);
	for (guint i = 0; i < n->candidates->len; i++) {
		struct candidate_instance *c = n->candidates->pdata[i];

		c->executions = ((struct count *)g_hash_table_lookup(k.counts, &c->at.pc))->times;
	}
	n->insns = k.steps;
	g_hash_table_destroy(k.counts);
	g_ptr_array_unref(k.by_step);
	g_ptr_array_unref(k.superblocks);
	return ok;
}
