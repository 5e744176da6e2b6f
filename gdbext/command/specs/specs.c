/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/specs/specs.h"
#include "gdbext/command/specs/specs-report.h"
#include "gdbext/command/specs/specs-talk.h"

#include "gdbext/question/ending.h"
#include "gdbext/replay/interrupt.h"
#include "gdbext/replay/preflight.h"
#include "gdbext/replay/replay.h"
#include "gdbext/specs/save.h"
#include "gdbext/specs/spec/specs.h"
#include "gdbext/specs/watch.h"

#include <signal.h>

/* What it says, and what the user says. */
struct specs_talker {
	struct specs_report *report;
	struct said *said;	 /* NULL = nothing */
	struct specs_talk *talk; /* NULL = nobody is asked */
};

#define IT_WRITES "changes what it looks at; a predicate only reads"
#define IT_DOES_NOT_END "does not end; mend it, or give it longer with --limit predicate_ms=N"

/* ---- what is said ---- */

/* The violation at once, and then why: in a run of its own, recorded. */
static int tell_why(const struct specs_subject *s, const struct options *o, struct specs_report *r,
		    const struct spec_event *e, GError **error)
{
	struct specs_why why;
	int status;

	specs_report_violation(r, e);
	status = specs_why(&why, s, o, e, error);
	if (status != OPTIONS_EXIT_INTERRUPTED) {
		specs_report_why(r, &why);
		status = why.causes || (why.is_asked && why.q.e->suspects->len)
				 ? OPTIONS_EXIT_EXPLAINED
				 : OPTIONS_EXIT_UNEXPLAINED;
	}
	specs_why_clear(&why);
	return status;
}

/* A predicate that does what a predicate must not do. */
static int tell_misbehaviour(const struct specs_subject *s, const struct watched *w,
			     const struct spec_event *e, GError **error)
{
	const struct spec_constraint *c = spec_constraint(s->spec, e->constraint);
	g_autofree char *name = specs_name(c), *place = specs_place(s, c, e->call);
	g_autofree char *what = NULL;

	if (e->verdict == SPEC_WRITES)
		what = g_strdup(IT_WRITES);
	else if (w->was_ended)
		what = g_strdup(IT_DOES_NOT_END);
	else if (w->exited)
		what = g_strdup("ends the program; a predicate returns");
	else if (w->number == SIGABRT)
		what = g_strdup("aborts, as a failed assert does; a predicate returns 0 where it "
				"does not hold");
	else
		what = g_strdup_printf("crashes with %s; it has to stand every structure, also a "
				       "broken one",
				       replay_signal_name(w->number));
	g_set_error(error, SPECS_ERROR, SPECS_ERROR_SPEC, "The predicate %s, %s, %s.", name, place,
		    what);
	return OPTIONS_EXIT_USAGE;
}

static int tell_nothing_violated(const struct specs_subject *s, const struct watched *w,
				 GError **error)
{
	uint64_t calls = 0;

	for (guint i = 0; i < w->events.calls->len; i++)
		calls += g_array_index(w->events.calls, uint64_t, i);
	if (w->events.is_inside)
		g_set_error(
			error, SPECS_ERROR, SPECS_ERROR_PROGRAM,
			"The program ended in %s, before it could be checked; `gdb-why explain' "
			"says why a program crashes.",
			g_array_index(s->spec->functions, struct weave_function, w->events.function)
				.function->name);
	else if (!calls && !w->exited)
		g_set_error(error, SPECS_ERROR, SPECS_ERROR_PROGRAM,
			    "The program ended by %s before it called a function that is checked.",
			    replay_signal_name(w->number));
	else if (!calls)
		g_set_error(
			error, SPECS_ERROR, SPECS_ERROR_PROGRAM,
			"The program called no function that is checked; give other arguments.");
	else
		g_set_error(error, SPECS_ERROR, SPECS_ERROR_PROGRAM,
			    "All that was checked held: %u evaluation%s in %" G_GUINT64_FORMAT
			    " call%s.",
			    w->events.all->len, w->events.all->len == 1 ? "" : "s", calls,
			    calls == 1 ? "" : "s");
	return !calls || w->events.is_inside ? OPTIONS_EXIT_UNEXPLAINED : OPTIONS_EXIT_PASSED;
}

