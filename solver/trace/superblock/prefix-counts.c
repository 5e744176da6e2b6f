/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/trace/superblock/prefix-counts.h"

#include "solver/base/hash.h"

struct prefix_counts {
	GHashTable *by_pc; /* uint64_t * pc → struct count *, owned */
	uint64_t steps;
};

struct count {
	uint64_t pc, times;
};

/* Executions are counted by superblock (superblock.h) while the run is walked. */
struct counter {
	struct prefix_counts *counts;
	struct superblocks *superblocks;
	GArray *executed; /* uint64_t, by number */
};

struct prefix_counts *prefix_counts_empty(uint64_t steps)
{
	struct prefix_counts *c = g_new0(struct prefix_counts, 1);

	c->steps = steps;
	c->by_pc = g_hash_table_new_full(hash_u64, g_int64_equal, NULL, g_free);
	return c;
}

void prefix_counts_add(struct prefix_counts *c, uint64_t pc, uint64_t times)
{
	struct count *count = g_hash_table_lookup(c->by_pc, &pc);

	if (!count) {
		count = g_new0(struct count, 1);
		count->pc = pc;
		g_hash_table_insert(c->by_pc, &count->pc, count);
	}
	count->times += times;
}

/* The first n instructions of a superblock. */
static void add_superblock(struct counter *k, uint32_t number, uint32_t n, uint64_t times)
{
	for (uint32_t i = 0; times && i < n; i++)
		prefix_counts_add(k->counts, superblocks_place(k->superblocks, number, i).pc,
				  times);
}

/* Pieces whose instructions are all executed go to .executed; all have the same length. */
static int walk_prefix_pieces(struct counter *k, struct trace_cursor *cursor, uint64_t steps,
			      GArray *lengths, GError **error)
{
	struct superblock_run block;
	struct trace_step step;
	uint64_t done = 0;
	int more = 1;

	while (more == 1 && done < steps) {
		more = superblocks_run(k->superblocks, cursor, &block, error);
		if (more == 1 && done + block.n <= steps) {
			if (block.number >= k->executed->len) {
				g_array_set_size(k->executed, block.number + 1);
				g_array_set_size(lengths, block.number + 1);
			}
			g_array_index(k->executed, uint64_t, block.number)++;
			g_array_index(lengths, uint32_t, block.number) = block.n;
			done += block.n;
		} else if (more == 1) {
			add_superblock(k, block.number, (uint32_t)(steps - done), 1);
			done = steps;
		} else if (more == 0 && (more = trace_cursor_step(cursor, &step, error)) == 1) {
			prefix_counts_add(k->counts, step.pc, 1);
			done++;
		}
	}
	return more;
}

struct prefix_counts *prefix_counts_new(struct trace_run *run, struct lift *lift, uint64_t steps,
					GError **error)
{
	struct prefix_counts *c = prefix_counts_empty(steps);
	struct counter k = { .counts = c,
			     .superblocks = superblocks_new(NULL, NULL),
			     .executed = g_array_new(FALSE, TRUE, sizeof(uint64_t)) };
	g_autoptr(GArray) lengths = g_array_new(FALSE, TRUE, sizeof(uint32_t));
	struct trace_cursor *cursor = trace_cursor_new(run, trace_run_chosen(run), lift);
	int more;

	more = walk_prefix_pieces(&k, cursor, steps, lengths, error);
	for (guint i = 0; i < k.executed->len; i++)
		add_superblock(&k, i, g_array_index(lengths, uint32_t, i),
			       g_array_index(k.executed, uint64_t, i));
	trace_cursor_free(cursor);
	superblocks_free(k.superblocks);
	g_array_free(k.executed, TRUE);
	if (more < 0)
		g_clear_pointer(&c, prefix_counts_free);
	return c;
}

void prefix_counts_free(struct prefix_counts *c)
{
	if (!c)
		return;
	g_hash_table_destroy(c->by_pc);
	g_free(c);
}

uint64_t prefix_counts_steps(const struct prefix_counts *c)
{
	return c ? c->steps : 0;
}

uint64_t prefix_counts_of(const struct prefix_counts *c, uint64_t pc)
{
	const struct count *count = c ? g_hash_table_lookup(c->by_pc, &pc) : NULL;

	return count ? count->times : 0;
}
