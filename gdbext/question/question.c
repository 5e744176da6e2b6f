/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/question.h"
#include "gdbext/question/first-run.h"
#include "gdbext/question/progress.h"
#include "gdbext/replay/interrupt.h"
#include "solver/trace/run.h"

#include <signal.h>

/* By another process: not what the program does. */
static bool was_ended(const struct replay_failing *f)
{
	return f->end == RUN_SIGNAL && (f->signo == SIGKILL || f->signo == SIGTERM ||
					f->signo == SIGINT || f->signo == SIGHUP);
}

/* For the questions that follow, on this machine: it holds no program. */
static bool save(const struct question *q, GError **error)
{
	const struct record_options r = { .program = false };
	struct trace_run *run;
	uint64_t size;

	if (was_ended(&q->failing))
		return true;
	run = trace_run_open(q->failing.record, q->images, q->n_images, error);
	/* opening it completed its streams */
	trace_run_free(run);
	return run && record_write(q->o->save_record, q->replay, &q->failing, &r, &size, error);
}

static bool start_with_run(struct question *q, GError **error)
{
	const struct options *o = q->o;
	struct replay_options r = first_run_options(o);

	r.until = &q->until;
	q->replay = replay_new(&r, error);
	if (!q->replay || !replay_record_failing(q->replay, &q->failing, error))
		return false;
	q->images = replay_images(q->replay, &q->n_images);
	q->program = replay_program(q->replay);
	q->e->not_run = explanation_string(q->e, replay_without_cage(q->replay));
	return !o->save_record || save(q, error);
}

static bool start_with_record(struct question *q, GError **error)
{
	const struct options *o = q->o;
	struct record_place place = { .program = o->program[0],
				      .directory = o->directory,
				      .run_timeout = o->run_timeout,
				      .max_bytes = o->max_record,
				      .jit = o->engine == OPTIONS_ENGINE_JIT,
				      .until = &q->until };
	const char *why = NULL;

	q->record = record_open(o->record, error);
	if (!q->record || !record_find_program(q->record, &place, error))
		return false;
	record_failing(q->record, &q->failing);
	q->failing.gdb_ms = 1000 * g_timer_elapsed(q->clock, NULL);
	q->replay = record_replay(q->record, &why);
	q->images = record_images(q->record, &q->n_images);
	q->program = record_program(q->record);
	q->e->not_run = explanation_string(q->e, why);
	return true;
}

void question_init(struct question *q, const struct options *o)
{
	*q = (struct question){ .o = o,
				.clock = g_timer_new(),
				.e = explanation_new(),
				.until = deadline_in(o->timeout, replay_interrupt_flag()) };
}

bool question_start(struct question *q, GError **error)
{
	bool done;

	progress_say(q->o, PROGRESS_RECORD);
	done = replay_interrupt_install(NULL, NULL, error) &&
	       (q->o->record ? start_with_record(q, error) : start_with_run(q, error));
	progress_say(q->o, PROGRESS_SOLVE);
	return done;
}

char **question_words(const struct question *q)
{
	g_autoptr(GPtrArray) words = NULL;

	if (!q->record)
		return g_strdupv(q->o->program);
	words = g_ptr_array_new();
	g_ptr_array_extend(words, record_facts(q->record)->args, NULL, NULL);
	g_ptr_array_add(words, NULL);
	return g_strdupv((char **)words->pdata);
}

void question_clear(struct question *q)
{
	requirement_free(q->requirement);
	trace_point_free(q->point);
	replay_failing_clear(&q->failing);
	if (!q->shares_replay) {
		if (q->record)
			record_free(q->record);
		else
			replay_free(q->replay);
		replay_interrupt_restore();
	}
	explanation_free(q->e);
	g_timer_destroy(q->clock);
}