/* ---- --check ---- */

static int check_contract(const struct specs_subject *s, const struct options *o,
			  struct specs_report *r, const struct deadline *until, GError **error)
{
	const struct watch_options options = { .argv = o->program,
					       .stdin_file = o->stdin_file,
					       .directory = o->directory,
					       .stop = true,
					       .until = until,
					       .limits = &o->limits };
	struct watched w;
	const struct spec_event *e;
	int status;

	if (!watch_run(s->spec, &s->built, &options, &w, error))
		return replay_interrupted() ? OPTIONS_EXIT_INTERRUPTED : OPTIONS_EXIT_USAGE;
	e = spec_events_first(&w.events);
	if (e && e->verdict == SPEC_FAILS)
		status = tell_why(s, o, r, e, error);
	else if (e && !(w.was_ended && deadline_is_over(until)))
		status = tell_misbehaviour(s, &w, e, error);
	else if (w.was_ended) /* our time was up, perhaps in a predicate */
		status = OPTIONS_EXIT_UNEXPLAINED,
		g_set_error(error, SPECS_ERROR, SPECS_ERROR_PROGRAM,
			    "The program was not over after %g seconds; give it longer with "
			    "--timeout.",
			    o->timeout);
	else
		status = tell_nothing_violated(s, &w, error);
	watched_clear(&w);
	return status;
}

/* ---- suspects ---- */

static struct watched end_of_study(const struct study *study)
{
	const struct run_result *end = study_end(study);

	return (struct watched){
		.events = *study_events(study),
		.exited = end->end == RUN_PASSED || end->end == RUN_STATUS,
		.number = end->end == RUN_ASSERT   ? SIGABRT
			  : end->end == RUN_SIGNAL ? end->signo
						   : end->status,
		/* SIGKILL: a predicate took too long (gdbext/contract/contract.h, `within') */
		.was_ended = end->end == RUN_TIMEOUT || end->end == RUN_LIMIT ||
			     (end->end == RUN_SIGNAL && end->signo == SIGKILL)
	};
}

/* Nothing was violated: why, in the words of --check. */
static int tell_study_ended(const struct specs_subject *s, const struct options *o,
			    struct specs_report *r, struct study *study, GError **error)
{
	const struct watched w = end_of_study(study);
	const struct spec_event *first = spec_events_first(&w.events);

	if (first) /* by the caller */
		return tell_why(s, o, r, first, error);
	return tell_nothing_violated(s, &w, error);
}

static void note_misbehaviours(const struct specs_subject *s, struct specs_report *r,
			       const struct study *study)
{
	const GPtrArray *all = study_misbehaviours(study);

	for (guint i = 0; i < all->len; i++) {
		const struct study_misbehaviour *m = all->pdata[i];
		g_autofree char *name = specs_name(spec_constraint(s->spec, m->constraint));
		g_autofree char *note = g_strdup_printf(
			"The predicate %s %s in the test %s, and says nothing of it; a "
			"predicate only reads, and stands every structure, also a "
			"broken one.",
			name,
			m->verdict == SPEC_WRITES ? "changes what it looks at"
			: m->is_unending	  ? "does not end"
			: m->aborts		  ? "aborts, as a failed assert does,"
						  : "crashes",
			m->test);

		specs_report_note(r, note);
	}
}

/* Without a constraint at the call, any state is one that it may be given. */
static void note_any_state(const struct specs_subject *s, const struct options *o,
			   struct specs_report *r, const struct study *study)
{
	unsigned number;
	const struct image_function *f = study_function(study, &number);
	g_autofree char *note = NULL;

