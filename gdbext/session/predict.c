/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In a lesson, `why' first asks what the student expects. */
#include "gdbext/session/internal.h"

#include "gdbext/lesson/predict.h"

#include <string.h>

void predict_ask(struct session *s, const char *program)
{
	struct lesson_student *student = NULL;

	g_clear_pointer(&s->expected, g_free);
	if (prompt_is_terminal(s->prompt))
		student = lesson_of_program(program);
	if (student && student->allows == LESSON_ALL) {
		s->expected =
			session_ask(s, "What do you expect: which line, and which value there? ");
		if (s->expected && !*g_strstrip(s->expected))
			g_clear_pointer(&s->expected, g_free);
		if (s->expected)
			lesson_student_note(student, "expected", s->expected, NULL);
	}
	lesson_student_free(student);
}

void predict_compare(struct session *s, const struct explanation *e)
{
	g_autofree char *expected = g_steal_pointer(&s->expected), *said = NULL;
	struct lesson_student *student = expected ? lesson_of_program(e->program) : NULL;

	if (!expected)
		return;
	said = lesson_compare(expected, e);
	puts(said);
	if (student)
		lesson_student_note(student, "saw", said, NULL);
	lesson_student_free(student);
}
