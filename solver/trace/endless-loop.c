/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/trace/endless-loop.h"

#include "solver/base/hash.h"

#include <string.h>

enum { SAME_ROUNDS = 2 }; /* that are shown of those that are the same */

/* A loop that goes on, by runtime addresses. */
struct active {
	uint64_t first, last; /* the jump's target, the jump */
	uint64_t sp;	      /* the stack pointer at the jump */
	uint64_t since;	      /* the number of the step that took the jump first */
};

/* A call that did not return yet. */
struct open_frame {
	uint64_t sp;	 /* when its first instruction is executed */
	uint64_t call;	 /* runtime, of the call instruction; 0 = there is none */
	uint64_t back;	 /* where it returns to */
	uint64_t number; /* of the call's step */
	GArray *loops;	 /* struct active, the outer ones before the inner ones */
};

static void frame_clear(gpointer frame)
{
	g_array_unref(((struct open_frame *)frame)->loops);
}

/* call: NULL = untraced code called it. */
static void push_frame(GArray *frames, uint64_t sp, const struct trace_step *call, uint64_t number)
{
	struct open_frame f = { .sp = sp,
				.call = call ? call->pc : 0,
				.back = call ? call->pc + call->insn->length : 0,
				.number = number,
				.loops = g_array_new(FALSE, FALSE, sizeof(struct active)) };

	g_array_append_val(frames, f);
}

static struct open_frame *top_open_frame(const GArray *frames)
{
	return &g_array_index(frames, struct open_frame, frames->len - 1);
}

/* The stack pointer is above what those calls had: they returned, or were jumped out of. */
static void pop_frames(GArray *frames, uint64_t sp)
{
	while (frames->len > 1 && top_open_frame(frames)->sp < sp)
		g_array_set_size(frames, frames->len - 1);
}

static void leave_passed_loops(struct open_frame *f, uint64_t next)
{
	for (guint i = f->loops->len; i > 0; i--) {
		const struct active *a = &g_array_index(f->loops, struct active, i - 1);

		if (next < a->first || next > a->last)
			g_array_remove_index(f->loops, i - 1);
	}
}

static bool loop_goes_on(const struct open_frame *f, uint64_t first, uint64_t last)
{
	for (guint i = 0; i < f->loops->len; i++) {
		const struct active *a = &g_array_index(f->loops, struct active, i);

		if (a->first == first && a->last == last)
			return true;
	}
	return false;
}

/* A larger loop stands before those that it holds. */
static void enter_loop(struct open_frame *f, const struct active *a)
{
	guint i = 0;

	while (i < f->loops->len &&
	       g_array_index(f->loops, struct active, i).last -
			       g_array_index(f->loops, struct active, i).first >
		       a->last - a->first)
		i++;
	g_array_insert_val(f->loops, i, *a);
}

/* The record's step with this number has been executed; sp: the stack pointer after it. */
static void follow_loop_step(GArray *frames, const struct trace_step *step, uint64_t number,
			     uint64_t sp)
{
	struct open_frame *f;

	if (step->exit_kind == TRACE_EXIT_NATIVE || step->signal) {
		pop_frames(frames, sp);
		/* untraced code, or the kernel, called a function of the program */
		if (step->next != step->pc + step->insn->length && sp < top_open_frame(frames)->sp)
			push_frame(frames, sp, NULL, number);
		return;
	}
	switch (step->insn->flow) {
	case TRACE_FLOW_CALL:
	case TRACE_FLOW_CALL_IND:
		push_frame(frames, sp, step, number);
		return;
	case TRACE_FLOW_RET:
		pop_frames(frames, sp);
		return;
	case TRACE_FLOW_COND:
	case TRACE_FLOW_JUMP:
	case TRACE_FLOW_JUMP_IND:
		f = top_open_frame(frames);
		leave_passed_loops(f, step->next);
		if (step->next <= step->pc && !loop_goes_on(f, step->next, step->pc))
			enter_loop(f, &(struct active){ step->next, step->pc, sp, number });
		return;
	default:
		return;
	}
}

/* Walks the whole record; *steps: how many it has.  NULL with error; else the calls that are open
 * at its end, with their loops. */
static GArray *walk_open_loops(struct trace_run *run, unsigned thread, struct lift *lift,
			       uint64_t *steps, GError **error)
{
	GArray *frames = g_array_new(FALSE, FALSE, sizeof(struct open_frame));
	struct trace_cursor *c = trace_cursor_new(run, thread, lift);
	struct trace_step step = { 0 };
	int more;

	*steps = 0;
	g_array_set_clear_func(frames, frame_clear);
	push_frame(frames, trace_cursor_reg(c, TRACE_RSP), NULL, 0);
	while ((more = trace_cursor_step(c, &step, error)) > 0) {
		follow_loop_step(frames, &step, (*steps)++, trace_cursor_reg(c, TRACE_RSP));
	}
	trace_cursor_free(c);
	if (more < 0)
		g_clear_pointer(&frames, g_array_unref);
	return frames;
}

typedef bool is_meant_fn(const struct active *a, const void *arg);

/* The innermost one that is meant; NULL: none. */
static const struct active *find_active(const GArray *frames, is_meant_fn *is_meant,
					const void *arg)
{
	for (guint i = frames->len; i > 0; i--) {
		const struct open_frame *f = &g_array_index(frames, struct open_frame, i - 1);

		for (guint k = f->loops->len; k > 0; k--) {
			const struct active *a = &g_array_index(f->loops, struct active, k - 1);

			if (is_meant(a, arg))
				return a;
		}
	}
	return NULL;
}

static bool is_since_half(const struct active *a, const void *steps)
{
	return a->since < *(const uint64_t *)steps / 2;
}

