/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/lesson/grade/hint.h"

#include "gdbext/lesson/grade/grade.h"

/* Where no function is seen around the fault, a hint names so many lines before and behind it. */
enum { AROUND = 4 };

/* Computed, so it is true of each variant. */
static char *places_hint(const struct lesson_variant *v)
{
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < v->faulty->len; i++) {
		unsigned line = g_array_index(v->faulty, unsigned, i), first, last;
		g_autofree char *function = lesson_function_of(v, line, &first, &last);
		g_autofree char *said =
			function
				? g_strdup_printf("in %s, lines %u to %u of program.c", function,
						  first, last)
				: g_strdup_printf("between lines %u and %u of program.c",
						  line > AROUND ? line - AROUND : 1, line + AROUND);

		g_string_append_printf(out, "%s %s", i ? "\nAnother one is" : "Look", said);
	}
	return g_string_free(g_string_append_c(out, '.'), FALSE);
}

char *lesson_hint(const struct lesson_variant *v, unsigned n)
{
	g_autofree char *text = n == 1	 ? g_strdup(v->fault->question)
				: n == 2 ? places_hint(v)
					 : g_strdup(v->fault->reason);

	return n == 2 ? lesson_rename(v, text) : lesson_say(v, text);
}

static bool is_refused(const struct lesson_student *s, unsigned n, GError **error)
{
	unsigned next = MIN(lesson_student_hints(s) + 1, LESSON_HINTS);

	if (s->allows != LESSON_ALL)
		g_set_error(error, LESSON_ERROR, LESSON_ERROR_ANSWER,
			    "This is an examination: there are no hints.");
	else if (n > next)
		g_set_error(error, LESSON_ERROR, LESSON_ERROR_ANSWER,
			    "Hints come one after the other; the next one is %u, not %u.", next, n);
	return s->allows != LESSON_ALL || n > next;
}

char *lesson_take_hint(struct lesson_student *s, unsigned n, GError **error)
{
	unsigned given = lesson_student_hints(s), number = n ? n : MIN(given + 1, LESSON_HINTS);
	struct lesson *l = is_refused(s, n, error) ? NULL : lesson_find(s->word, error);
	struct lesson_variant *v = l ? lesson_vary(l, s->seed, error) : NULL;
	g_autofree char *text = v ? lesson_hint(v, number) : NULL;
	g_autofree char *word = g_strdup_printf("%u", number);
	g_autoptr(GString) out = g_string_new(NULL);
	bool ok = text && (number <= given || lesson_student_note(s, "hint", word, error));

	if (ok)
		g_string_append_printf(out, "hint %u of %d (%u points): %s\n", number, LESSON_HINTS,
				       lesson_hint_price(number), text);
	if (ok && number < LESSON_HINTS)
		g_string_append_printf(out, "the next one costs %u points\n",
				       lesson_hint_price(number + 1));
	lesson_variant_free(v);
	lesson_free(l);
	return ok ? g_string_free(g_steal_pointer(&out), FALSE) : NULL;
}
