/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/question/wrong-output.h"
#include "gdbext/question/ending.h"
#include "gdbext/question/failure.h"
#include "gdbext/question/runs/golden.h"
#include "gdbext/question/notes.h"
#include "solver/formula/requirement/requirement-output.h"

struct wrong_output {
	struct expected_output expected;
	struct expected_progress progress; /* of the failing run */
	struct trace_run *run;		   /* what the plan is of */
	struct printed *printed;
	struct output_plan *plan;
	struct stop stop;
	bool first_only;
	char *file; /* that takes the place of standard output, its base name */
};

static bool read_expected_output(struct question *q, struct wrong_output *w, GError **error)
{
	const struct options *o = q->o;

	if (o->golden)
		return golden_run(o, &w->expected, error);
	if (o->any_status) {
		bool read = expected_read(&w->expected, o->expect, NULL, 0, error);

		w->expected.any_status = true;
		return read;
	}
	return expected_read(&w->expected, o->expect, o->expect_stderr, (int)o->expect_status,
			     error);
}

bool wrong_output_has_file(const struct replay_failing *f, const char *file, GError **error)
{
	if ((f->end != RUN_PASSED && f->end != RUN_STATUS) ||
	    g_file_test(f->out, G_FILE_TEST_EXISTS))
		return true;
	g_set_error(error, REPLAY_ERROR, REPLAY_ERROR_INPUT,
		    "The test did not write %s; --output-file names a file that it writes.", file);
	return false;
}

/* q->wrong, once. */
static bool know_expected_output(struct question *q, GError **error)
{
	const struct options *o = q->o;
	struct wrong_output *w;

	if (q->wrong)
		return true;
	w = g_new0(struct wrong_output, 1);
	w->file = o->output_file ? g_path_get_basename(o->output_file) : NULL;
	if (!read_expected_output(q, w, error)) {
		wrong_output_free(w);
		return false;
	}
	w->expected.name = w->file;
	q->wrong = w;
	if (q->run.replay)
		replay_expect(q->run.replay, &w->expected);
	return true;
}

void wrong_output_look(struct question *q)
{
	const struct replay_failing *f = &q->run.failing;

	q->wrong->progress =
		expected_look_at_run(&q->wrong->expected, f->record, f->end, f->status);
}

bool wrong_output_begin(struct question *q, GError **error)
{
	const struct options *o = q->o;

	if (!options_want_output(o))
		return true;
	if (!know_expected_output(q, error) ||
	    (o->output_file && !wrong_output_has_file(&q->run.failing, o->output_file, error)))
		return false;
	wrong_output_look(q);
	return true;
}

bool wrong_output_is_exceeded(struct question *q, const struct replay_failing *so_far)
{
	/* a golden program would write the file that the test is writing now */
	return options_want_output(q->o) && !q->o->output_file && know_expected_output(q, NULL) &&
	       expected_is_exceeded(&q->wrong->expected, so_far->record, q->o->limits.output_more);
}

bool wrong_output_is_over(const struct question *q, bool at_end)
{
	const struct expected_progress *p = &q->wrong->progress;
	const char *folder = q->run.failing.record;

	return p->text_differs && expected_is_missed(&q->wrong->expected, folder) &&
	       (at_end || expected_line_is_over(folder, p) ||
		expected_is_exceeded(&q->wrong->expected, folder, q->o->limits.output_more));
}

void wrong_output_free(struct wrong_output *w)
{
	if (!w)
		return;
	output_plan_free(w->plan);
	printed_free(w->printed);
	trace_run_free(w->run);
	stop_clear(&w->stop);
	expected_clear(&w->expected);
	g_free(w->file);
	g_free(w);
}

const struct expected_output *wrong_output_expected(const struct question *q)
{
	return q->wrong ? &q->wrong->expected : NULL;
}

const struct expected_progress *wrong_output_progress(const struct question *q)
{
	return &q->wrong->progress;
}

void wrong_output_add(const struct wrong_output *w, struct requirement_end *end)
{
	if (!w)
		return;
	end->expected = &w->expected;
	end->differs_at = w->progress;
}

enum wrong_output_verdict wrong_output_verdict(const struct question *q)
{
	enum run_end end = q->run.failing.end;

	if (!q->wrong || (end != RUN_PASSED && end != RUN_STATUS))
		return WRONG_OUTPUT_NOT_ASKED;
	if (q->wrong->progress.met)
		return WRONG_OUTPUT_PASSED;
	return q->wrong->progress.text_differs ? WRONG_OUTPUT_TEXT : WRONG_OUTPUT_STATUS;
}

/* ---- the plan ---- */

