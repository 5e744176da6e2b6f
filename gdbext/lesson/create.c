/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/lesson/create.h"

#include "gdbext/lesson/truth.h"

#include <string.h>

static const char task_text[] =
	"Say what the program should do, and what the student is to find out first.\n";

static const char page_text[] = "# Lesson: (its title)\n\n"
				"**Goal.** What can students do afterwards?\n\n"
				"**Time.** 15 minutes.\n\n"
				"**Pitfalls.** Which wrong answers do you expect?\n\n"
				"**Discuss.** Which question has no answer in the tool's output?\n";

static bool copy_lesson_file(const char *from, const char *folder, const char *name, GError **error)
{
	g_autofree char *to = g_build_filename(folder, name, NULL), *text = NULL;
	gsize n;

	return g_file_get_contents(from, &text, &n, error) &&
	       g_file_set_contents(to, text, (gssize)n, error);
}

static bool write_created_text(const char *folder, const char *name, const char *text,
			       GError **error)
{
	g_autofree char *to = g_build_filename(folder, name, NULL);

	return g_file_set_contents(to, text, -1, error);
}

static bool write_ini(const char *folder, const char *cflags, const char *fails, GError **error)
{
	g_autoptr(GKeyFile) ini = g_key_file_new();
	g_autofree char *to = g_build_filename(folder, "lesson.ini", NULL);
	g_autofree char *name = g_path_get_basename(folder);
	static const char *const questions[][2] = {
		{ "goal", "What can students do afterwards?" },
		{ "shows", "What does the tool show here?" },
		{ "cannot", "What can it not know?" },
		{ "final", "A question whose answer is not in the tool's output." },
	};

	g_key_file_set_integer(ini, "lesson", "order", 100);
	g_key_file_set_string(ini, "lesson", "title", name);
	g_key_file_set_integer(ini, "lesson", "minutes", 15);
	for (size_t i = 0; i < G_N_ELEMENTS(questions); i++)
		g_key_file_set_string(ini, "lesson", questions[i][0], questions[i][1]);
	g_key_file_set_string(ini, "lesson", "cflags", cflags ? cflags : "");
	g_key_file_set_string(ini, "lesson", "fails", fails);
	g_key_file_set_string(ini, "fault.1", "file", "faulty.c");
	g_key_file_set_string(ini, "fault.1", "question", "What should one look at first?");
	g_key_file_set_string(ini, "fault.1", "reason", "Why is the line wrong?");
	return g_key_file_save_to_file(ini, to, error);
}

/* --- the test that the student sees --- */

static bool ends_differ(const struct lesson_end *a, const struct lesson_end *b)
{
	return a->kind != b->kind || a->number != b->number || strcmp(a->out, b->out) != 0;
}

/* The line of the suite that t was read from. */
static const char *line_of_test(char **lines, unsigned number)
{
	for (; *lines; lines++)
		if (**lines && **lines != '#' && number-- == 0)
			return *lines;
	return "";
}

static char *find_failing_lesson_tests(struct lesson_runs *r, const struct lesson_variant *v,
				       const char *program, const struct lesson_expected *x,
				       GError **error)
{
	g_auto(GStrv) lines = g_strsplit(v->lesson->suite, "\n", -1);

	for (char **line = lines; *line; line++)
		g_strstrip(*line);
	for (unsigned i = 0; i < x->n; i++) {
		const struct lesson_test *t = v->tests->pdata[i];
		struct lesson_end end;
		bool failing;

		if (!lesson_run(r, program, t->words, 5, &end, error))
			return NULL;
		failing = ends_differ(&end, &x->ends[i]);
		lesson_end_clear(&end);
		if (failing)
			return g_strdup(line_of_test(lines, i));
	}
	g_set_error(error, LESSON_ERROR, LESSON_ERROR_COURSE,
		    "Both programs do the same with all tests of the suite; add one that shows the "
		    "fault.");
	return NULL;
}

static char *failing_test(const struct lesson *l, GError **error)
{
	struct lesson_variant *v = lesson_vary(l, NULL, error);
	struct lesson_runs *r = v ? lesson_runs_new(NULL, error) : NULL;
	struct lesson_expected *x = r ? lesson_expect(r, v, error) : NULL;
	const char *folder = r ? lesson_runs_folder(r) : "";
	g_autofree char *source = g_build_filename(folder, "program.c", NULL);
	g_autofree char *program = g_build_filename(folder, "program", NULL);
	g_autofree char *said = NULL;
	char *fails = NULL;

	if (x && g_file_set_contents(source, v->program, -1, error) &&
	    lesson_compile(r, source, program, l->cflags, &said, error))
		fails = find_failing_lesson_tests(r, v, program, x, error);
	if (said)
		g_set_error(error, LESSON_ERROR, LESSON_ERROR_COURSE,
			    "The program does not compile: %s", g_strstrip(said));
	lesson_expected_free(x);
	lesson_runs_free(r);
	lesson_variant_free(v);
	return fails;
}

static bool is_free_lesson_folder(const char *folder)
{
	g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);

	return !dir || !g_dir_read_name(dir);
}

bool lesson_create(const char *folder, const struct lesson_sources *from, GError **error)
{
	struct lesson *l = NULL;
	g_autofree char *fails = NULL;

	if (g_mkdir_with_parents(folder, 0777) || !is_free_lesson_folder(folder)) {
		g_set_error(error, LESSON_ERROR, LESSON_ERROR_FOLDER,
			    "%s cannot be made, or is there already; name another folder.", folder);
		return false;
	}
	if (!copy_lesson_file(from->program, folder, "faulty.c", error) ||
	    !copy_lesson_file(from->golden, folder, "golden.c", error) ||
	    !copy_lesson_file(from->tests, folder, "tests.txt", error) ||
	    !write_created_text(folder, "task.md", task_text, error) ||
	    !write_created_text(folder, "README.md", page_text, error) ||
	    !write_ini(folder, from->cflags, "", error))
		return false;
	l = lesson_read(folder, error);
	fails = l ? failing_test(l, error) : NULL;
	lesson_free(l);
	return fails && write_ini(folder, from->cflags, fails, error);
}
