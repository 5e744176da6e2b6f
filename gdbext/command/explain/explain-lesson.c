/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/command/explain/explain-lesson.h"

#include "gdbext/lesson/predict.h"
#include "tui/report/report.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The student who sits there; NULL = nobody does, or the program is in no lesson, or it is the one
 * of a record. */
static struct lesson_student *student_of(const struct options *o)
{
	bool is_read = !o->events && !o->output && o->format == TUI_TEXT && isatty(STDIN_FILENO) &&
		       isatty(STDOUT_FILENO);

	return is_read && o->program && o->program[0] ? lesson_of_program(o->program[0]) : NULL;
}

/* What was expected and not yet compared; s's, NULL = nothing. */
static const char *open_expectation(const struct lesson_student *s)
{
	const char *expected = NULL;

	for (guint i = 0; i < s->journal->len; i++) {
		const struct lesson_entry *e = &g_array_index(s->journal, struct lesson_entry, i);

		if (strcmp(e->what, "expected") == 0)
			expected = e->text;
		else if (strcmp(e->what, "saw") == 0)
			expected = NULL;
	}
	return expected;
}

void explain_lesson_ask(const struct options *o)
{
	struct lesson_student *s = student_of(o);
	char line[512] = "";

	if (!s)
		return;
	fputs("What do you expect: which line, and which value there? ", stdout);
	fflush(stdout);
	if (fgets(line, sizeof line, stdin) && *g_strstrip(line))
		lesson_student_note(s, "expected", line, NULL);
	lesson_student_free(s);
}

void explain_lesson_compare(const struct options *o, const struct explanation *e)
{
	struct lesson_student *s = student_of(o);
	const char *expected = s ? open_expectation(s) : NULL;

	if (expected) {
		g_autofree char *said = lesson_compare(expected, e);

		printf("\n%s\n", said);
		lesson_student_note(s, "saw", said, NULL);
	}
	lesson_student_free(s);
}
