/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/specs/specs-report.h"

#include "gdbext/ipc/event.h"
#include "gdbext/question/runs/progress.h"
#include "gdbext/specs/state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 10 };

struct specs_report {
	const struct specs_subject *s;
	const struct options *o;
	const struct said *said;
	FILE *out;		 /* standard output, or .text */
	char *text;		 /* for events; NULL = not yet */
	size_t length, told;	 /* of .text; so much of it was told when the user was asked */
	struct specs_json *json; /* NULL = text */
	bool has_fault;		 /* one was told */
};

struct specs_report *specs_report_new(const struct specs_subject *s, const struct options *o,
				      const struct said *said)
{
	struct specs_report *r = g_new0(struct specs_report, 1);

	r->s = s;
	r->o = o;
	r->said = said;
	r->out = o->events ? open_memstream(&r->text, &r->length) : stdout;
	progress_stage(o, EVENT_RECORD, 0);
	r->json = o->format == TUI_JSON ? specs_json_new(s, o, said) : NULL;
	return r;
}

void specs_report_end(struct specs_report *r, int status, const char *message)
{
	g_autofree char *document = r->json ? specs_json_end(r->json, status, message) : NULL;

	if (document)
		fputs(document, r->out);
	if (r->o->events) {
		fclose(r->out);
		if (r->length)
			event_write(
				(int)r->o->events,
				&(struct event){ .kind = EVENT_RESULT, .text = r->text + r->told });
		free(r->text);
	} else {
		fflush(r->out);
	}
	g_free(r);
}

FILE *specs_report_out(struct specs_report *r)
{
	return r->out;
}

bool specs_report_ask(struct specs_report *r)
{
	fflush(r->out);
	if (!r->o->events)
		return false;
	event_write((int)r->o->events,
		    &(struct event){ .kind = EVENT_ASK, .text = r->text + r->told });
	r->told = r->length;
	return true;
}

/* ---- what the formats share ---- */

char *specs_statement(const char *key, unsigned *line)
{
	const char *colon = strrchr(key, ':');

	*line = (unsigned)atoi(colon + 1);
	return g_strndup(key, (gsize)(colon - key));
}

char *specs_source(const struct specs_subject *s, const char *key)
{
	unsigned number;
	g_autofree char *file = specs_statement(key, &number);
	const char *line = image_source_line(s->image, file, number);

	return g_strstrip(g_strdup(line ? line : ""));
}

char *specs_input_words(const struct specs_subject *s, const struct study_test *t)
{
	g_autofree char *text = t->text ? g_strescape(t->text, NULL) : NULL;

	if (t->state)
		return spec_state_words(t->state, s->spec->types);
	return text ? g_strdup_printf("\"%s\"", text) : g_strjoinv(" ", t->argv + 1);
}

const char *specs_said_of(const struct specs_subject *s, const struct said *said,
			  const struct study_test *t)
{
	g_autofree char *words = said ? study_test_words(t, s->spec->types) : NULL;
	bool passes;

	if (!words || !said_of_test(said, words, &passes))
		return NULL;
	return passes ? "passes" : "fails";
}

unsigned specs_rank_in(const GArray *ratings, const char *statement)
{
	for (guint i = 0; i < ratings->len; i++)
		if (!strcmp(g_array_index(ratings, struct locate_rating, i).statement, statement))
			return g_array_index(ratings, struct locate_rating, i).rank;
	return 0;
}

/* ---- text ---- */

static void print_violation(const struct specs_report *r, const struct spec_event *e, bool crashes)
{
	const struct spec_constraint *c = spec_constraint(r->s->spec, e->constraint);
	g_autofree char *name = specs_name(c), *place = specs_place(r->s, c, e->call);

	fprintf(r->out, "%s does not hold %s:\n    %s\n", name, place, c->call);
	if (crashes)
		fputs("    it crashes on what the function left; when the call began, it held\n",
		      r->out);
}

/* "list.c:43  l->size = 0;" */
static char *text_of_statement(const struct specs_subject *s, const char *statement)
{
	g_autofree char *place = g_path_get_basename(statement);
	g_autofree char *source = specs_source(s, statement);

	return g_strdup_printf("%s  %s", place, source);
}

