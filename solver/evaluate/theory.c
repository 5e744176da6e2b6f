/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "solver/evaluate/theory.h"

#include <glib.h>
#include <string.h>

/* The first eleven and the last one are proven over the reals, M2 before Fleiss and
 * Kulczynski2 before Arithmetic mean hold in all suites of up to 600 passing and 10 failing
 * tests.  ER5 has no relation with any other. */
static const struct {
	const char *more, *less;
} edges[] = {
	{ "ER1", "Kulczynski2" },
	{ "ER1", "M2" },
	{ "ER1", "Wong3" },
	{ "Kulczynski2", "Ochiai" },
	{ "M2", "Ochiai" },
	{ "M2", "Ample2" },
	{ "Ochiai", "ER2" },
	{ "ER2", "ER3" },
	{ "ER2", "ER4" },
	{ "ER2", "ER6" },
	{ "ER2", "Cohen" },
	{ "M2", "Fleiss" },
	{ "Kulczynski2", "Arithmetic mean" },
	{ "Wong3", "ER4" },
};

bool theory_edge(unsigned i, const char **more, const char **less)
{
	if (i >= G_N_ELEMENTS(edges))
		return false;
	*more = edges[i].more;
	*less = edges[i].less;
	return true;
}

/* ER1a and ER1b rank alike when there is one fault. */
char *theory_node(const struct formula *f)
{
	if (!f->xckx)
		return NULL;
	return f->group ? g_strndup(f->group, 3) : g_strdup(f->name);
}

static bool is_better_by_theory(const char *from, const char *to)
{
	for (size_t i = 0; i < G_N_ELEMENTS(edges); i++)
		if (strcmp(edges[i].more, from) == 0 &&
		    (strcmp(edges[i].less, to) == 0 || is_better_by_theory(edges[i].less, to)))
			return true;
	return false;
}

enum theory_relation theory_compare(const struct formula *first, const struct formula *second)
{
	g_autofree char *a = theory_node(first), *b = theory_node(second);

	if (!a || !b)
		return THEORY_NONE;
	if (strcmp(a, b) == 0)
		return THEORY_EQUAL;
	return is_better_by_theory(a, b)   ? THEORY_MORE
	       : is_better_by_theory(b, a) ? THEORY_LESS
					   : THEORY_NONE;
}
