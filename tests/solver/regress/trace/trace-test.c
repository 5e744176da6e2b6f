/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Causes of a failing run, and its alignment with itself, on runs made of files. */
#include "tests/support/canned.h"

#include "solver/regress/trace/align.h"
#include "solver/regress/trace/trace.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <string.h>

struct opened {
	struct canned *canned;
	struct regress_trace *trace;
};

static struct opened open_run(const char *program, const struct limits *limits)
{
	g_autofree char *folder = g_build_filename("tests/data/runs", program, NULL);
	struct opened o = { .canned = canned_open(folder) };
	const struct replay_failing *f = &o.canned->failing;
	const struct regress_record record = { .images = o.canned->images,
					       .n_images = o.canned->n_images,
					       .directory = f->record,
					       .thread = f->thread,
					       .end = { .end = f->end,
							.status = f->status,
							.signo = f->signo,
							.expression = f->expression,
							.file = f->file,
							.function = f->function,
							.line = f->line,
							.caller = f->caller },
					       .limits = limits };
	GError *error = NULL;

	o.trace = regress_trace_new(&record, &error);
	if (!o.trace)
		fail_msg("%s", error->message);
	return o;
}

static void close_run(struct opened *o)
{
	regress_trace_free(o->trace);
	canned_free(o->canned);
}

/* "27 b = 1": the lines, names and values of a cause. */
static char *in_words(struct opened *o, guint branch)
{
	g_autoptr(GArray) why = regress_trace_why(o->trace, branch);
	GString *out = g_string_new(NULL);
	struct regress_definition d;

	for (guint i = 0; why && i < why->len; i++)
		if (regress_trace_describe(o->trace, g_array_index(why, guint, i), &d) && d.value)
			g_string_append_printf(out, "%u %s = %s\n", d.line, d.clause, d.value);
	return g_string_free(out, FALSE);
}

static guint last_branch_on(struct opened *o, unsigned line)
{
	struct regress_definition d;

	for (guint i = regress_trace_count(o->trace); i-- > 0;)
		if (regress_trace_is_branch(o->trace, i) &&
		    regress_trace_describe(o->trace, i, &d) && d.line == line)
			return i;
	fail_msg("no branch on line %u", line);
	return 0;
}

/* loop.c: level = rest, and then more, is what the assertion saw. */
static void the_cause_is_minimal(void **state)
{
	struct opened o = open_run("loop", NULL);
	g_autofree char *why = in_words(&o, REGRESS_FAILURE);
	struct regress_definition d;

	(void)state;
	assert_non_null(strstr(why, "24 level = 6\n"));
	assert_non_null(strstr(why, "25 level = 8\n"));
	assert_null(strstr(why, "seed"));
	assert_true(regress_trace_failure(o.trace, &d));
	assert_int_equal(d.line, 26);
	assert_null(regress_trace_output(o.trace));
	close_run(&o);
}

static void a_branch_has_a_cause_of_its_own(void **state)
{
	struct opened o = open_run("loop", NULL);
	guint branch = last_branch_on(&o, 23);
	g_autofree char *why = in_words(&o, branch);

	(void)state;
	assert_non_null(strstr(why, "22 rest = 6\n"));
	assert_non_null(strstr(why, "23 rest > 3 = true\n"));
	close_run(&o);
}

/* `level = rest' was executed because of the branch around it, and no other. */
static void critical_is_the_branch_around(void **state)
{
	struct opened o = open_run("loop", NULL);
	g_autoptr(GArray) why = regress_trace_why(o.trace, REGRESS_FAILURE);
	guint branch = last_branch_on(&o, 23);
	bool found = false;

	(void)state;
	for (guint i = 0; i < why->len; i++) {
		guint number = g_array_index(why, guint, i);
		g_autoptr(GArray) critical = regress_trace_critical(o.trace, number);
		struct regress_definition d;

		if (!regress_trace_describe(o.trace, number, &d) || d.line != 24)
			continue;
		assert_int_equal(critical->len, 1);
		assert_int_equal(g_array_index(critical, guint, 0), branch);
		found = true;
	}
	assert_true(found);
	close_run(&o);
}