	for (guint i = 0; i < s->spec->constraints->len; i++) {
		const struct spec_constraint *c = spec_constraint(s->spec, i);

		if (c->function == number && !c->at_exit)
			return;
	}
	if (o->specs_input != STUDY_HEAP || study_without_states(study))
		return;
	note = g_strdup_printf("Nothing says what %s may be called with, so tests may have states "
			       "that the program never makes; say it with WHY_PRE(%s, predicate, "
			       "arguments) or WHY_INVARIANT.",
			       f->name, f->name);
	specs_report_note(r, note);
}

/* --make-tests, --save-tests */
static int keep_tests(const struct specs_subject *s, const struct options *o,
		      struct specs_report *r, struct study *study, GError **error)
{
	struct save_result saved = { 0 };
	bool ok = true;

	study_make_tests(study, o->make_tests);
	if (o->make_tests)
		specs_report_tests(r, study_tests(study));
	if (o->save_tests) {
		ok = save_tests(study, s->spec, s->image, o->save_tests, &saved, error);
		if (ok)
			specs_report_saved(r, o->save_tests, &saved);
		save_result_clear(&saved);
	}
	return ok ? OPTIONS_EXIT_EXPLAINED : OPTIONS_EXIT_USAGE;
}

static void begin_fault(void *arg, const struct study_fault *f)
{
	const struct specs_talker *talker = arg;

	specs_report_begin(talker->report, f);
}

static enum study_reply ask_user(void *arg, const struct study_round *round)
{
	const struct specs_talker *talker = arg;

	return talker->talk ? specs_talk_ask(talker->talk, round) : STUDY_GOES_ON;
}

/* What was found until then was told. */
static int stop_interrupted(const struct deadline *until, GError **error)
{
	if (!error || !*error)
		deadline_check(until, error);
	return OPTIONS_EXIT_INTERRUPTED;
}

static struct study_options options_of_study(const struct options *o,
					     const struct specs_talker *talker,
					     const struct deadline *until)
{
	return (struct study_options){ .technique = (enum locate_technique)o->specs_technique,
				       .input = (enum study_input)o->specs_input,
				       .function = -1,
				       .nodes = o->max_nodes,
				       .rounds = o->rounds,
				       .evidence = !o->no_evidence,
				       .argv = o->program,
				       .stdin_file = o->stdin_file,
				       .solver = (enum smt_kind)o->solver,
				       .limits = &o->limits,
				       .until = until,
				       .said = talker->said };
}

/* Are there any? */
static bool tell_faults(struct specs_report *r, struct study *study, GError **error)
{
	const struct study_fault *f;
	bool any = false;

	for (; (f = study_next(study, error)); any = true)
		specs_report_fault(r, f);
	return any;
}

/* Other functions that do not do what is demanded of them either. */
static void tell_others(const struct specs_subject *s, struct specs_report *r, struct probe *p,
			const struct study *study, const struct study_options *options,
			GError **error)
{
	unsigned first;

	study_function(study, &first);
	for (unsigned i = 0; i < s->spec->functions->len && !study_is_stopped(study) &&
			     !deadline_is_over(options->until) && !*error;
	     i++) {
		struct study_options of_function = *options;
		struct study *other;

		of_function.function = (int)i;
		if (i == first || !study_also_fails(study, i) ||
		    !(other = study_new(p, &of_function, error)))
			continue;
		tell_faults(r, other, error);
		note_misbehaviours(s, r, other);
		study_free(other);
	}
}

static void tell_notes(const struct specs_subject *s, const struct options *o,
		       struct specs_report *r, const struct study *study, int status)
{
	note_misbehaviours(s, r, study);
	if (status == OPTIONS_EXIT_EXPLAINED)
		note_any_state(s, o, r, study);
	if (study_without_states(study))
		specs_report_without_states(r, study_without_states(study));
}

