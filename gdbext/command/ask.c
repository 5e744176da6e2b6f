/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/ask.h"
#include "gdbext/command/ask-output.h"
#include "gdbext/command/ask-private.h"
#include "gdbext/command/ask-shown.h"
#include "gdbext/command/ask-tree.h"
#include "gdbext/command/ask-window.h"
#include "gdbext/question/ending.h"
#include "gdbext/question/endless.h"
#include "gdbext/command/explain/explain.h"
#include "gdbext/question/where.h"
#include "gdbext/question/wrong-output.h"
#include "solver/cause/cause.h"
#include "solver/formula/requirement/requirement-condition.h"
#include "solver/image/variable/variable.h"
#include "solver/source/value.h"

#include <string.h>

/* --at failure, which need not be said, and --at exit. */
static bool ask_is_at_end(const char *at)
{
	return !at || strcmp(at, "failure") == 0 || strcmp(at, "exit") == 0;
}

/* The exit status of an error: the run does not come there, or otherwise. */
static int status_of_stop(const GError *error, int otherwise)
{
	return g_error_matches(error, STOP_ERROR, STOP_ERROR_REACHED) ? OPTIONS_EXIT_UNEXPLAINED
								      : otherwise;
}

static const char *behind_question_word(const char *text, const char *word)
{
	size_t n = strlen(word);

	if (strncmp(text, word, n) != 0 || (text[n] && !g_ascii_isspace(text[n])))
		return NULL;
	return text + n + strspn(text + n, " \t\n");
}

static const char which_line[] = "Which line?  Say its number, or FILE:LINE.";

bool ask_complain(GError **error, const char *message)
{
	g_set_error_literal(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE, message);
	return false;
}

/* why, why EXPR, why not COND, why-not COND, why [not] line N */
static bool parse_question(struct ask *a, const char *text, GError **error)
{
	const char *rest = behind_question_word(text, "why"), *more;
	bool negated = false;

	if ((more = behind_question_word(text, "why-not"))) {
		negated = true;
		rest = more;
	} else if (rest && (more = behind_question_word(rest, "not"))) {
		negated = true;
		rest = more;
	}
	if (!rest)
		return ask_complain(
			error, "Questions are `why', `why EXPR', `why not COND', `why line N', "
			       "`why not line N' and `why output'; `gdb-why help ask' says "
			       "more.");
	more = behind_question_word(rest, "line");
	if (more && !*more && !negated)
		more = NULL; /* a variable of that name */
	a->about = more ? more : rest;
	a->kind = more	      ? (negated ? ASK_NOT_LINE : ASK_LINE)
		  : negated   ? ASK_NOT
		  : *a->about ? ASK_VALUE
			      : ASK_FAILURE;
	if (a->kind != ASK_FAILURE && !*a->about)
		return ask_complain(error,
				    more ? which_line : "Why not what?  Say a condition in C.");
	return true;
}

/* The program ran as far as it could; where it failed is a stop only if it did. */
static int check_run_end(struct ask *a, GError **error)
{
	const struct replay_failing *f = &a->q.run.failing;
	g_auto(GStrv) words = NULL;

	if (a->stop.places || f->end == RUN_SIGNAL)
		return 0;
	if (f->end == RUN_PASSED) {
		g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
			    "The run did not fail, so there is no failure to ask about; name a "
			    "place with --at; the end of the run is `exit'.");
		return OPTIONS_EXIT_PASSED;
	}
	if (f->end == RUN_TIMEOUT)
		return endless_begin(&a->q, error);
	words = run_source_words(&a->q.run, a->q.o);
	return ending_check(words[0], f, error);
}

static bool asks_for_exit(const struct ask *a)
{
	return a->q.run.failing.end == RUN_PASSED || a->q.run.failing.end == RUN_STATUS;
}