static bool is_loop(const struct active *a, const void *loop)
{
	const struct endless_loop *l = loop;

	return a->last == l->pc && a->sp == l->sp;
}

bool endless_loop_find(struct trace_run *run, unsigned thread, struct endless_loop *loop,
		       bool *found, GError **error)
{
	struct lift *lift = lift_new();
	uint64_t steps;
	g_autoptr(GArray) frames = walk_open_loops(run, thread, lift, &steps, error);
	const struct active *a = frames ? find_active(frames, is_since_half, &steps) : NULL;

	*found = a != NULL;
	*loop = (struct endless_loop){ .pc = a ? a->last : 0, .sp = a ? a->sp : 0 };
	lift_free(lift);
	return frames != NULL;
}

/* ---- its rounds ---- */

static uint64_t mix_loop_word(uint64_t sum, uint64_t word)
{
	return hash_mix(sum ^ word) + word;
}

static uint64_t mix_step(uint64_t sum, const struct trace_step *step)
{
	sum = mix_loop_word(sum, step->pc);
	for (unsigned i = 0; i < step->n_reads; i++) {
		sum = mix_loop_word(sum, step->reads[i].address);
		for (unsigned k = 0; k < step->reads[i].size; k++)
			sum = mix_loop_word(sum, step->reads[i].bytes[k]);
	}
	return sum;
}

static uint64_t mix_registers(uint64_t sum, const struct trace_cursor *c)
{
	const uint8_t *state = trace_cursor_state(c);
	uint64_t word;

	for (unsigned i = 0; i < IR_STATE_SIZE / 8; i++) {
		memcpy(&word, state + i * sizeof word, sizeof word);
		if (trace_cursor_state_known(c, i * 8, 8))
			sum = mix_loop_word(sum, word);
	}
	return sum;
}

struct rounds {
	struct endless_loop *loop;
	const struct limits *limits;
	uint64_t sum, last_sum;
	bool left, last_left; /* did code run that is not traced? */
	unsigned same;
};

/* The jump back is next.  Have enough rounds been seen? */
static bool end_loop_round(struct rounds *r, const struct trace_cursor *c, uint64_t step)
{
	uint64_t sum = mix_registers(r->sum, c);

	r->loop->cut = step;
	r->loop->rounds++;
	r->same = r->loop->rounds > 1 && sum == r->last_sum ? r->same + 1 : 0;
	r->loop->repeats = r->same > 0;
	r->loop->is_alone = r->loop->repeats && !r->left && !r->last_left;
	r->last_left = r->left;
	r->left = false;
	r->last_sum = sum;
	r->sum = 0;
	return r->same >= SAME_ROUNDS || r->loop->rounds >= r->limits->endless_rounds ||
	       (step - r->loop->since > r->limits->endless_steps && r->loop->rounds > SAME_ROUNDS);
}

/* *enough: the record has them. */
static bool look_at_rounds(struct trace_run *run, unsigned thread, struct lift *lift,
			   struct rounds *r, bool *enough, GError **error)
{
	struct trace_cursor *c = trace_cursor_new(run, thread, lift);
	struct trace_step step = { 0 };
	uint64_t number = 0;
	int more = 1;

	*enough = false;
	while (more > 0) {
		if (number > r->loop->since && trace_cursor_pc(c) == r->loop->pc &&
		    trace_cursor_reg(c, TRACE_RSP) == r->loop->sp)
			*enough = end_loop_round(r, c, number);
		if (*enough)
			break;
		more = trace_cursor_step(c, &step, error);
		if (more > 0 && number >= r->loop->since) {
			r->sum = mix_step(r->sum, &step);
			r->left |= step.exit_kind == TRACE_EXIT_NATIVE ||
				   step.exit_kind == TRACE_EXIT_AWAY || step.signal;
		}
		number++;
	}
	trace_cursor_free(c);
	return more >= 0;
}

bool endless_loop_rounds(struct trace_run *run, unsigned thread, const struct limits *limits,
			 struct endless_loop *loop, bool *found, GError **error)
{
	struct lift *lift = lift_new();
	uint64_t steps;
	g_autoptr(GArray) frames = walk_open_loops(run, thread, lift, &steps, error);
	const struct active *a = frames ? find_active(frames, is_loop, loop) : NULL;
	struct rounds r = { .loop = loop, .limits = limits };
	bool ok = frames != NULL;

	*found = false;
	if (a) {
		loop->since = a->since;
		loop->rounds = 0;
		ok = look_at_rounds(run, thread, lift, &r, found, error);
	}
	lift_free(lift);
	return ok;
}

/* ---- recursions ---- */

/* Finds the first open call of the recursion, and the one before which the record is cut. */
static void cut_recursion(const GArray *frames, const struct limits *limits, uint64_t back,
			  struct endless_loop *loop, bool *found)
{
	uint64_t calls = 0;

	*found = false;
	for (guint i = 0; i < frames->len && !*found; i++) {
		const struct open_frame *f = &g_array_index(frames, struct open_frame, i);

		if (f->back != back)
			continue;
		if (!calls++)
			*loop = (struct endless_loop){ .pc = f->call, .since = f->number };
		loop->sp = f->sp;
		loop->cut = f->number;
		loop->rounds = calls - 1;
		*found = loop->rounds >= limits->endless_calls;
	}
}

bool endless_recursion_rounds(struct trace_run *run, unsigned thread, const struct limits *limits,
			      uint64_t back, struct endless_loop *loop, bool *found, GError **error)
{
	struct lift *lift = lift_new();
	uint64_t steps;
	g_autoptr(GArray) frames = walk_open_loops(run, thread, lift, &steps, error);

	if (frames)
		cut_recursion(frames, limits, back, loop, found);
	lift_free(lift);
	return frames != NULL;
}
