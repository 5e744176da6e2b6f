/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/trace/waiting.h"

#include "solver/library/library.h"

/* The register of an argument that locks are given in: the first or the second. */
static uint64_t lock_argument(const uint64_t values[2], unsigned n)
{
	return n >= 1 && n <= 2 ? values[n - 1] : 0;
}

static void take_lock(struct waiting *w, uint64_t lock, uint64_t pc)
{
	struct held_lock h = { lock, pc };

	g_array_append_val(w->held, h);
}

/* The last time that it was taken: some are taken several times. */
static void give_back(struct waiting *w, uint64_t lock)
{
	for (guint i = w->held->len; i > 0; i--)
		if (g_array_index(w->held, struct held_lock, i - 1).lock == lock) {
			g_array_remove_index(w->held, i - 1);
			return;
		}
}

/* The call came back. */
static void note_lock_call(struct waiting *w, const struct trace_step *step,
			   const uint64_t values[2], uint64_t result)
{
	const struct library_function *f = library_find(step->native_name);

	if (!f)
		return;
	if (f->unlocks)
		give_back(w, lock_argument(values, f->unlocks));
	/* what it returns is an error's number; ETIMEDOUT, EBUSY */
	if (f->locks && !(uint32_t)result)
		take_lock(w, lock_argument(values, f->locks), step->pc);
}

/* It did not; what waits for a condition gave its lock back meanwhile. */
static void note_end_of_wait(struct waiting *w, const struct trace_step *step,
			     const uint64_t values[2])
{
	const struct library_function *f = library_find(step->native_name);

	w->pc = step->pc;
	w->name = step->native_name;
	if (f && f->unlocks)
		give_back(w, lock_argument(values, f->unlocks));
	else if (f && f->locks)
		w->lock = lock_argument(values, f->locks);
}

bool waiting_find(struct trace_run *run, unsigned thread, struct waiting *w, GError **error)
{
	struct lift *lift = lift_new();
	struct trace_cursor *c = trace_cursor_new(run, thread, lift);
	struct trace_step step = { 0 };
	int more;

	*w = (struct waiting){ .held = g_array_new(FALSE, FALSE, sizeof(struct held_lock)) };
	do {
		const uint64_t values[] = { trace_cursor_reg(c, TRACE_RDI),
					    trace_cursor_reg(c, TRACE_RSI) };

		more = trace_cursor_step(c, &step, error);
		if (more > 0 && step.exit_kind == TRACE_EXIT_NATIVE)
			note_lock_call(w, &step, values, trace_cursor_reg(c, TRACE_RAX));
		else if (more > 0 && step.exit_kind == TRACE_EXIT_AWAY)
			note_end_of_wait(w, &step, values);
	} while (more > 0);
	trace_cursor_free(c);
	lift_free(lift);
	if (more < 0)
		waiting_clear(w);
	return more == 0;
}

void waiting_clear(struct waiting *w)
{
	g_clear_pointer(&w->held, g_array_unref);
}

const struct held_lock *waiting_holds(const struct waiting *w, uint64_t lock)
{
	for (guint i = w->held->len; lock && i > 0; i--)
		if (g_array_index(w->held, struct held_lock, i - 1).lock == lock)
			return &g_array_index(w->held, struct held_lock, i - 1);
	return NULL;
}
