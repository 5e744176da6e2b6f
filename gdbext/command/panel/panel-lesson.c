/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/panel/panel-lesson.h"

#include "gdbext/lesson/grade/grade.h"
#include "gdbext/lesson/grade/hint.h"

#include "tui/words/line.h"

#include <gio/gio.h>
#include <string.h>

enum { ANSWER_WIDTH = 76 };

struct panel_lesson_work {
	struct panel *p;
	struct lesson_student *student;
	struct lesson *lesson;
	struct lesson_variant *variant;
	char *expected;	     /* what was typed; NULL = nothing */
	GSubprocess *check;  /* `lesson check'; NULL = none runs */
	GCancellable *until; /* the panel is closed */
};

static char *file_text(const struct panel_lesson_work *w, const char *name)
{
	g_autofree char *path = g_build_filename(w->student->folder, name, NULL);
	char *text = NULL;

	return g_file_get_contents(path, &text, NULL, NULL) ? text : g_strdup("");
}

/* "2 of 3 hints, answered program.c:20: wrong, 0 points" */
static char *progress_of(const struct panel_lesson_work *w)
{
	const char *answer = NULL, *check = NULL;
	unsigned hints = lesson_student_hints(w->student);

	for (guint i = 0; i < w->student->journal->len; i++) {
		const struct lesson_entry *e =
			&g_array_index(w->student->journal, struct lesson_entry, i);

		if (strcmp(e->what, "answer") == 0) {
			answer = e->text;
			check = NULL;
		} else if (strcmp(e->what, "check") == 0) {
			check = e->text;
		}
	}
	return check ? g_strdup_printf("%u of %d hints, %s", hints, LESSON_HINTS, check)
		     : g_strdup_printf("%u of %d hints, %s%s", hints, LESSON_HINTS,
				       answer ? "answered " : "not answered", answer ? answer : "");
}

static char *task_of(const struct panel_lesson_work *w)
{
	GString *out = g_string_new(NULL);
	g_autofree char *task = file_text(w, "task.md");

	g_string_append(out, g_strchomp(task));
	for (unsigned n = 1; n <= lesson_student_hints(w->student); n++) {
		g_autofree char *hint = lesson_hint(w->variant, n);

		g_string_append_printf(out, "\n\n# Hint %u\n%s", n, hint);
	}
	return g_string_free(out, FALSE);
}

static void show_lesson(struct panel_lesson_work *w, bool end)
{
	unsigned next = lesson_student_hints(w->student) + 1;
	g_autofree char *progress = progress_of(w), *task = task_of(w);
	g_autofree char *price = next > LESSON_HINTS || w->student->allows != LESSON_ALL
					 ? NULL
					 : g_strdup_printf("%u points", lesson_hint_price(next));
	g_autofree char *final = lesson_say(w->variant, w->lesson->final);
	g_autofree char *goal = lesson_say(w->variant, w->lesson->goal);
	const struct panel_lesson l = { .title = w->lesson->title,
					.goal = goal,
					.progress = progress,
					.task = task,
					.price = price,
					.final = final };

	panel_set_lesson(w->p, &l, end);
}

struct panel_lesson_work *panel_lesson_open(struct panel *p, const char *program)
{
	struct panel_lesson_work *w;
	struct lesson_student *s = program ? lesson_of_program(program) : NULL;

	if (!s)
		return NULL;
	w = g_new0(struct panel_lesson_work, 1);
	w->p = p;
	w->student = s;
	w->until = g_cancellable_new();
	w->lesson = lesson_find(s->word, NULL);
	w->variant = w->lesson ? lesson_vary(w->lesson, s->seed, NULL) : NULL;
	if (w->variant) {
		show_lesson(w, false);
		return w;
	}
	/* the course is elsewhere: it is a program as any other */
	panel_lesson_close(w);
	return NULL;
}

void panel_lesson_close(struct panel_lesson_work *w)
{
	if (!w)
		return;
	g_cancellable_cancel(w->until);
	while (w->check)
		g_main_context_iteration(NULL, TRUE);
	g_object_unref(w->until);
	lesson_student_free(w->student);
	lesson_variant_free(w->variant);
	lesson_free(w->lesson);
	g_free(w->expected);
	g_free(w);
}

/* --- what is expected --- */

bool panel_lesson_asks(const struct panel_lesson_work *w, struct explanation *e)
{
	g_autofree char *path = NULL, *text = NULL;
	g_auto(GStrv) lines = NULL;
	struct explanation_source *source;

	if (!w || lesson_student_latest(w->student, "saw"))
		return false;
	path = g_build_filename(w->student->folder, "program.c", NULL);
	text = file_text(w, "program.c");
	lines = g_strsplit(g_strchomp(text), "\n", -1);
	source = explanation_source_add(e, explanation_string(e, path));
	for (char **line = lines; *line; line++)
		g_ptr_array_add(source->lines, g_strdup(*line));
	return true;
}