/* A goal that rests on more definitions than the limit allows has no cause. */
static void a_limit_leaves_it_without_cause(void **state)
{
	struct limits limits = *limits_default();
	struct opened o;
	g_autoptr(GArray) why = NULL;

	(void)state;
	limits.regress_definitions = 1;
	o = open_run("loop", &limits);
	why = regress_trace_why(o.trace, REGRESS_FAILURE);
	assert_true(!why || !why->len || why->len == 1);
	close_run(&o);
}

static void values_come_from_what_is_used(void **state)
{
	struct opened o = open_run("loop", NULL);
	unsigned on_25 = 0;

	(void)state;
	for (guint i = 0; i < regress_trace_count(o.trace); i++) {
		struct regress_definition d;
		g_autoptr(GArray) uses = NULL;

		if (!regress_trace_describe(o.trace, i, &d) || d.line != 25 || !d.clause ||
		    strcmp(d.clause, "level") != 0)
			continue;
		uses = regress_trace_uses(o.trace, i);
		for (guint k = 0; k < uses->len; k++) {
			guint use = g_array_index(uses, guint, k);

			assert_true(use < i);
			if (regress_trace_describe(o.trace, use, &d))
				on_25 += d.line == 24 || d.line == 17;
		}
	}
	assert_true(on_25 > 0);
	close_run(&o);
}

struct places {
	unsigned missing; /* line that the other version does not have */
};

static guint64 place(void *arg, const char *file, unsigned line)
{
	const struct places *p = arg;

	(void)file;
	return line == p->missing ? 0 : 1000 + line;
}

static void a_run_is_aligned_with_itself(void **state)
{
	static const char *const programs[] = { "loop", "list", "paper" };

	(void)state;
	for (size_t i = 0; i < G_N_ELEMENTS(programs); i++) {
		struct opened o = open_run(programs[i], NULL);
		struct places all = { 0 };
		struct regress_alignment *a = regress_alignment_new(o.trace, place, &all);
		unsigned found = 0;

		for (guint k = 0; k < regress_trace_count(o.trace); k++) {
			guint64 index = regress_alignment_index(a, k);

			assert_true(!index || regress_alignment_find(a, index) == k);
			found += index != 0;
		}
		assert_true(found > 0);
		assert_int_equal(regress_alignment_find(a, 0), -1);
		regress_alignment_free(a);
		close_run(&o);
	}
}

/* What only one version has gets no index, and what stands beside it keeps its own. */
static void a_line_more_moves_nothing(void **state)
{
	struct opened o = open_run("loop", NULL);
	struct places all = { 0 }, fewer = { .missing = 22 };
	struct regress_alignment *a = regress_alignment_new(o.trace, place, &all);
	struct regress_alignment *b = regress_alignment_new(o.trace, place, &fewer);
	unsigned gone = 0, kept = 0;

	(void)state;
	for (guint k = 0; k < regress_trace_count(o.trace); k++) {
		struct regress_definition d;

		if (!regress_trace_describe(o.trace, k, &d))
			continue;
		if (d.line == 22) {
			assert_int_equal(regress_alignment_index(b, k), 0);
			gone++;
		} else if (regress_alignment_index(a, k)) {
			kept += regress_alignment_index(a, k) == regress_alignment_index(b, k);
		}
	}
	assert_true(gone > 0);
	assert_true(kept > 0);
	regress_alignment_free(a);
	regress_alignment_free(b);
	close_run(&o);
}

static void what_cannot_fail_has_no_trace(void **state)
{
	struct canned *c = canned_open("tests/data/runs/loop");
	const struct regress_record record = { .images = c->images,
					       .n_images = c->n_images,
					       .directory = "/nonexistent",
					       .thread = c->failing.thread,
					       .end = { .end = RUN_STATUS, .status = 1 } };
	GError *error = NULL;

	(void)state;
	assert_null(regress_trace_new(&record, &error));
	assert_non_null(error);
	g_error_free(error);
	canned_free(c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_cause_is_minimal),
		cmocka_unit_test(a_branch_has_a_cause_of_its_own),
		cmocka_unit_test(critical_is_the_branch_around),
		cmocka_unit_test(a_limit_leaves_it_without_cause),
		cmocka_unit_test(values_come_from_what_is_used),
		cmocka_unit_test(a_run_is_aligned_with_itself),
		cmocka_unit_test(a_line_more_moves_nothing),
		cmocka_unit_test(what_cannot_fail_has_no_trace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
