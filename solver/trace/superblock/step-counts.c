/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/trace/superblock/step-counts.h"

#include "solver/base/hash.h"

/* Where an instruction stands in a piece (superblock.h). */
struct spot {
	uint32_t piece, index;
};

/* An instruction that somebody asks about. */
struct asked {
	uint64_t pc;
	uint64_t steps; /* executions outside of superblocks */
	GArray *spots;	/* struct spot: in the pieces that were met so far */
};

struct counter {
	struct superblocks *superblocks;
	GHashTable *asked; /* uint64_t * pc → struct asked * */
	GArray *pieces;	   /* uint64_t: how often each was executed, by number */
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

/* A piece that is met for the first time. */
static void note_new_piece(struct counter *k, const struct superblock_run *piece)
{
	for (uint32_t i = 0; i < piece->n; i++) {
		struct spot spot = { piece->piece, i };
		uint64_t pc = superblocks_place(k->superblocks, piece->piece, i).pc;
		struct asked *a = g_hash_table_lookup(k->asked, &pc);

		if (a)
			g_array_append_val(a->spots, spot);
	}
}

/* Executions before the piece at hand, and those of its first n instructions. */
static uint64_t executions_before(const struct counter *k, uint64_t pc,
				  const struct superblock_run *piece, uint32_t n)
{
	const struct asked *a = g_hash_table_lookup(k->asked, &pc);
	uint64_t sum = a->steps;

	for (guint i = 0; i < a->spots->len; i++) {
		const struct spot *s = &g_array_index(a->spots, struct spot, i);

		sum += g_array_index(k->pieces, uint64_t, s->piece);
		sum += piece && s->piece == piece->piece && s->index < n;
	}
	return sum;
}

/* Answers what is asked about the n steps at hand, which are not counted yet. */
static void answer_step_counts(struct counter *k, const struct superblock_run *piece)
{
	for (; k->next < k->n && k->counts[k->next]->step < k->done + piece->n; k->next++) {
		struct step_count *c = k->counts[k->next];

		c->nth = executions_before(k, c->pc, piece, (uint32_t)(c->step - k->done) + 1);
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
	struct superblock_run piece;
	struct trace_step step;
	int more = 1;

	while (more == 1 && k->next < k->n) {
		more = superblocks_run(k->superblocks, cursor, &piece, error);
		if (more == 1) {
			if (piece.piece >= k->pieces->len)
				g_array_set_size(k->pieces, piece.piece + 1);
			if (!g_array_index(k->pieces, uint64_t, piece.piece))
				note_new_piece(k, &piece);
			answer_step_counts(k, &piece);
			g_array_index(k->pieces, uint64_t, piece.piece)++;
			k->done += piece.n;
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
			     .pieces = g_array_new(FALSE, TRUE, sizeof(uint64_t)),
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
	g_array_unref(k.pieces);
	return more >= 0;
}