static const struct output_check *first_check(const struct output_plan *plan)
{
	return plan->first < plan->checks->len
		       ? &g_array_index(plan->checks, struct output_check, plan->first)
		       : NULL;
}

static bool make_plan(struct question *q, struct wrong_output *w, GError **error)
{
	const struct run_source *run = &q->run;

	w->run = trace_run_open(run->failing.record, run->images, run->n_images, error);
	if (!w->run || !trace_run_choose(w->run, run->failing.thread, error))
		return false;
	trace_run_end_at(w->run, &q->until);
	w->printed = printed_new(w->run, run->failing.out, run->failing.err, &q->o->limits, error);
	w->plan = w->printed ? output_plan_new(w->printed, &w->expected, w->run,
					       q->o->limits.output_steps, error)
			     : NULL;
	/* what follows in the record is not all that the test would print */
	if (w->plan && q->endless)
		output_plan_keep_first(w->plan);
	return w->plan != NULL;
}

/* Where the first thing is printed that is wrong, or the run's end. */
static bool go_to_difference(struct question *q, struct wrong_output *w, GError **error)
{
	const struct run_source *run = &q->run;
	const struct printed_call *call = w->plan->call;
	const struct image_row *row;
	uint64_t link;

	q->index = reverse_index_new(&q->o->limits);
	if (!call) {
		q->point = trace_point_new(run->images, run->n_images, run->failing.record,
					   run->failing.thread, 0, q->index, &q->until, error);
		return q->point != NULL;
	}
	link = call->insn->addr;
	row = image_row_at(call->module->image, link);
	w->stop = (struct stop){
		.image = call->module->image,
		.places = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
		.count = call->nth,
		.text = row ? g_strdup(image_statement(call->module->image, row->statement)->file)
			    : g_strdup("the call that prints"),
	};
	g_array_append_val(w->stop.places, link);
	q->point = trace_point_new_at(run->images, run->n_images, run->failing.record,
				      run->failing.thread, &w->stop, 0, q->index, &q->until, error);
	return q->point != NULL;
}

int wrong_output_require(struct question *q, GError **error)
{
	struct wrong_output *w = q->wrong;
	struct requirement_end end = failure_end(&q->run.failing);
	GError *why = NULL;

	wrong_output_add(w, &end);
	if (!make_plan(q, w, &why) || !go_to_difference(q, w, &why)) {
		int status = g_error_matches(why, TRACE_ERROR, TRACE_ERROR_FORMAT)
				     ? OPTIONS_EXIT_UNEXPLAINED
				     : ending_status(why);

		g_propagate_error(error, why);
		return status;
	}
	q->requirement = requirement_new_output(&end, w->plan);
	if (w->plan->wanted_sentence)
		notes_printf(q->e, "%s", w->plan->wanted_sentence);
	return 0;
}

/* Nothing writes it, so the pointer is wrong, and not what it points to. */
static bool is_constant_text(const struct output_check *c)
{
	const struct trace_module *m = c->call->module;
	bool writable = true;
	uint8_t byte;

	return image_initial(m->image, c->address - m->bias, 1, &byte, &writable) && !writable;
}

struct wrong_output_start wrong_output_start(const struct question *q)
{
	const struct output_plan *plan = q->wrong ? q->wrong->plan : NULL;
	const struct output_check *c = plan ? first_check(plan) : NULL;
	struct wrong_output_start s = { 0 };

	if (!plan)
		return s;
	s.lacks_text = plan->at_end || (c && c->kind == OUTPUT_NOT_HERE && !c->is_extra);
	s.missing = s.lacks_text && plan->wanted->len ? plan->wanted : NULL;
	s.known = !plan->at_end;
	if (plan->at_end || !c || c->kind == OUTPUT_NOT_HERE)
		return s;
	if (c->kind == OUTPUT_STRING && !is_constant_text(c)) {
		s.has_place = s.is_text = true;
		s.place = (struct reverse_index_place){
			.memory = true, .address = c->address + c->skip + c->differs, .size = 1
		};
		return s;
	}
	s.has_place = c->place.kind != PRINTED_NOWHERE;
	s.place = (struct reverse_index_place){ .memory = c->place.kind == PRINTED_MEMORY,
						.reg = c->place.reg,
						.address = c->place.address,
						.size = 8 };
	s.has_value = c->kind == OUTPUT_VALUE && !c->is_float;
	s.value = c->low;
	return s;
}

bool wrong_output_first_only(struct question *q)
{
	if (!q->wrong || !q->wrong->plan || q->wrong->first_only)
		return false;
	q->wrong->first_only = true;
	q->requirement->takes_further = true;
	output_plan_keep_first(q->wrong->plan);
	return true;
}