static bool find_stop(struct ask *a, GError **error)
{
	const char *at = a->q.o->at;

	if (ask_is_at_end(at)) {
		bool exit = at && strcmp(at, "exit") == 0;

		/* a run that ended in another way ended where it failed */
		return !asks_for_exit(a) || (!exit && a->q.run.failing.end == RUN_PASSED) ||
		       stop_find_exit(a->q.run.images, a->q.run.n_images, &a->stop, error);
	}
	return stop_find(a->q.run.images, a->q.run.n_images, at, &a->stop, error) &&
	       (a->q.o->where || ask_window_move(&a->q, &a->stop, error)) &&
	       (!a->q.o->where || where_find(&a->q, a->q.o->where, &a->stop, error));
}

static bool go_to_asked_place(struct ask *a, GError **error)
{
	struct question *q = &a->q;

	a->index = reverse_index_new(&a->q.o->limits);
	q->point = trace_point_new_at(q->run.images, q->run.n_images, q->run.failing.record,
				      q->run.failing.thread, a->stop.places ? &a->stop : NULL, 0,
				      a->index, &q->until, error);
	return q->point != NULL;
}

/* Code that is not traced may have called exit: then at the last instruction. */
static bool go_to_asked_end(struct ask *a, GError **error)
{
	GError *failed = NULL;

	if (go_to_asked_place(a, &failed))
		return true;
	if (!ask_is_at_end(a->q.o->at) || !a->stop.places ||
	    !g_error_matches(failed, STOP_ERROR, STOP_ERROR_REACHED)) {
		g_propagate_error(error, failed);
		return false;
	}
	g_error_free(failed);
	reverse_index_free(a->index);
	stop_clear(&a->stop);
	return go_to_asked_place(a, error);
}

/* Where the program stands is no value that something assigned. */
static bool asks_for_place(const struct ask *a, GError **error)
{
	const struct image *im = trace_point_image(a->q.point);
	const struct image_row *row = image_row_at(im, trace_point_frame(a->q.point)->pc);
	unsigned line = row ? image_statement(im, row->statement)->line : 0;

	if (strcmp(a->about, "$rip") != 0 && strcmp(a->about, "$pc") != 0)
		return false;
	if (line)
		g_set_error(
			error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
			"`%s' is where the program stands, in line %u; `why line %u' says why it "
			"came there.",
			a->about, line, line);
	else
		g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
			    "`%s' is where the program stands; ask about a variable there.",
			    a->about);
	return true;
}

/* In the words of the user's question. */
static bool compile_question(struct ask *a, GError **error)
{
	const struct image *im = trace_point_image(a->q.point);
	struct image_frame frame = *trace_point_frame(a->q.point);
	GError *wrong = NULL;

	if (asks_for_place(a, error))
		return false;
	frame.around = ask_tree_is_around(&a->q, &a->stop);
	a->expression = c_expression_parse(im, a->about, &wrong);
	if (a->expression)
		a->code = expression_compile(im, &frame, a->expression, &wrong);
	if (a->code)
		return true;
	if (strcmp(a->about, "line") == 0)
		ask_complain(error, which_line);
	else
		g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
			    "`%s' cannot be asked about: %s.", a->about, wrong->message);
	g_error_free(wrong);
	return false;
}

static char *value_now(struct ask *a)
{
	const struct image_frame *frame = trace_point_frame(a->q.point);
	struct expression x;

	expression_run(a->code, frame, trace_point_cursor(a->q.point));
	expression_result(a->code, frame, &x);
	if (x.has_address && !x.bits && image_type_is_aggregate(x.type))
		return value_text_at(trace_point_image(a->q.point), frame, x.type, x.address);
	if (!x.has_value)
		return NULL;
	return value_text(trace_point_image(a->q.point), frame, x.type, x.bytes, x.type->size);
}

static void forget_asked_place(struct ask *a)
{
	g_clear_pointer(&a->code, expression_code_free);
	g_clear_pointer(&a->expression, c_expression_free);
	g_clear_pointer(&a->q.point, trace_point_free);
	g_clear_pointer(&a->index, reverse_index_free);
}

