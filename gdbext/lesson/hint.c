/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/lesson/hint.h"

/* So many lines where no function is seen around the fault. */
enum { AROUND = 4 };

/* Computed, so it is true of each variant. */
static char *places(const struct lesson_variant *v)
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
				: n == 2 ? places(v)
					 : g_strdup(v->fault->reason);

	return lesson_say(v, text);
}
