/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/lesson/truth.h"

#include "gdbext/lesson/engine.h"
#include "gdbext/lesson/packed.h"
#include "solver/answer/json/json-read.h"
#include "tui/report/report.h"

#include <glib/gstdio.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void lesson_truth_free(struct lesson_truth *t)
{
	if (!t)
		return;
	explanation_free(t->e);
	g_ptr_array_unref(t->sets);
	g_free(t);
}

/* --- what is kept --- */

char *lesson_truth_folder(void)
{
	return g_build_filename(g_get_user_cache_dir(), "gdb-why", "lessons", NULL);
}

/* The folder for this variant: of all that its answer depends on.  Its program.c is what the
 * answer's lines are of, answer.json.gz the answer. */
static char *kept_folder(const struct lesson_variant *v)
{
	g_autofree char *folder = lesson_truth_folder(), *build = NULL;
	g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
	g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
	const char *texts[] = { v->program,	 v->golden,	    v->lesson->suite,
				v->fault->fails, v->lesson->cflags, NULL };
	GStatBuf st = { 0 };

	if (self)
		g_stat(self, &st);
	build = g_strdup_printf("%" G_GINT64_FORMAT, (gint64)st.st_mtime);
	g_checksum_update(sum, (const guchar *)build, -1);
	for (int i = 0; texts[i]; i++)
		g_checksum_update(sum, (const guchar *)texts[i], (gssize)strlen(texts[i]) + 1);
	return g_build_filename(folder, g_checksum_get_string(sum), NULL);
}

static struct explanation *read_kept(const char *folder)
{
	g_autofree char *file = g_build_filename(folder, "answer.json", NULL);
	g_autofree char *text = packed_read(file, NULL);

	return text ? tui_json_read(text, (gssize)strlen(text), NULL) : NULL;
}

static void keep_truth(const char *folder, const struct explanation *e)
{
	g_autofree char *file = g_build_filename(folder, "answer.json", NULL);
	const struct tui_options t = { .format = TUI_JSON };
	char *text = NULL;
	size_t n = 0;
	FILE *out = open_memstream(&text, &n);
	bool ok = tui_print(out, e, &t);

	fclose(out);
	/* where it cannot be kept, it is searched for again the next time */
	if (ok)
		packed_write(file, text, n, NULL);
	free(text);
}

/* --- the engine --- */

static bool same_words(const struct lesson_test *a, const struct lesson_test *b)
{
	return g_strv_equal((const char *const *)a->words, (const char *const *)b->words);
}

/* The test that the student sees comes first. */
static char *suite_text(const struct lesson_variant *v, const struct lesson_expected *x)
{
	GString *suite = g_string_new(NULL);

	for (int shown = 1; shown >= 0; shown--)
		for (unsigned i = 0; i < x->n; i++)
			if (same_words(v->tests->pdata[i], v->shown) == shown)
				lesson_suite_add(suite, v->tests->pdata[i], &x->ends[i]);
	return g_string_free(suite, FALSE);
}

static struct explanation *explain_variant(struct lesson_runs *r, const struct lesson_variant *v,
					   const struct lesson_search *how, GError **error)
{
	const char *folder = lesson_runs_folder(r);
	g_autofree char *suite = g_build_filename(folder, "suite.txt", NULL);
	g_autofree char *golden = g_build_filename(folder, "golden", NULL);
	g_autofree char *program = g_build_filename(folder, "program", NULL);
	g_autofree char *timeout = g_strdup_printf("%g", how->timeout);
	g_autofree char *size = g_strdup_printf("%u", MAX(v->faulty->len, 1));
	const char *first[] = { "--tests",	  suite, "--failing",	  "all",       "--joint",
				"--max-suspects", "0",	 "--no-cache",	  "--timeout", timeout,
				"--max-size",	  size,	 "--run-timeout", "3",	       NULL };
	g_autoptr(GPtrArray) words = g_ptr_array_new();

	for (const char **w = first; *w; w++)
		g_ptr_array_add(words, (gpointer)*w);
	if (v->lesson->by_output) {
		g_ptr_array_add(words, (gpointer) "--golden");
		g_ptr_array_add(words, golden);
	}
	g_ptr_array_add(words, (gpointer) "--");
	g_ptr_array_add(words, program);
	g_ptr_array_add(words, NULL);
	return lesson_explain((char *const *)words->pdata, error);
}

