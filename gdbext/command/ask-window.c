/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/ask-window.h"

#include "gdbext/replay/folder.h"
#include "solver/trace/run.h"

/* The stop in one part of the run. */
struct hits {
	uint64_t wanted; /* the number of the one that is looked for, from the part's beginning */
	uint64_t found;	 /* so many there are until then */
	uint64_t step;	 /* of the wanted one, from the part's beginning */
};

static bool is_wanted_hit(const struct trace_point *m, void *arg)
{
	struct hits *h = arg;

	h->step = trace_point_instructions(m);
	return ++h->found == h->wanted;
}

static bool look_for_stop(const struct question *q, const struct stop *stop, const char *record,
			  struct hits *h, GError **error)
{
	const struct run_source *run = &q->run;
	struct stop first = *stop;
	uint64_t count;

	first.count = 1;
	h->found = 0;
	return trace_point_find(run->images, run->n_images, record, run->failing.thread, &first,
				is_wanted_hit, h, &count, &q->until, error);
}

static void forget_record_part(struct replay_failing *part)
{
	if (part->record)
		folder_remove(part->record);
	replay_failing_clear(part);
}

/* The record becomes that of the instructions [from, until). */
static bool keep_window(struct question *q, struct stop *stop, uint64_t from, uint64_t until,
			GError **error)
{
	struct hits all = { .wanted = G_MAXUINT64 };
	struct replay_failing part = { 0 };
	unsigned thread = q->run.failing.thread;

	if (!replay_record_part(q->run.replay, thread, from, until, &part, error))
		return false;
	part.gdb_ms = q->run.failing.gdb_ms;
	part.image_ms = q->run.failing.image_ms;
	replay_failing_clear(&q->run.failing);
	q->run.failing = part;
	if (!look_for_stop(q, stop, part.record, &all, error))
		return false;
	if (!all.found)
		g_set_error(error, STOP_ERROR, STOP_ERROR_REACHED,
			    "The run does not come to %s at the same time again, so the window "
			    "cannot be moved there; leave out --window.",
			    stop->text);
	stop->count = all.found;
	return all.found > 0;
}

/* Looks at the run in parts, from its beginning on, until the stop is reached.  *at: which
 * instruction of the run that is. */
static bool find_stop_window(const struct question *q, const struct stop *stop, uint64_t *at,
			     GError **error)
{
	const struct replay_failing *f = &q->run.failing;
	uint64_t size = q->o->limits.window_part, before = 0, from = 0;
	bool ok = true, found = false, ended = false;

	while (ok && !found && !ended) {
		struct hits h = { .wanted = stop->count - before };
		struct replay_failing part = { 0 };

		ok = replay_record_part(q->run.replay, f->thread, from, from + size, &part,
					error) &&
		     look_for_stop(q, stop, part.record, &h, error);
		ended = part.end != RUN_TIMEOUT;
		found = h.found == h.wanted;
		*at = from + h.step;
		before += h.found;
		from += size;
		forget_record_part(&part);
	}
	if (ok && !found && before)
		g_set_error(error, STOP_ERROR, STOP_ERROR_REACHED,
			    "The run comes to %s only %" G_GUINT64_FORMAT
			    " time%s; ask with a smaller count.",
			    stop->text, (guint64)before, before == 1 ? "" : "s");
	else if (ok && !found)
		g_set_error(error, STOP_ERROR, STOP_ERROR_REACHED,
			    "The run never comes to %s; ask `why not line N' why.", stop->text);
	return ok && found;
}

static bool leaves_out(const struct question *q, bool *does, GError **error)
{
	const struct run_source *s = &q->run;
	struct trace_run *run = trace_run_open(s->failing.record, s->images, s->n_images, error);

	if (!run)
		return false;
	*does = trace_run_left_out(run, s->failing.thread) > 0;
	trace_run_free(run);
	return true;
}

bool ask_window_move(struct question *q, struct stop *stop, GError **error)
{
	uint64_t at, window = q->o->window;
	bool does = false;

	if (!window || !q->run.replay || !leaves_out(q, &does, error))
		return !window || !q->run.replay;
	if (!does)
		return true;
	if (q->e->not_run) {
		g_set_error(error, STOP_ERROR, STOP_ERROR_REACHED,
			    "The window is the end of the run, and %s may lie before it; leave out "
			    "--window, since %s.",
			    stop->text, q->e->not_run);
		return false;
	}
	return find_stop_window(q, stop, &at, error) &&
	       keep_window(q, stop, at > window ? at - window : 0, at + 1, error);
}

bool ask_window_widen(struct question *q)
{
	struct replay_failing *f = &q->run.failing, whole = { 0 };
	bool same;

	g_debug("a cause lies before the end that was kept");
	if (!q->run.replay || q->e->not_run ||
	    !replay_record_part(q->run.replay, f->thread, 0, 0, &whole, NULL))
		return false;
	same = whole.end == f->end && whole.status == f->status && whole.signo == f->signo &&
	       replay_insns(&whole, f->thread) == replay_insns(f, f->thread);
	if (same) {
		char *end = f->record;

		f->record = whole.record;
		whole.record = end;
	}
	forget_record_part(&whole);
	return same;
}