static void expect_in_panel(struct panel_lesson_work *w, const char *text)
{
	g_free(w->expected);
	w->expected = g_strstrip(g_strdup(text));
	if (*w->expected)
		lesson_student_note(w->student, "expected", w->expected, NULL);
	else
		g_clear_pointer(&w->expected, g_free);
}

void panel_lesson_compare(struct panel_lesson_work *w, const struct explanation *e)
{
	g_autofree char *expected = w ? g_steal_pointer(&w->expected) : NULL, *said = NULL;

	if (!expected || !e->failure.kind)
		return;
	said = lesson_compare(expected, e);
	lesson_student_note(w->student, "saw", said, NULL);
	panel_say(w->p, said);
	panel_output(w->p, said);
}

/* --- hints, answers --- */

static void take_lesson_hint(struct panel_lesson_work *w)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *text = lesson_take_hint(w->student, 0, &error);

	show_lesson(w, text != NULL);
	panel_say(w->p, text ? "the hint stands below the task" : error->message);
}

static void answer_in_panel(struct panel_lesson_work *w, const struct panel_request *r)
{
	g_autoptr(GError) error = NULL;
	g_autofree char *text = g_strdup_printf("program.c:%u", r->line);
	g_autofree char *base = g_path_get_basename(r->file ? r->file : "");
	g_autofree char *because = g_strstrip(g_strdup(r->text));
	bool known = strcmp(base, "program.c") == 0;
	g_autoptr(GArray) lines =
		known ? lesson_answer_lines(w->variant, w->student, text, &error) : NULL;

	if (lines && lesson_student_note(w->student, "answer", text, &error) &&
	    (!*because || lesson_student_note(w->student, "because", because, &error))) {
		show_lesson(w, false);
		panel_say(w->p, "answered; c says whether it is right");
	} else {
		panel_say(w->p, error ? error->message : "the fault is in program.c");
	}
}

/* --- is it right? --- */

/* What it said, in lines that a screen has room for. */
static char *broken_lines(const char *text)
{
	GString *out = g_string_new("> lesson check\n");
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (char **line = lines; *line; line++) {
		g_autofree char *clean = tui_clean(*line);
		g_autoptr(GPtrArray) rows = tui_wrap(clean, ANSWER_WIDTH);

		for (guint i = 0; *clean && i < rows->len; i++)
			g_string_append_printf(out, "%s%s\n", i ? "  " : "",
					       (const char *)rows->pdata[i]);
	}
	return g_string_free(out, FALSE);
}

static void end_lesson_check(GObject *process, GAsyncResult *result, gpointer arg)
{
	struct panel_lesson_work *w = arg;
	g_autofree char *out = NULL, *err = NULL, *all = NULL, *said = NULL;
	bool ended = g_subprocess_communicate_utf8_finish(G_SUBPROCESS(process), result, &out, &err,
							  NULL);
	struct lesson_student *again;

	if (!ended)
		g_subprocess_force_exit(G_SUBPROCESS(process));
	g_clear_object(&w->check);
	if (!ended)
		return;
	said = g_strconcat(out, err, NULL);
	all = broken_lines(said);
	/* it has noted what came of it */
	again = lesson_student_open(w->student->folder, NULL);
	if (again) {
		lesson_student_free(w->student);
		w->student = again;
	}
	show_lesson(w, false);
	panel_answer(w->p, all, true);
}

static void check_in_panel(struct panel_lesson_work *w)
{
	g_autofree char *self = g_file_read_link("/proc/self/exe", NULL);
	g_autoptr(GError) error = NULL;

	if (w->check) {
		panel_say(w->p, "it is being checked");
		return;
	}
	w->check = g_subprocess_new(G_SUBPROCESS_FLAGS_STDOUT_PIPE | G_SUBPROCESS_FLAGS_STDERR_PIPE,
				    &error, self ? self : "gdb-why", "lesson", "check",
				    w->student->folder, NULL);
	panel_say(w->p, w->check ? "checking ..." : error->message);
	if (w->check)
		g_subprocess_communicate_utf8_async(w->check, NULL, w->until, end_lesson_check, w);
}

void panel_lesson_serve(struct panel_lesson_work *w, const struct panel_request *r)
{
	if (!w)
		return;
	switch (r->action) {
	case PANEL_EXPECT:
		expect_in_panel(w, r->text);
		break;
	case PANEL_HINT:
		take_lesson_hint(w);
		break;
	case PANEL_ANSWER:
		answer_in_panel(w, r);
		break;
	case PANEL_CHECK:
		check_in_panel(w);
		break;
	default:
		break;
	}
}