static void print_ratings(const struct specs_report *report, const GArray *ratings, unsigned most)
{
	const struct said *said = report->said;

	fprintf(report->out, "  rank  rating       statement\n");
	for (guint i = 0; i < ratings->len && i < most; i++) {
		const struct locate_rating *r = &g_array_index(ratings, struct locate_rating, i);
		g_autofree char *text = text_of_statement(report->s, r->statement);

		fprintf(report->out, "  %4u  %.3f %.3f  %s%s\n", r->rank, r->suspiciousness,
			r->confidence, text,
			said && said_is_right(said, r->statement) ? "    (right, as you said)"
			: r->mends >= 1				  ? "    (alone, it can mend it)"
			: r->mends > 0 ? "    (alone, it can mend some of it)"
				       : "");
	}
}

/* "violates size_ok", "crashes", "passes" */
static char *own_outcome(const struct specs_subject *s, const struct study_test *t)
{
	const char *end = t->is_unending ? "does not end" : "crashes";
	g_autoptr(GString) names = g_string_new(NULL);

	for (unsigned i = 0; i < s->spec->constraints->len && i < SPEC_MOST_CONSTRAINTS; i++)
		if (t->violated >> i & 1)
			g_string_append_printf(names, "%s%s", names->len ? ", " : "",
					       spec_constraint(s->spec, i)->rule->predicate);
	if (!t->violated)
		return g_strdup("passes");
	if (!names->len)
		return g_strdup(end);
	return g_strdup_printf("violates %s%s%s", names->str,
			       t->violated & STUDY_CRASHED ? ", " : "",
			       t->violated & STUDY_CRASHED ? end : "");
}

/* … and what the user said. */
static char *words_for_outcome(const struct specs_report *r, const struct study_test *t)
{
	g_autofree char *own = own_outcome(r->s, t);
	const char *said = specs_said_of(r->s, r->said, t);

	if (!said)
		return g_steal_pointer(&own);
	return (*said == 'p') == !t->violated
		       ? g_strdup_printf("%s, as you said", own)
		       : g_strdup_printf("%s, but you said that it %s", own, said);
}

/* "2 1 2", or where calls have to be told apart, "2 1 2, call 1" */
static char *test_of_fault(const struct specs_subject *s, const struct study_fault *f,
			   const struct study_test *t)
{
	bool several = !t->state && (f->first->call > 1 || t->call > 1);
	g_autofree char *words = specs_input_words(s, t);

	return several ? g_strdup_printf("%s, call %" G_GUINT64_FORMAT, words, t->call)
		       : g_steal_pointer(&words);
}

/* Where the state of a test comes from. */
static void print_making(const struct specs_report *r, const struct study_test *t)
{
	if (t->state && t->calls && *t->calls)
		fprintf(r->out, "     made by %s\n", t->calls);
	else if (t->state && !t->calls)
		fprintf(r->out,
			"     set in memory; no short sequence of calls is known to make it\n");
}

static void print_test(const struct specs_report *r, const struct study_fault *f,
		       const struct study_test *t, unsigned round, const char *first)
{
	g_autofree char *arguments = test_of_fault(r->s, f, t);
	g_autofree char *outcome = words_for_outcome(r, t);
	const char *colon = strrchr(first, ':');

	fprintf(r->out, "  %u: %-24s %s; line %s was%s executed, rank %u now\n", round, arguments,
		outcome, colon + 1, g_hash_table_contains(t->lines, first) ? "" : " not",
		specs_rank_in(f->ratings->pdata[round], first));
	print_making(r, t);
}

static void print_begin(const struct specs_report *r, const struct study_fault *f)
{
	for (unsigned i = 0; i < r->s->spec->constraints->len && i < SPEC_MOST_CONSTRAINTS; i++)
		if (f->constraints >> i & 1)
			print_violation(
				r, &(struct spec_event){ .constraint = i, .call = f->first->call },
				f->first->crashing >> i & 1);
	if (f->constraints & STUDY_CRASHED)
		fprintf(r->out, "%s\n",
			f->first->is_unending ? "the call does not end" : "the call crashes");
}

