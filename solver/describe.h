/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From correction sets to an explanation in the words of the source. */
#ifndef SOLVER_DESCRIBE_H
#define SOLVER_DESCRIBE_H

#include "solver/explanation.h"
#include "solver/search.h"

/* Adds the answer to e as its next suspect.  im: the program's image. */
void describe_answer(struct explanation *e, const struct search *s, const struct search_answer *a,
		     const struct image *im);

/* When all suspects are there: proven ones first, ranks, scores, lines. */
void describe_finish(struct explanation *e);

#endif
