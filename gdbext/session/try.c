/* SPDX-License-Identifier: GPL-3.0-or-later */
/* `flip' and `what-if': one change at a suspect, run by `gdb-why try'; and the panel,
 * which has the terminal to itself meanwhile. */
#include "gdbext/session/internal.h"

#include "gdbext/lesson/student.h"

#include <unistd.h>

static bool gather_context(struct session *s, struct context *c)
{
	g_autoptr(GError) error = NULL;
	bool ok;

	s->hushed = true;
	ok = context_gather(s, false, c, &error);
	s->hushed = false;
	if (!ok)
		fprintf(stderr, "%s\n", error->message);
	return ok;
}

void try_change(struct session *s, const char *typed, const char *const *options)
{
	struct context c = { 0 };
	GPtrArray *words = g_ptr_array_new();

	for (const char *const *o = options; *o; o++)
		g_ptr_array_add(words, g_strdup(*o));
	for (char *const *j = s->judges; j && *j; j++)
		g_ptr_array_add(words, g_strdup(*j));
	g_ptr_array_add(words, NULL);
	if (gather_context(s, &c))
		analysis_ask(s, ANALYSIS_TRY, typed, (char **)g_ptr_array_steal(words, NULL), &c);
	g_ptr_array_free(words, TRUE);
	context_clear(&c);
}

static const struct explanation_instance *changed_instance(const struct explanation_suspect *a,
							   guint i)
{
	return &g_array_index(a->instances, struct explanation_instance, i);
}

static const struct explanation_statement *
statement_of_instance(const struct explanation_suspect *a, guint i)
{
	return &g_array_index(a->statements, struct explanation_statement,
			      changed_instance(a, i)->statement);
}

const struct explanation_instance *try_instance(const struct explanation_suspect *a)
{
	for (guint i = a->instances->len; i > 0; i--) {
		const uint64_t all = statement_of_instance(a, i - 1)->executions;

		/* the changed run may come there more often */
		if (!all || changed_instance(a, i - 1)->execution <= all)
			return changed_instance(a, i - 1);
	}
	return a->instances->len ? changed_instance(a, a->instances->len - 1) : NULL;
}

guint try_executions(const struct explanation_suspect *a)
{
	guint n = 0;

	for (guint i = 0; i < a->instances->len; i++) {
		bool counted = false;

		for (guint k = 0; k < i && !counted; k++)
			counted = changed_instance(a, k)->execution ==
					  changed_instance(a, i)->execution &&
				  statement_of_instance(a, k)->line ==
					  statement_of_instance(a, i)->line;
		n += !counted;
	}
	return n;
}

char *try_place(const struct explanation_suspect *a)
{
	const struct explanation_instance *last = try_instance(a);
	const struct explanation_statement *first =
		&g_array_index(a->statements, struct explanation_statement, 0);

	return last && last->stop ? g_strdup(last->stop)
				  : g_strdup_printf("%s:%u", first->file, first->line);
}

void try_exactly(struct session *s, const char *typed, const struct explanation *e,
		 const struct explanation_suspect *a)
{
	g_autofree char *which = NULL;
	g_autoptr(GError) error = NULL;
	const char *file = kept_answer(s->kept, e, &error);

	if (!file) {
		fprintf(stderr, "%s\n", error->message);
		return;
	}
	which = g_strdup_printf("%s:%u", file, a->rank);
	try_change(s, typed, (const char *const[]){ "--suspect", which, NULL });
}

/* What the panel leaves for GDB to do: a command a line. */
static void take_commands(const char *file, GPtrArray *go)
{
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents(file, &text, NULL, NULL))
		return;
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++)
		if (**line)
			g_ptr_array_add(go, g_strdup(*line));
}

static void run_panel(struct session *s, const struct context *c, const char *file, GPtrArray *go)
{
	const char *const options[] = { "-o", file, NULL };
	g_auto(GStrv) argv = context_command_line(s, c, NULL, "panel", options);
	g_autoptr(GError) error = NULL;

	fflush(stdout);
	if (!g_spawn_sync(c->directory, argv, c->environment, G_SPAWN_CHILD_INHERITS_STDIN, NULL,
			  NULL, NULL, NULL, NULL, &error))
		fprintf(stderr, "%s\n", error->message);
	s->interrupted = false; /* the panel's */
	take_commands(file, go);
}

void try_panel(struct session *s, GPtrArray *go)
{
	struct context c = { 0 };
	g_autofree char *file = NULL;
	g_autoptr(GError) error = NULL;
	int fd = g_file_open_tmp("gdb-why-place.XXXXXX", &file, &error);

	if (fd < 0) {
		fprintf(stderr, "%s\n", error->message);
		return;
	}
	close(fd);
	if (gather_context(s, &c))
		run_panel(s, &c, file, go);
	context_clear(&c);
	unlink(file);
}

/* --- a lesson --- */

static void show_task(const char *folder)
{
	g_autofree char *path = g_build_filename(folder, "task.md", NULL), *text = NULL;

	if (g_file_get_contents(path, &text, NULL, NULL))
		fputs(text, stdout);
}

static void run_lesson(const char *folder, const char *arguments)
{
	g_autoptr(GPtrArray) argv = g_ptr_array_new_with_free_func(g_free);
	g_auto(GStrv) words = NULL;
	g_autoptr(GError) error = NULL;

	if (g_shell_parse_argv(arguments, NULL, &words, &error)) {
		g_ptr_array_add(argv, g_file_read_link("/proc/self/exe", NULL));
		g_ptr_array_add(argv, g_strdup("lesson"));
		for (char **w = words; *w; w++)
			g_ptr_array_add(argv, g_strdup(*w));
		g_ptr_array_add(argv, g_strdup("--directory"));
		g_ptr_array_add(argv, g_strdup(folder));
		g_ptr_array_add(argv, NULL);
		fflush(stdout);
		g_spawn_sync(NULL, (char **)argv->pdata, NULL, G_SPAWN_DEFAULT, NULL, NULL, NULL,
			     NULL, NULL, &error);
	}
	if (error)
		fprintf(stderr, "%s\n", error->message);
}

void try_lesson(struct session *s, const char *arguments)
{
	struct context c = { 0 };
	g_autofree char *folder = NULL;
	struct lesson_student *student;

	if (!gather_context(s, &c))
		return;
	folder = g_path_get_dirname(c.program);
	student = lesson_student_open(folder, NULL);
	if (!student)
		puts("The program is in no folder of a lesson; `gdb-why lesson' lists them.");
	else if (*arguments)
		run_lesson(folder, arguments);
	else
		show_task(folder);
	lesson_student_free(student);
	context_clear(&c);
}
