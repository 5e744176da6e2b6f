/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/specs/specs-why.h"

#include "gdbext/question/analysis/analysis.h"
#include "gdbext/specs/spec/specs.h"
#include "gdbext/specs/state.h"
#include "solver/source/failing-lines.h"
#include "solver/image/variable/variable.h"
#include "solver/specs/extent.h"
#include "tui/report/cause.h"

/* The lines that the call executed.  NULL: it cannot be found out. */
static GHashTable *lines_of_call(const struct probe *p, const struct spec_constraint *c,
				 uint64_t call, const char *record, const struct deadline *until)
{
	size_t n;
	struct image *const *images = probe_images(p, &n);
	struct trace_run *run = trace_run_open(record, images, n, NULL);
	struct extent_question q = { .run = run,
				     .program = 0,
				     .specification = 1,
				     .entry = g_array_index(p->spec->functions,
							    struct weave_function, c->function)
						      .function->entry };
	struct lift *lift = lift_new();
	struct extent *e = NULL;
	GHashTable *lines = NULL;

	if (run) {
		trace_run_end_at(run, until);
		e = extent_find(&q, lift, NULL);
	}
	if (e && e->calls->len >= call)
		lines = g_hash_table_ref(((struct extent_call *)e->calls->pdata[call - 1])->lines);
	extent_free(e);
	trace_run_free(run);
	lift_free(lift);
	return lines;
}

/* The specification only finds what is wrong; and when a function returns, what it did is. */
static GHashTable *lines_not_asked(const struct probe *p, const struct spec_constraint *c,
				   uint64_t call, const struct replay_failing *failing,
				   const struct deadline *until)
{
	GHashTable *lines = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	GHashTable *asked = c->at_exit && !failing->thread
				    ? lines_of_call(p, c, call, failing->record, until)
				    : NULL;
	size_t n;
	struct image *const *images = probe_images(p, &n);

	for (size_t i = asked ? 0 : 1; i < n; i++)
		failing_lines_add_all(lines, images[i], i ? NULL : asked);
	if (asked)
		g_hash_table_unref(asked);
	return lines;
}

/* What the call was given.  NULL: it cannot be told. */
static char *state_at(struct probe *p, const struct options *o, unsigned function, uint64_t call)
{
	const struct probe_order order = { .kind = PROBE_SHOW, .number = function, .call = call };
	struct probe_result r;
	struct spec_state *state = NULL;
	char *words = NULL;

	if (probe_run(p, o->program, o->stdin_file, &order, &r, NULL) && r.events.state)
		state = spec_state_read(r.events.state, p->spec->types);
	if (state)
		words = spec_state_words(state, p->spec->types);
	spec_state_free(state);
	probe_result_clear(&r);
	return words;
}

/* The run in the cage until the same violation. */
static bool record_violation(struct probe *p, const struct options *o, const struct spec_event *e,
			     struct replay_failing *failing, GError **error)
{
	const struct spec_constraint *c = spec_constraint(p->spec, e->constraint);
	const struct probe_order order = { .kind = PROBE_CALL,
					   .number = c->function,
					   .call = e->call };
	const struct spec_event *again;
	struct probe_result r;
	bool same = false;

	if (probe_run(p, o->program, o->stdin_file, &order, &r, error)) {
		again = spec_events_first(&r.events);
		same = again && again->constraint == e->constraint && again->signo == e->signo &&
		       r.run.end == (e->signo ? RUN_SIGNAL : RUN_ASSERT);
		if (!same)
			g_set_error(error, SPECS_ERROR, SPECS_ERROR_PROGRAM,
				    "Why is not known: in the cage, where the program is recorded, "
				    "it does not come to that violation; what it does may depend "
				    "on the time, on other programs, or on what it may not do "
				    "there.");
	}
	if (same) {
		*failing = (struct replay_failing){
			.end = RUN_ASSERT,
			.expression = g_strdup(c->call),
			.file = g_strdup(c->rule->file),
			.line = c->rule->line,
			.run_ms = r.run.ms,
			.record = g_steal_pointer(&r.run.record),
		};
		if (e->signo) {
			failing->end = RUN_SIGNAL;
			failing->signo = e->signo;
		}
	}
	probe_result_clear(&r);
	return same;
}

