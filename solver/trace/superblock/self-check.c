/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/trace/superblock/self-check.h"

#include "solver/trace/private.h"
#include "solver/trace/superblock/superblock.h"

#include <string.h>

static bool has_same_state(const struct eval_state *x, const struct eval_state *y)
{
	uint64_t differ = 0, a, b, known;

	_Static_assert(IR_STATE_SIZE % 8 == 0, "whole words");
	for (unsigned at = 0; at < IR_STATE_SIZE; at += 8) {
		memcpy(&a, x->bytes + at, 8);
		memcpy(&b, y->bytes + at, 8);
		memcpy(&known, x->known + at, 8);
		differ |= (a ^ b) & known;
	}
	return !differ;
}

/* The cursor that goes by superblocks has to know the same as the one that checks. */
static const char *cursor_difference(const struct trace_cursor *c, const struct trace_cursor *fast,
				     const struct superblock_run *superblock)
{
	if (c->pc != fast->pc || c->number != fast->number || c->at != fast->at)
		return "is at another place";
	if (memcmp(c->state.known, fast->state.known, sizeof(c->state.known)) != 0)
		return "knows other registers";
	if (!has_same_state(&c->state, &fast->state))
		return "has other values of registers";
	for (unsigned i = 0; i < superblock->n_effects; i++) {
		const struct trace_effect *e = &superblock->effects[i];
		uint8_t ours[64], theirs[64];
		bool known = shadow_read(c->shadow, e->address, e->size, ours);

		if (known != shadow_read(fast->shadow, e->address, e->size, theirs) ||
		    (known && memcmp(ours, theirs, e->size) != 0))
			return "has written something else";
	}
	return NULL;
}

/* Moves both cursors on, by a superblock if that is possible. */
static int check_superblock(struct trace_cursor *c, struct trace_cursor *fast,
			    struct superblocks *superblocks, uint64_t *checked, GError **error)
{
	struct superblock_run superblock = { .n = 1 };
	struct trace_step step;
	const char *differs;
	int by_superblock = superblocks_run(superblocks, fast, &superblock, error), went = 1;

	if (by_superblock < 0)
		return -1;
	for (uint32_t i = 0; i < superblock.n && went > 0; i++) {
		went = trace_cursor_step(c, &step, error);
		*checked += went > 0;
	}
	if (went <= 0)
		return went;
	if (by_superblock == 0 && trace_cursor_step(fast, &step, error) < 0)
		return -1;
	differs = cursor_difference(c, fast, &superblock);
	if (!differs)
		return 1;
	g_set_error(error, TRACE_ERROR, TRACE_ERROR_CHECK,
		    "A cursor that goes by superblocks %s before instruction %" G_GUINT64_FORMAT
		    " of thread %u, behind %u instructions at %#" G_GINT64_MODIFIER "x.",
		    differs, c->number, c->thread->head->thread, superblock.n, fast->pc);
	return -1;
}

static bool check_thread(struct trace_run *r, unsigned thread, struct lift *lift, uint64_t *checked,
			 GError **error)
{
	struct trace_cursor *c = trace_cursor_new(r, thread, lift);
	struct trace_cursor *fast = trace_cursor_new(r, thread, lift);
	struct superblocks *superblocks = superblocks_new(NULL, NULL);
	int went;

	trace_cursor_set_check(c, true);
	while ((went = check_superblock(c, fast, superblocks, checked, error)) > 0)
		;
	if (went == 0 && c->n_async < c->thread->head->n_async) {
		g_set_error(error, TRACE_ERROR, TRACE_ERROR_CHECK,
			    "Thread %u does not meet the signal that came before its instruction "
			    "%" G_GUINT64_FORMAT ".",
			    thread, c->thread->async[c->n_async].insns);
		went = -1;
	}
	superblocks_free(superblocks);
	trace_cursor_free(fast);
	trace_cursor_free(c);
	return went == 0;
}

bool trace_check(struct trace_run *r, struct lift *lift, uint64_t *checked, GError **error)
{
	*checked = 0;
	for (unsigned i = 0; i < trace_run_threads(r); i++) {
		if (!check_thread(r, i, lift, checked, error))
			return false;
	}
	return true;
}
