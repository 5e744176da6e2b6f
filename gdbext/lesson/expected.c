/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the golden program does with the hidden tests. */
#include "gdbext/lesson/truth.h"

/* The golden program needs milliseconds for a test. */
#define GOLDEN_SECONDS 5.0

void lesson_expected_free(struct lesson_expected *x)
{
	if (!x)
		return;
	for (unsigned i = 0; i < x->n; i++)
		lesson_end_clear(&x->ends[i]);
	g_free(x->ends);
	g_free(x);
}

static bool run_golden_lesson(struct lesson_runs *r, const struct lesson_variant *v,
			      const char *program, const struct lesson_test *t,
			      struct lesson_end *end, GError **error)
{
	if (!lesson_run(r, program, t->words, GOLDEN_SECONDS, end, error))
		return false;
	if (end->kind != LESSON_EXITED)
		g_set_error(error, LESSON_ERROR, LESSON_ERROR_COURSE,
			    "%s: golden.c does not end by itself with %s; mend it.",
			    v->lesson->folder, t->name);
	else if (end->number && !v->lesson->by_output)
		g_set_error(error, LESSON_ERROR, LESSON_ERROR_COURSE,
			    "%s: golden.c exits with %d with %s, so it fails the test, too; leave "
			    "the test out of tests.txt.",
			    v->lesson->folder, end->number, t->name);
	else
		return true;
	return false;
}

/* The compiled golden program; NULL with a sentence; free it. */
static char *golden_program(struct lesson_runs *r, const struct lesson_variant *v, GError **error)
{
	const char *folder = lesson_runs_folder(r);
	g_autofree char *source = g_build_filename(folder, "golden.c", NULL);
	g_autofree char *program = g_build_filename(folder, "golden", NULL);
	g_autofree char *said = NULL;

	if (!g_file_set_contents(source, v->golden, -1, error))
		return NULL;
	if (lesson_compile(r, source, program, v->lesson->cflags, &said, error))
		return g_steal_pointer(&program);
	if (said)
		g_set_error(error, LESSON_ERROR, LESSON_ERROR_COURSE,
			    "%s/golden.c does not compile: %s", v->lesson->folder,
			    g_strstrip(said));
	return NULL;
}

static void add_quoted(GString *line, const char *word)
{
	g_autofree char *quoted = g_shell_quote(word);

	g_string_append_printf(line, "%s%s", line->len ? " " : "", quoted);
}

void lesson_suite_add(GString *suite, const struct lesson_test *t, const struct lesson_end *golden)
{
	g_autoptr(GString) line = g_string_new(NULL);

	for (char **w = t->words; *w; w++)
		add_quoted(line, *w);
	if (t->asks) {
		g_autofree char *out = g_strstrip(g_strdup(golden->out));

		add_quoted(line, out);
	}
	g_string_append_printf(suite, "%s\n", line->len ? line->str : "{}");
}

struct lesson_expected *lesson_expect(struct lesson_runs *r, const struct lesson_variant *v,
				      GError **error)
{
	g_autofree char *program = golden_program(r, v, error);
	struct lesson_expected *x = g_new0(struct lesson_expected, 1);
	bool ok = program;

	x->n = v->tests->len;
	x->ends = g_new0(struct lesson_end, x->n);
	for (unsigned i = 0; ok && i < x->n; i++)
		ok = run_golden_lesson(r, v, program, v->tests->pdata[i], &x->ends[i], error);
	if (ok)
		return x;
	lesson_expected_free(x);
	return NULL;
}

static char *first_tests(const struct lesson_variant *v, const struct lesson_expected *x)
{
	GString *suite = g_string_new("# The program's arguments, a test a line.\n");

	for (unsigned i = 0; i < MIN(v->lesson->visible, x->n); i++)
		lesson_suite_add(suite, v->tests->pdata[i], &x->ends[i]);
	return g_string_free(suite, FALSE);
}

bool lesson_expect_shown(const struct lesson_variant *v, char **expected, char **suite,
			 GError **error)
{
	struct lesson_runs *r = lesson_runs_new(NULL, error);
	struct lesson_expected *x = r && v->lesson->visible ? lesson_expect(r, v, error) : NULL;
	bool ok = r && (x || !v->lesson->visible);
	g_autofree char *program = ok ? golden_program(r, v, error) : NULL;
	struct lesson_end end = { 0 };

	ok = program && run_golden_lesson(r, v, program, v->shown, &end, error);
	if (ok) {
		*expected = g_strdup(end.out);
		*suite = x ? first_tests(v, x) : NULL;
	}
	lesson_end_clear(&end);
	lesson_expected_free(x);
	lesson_runs_free(r);
	return ok;
}
