/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/lesson/predict.h"

#include <string.h>

struct lesson_student *lesson_of_program(const char *program)
{
	g_autofree char *folder = g_path_get_dirname(program);

	return lesson_student_open(folder, NULL);
}

/* The first explanation that changes this line; 0 = none. */
static unsigned rank_of(const struct explanation *e, unsigned line,
			const struct explanation_statement **found)
{
	for (guint i = 0; i < e->suspects->len; i++) {
		const struct explanation_suspect *s = e->suspects->pdata[i];

		for (guint k = 0; k < s->statements->len; k++) {
			*found = &g_array_index(s->statements, struct explanation_statement, k);
			if ((*found)->line == line)
				return s->rank;
		}
	}
	return 0;
}

char *lesson_compare(const char *expected, const struct explanation *e)
{
	const char *digits = expected + strcspn(expected, "0123456789");
	const char *colon = strstr(expected, ".c:");
	const struct explanation_statement *st = NULL;
	unsigned line, rank;

	if (colon)
		digits = colon + strlen(".c:");
	line = (unsigned)g_ascii_strtoull(digits, NULL, 10);
	if (!line)
		return g_strdup_printf("You expected `%s'; compare.", expected);
	rank = rank_of(e, line, &st);
	if (!rank)
		return g_strdup_printf("You expected line %u (`%s'); it is in none of the %u "
				       "explanations.",
				       line, expected, e->suspects->len);
	return g_strdup_printf("You expected line %u (`%s'); it is in explanation %u of %u, where "
			       "%s is %s.",
			       line, expected, rank, e->suspects->len,
			       st->clause ? st->clause : "its value",
			       st->actual ? st->actual : "not known");
}