/* The number that the predicate returned is in a variable of what calls it. */
static void find_causes(struct specs_why *w, const struct spec_constraint *c)
{
	struct question *q = &w->q;
	const struct image *im = trace_point_image(q->point);
	const struct image_frame *frame = trace_point_frame(q->point);

	w->asked = c_expression_parse(im, SPEC_VERDICT, NULL);
	w->code = w->asked ? expression_compile(im, frame, w->asked, NULL) : NULL;
	if (!w->code)
		return;
	expression_run(w->code, frame, trace_point_cursor(q->point));
	w->causes = cause_of_value(q->e, q->point, q->index, c->call, w->code);
	w->causes->between = SPEC_CALL;
	((struct cause *)w->causes->causes->pdata[0])->value = "0";
	cause_unfold_all(w->causes, q->o->depth, (unsigned)q->o->limits.causes);
}

/* The thread that ended so. */
static unsigned thread_that_failed(const struct probe *p, const char *record,
				   const struct deadline *until)
{
	size_t n;
	struct image *const *images = probe_images(p, &n);
	unsigned found = 0, threads = 1;

	for (unsigned i = 0; i < threads && !deadline_is_over(until); i++) {
		struct trace_point *at =
			trace_point_new(images, n, record, i, 0, NULL, until, NULL);
		const struct image_statement *s = at ? trace_point_statement(at) : NULL;

		if (at)
			threads = trace_point_threads(at);
		if (s && g_str_has_prefix(s->function, SPEC_CALL))
			found = i;
		trace_point_free(at);
	}
	return found;
}

/* In the words of the rule, not of the code that evaluates it. */
static void describe_broken_rule(struct specs_why *w, const struct spec_constraint *c,
				 const struct image_function *function)
{
	struct explanation *e = w->q.e;
	struct explanation_failure *f = &e->failure;

	for (guint i = 0; i < e->chain->len; i++) {
		struct explanation_link *l = &g_array_index(e->chain, struct explanation_link, i);

		if (!g_strcmp0(l->text, f->statement))
			l->text = explanation_string(e, c->call);
	}
	f->kind = "condition";
	f->function = explanation_string(e, function->name);
	f->statement = explanation_string(e, c->call);
	if (w->causes)
		((struct cause *)w->causes->causes->pdata[0])->function = f->function;
}

int specs_why(struct specs_why *w, const struct specs_subject *s, const struct options *o,
	      const struct spec_event *e, GError **error)
{
	const struct spec_constraint *c = spec_constraint(s->spec, e->constraint);
	struct question_run run = { .program = image_path(s->image) };
	struct deadline until = deadline_in(o->timeout, NULL);
	int status = OPTIONS_EXIT_UNEXPLAINED;

	*w = (struct specs_why){ .probe = specs_subject_probe(s, o, &until, error) };
	if (!w->probe)
		return OPTIONS_EXIT_USAGE;
	w->called_with = state_at(w->probe, o, c->function, e->call);
	if (!record_violation(w->probe, o, e, &run.failing, error))
		return status;
	run.replay = w->probe->replay;
	run.failing.thread = thread_that_failed(w->probe, run.failing.record, &until);
	run.reporting = w->reporting = lines_not_asked(w->probe, c, e->call, &run.failing, &until);
	w->is_asked = true;
	status = question_start_with_run(&w->q, o, &run, error);
	if (status)
		return status;
	if (!e->signo)
		find_causes(w, c);
	analysis_begin(&w->q);
	status = analysis_explain(&w->q, error);
	if (!e->signo)
		describe_broken_rule(w, c, specs_function(s, c));
	return status;
}

static void print_next(FILE *out, const struct options *o)
{
	g_autofree char *program = g_strjoinv(" ", o->program);
	g_autofree char *at = o->at ? g_strdup_printf(" --at %s", o->at) : g_strdup("");

	fprintf(out,
		"next: gdb-why specs --spec %s%s -- %s\n      ranks what the call executed, by "
		"tests "
		"that it makes\n",
		o->spec, at, program);
}

void specs_why_print(FILE *out, const struct specs_why *w, const struct options *o)
{
	const struct tui_options t = { .max_suspects = o->max_suspects };

	if (w->called_with)
		fprintf(out, "called with %s\n", w->called_with);
	if (w->causes) {
		fputc('\n', out);
		tui_print_causes(out, w->causes, "why", &t);
	}
	if (w->is_asked && w->q.e->program) {
		fputc('\n', out);
		tui_print(out, w->q.e, &t);
	}
	print_next(out, o);
}

void specs_why_clear(struct specs_why *w)
{
	cause_tree_free(w->causes);
	expression_code_free(w->code);
	c_expression_free(w->asked);
	if (w->is_asked)
		question_clear(&w->q);
	if (w->reporting)
		g_hash_table_destroy(w->reporting);
	g_free(w->called_with);
	probe_free(w->probe);
}
