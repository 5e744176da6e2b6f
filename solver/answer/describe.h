/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From correction sets to an explanation in the words of the source. */
#ifndef SOLVER_ANSWER_DESCRIBE_H
#define SOLVER_ANSWER_DESCRIBE_H

#include "solver/explanation.h"
#include "solver/source/trace-point.h"
#include "solver/search/search.h"

struct describer;

/* e is filled, m asked; neither is owned, both must outlive it. */
struct describer *describer_new(struct explanation *e, const struct trace_point *m);
void describer_free(struct describer *d);

/* Adds the answer, the search's last one, as the next suspect. */
void describe_answer(struct describer *d, const struct search *s, const struct search_answer *a);

/* What each line gave last that the failure depends on: a variable, a condition. */
void describe_values(struct describer *d, const struct search *s);
/* When all suspects are there, or all so far: proven ones first, then the cheaper ones, ranks,
 * scores (unproven ones have a tenth), lines, and the files that are named, as
 * far as an image knows their text. */
void describe_finish(struct explanation *e, struct image *const *images, size_t n_images);
/* The files again, when lines were added since. */
void describe_sources(struct explanation *e, struct image *const *images, size_t n_images);

#endif