static void print_fault(const struct specs_report *r, const struct study_fault *f)
{
	const GArray *ratings = f->ratings->pdata[f->ratings->len - 1];
	const char *first = g_array_index(ratings, struct locate_rating, 0).statement;

	if (f->why_not)
		fprintf(r->out, "  no core: %s\n", f->why_not);
	print_ratings(r, ratings, SHOWN);
	if (f->chosen->len)
		fprintf(r->out,
			"tests, and what they say of the first suspect, of rank %u before:\n",
			specs_rank_in(f->ratings->pdata[0], first));
	for (guint i = 0; i < f->chosen->len; i++)
		print_test(r, f, f->chosen->pdata[i], i + 1, first);
}

static void print_seam(const struct specs_report *r, const struct study_test *t)
{
	g_autofree char *arguments = specs_input_words(r->s, t);

	fprintf(r->out, "\nanother fault, that the test %s shows:\n", arguments);
	print_making(r, t);
}

/* ---- either ---- */

void specs_report_violation(struct specs_report *r, const struct spec_event *e)
{
	if (r->json)
		specs_json_violation(r->json, e);
	else
		print_violation(r, e, e->signo != 0);
	fflush(r->out);
}

void specs_report_why(struct specs_report *r, const struct specs_why *why)
{
	if (r->json)
		specs_json_why(r->json, why);
	else
		specs_why_print(r->out, why, r->o);
}

void specs_report_fault(struct specs_report *r, const struct study_fault *f)
{
	if (r->json) {
		specs_json_fault(r->json, f);
		return;
	}
	print_fault(r, f);
	fflush(r->out);
}

void specs_report_begin(struct specs_report *r, const struct study_fault *f)
{
	progress_stage(r->o, EVENT_SOLVE, 0);
	if (r->json)
		return;
	if (r->has_fault)
		print_seam(r, f->first);
	print_begin(r, f);
	r->has_fault = true;
	fflush(r->out);
}

void specs_report_round(struct specs_report *r, const struct study_round *round)
{
	const struct study_fault *f = round->fault;
	g_autofree char *test = round->next ? test_of_fault(r->s, f, round->next) : NULL;
	g_autofree char *outcome = round->next ? words_for_outcome(r, round->next) : NULL;

	print_ratings(r, f->ratings->pdata[f->ratings->len - 1], SHOWN);
	if (round->next)
		fprintf(r->out, "next test: %s: %s\n", test, outcome);
	else
		fputs("there is no further test\n", r->out);
	fflush(r->out);
}

void specs_report_without_states(struct specs_report *r, const char *why)
{
	if (r->json)
		specs_json_without_states(r->json, why);
	else
		fprintf(r->out, "no other states: %s\n", why);
}

void specs_report_note(struct specs_report *r, const char *note)
{
	if (r->json)
		specs_json_note(r->json, note);
	else
		fprintf(r->out, "note: %s\n", note);
}

static void print_made(const struct specs_report *r, const struct study_test *t, guint number)
{
	g_autofree char *words = specs_input_words(r->s, t), *outcome = words_for_outcome(r, t);

	if (t->state)
		fprintf(r->out, "  %u: %s: %s\n", number, words, outcome);
	else
		fprintf(r->out, "  %u: %s, call %" G_GUINT64_FORMAT ": %s\n", number, words,
			t->call, outcome);
	print_making(r, t);
}

void specs_report_tests(struct specs_report *r, const GPtrArray *tests)
{
	if (r->json) {
		specs_json_tests(r->json, tests);
		return;
	}
	fprintf(r->out, "\n%u tests in all:\n", tests->len);
	for (guint i = 0; i < tests->len; i++)
		print_made(r, tests->pdata[i], i + 1);
}

void specs_report_saved(struct specs_report *r, const char *directory,
			const struct save_result *saved)
{
	if (r->json)
		return;
	fprintf(r->out, "\nsaved %u test%s in %s", saved->n, saved->n == 1 ? "" : "s", directory);
	if (saved->n_left_out)
		fprintf(r->out,
			"; %u more cannot be: they do not end, or their state is too large or "
			"leads "
			"to functions",
			saved->n_left_out);
	fprintf(r->out, "\n    %s\n    gdb-why rank --tests %s -- %s\n", saved->command,
		saved->suite, saved->program);
}
