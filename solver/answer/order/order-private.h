/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files about the order of suspects share. */
#ifndef SOLVER_ANSWER_ORDER_ORDER_PRIVATE_H
#define SOLVER_ANSWER_ORDER_ORDER_PRIVATE_H

#include "solver/explanation.h"

static inline const struct explanation_statement *
suspect_statement(const struct explanation_suspect *s, guint i)
{
	return &g_array_index(s->statements, struct explanation_statement, i);
}

/* NULL = it has none. */
static inline const struct explanation_statement *
first_of_suspect(const struct explanation_suspect *s)
{
	return s->statements->len ? suspect_statement(s, 0) : NULL;
}

/* The rows of the table of limits are in hundredths. */
static inline double cost_in_units(uint64_t hundredths)
{
	return (double)hundredths / 100;
}

static inline bool has_change(const struct explanation_suspect *s)
{
	return s->evidence && s->evidence->change;
}

static inline bool puts_something(const struct explanation_suspect *s)
{
	return has_change(s) &&
	       g_regex_match_simple(
		       "^(`.+' put (before|behind) |this line and the next one exchanged)",
		       s->evidence->change, 0, 0);
}

#endif
