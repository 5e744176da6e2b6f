/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Control that comes from where nothing is traced. */
#include "solver/trace/private.h"

#include <string.h>

enum { N_GPR_AND_FLAGS = 17, N_XMM = 8, VALID_MASK = (1 << (N_GPR_AND_FLAGS + N_XMM)) - 1 };

/* Untraced code may use every register that the ABI allows.  The entry does not tell xmm8 to
 * xmm15 and the upper halves, so they are not known any more. */
static void forget_vectors(struct trace_cursor *c)
{
	for (unsigned i = 0; i < 16; i++) {
		uint8_t *known = c->state.known + IR_STATE_YMM + 32 * i;
		memset(known + (i < N_XMM ? 16 : 0), 0, i < N_XMM ? 16 : 32);
	}
}

static void set_register(struct trace_cursor *c, unsigned bit, const uint8_t *value)
{
	uint64_t word;

	if (bit >= N_GPR_AND_FLAGS) {
		unsigned at = IR_STATE_YMM + 32 * (bit - N_GPR_AND_FLAGS);
		memcpy(c->state.bytes + at, value, 16);
		memset(c->state.known + at, 0xff, 16);
		return;
	}
	memcpy(&word, value, sizeof(word));
	if (bit == TRACE_RFLAGS)
		cursor_set_rflags(c, word);
	else
		cursor_set_word(c, IR_STATE_GPR + 8 * bit, word);
}

static bool is_why(uint8_t why)
{
	return why == TRACE_WHY_START || why == TRACE_WHY_RETURN || why == TRACE_WHY_CALL ||
	       why == TRACE_WHY_RESUME;
}

bool cursor_enter(struct trace_cursor *c, struct trace_enter *enter, GError **error)
{
	const uint8_t *from = cursor_take(c, sizeof(*enter));

	if (!from)
		return cursor_fail(c, error, "it ends within an entry") > 0;
	memcpy(enter, from, sizeof(*enter));
	if (enter->tag != 'E' || !is_why(enter->why) || enter->mask & ~(uint32_t)VALID_MASK)
		return cursor_fail(c, error, "an entry from untraced code is expected") > 0;
	forget_vectors(c);
	for (unsigned bit = 0; bit < N_GPR_AND_FLAGS + N_XMM; bit++) {
		if (!(enter->mask >> bit & 1))
			continue;
		from = cursor_take(c, bit < N_GPR_AND_FLAGS ? 8 : 16);
		if (!from)
			return cursor_fail(c, error, "it ends within an entry") > 0;
		set_register(c, bit, from);
	}
	if (!cursor_decode(c, enter->rip))
		return cursor_fail(c, error,
				   "control enters at %#" G_GINT64_MODIFIER
				   "x, which is no traced instruction",
				   enter->rip) > 0;
	shadow_others_ran(c->shadow);
	return true;
}

/* A handler that is not traced was started, and it did not simply come back: it jumped away, or had
 * changed the registers.  The record goes on where traced code does. */
static void skip_untraced_handler(struct trace_cursor *c)
{
	struct trace_enter enter;

	if (cursor_decode(c, c->pc) || c->at >= c->thread->head->length ||
	    !cursor_enter(c, &enter, NULL))
		return;
	c->pc = enter.rip;
	cursor_set_word(c, IR_STATE_RIP, c->pc);
}

const struct trace_async *cursor_signal(struct trace_cursor *c)
{
	const struct trace_async *applied = NULL;

	while (c->n_async < c->thread->head->n_async) {
		const struct trace_async *a = &c->thread->async[c->n_async];
		bool there = a->offset == c->at || c->thread->head->window;
		if (a->insns != c->number || !there || a->rip != c->pc)
			break;
		for (unsigned i = 0; i < 16; i++)
			cursor_set_word(c, IR_STATE_GPR + 8 * i, a->regs[i]);
		cursor_set_rflags(c, a->regs[TRACE_RFLAGS]);
		c->pc = a->handler;
		cursor_set_word(c, IR_STATE_RIP, c->pc);
		shadow_others_ran(c->shadow);
		c->n_async++;
		skip_untraced_handler(c);
		applied = a;
	}
	return applied;
}