/* Is the end of the run too little for an answer?  tree: NULL = no value is known. */
static bool wants_whole_run(const struct ask *a, struct cause_tree *tree)
{
	if (!a->own.program || !trace_point_left_out(a->q.point))
		return false;
	if (tree)
		cause_unfold_all(tree, a->q.o->depth, (unsigned)a->q.o->limits.causes);
	return !tree || tree->reaches_start;
}

static int answer_value(struct ask *a, GError **error);

/* Answers from the whole run; where that cannot be recorded again, from its end. */
static int answer_from_whole_run(struct ask *a, GError **error)
{
	bool is_whole = ask_window_widen(&a->q);

	a->own.program = NULL;
	if (is_whole) {
		forget_asked_place(a);
		if (!go_to_asked_end(a, error))
			return status_of_stop(*error, ending_status(*error));
	}
	return answer_value(a, error);
}

/* What a call in the line that failed returned.  Takes the tree. */
static int answer_result(struct ask *a, struct cause_tree *tree, GError **error)
{
	const struct cause *root = tree->causes->pdata[0];

	cause_unfold(tree, 0);
	if (root->because->len) {
		guint from = g_array_index(root->because, struct cause_link, 0).cause;
		const struct cause *returned = tree->causes->pdata[from];
		g_autofree char *value = g_strdup(returned->value);

		if (value)
			ask_tree_name(&a->q, &a->stop, value, tree->causes->pdata[0]);
	}
	return ask_tree(&a->q, tree, error);
}

/* "why 4" in a GDB that keeps no answer: the number of a row, by all likelihood. */
static bool check_is_no_row(const struct ask *a, GError **error)
{
	if (a->about[strspn(a->about, "0123456789")])
		return true;
	g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
		    "%s is a constant; `%s--row %s EXPR' goes on from row %s of the answer to "
		    "`why EXPR'.",
		    a->about, a->q.o->in_gdb ? "why " : "ask why ", a->about, a->about);
	return false;
}

static int answer_value(struct ask *a, GError **error)
{
	g_autofree char *value = NULL;
	struct cause_tree *tree =
		a->stop.places ? NULL : cause_of_result(a->q.e, a->q.point, a->index, a->about);
	GError *differs = NULL;

	if (tree)
		return answer_result(a, tree, error);
	if (!check_is_no_row(a, error) || !compile_question(a, error))
		return OPTIONS_EXIT_USAGE;
	value = ask_shown_value(a->about, value_now(a), a->q.o->shown, &differs);
	if (differs) {
		g_propagate_error(error, differs);
		return OPTIONS_EXIT_UNEXPLAINED;
	}
	if (!value && wants_whole_run(a, NULL))
		return answer_from_whole_run(a, error);
	if (!value) {
		g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
			    "The value of `%s' is not known: %s.", a->about,
			    a->code->unknown
				    ? a->code->unknown
				    : "the program's own code had not touched that memory, or a "
				      "library function may have changed it since, or a null "
				      "pointer is followed");
		return OPTIONS_EXIT_UNEXPLAINED;
	}
	tree = cause_of_value(a->q.e, a->q.point, a->index, a->about, a->code);
	if (wants_whole_run(a, tree)) {
		cause_tree_free(tree);
		return answer_from_whole_run(a, error);
	}
	ask_tree_name(&a->q, &a->stop, value, tree->causes->pdata[0]);
	return ask_tree(&a->q, tree, error);
}

/* The last time that control comes to the stop is meant. */
static bool count_to_the_last(struct ask *a, GError **error)
{
	const struct question *q = &a->q;

	if (!trace_point_count(q->run.images, q->run.n_images, q->run.failing.record,
			       q->run.failing.thread, &a->stop, &a->stop.count, &q->until, error))
		return false;
	if (!a->stop.count)
		g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
			    "The optimizer has moved the code of %s, so the run does not come to "
			    "its beginning; name a place before it with --at.",
			    a->stop.text);
	return a->stop.count > 0;
}