static int find_suspects(const struct specs_subject *s, const struct options *o,
			 const struct specs_talker *talker, struct probe *p,
			 const struct deadline *until, GError **error)
{
	struct specs_report *r = talker->report;
	const struct study_listener listener = { begin_fault, ask_user, (void *)talker };
	struct study_options options = options_of_study(o, talker, until);
	struct study *study;
	const struct spec_event *bad;
	int status = OPTIONS_EXIT_USAGE;

	options.listener = &listener;
	study = study_new(p, &options, error);
	if (!study)
		return replay_interrupted() ? OPTIONS_EXIT_INTERRUPTED : status;
	bad = spec_events_misbehaviour(study_events(study));
	if (bad) {
		const struct watched w = end_of_study(study);

		status = tell_misbehaviour(s, &w, bad, error);
		study_free(study);
		return status;
	}
	status = tell_faults(r, study, error) ? OPTIONS_EXIT_EXPLAINED : -1;
	if (status == OPTIONS_EXIT_EXPLAINED && !*error)
		tell_others(s, r, p, study, &options, error);
	if (replay_interrupted())
		status = stop_interrupted(until, error);
	if (status == OPTIONS_EXIT_EXPLAINED && !*error)
		status = keep_tests(s, o, r, study, error);
	tell_notes(s, o, r, study, status);
	if (status < 0)
		status = *error ? OPTIONS_EXIT_USAGE : tell_study_ended(s, o, r, study, error);
	study_free(study);
	return status;
}

static int explain_contract(const struct specs_subject *s, const struct options *o,
			    struct specs_talker *talker, struct deadline *until, GError **error)
{
	struct probe *p = specs_subject_probe(s, o, until, error);
	int status = OPTIONS_EXIT_USAGE;

	if (p && o->interactive)
		talker->talk = specs_talk_new(s, talker->report, talker->said, until);
	if (p)
		status = find_suspects(s, o, talker, p, until, error);
	specs_talk_free(talker->talk);
	probe_free(p);
	return status;
}

/* What was said before.  False with a sentence. */
static bool read_said(const struct specs_subject *s, const struct options *o, struct said **said,
		      GError **error)
{
	g_autofree char *beside = g_strconcat(o->spec, ".said", NULL);

	*said = NULL;
	return (!o->said && !o->interactive) ||
	       (*said = said_read(o->said ? o->said : beside, s->image, error));
}

/* A pipe can be read only once, but runs are many.  False with a sentence. */
static bool keep_input(const struct specs_subject *s, struct options *o, char **kept,
		       const struct deadline *until, GError **error)
{
	if (o->stdin_file)
		o->stdin_file = *kept =
			preflight_stdin(o->stdin_file, o->directory, s->folder->path, until, error);
	return !*error;
}

int specs_command(const struct options *given, GError **error)
{
	struct options own = *given, *o = &own;
	struct deadline until = deadline_in(o->timeout, replay_interrupt_flag());
	g_autofree char *input = NULL;
	struct specs_subject s;
	struct specs_talker talker = { 0 };
	int status = OPTIONS_EXIT_USAGE;

	if (o->interactive && (o->check || o->format != TUI_TEXT)) {
		options_wrong(error, "--interactive asks at a prompt, about suspects; leave out "
				     "--check and --format.");
		return status;
	}
	if (!replay_interrupt_install(NULL, NULL, error))
		return status;
	if (specs_subject_make(&s, o, error) && keep_input(&s, o, &input, &until, error) &&
	    read_said(&s, o, &talker.said, error)) {
		talker.report = specs_report_new(&s, o, talker.said);
		status = o->check ? check_contract(&s, o, talker.report, &until, error)
				  : explain_contract(&s, o, &talker, &until, error);
	}
	if (status == OPTIONS_EXIT_USAGE && *error) /* its time may have been up */
		status = ending_status(*error);
	if (talker.report)
		specs_report_end(talker.report, status, *error ? (*error)->message : NULL);
	said_free(talker.said);
	specs_subject_clear(&s);
	replay_interrupt_restore();
	return status;
}
