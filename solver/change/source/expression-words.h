/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a line stores, returns or passes otherwise, in words. */
#ifndef SOLVER_CHANGE_SOURCE_EXPRESSION_WORDS_H
#define SOLVER_CHANGE_SOURCE_EXPRESSION_WORDS_H

#include "solver/change/code/value-site.h"
#include "solver/change/source/expression-piece.h"
#include "solver/change/source/mutant-maker.h"

/* "`- 1' added to `n'", "`b' passed as argument 2 of the 1st `f'": what the text does to the site's
 * value; which of several of the line is said.  x's. */
const char *expression_words(struct mutant_maker *x, const struct value_site *site,
			     const char *text, enum expression_way way);

#endif
