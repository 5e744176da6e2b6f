/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/runs/run-source.h"
#include "gdbext/question/runs/first-run.h"
#include "gdbext/question/runs/progress.h"
#include "gdbext/question/runs/real-program.h"
#include "gdbext/question/runs/sanitizer-report.h"
#include "gdbext/replay/follow.h"
#include "gdbext/replay/interrupt.h"
#include "solver/trace/run.h"

#include <signal.h>
#include <sys/wait.h>

/* Another process sent the signal, so the program did not cause it. */
static bool was_ended(const struct replay_failing *f)
{
	return f->end == RUN_SIGNAL && (f->signo == SIGKILL || f->signo == SIGTERM ||
					f->signo == SIGINT || f->signo == SIGHUP);
}

/* Keeps the record for the questions that follow on this machine, so it holds no program. */
static bool save_failing_record(const struct run_source *s, const struct options *o, GError **error)
{
	const struct record_options r = { .program = false };
	struct trace_run *run;
	uint64_t size;

	if (was_ended(&s->failing))
		return true;
	run = trace_run_open(s->failing.record, s->images, s->n_images, error);
	/* opening it completed its streams */
	trace_run_free(run);
	return run && record_write(o->save_record, s->replay, &s->failing, &r, &size, error);
}

static bool find_checks(struct run_source *s, const struct options *o, GError **error)
{
	s->checks = &s->own_checks;
	return checks_begin(s->checks, o, s->images, s->n_images, error);
}

/* The test is run as its framework needs it. */
static bool choose_test(struct run_source *s, const struct options *o, GError **error)
{
	s->words = checks_words(s->checks, o, &s->variables, error);
	if (s->words)
		replay_adapt(s->replay, s->words, s->variables);
	return s->words;
}

/* Is the test's failure that of a child? */
static bool may_be_child(const struct replay_failing *f, const struct options *o)
{
	if (o->follow == OPTIONS_FOLLOW_PARENT)
		return false;
	return f->end == RUN_STATUS || (f->end == RUN_PASSED && o->follow == OPTIONS_FOLLOW_CHILD);
}

/* Did the run that became the child end as the child did? */
static bool is_as_child(const struct run_source *s)
{
	const struct replay_failing *f = &s->failing;
	int status = s->child_status;

	if (f->end == RUN_STATUS)
		return WIFEXITED(status) && WEXITSTATUS(status) == f->status;
	if (f->end == RUN_SIGNAL)
		return WIFSIGNALED(status) && WTERMSIG(status) == f->signo;
	return f->end == RUN_ASSERT && WIFSIGNALED(status);
}

/* A process that executes another program ends without saying so in its record. */
static bool is_another_program(const struct run_source *s)
{
	struct trace_run *run = trace_run_open(s->failing.record, s->images, s->n_images, NULL);
	bool another = run && s->failing.end == RUN_STATUS &&
		       trace_run_head(run, 0)->end == TRACE_END_RUNNING;

	trace_run_free(run);
	return another;
}

/* When a child process failed, the run is made once more in which the program becomes that
 * child.  If it does not fail in the same way then, the failure of its parent is what is
 * explained. */
static bool follow_child(struct run_source *s, const struct options *o,
			 const struct deadline *until, GError **error)
{
	struct replay_failing parent = s->failing;

	if (!may_be_child(&parent, o))
		return true;
	s->child = follow_failed_child(&parent, &s->child_status);
	if (!s->child)
		return true;
	if (!replay_record_child(s->replay, s->child, &s->failing, error)) {
		s->failing = parent;
		return false;
	}
	if (!is_as_child(s) || is_another_program(s)) {
		if (is_as_child(s))
			s->real_program = real_program_find(o, until);
		replay_leave_child(s->replay);
		replay_failing_clear(&s->failing);
		s->failing = parent;
		s->child = 0;
	} else {
		replay_failing_clear(&parent);
	}
	return true;
}

/* A framework's own handler lets the other tests go on. */
static bool has_framework(const struct run_source *s)
{
	return check_sites_framework(s->checks->sites, 0);
}

/* A handler that reports a fault and ends the program tells nothing of it: the run is made once
 * more without it. */