/* The instruction that a signal ended the run at. */
static bool find_crash(struct ask *a, GError **error)
{
	const struct image_statement *s;
	struct question *q = &a->q;
	uint64_t pc;

	q->point = trace_point_new(q->run.images, q->run.n_images, q->run.failing.record,
				   q->run.failing.thread, 0, NULL, &q->until, error);
	if (!q->point)
		return false;
	pc = trace_point_frame(q->point)->pc;
	s = trace_point_statement(q->point);
	a->stop = (struct stop){ trace_point_image(q->point),
				 g_array_new(FALSE, FALSE, sizeof(uint64_t)), 1,
				 s ? g_strdup_printf("%s:%u", s->file, s->line)
				   : g_strdup("the last instruction"),
				 false };
	g_array_append_val(a->stop.places, pc);
	g_clear_pointer(&q->point, trace_point_free);
	return count_to_the_last(a, error);
}

/* Finds the line that failed. */
static bool find_failing_line(struct ask *a, GError **error)
{
	const struct question *q = &a->q;
	const struct replay_failing *f = &q->run.failing;
	g_autofree char *file = f->file ? g_path_get_basename(f->file) : NULL;

	if (f->end == RUN_SIGNAL)
		return find_crash(a, error);
	if (!file || f->end != RUN_ASSERT) {
		g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
			    "It is not known where the run fails; name a place with --at.");
		return false;
	}
	return stop_find_line(q->run.images, q->run.n_images, file, f->line, &a->stop, error) &&
	       count_to_the_last(a, error);
}

/* ---- the exit status ---- */

/* Where runs exit in another way the status is in another register. */
static void keep_exits_like_this_one(struct ask *a)
{
	const struct image *im = trace_point_image(a->q.point);
	int reg = stop_status_register(im, trace_point_frame(a->q.point)->pc);

	for (guint i = a->stop.places->len; i > 0; i--)
		if (stop_status_register(im, g_array_index(a->stop.places, uint64_t, i - 1)) != reg)
			g_array_remove_index(a->stop.places, i - 1);
}

static bool holds_with_status(struct ask *a, struct expression_code *code, int32_t truth,
			      unsigned status)
{
	struct image_frame frame = *trace_point_frame(a->q.point);
	int reg = stop_status_register(trace_point_image(a->q.point), frame.pc);
	const struct ir_value *v;

	frame.regs[reg] = status;
	expression_run(code, &frame, trace_point_cursor(a->q.point));
	v = &code->temps[truth];
	return v->known && v->w[0] & 1;
}

/* Does the condition hold with exit status 0, and no other?  Then it is that the test passes,
 * in whatever way. */
static bool is_that_it_passes(struct ask *a)
{
	const struct image *im = trace_point_image(a->q.point);
	struct c_expression *e = c_expression_parse(im, a->about, NULL);
	struct expression_code *code =
		e ? expression_compile(im, trace_point_frame(a->q.point), e, NULL) : NULL;
	int32_t truth = code ? expression_truth(code, NULL) : -1;
	bool same = truth >= 0;

	for (unsigned status = 0; same && status < 256; status++)
		same = holds_with_status(a, code, truth, status) == (status == 0);
	expression_code_free(code);
	c_expression_free(e);
	return same;
}

/* `$_exitcode' where the program exits. */
static bool is_about_the_status(const struct ask *a)
{
	const struct trace_point *m = a->q.point;

	return strstr(a->about, "$_exitcode") &&
	       stop_status_register(trace_point_image(m), trace_point_frame(m)->pc) >= 0;
}

static int require_condition(struct ask *a, GError **error)
{
	struct question *q = &a->q;
	GError *wrong = NULL;
	bool holds = false;
	int status;

	q->requirement =
		requirement_new_condition(q->run.images, q->run.n_images, q->run.failing.thread,
					  q->point, &a->stop, a->about, &holds, &wrong);
	if (!q->requirement) {
		g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
			    "`%s' cannot be asked about: %s.", a->about, wrong->message);
		status = g_error_matches(wrong, C_EXPRESSION_ERROR, C_EXPRESSION_ERROR_VALUE)
				 ? OPTIONS_EXIT_UNEXPLAINED
				 : OPTIONS_EXIT_USAGE;
		g_error_free(wrong);
		return status;
	}
	if (holds)
		g_set_error(error, OPTIONS_ERROR, OPTIONS_ERROR_USAGE,
			    "`%s' does hold there; ask `why %s' why.", a->about, a->about);
	return holds ? OPTIONS_EXIT_PASSED : 0;
}

