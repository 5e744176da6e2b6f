/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gdbext/lesson/difficulty.h"

#include <stdio.h>
#include <string.h>

/* These three rules are told in difficulty.h; the lessons were chosen and measured with them. */
enum { RANK_APART = 5 };

static bool is_way_near(unsigned a, unsigned b)
{
	return MAX(a, b) <= 2 * MIN(a, b) + 1;
}

static bool is_number_near(unsigned a, unsigned b)
{
	return 2 * MAX(a, b) <= 3 * MIN(a, b) + 2;
}

/* In a long list a place more or less matters less. */
static unsigned ranks_apart(unsigned a, unsigned b)
{
	return MAX(RANK_APART, MIN(a, b) / 2);
}

bool lesson_is_as_difficult(const struct lesson_difficulty *first,
			    const struct lesson_difficulty *d)
{
	return d->rank && is_way_near(first->chain, d->chain) &&
	       is_number_near(first->suspects, d->suspects) &&
	       MAX(first->rank, d->rank) - MIN(first->rank, d->rank) <=
		       ranks_apart(first->suspects, d->suspects);
}

static bool read_difficulty(const char *text, const char *name, struct lesson_difficulty *d)
{
	size_t n = strlen(name);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (strncmp(line, name, n) == 0 && line[n] == ':')
			return sscanf(line + n, ": %u links, %u explanations, rank %u", &d->chain,
				      &d->suspects, &d->rank) == 3;
	}
	return false;
}

bool lesson_difficulty_of(const struct lesson_variant *v, struct lesson_difficulty *d)
{
	g_autofree char *name = lesson_variant_name(v);

	return v->lesson->measured && read_difficulty(v->lesson->measured, name, d);
}

bool lesson_difficulty_first(const struct lesson *l, struct lesson_difficulty *d)
{
	struct lesson_variant *v = lesson_variant_at(l, 0, NULL);
	bool known = v && lesson_difficulty_of(v, d);

	lesson_variant_free(v);
	return known;
}

bool lesson_is_equal(const struct lesson_variant *v)
{
	struct lesson_difficulty first, d;

	return !v->lesson->measured ||
	       (lesson_difficulty_first(v->lesson, &first) && lesson_difficulty_of(v, &d) &&
		lesson_is_as_difficult(&first, &d));
}

char *lesson_difficulty_line(const struct lesson_variant *v, const struct lesson_difficulty *d)
{
	g_autofree char *name = lesson_variant_name(v);

	return g_strdup_printf("%s: %u links, %u explanations, rank %u\n", name, d->chain,
			       d->suspects, d->rank);
}
