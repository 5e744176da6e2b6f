/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/trace/superblock/step-counts.h"

#include "solver/base/hash.h"

/* Where an instruction stands in a superblock (superblock.h). */
struct spot {
	uint32_t superblock, index;
};

/* An instruction that somebody asks about. */
struct asked {
	uint64_t pc;
	uint64_t steps; /* executions outside of superblocks */
	GArray *spots;	/* struct spot: in the superblocks that were met so far */
};

struct counter {
	struct superblocks *superblocks;
	GHashTable *asked; /* uint64_t * pc → struct asked * */
	GArray *executed;  /* uint64_t: how often each was executed, by number */
	struct step_count **counts;
	size_t n, next;
	uint64_t done; /* steps */
};

static void asked_spot_free(gpointer p)
{
	struct asked *a = p;

	g_array_unref(a->spots);
	g_free(a);
}

static void ask_about(struct counter *k, uint64_t pc)
{
	struct asked *a;

	if (g_hash_table_contains(k->asked, &pc))
		return;
	a = g_new0(struct asked, 1);
	a->pc = pc;
	a->spots = g_array_new(FALSE, FALSE, sizeof(struct spot));
	g_hash_table_insert(k->asked, &a->pc, a);
}

/* A superblock that is met for the first time. */
static void note_new_superblock(struct counter *k, const struct superblock_run *block)
{
	for (uint32_t i = 0; i < block->n; i++) {
		struct spot spot = { block->number, i };
		uint64_t pc = superblocks_place(k->superblocks, block->number, i).pc;
		struct asked *a = g_hash_table_lookup(k->asked, &pc);

		if (a)
			g_array_append_val(a->spots, spot);
	}
}

/* Executions before the superblock at hand, and those of its first n instructions. */
static uint64_t executions_before(const struct counter *k, uint64_t pc,
				  const struct superblock_run *block, uint32_t n)
{
	const struct asked *a = g_hash_table_lookup(k->asked, &pc);
	uint64_t sum = a->steps;

	for (guint i = 0; i < a->spots->len; i++) {
		const struct spot *s = &g_array_index(a->spots, struct spot, i);

		sum += g_array_index(k->executed, uint64_t, s->superblock);
		sum += block && s->superblock == block->number && s->index < n;
	}
	return sum;
}

/* Answers what is asked about the n steps at hand, which are not counted yet. */
static void answer_step_counts(struct counter *k, const struct superblock_run *block)
{
	for (; k->next < k->n && k->counts[k->next]->step < k->done + block->n; k->next++) {
		struct step_count *c = k->counts[k->next];

		c->nth = executions_before(k, c->pc, block, (uint32_t)(c->step - k->done) + 1);
	}
}

static void count_step(struct counter *k, const struct trace_step *step)
{
	struct asked *a = g_hash_table_lookup(k->asked, &step->pc);

	if (a)
		a->steps++;
	for (; k->next < k->n && k->counts[k->next]->step <= k->done; k->next++)
		k->counts[k->next]->nth = executions_before(k, k->counts[k->next]->pc, NULL, 0);
	k->done++;
}

static int walk_step_counts(struct counter *k, struct trace_cursor *cursor, GError **error)
{
	struct superblock_run block;
	struct trace_step step;
	int more = 1;

	while (more == 1 && k->next < k->n) {
		more = superblocks_run(k->superblocks, cursor, &block, error);
		if (more == 1) {
			if (block.number >= k->executed->len)
				g_array_set_size(k->executed, block.number + 1);
			if (!g_array_index(k->executed, uint64_t, block.number))
				note_new_superblock(k, &block);
			answer_step_counts(k, &block);
			g_array_index(k->executed, uint64_t, block.number)++;
			k->done += block.n;
		} else if (more == 0 && (more = trace_cursor_step(cursor, &step, error)) == 1) {
			count_step(k, &step);
		}
	}
	return more;
}

bool step_counts_fill(struct trace_run *run, struct lift *lift, struct step_count **counts,
		      size_t n, GError **error)
{
	struct counter k = { .superblocks = superblocks_new(NULL, NULL),
			     .asked = g_hash_table_new_full(hash_u64, g_int64_equal, NULL,
							    asked_spot_free),
			     .executed = g_array_new(FALSE, TRUE, sizeof(uint64_t)),
			     .counts = counts,
			     .n = n };
	struct trace_cursor *cursor = trace_cursor_new(run, trace_run_chosen(run), lift);
	int more;

	for (size_t i = 0; i < n; i++)
		ask_about(&k, counts[i]->pc);
	more = walk_step_counts(&k, cursor, error);
	trace_cursor_free(cursor);
	superblocks_free(k.superblocks);
	g_hash_table_destroy(k.asked);
	g_array_unref(k.executed);
	return more >= 0;
}