static int require_what_does_not_hold(struct ask *a, GError **error)
{
	struct question *q = &a->q;

	if (!a->stop.places && !find_failing_line(a, error))
		return OPTIONS_EXIT_USAGE;
	if (!go_to_asked_place(a, error))
		return status_of_stop(*error, ending_status(*error));
	if (is_about_the_status(a)) {
		if (q->run.failing.end == RUN_STATUS && is_that_it_passes(a)) {
			g_clear_pointer(&q->point, trace_point_free);
			return question_require_pass(q, NULL, error);
		}
		keep_exits_like_this_one(a);
	}
	return require_condition(a, error);
}

/* Where the run printed what is wrong first. */
static int go_to_wrong_output(struct ask *a, GError **error)
{
	int status = wrong_output_require(&a->q, error);

	a->index = g_steal_pointer(&a->q.index);
	return status;
}

/* To the stop that is asked about; what is asked in place of "the test passes". */
static int require_at_stop(struct question *q, void *arg, GError **error)
{
	struct ask *a = arg;
	int status;

	if (a->kind != ASK_NOT && !q->o->at && options_want_output(q->o)) {
		if (!wrong_output_begin(q, error))
			return ending_status(*error);
		if (wrong_output_verdict(q) == WRONG_OUTPUT_TEXT)
			return go_to_wrong_output(a, error);
	}
	if (!find_stop(a, error))
		return status_of_stop(*error, OPTIONS_EXIT_USAGE);
	status = check_run_end(a, error);
	if (status)
		return status;
	if (a->kind == ASK_NOT)
		return require_what_does_not_hold(a, error);
	return go_to_asked_end(a, error) ? 0 : status_of_stop(*error, ending_status(*error));
}

static int answer_question(struct ask *a, GError **error)
{
	switch (a->kind) {
	case ASK_NOT:
		return explain_and_print(&a->q, error);
	case ASK_VALUE:
		return answer_value(a, error);
	default:
		return ask_line(a, error);
	}
}

/* Where the cause of a value is in the end of a long run, what came before is not looked at. */
static const struct options *options_of_question(struct ask *a, const struct options *o)
{
	if (a->kind != ASK_VALUE || o->window || o->record || o->save_record ||
	    !ask_is_at_end(o->at) || !o->limits.ask_window)
		return o;
	a->own = *o;
	a->own.window = o->limits.ask_window;
	return &a->own;
}

int ask_command(const struct options *o, GError **error)
{
	struct ask a = { 0 };
	int status;

	if (options_asks_output(o))
		return ask_output_command(o, error);
	if (!parse_question(&a, o->question, error))
		return OPTIONS_EXIT_USAGE;
	if (o->row && (a.kind == ASK_FAILURE || a.kind == ASK_NOT)) {
		ask_complain(error,
			     "--row goes on from a row of the answer to `why EXPR' or `why [not] "
			     "line N'.");
		return OPTIONS_EXIT_USAGE;
	}
	if (a.kind == ASK_FAILURE && !ask_is_at_end(o->at)) {
		ask_complain(
			error,
			"`why' alone is about the failure; leave out --at, or say what is asked "
			"about.");
		return OPTIONS_EXIT_USAGE;
	}
	if (a.kind == ASK_FAILURE)
		return explain_command(o, error);
	if (o->where && ask_is_at_end(o->at)) {
		ask_complain(error,
			     "--where chooses between the times that --at FILE:LINE or FUNCTION "
			     "is reached; name a place with --at.");
		return OPTIONS_EXIT_USAGE;
	}
	status = question_start(&a.q, options_of_question(&a, o), require_at_stop, &a, error);
	if (!status)
		status = answer_question(&a, error);
	forget_asked_place(&a);
	stop_clear(&a.stop);
	question_clear(&a.q);
	return status;
}