static bool take_fault(struct run_source *s, GError **error)
{
	struct replay_failing first = s->failing;
	g_autofree char *status = NULL;

	if (!first.fault || has_framework(s))
		return true;
	if (!replay_record_fault(s->replay, &s->failing, error)) {
		s->failing = first;
		return false;
	}
	status = first.end == RUN_SIGNAL ? NULL : g_strdup_printf("exit status %d", first.status);
	s->handled = g_strdup_printf("%s, and ended it by %s", replay_signal_name(first.fault),
				     status ? status : replay_signal_name(first.signo));
	replay_failing_clear(&first);
	return true;
}

static bool start_with_run(struct run_source *s, const struct options *o,
			   const struct deadline *until, GError **error)
{
	struct replay_options r = first_run_options(o);

	r.until = until;
	s->replay = replay_new(&r, error);
	if (!s->replay)
		return false;
	s->images = replay_images(s->replay, &s->n_images);
	s->runner = replay_runner(s->replay);
	replay_ask_endless(s->replay, s->is_endless, s->endless_arg);
	if (!find_checks(s, o, error) || !choose_test(s, o, error) ||
	    !replay_record_failing(s->replay, &s->failing, error) || !take_fault(s, error) ||
	    !follow_child(s, o, until, error))
		return false;
	s->program = replay_program(s->replay);
	s->not_run = replay_without_cage(s->replay);
	return !o->save_record || save_failing_record(s, o, error);
}

static bool start_with_record(struct run_source *s, const struct options *o,
			      const struct deadline *until, GError **error)
{
	struct record_place place = { .program = o->program[0],
				      .directory = o->directory,
				      .run_timeout = o->run_timeout,
				      .max_bytes = o->max_record,
				      .jit = o->engine == OPTIONS_ENGINE_JIT,
				      .until = until,
				      .limits = &o->limits };
	g_autoptr(GTimer) clock = g_timer_new();

	s->record = record_open(o->record, o->max_record == OPTIONS_MAX_RECORD ? 0 : o->max_record,
				error);
	if (!s->record || !record_find_program(s->record, &place, error))
		return false;
	record_failing(s->record, &s->failing);
	s->failing.gdb_ms = 1000 * g_timer_elapsed(clock, NULL);
	s->replay = record_replay(s->record, &s->not_run);
	s->runner = s->replay ? replay_runner(s->replay) : NULL;
	s->images = record_images(s->record, &s->n_images);
	s->program = record_program(s->record);
	return find_checks(s, o, error);
}

bool run_source_start(struct run_source *s, const struct options *o, const struct deadline *until,
		      GError **error)
{
	bool done;

	progress_stage(o, EVENT_RECORD, 0);
	done = replay_interrupt_install(NULL, NULL, error) &&
	       (o->record ? start_with_record(s, o, until, error)
			  : start_with_run(s, o, until, error));
	if (done)
		progress_stage(o, EVENT_SOLVE, 0);
	else
		real_program_add(o, until, error);
	if (!done)
		sanitizer_report_add(o, error);
	return done;
}

bool run_source_start_beside(struct run_source *s, const struct run_source *first,
			     const struct options *o, unsigned *threads, GError **error)
{
	s->replay = first->replay;
	s->runner = first->runner;
	s->is_shared = true;
	s->images = first->images;
	s->n_images = first->n_images;
	s->program = first->program;
	s->checks = first->checks;
	return replay_turn_to(s->replay, o->program, o->stdin_file, error) &&
	       replay_record_other(s->replay, &s->failing, threads, error);
}

void run_source_clear(struct run_source *s)
{
	replay_failing_clear(&s->failing);
	checks_clear(&s->own_checks);
	g_free(s->real_program);
	g_free(s->handled);
	g_strfreev(s->words);
	g_strfreev(s->variables);
	if (s->is_shared)
		return;
	if (s->record)
		record_free(s->record);
	else
		replay_free(s->replay);
	replay_interrupt_restore();
}

char **run_source_words(const struct run_source *s, const struct options *o)
{
	g_autoptr(GPtrArray) words = NULL;

	if (!s->record)
		return g_strdupv(s->words ? s->words : o->program);
	words = g_ptr_array_new();
	g_ptr_array_extend(words, record_facts(s->record)->args, NULL, NULL);
	g_ptr_array_add(words, NULL);
	return g_strdupv((char **)words->pdata);
}

const char *run_source_stdin(const struct run_source *s, const struct options *o)
{
	return s->record ? record_stdin(s->record) : o->stdin_file;
}