static struct explanation *search_truth(struct lesson_runs *r, const struct lesson_variant *v,
					const char *kept, const struct lesson_search *how,
					GError **error)
{
	const char *folder = lesson_runs_folder(r);
	g_autofree char *suite = g_build_filename(folder, "suite.txt", NULL);
	g_autofree char *source = g_build_filename(kept, "program.c", NULL);
	g_autofree char *program = g_build_filename(folder, "program", NULL);
	g_autofree char *said = NULL, *tests = NULL;
	struct lesson_expected *x = lesson_expect(r, v, error);
	struct explanation *e = NULL;

	if (!x)
		return NULL;
	tests = suite_text(v, x);
	lesson_expected_free(x);
	if (g_mkdir_with_parents(kept, 0700))
		g_set_error(error, LESSON_ERROR, LESSON_ERROR_SYSTEM,
			    "%s cannot be made (%s); set XDG_CACHE_HOME to a folder that can be "
			    "written.",
			    kept, g_strerror(errno));
	else if (g_file_set_contents(suite, tests, -1, error) &&
		 g_file_set_contents(source, v->program, -1, error) &&
		 lesson_compile(r, source, program, v->lesson->cflags, &said, error))
		e = explain_variant(r, v, how, error);
	if (said)
		g_set_error(error, LESSON_ERROR, LESSON_ERROR_COURSE,
			    "%s: the program with its fault does not compile: %s",
			    v->lesson->folder, g_strstrip(said));
	return e;
}

/* --- what is accepted --- */

static gint by_selector_number(gconstpointer a, gconstpointer b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return x < y ? -1 : x > y;
}

GArray *lesson_truth_lines(const struct explanation_suspect *s)
{
	GArray *lines = g_array_new(FALSE, FALSE, sizeof(unsigned));

	for (guint i = 0; i < s->statements->len; i++) {
		const struct explanation_statement *st =
			&g_array_index(s->statements, struct explanation_statement, i);
		bool known = false;

		for (guint k = 0; k < lines->len; k++)
			known |= g_array_index(lines, unsigned, k) == st->line;
		if (!known)
			g_array_append_val(lines, st->line);
	}
	g_array_sort(lines, by_selector_number);
	return lines;
}

/* Does it mend the test only by not coming to the check that failed?  A crash may be avoided. */
static bool avoids_check(const struct explanation *e, const struct explanation_suspect *s)
{
	return s->unchecked && g_strcmp0(e->failure.kind, "assert") == 0;
}

/* A passing test speaks against it: no expression over what the line reads serves both tests.  Of
 * the fault itself that is no objection: golden.c reads something else there. */
static bool is_contradicted(const struct explanation_suspect *s, const GArray *lines,
			    const GArray *faulty)
{
	return s->evidence && s->evidence->contradicted &&
	       !(lines->len == faulty->len &&
		 memcmp(lines->data, faulty->data, lines->len * sizeof(unsigned)) == 0);
}

/* Is one of its statements in a function of this name? */
static bool is_in_function(const struct explanation_suspect *s, const char *function)
{
	for (guint i = 0; function && i < s->statements->len; i++)
		if (g_strcmp0(
			    g_array_index(s->statements, struct explanation_statement, i).function,
			    function) == 0)
			return true;
	return false;
}

static bool fault_is_in(const struct lesson_variant *v, const char *function)
{
	bool found = false;

	for (guint i = 0; i < v->faulty->len; i++) {
		unsigned first, last;
		g_autofree char *around =
			lesson_function_of(v, g_array_index(v->faulty, unsigned, i), &first, &last);

		found |= g_strcmp0(around, function) == 0;
	}
	return found;
}

static void accept_sets(struct lesson_truth *t, const struct lesson_variant *v)
{
	const GArray *faulty = v->faulty;
	/* main reads the arguments and checks the result */
	const char *frame = fault_is_in(v, "main") ? NULL : "main";

	for (guint i = 0; i < t->e->suspects->len; i++) {
		const struct explanation_suspect *s = t->e->suspects->pdata[i];
		g_autoptr(GArray) lines = lesson_truth_lines(s);

		if (s->replay == REPLAY_PASSES && !s->further_to && !avoids_check(t->e, s) &&
		    !is_contradicted(s, lines, faulty) && !is_in_function(s, frame))
			g_ptr_array_add(t->sets, g_steal_pointer(&lines));
	}
}

bool lesson_truth_accepts(const struct lesson_truth *t, const GArray *lines)
{
	for (guint i = 0; i < t->sets->len; i++) {
		const GArray *set = t->sets->pdata[i];

		if (set->len == lines->len &&
		    memcmp(set->data, lines->data, set->len * sizeof(unsigned)) == 0)
			return true;
	}
	return false;
}

struct lesson_truth *lesson_truth_find(struct lesson_runs *r, const struct lesson_variant *v,
				       const struct lesson_search *how, GError **error)
{
	g_autofree char *folder = kept_folder(v);
	struct explanation *e = how->no_cache ? NULL : read_kept(folder);
	struct lesson_truth *t;

	if (!e) {
		e = search_truth(r, v, folder, how, error);
		if (e)
			keep_truth(folder, e);
	}
	if (!e)
		return NULL;
	t = g_new0(struct lesson_truth, 1);
	t->e = e;
	t->sets = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
	accept_sets(t, v);
	return t;
}
