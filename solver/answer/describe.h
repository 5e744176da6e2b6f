/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From correction sets to an explanation in the words of the source. */
#ifndef SOLVER_ANSWER_DESCRIBE_H
#define SOLVER_ANSWER_DESCRIBE_H

#include "solver/base/deadline.h"
#include "solver/explanation.h"
#include "solver/source/trace-point/trace-point.h"
#include "solver/search/nearby.h"
#include "solver/search/search.h"

struct describer;

/* Fills e, and asks m.  Neither is owned, and both must outlive it. */
struct describer *describer_new(struct explanation *e, const struct trace_point *m);
void describer_free(struct describer *d);

/* Adds the answer, which is the search's last one, as the next suspect. */
void describe_answer(struct describer *d, const struct search *s, const struct search_answer *a);

/* Adds what a run alone proved as the next suspect.  It goes again when describe_answer()
 * adds a proven one that changes nothing but the same line: that one tells more.
 * weighting: what lines cost; NULL = all the same. */
void describe_nearby(struct describer *d, const struct nearby_answer *a,
		     const struct weighting *weighting);
/* Did that add the suspect? */
bool describe_has_nearby(const struct describer *d, const struct explanation_suspect *s);

/* A change of a line's code with which the test passes, however often the line is executed; or of
 * the value that a variable has from the start. */
struct code_change {
	const struct image_statement *statement; /* of the line */
	const char *words;			 /* "1 for 0" */
	const GArray *actions;			 /* struct trace_action */
	bool is_data;
	bool is_called_back; /* explanation_suspect.called_back */
	unsigned distance;   /* causal, in statements, from the failure; 0 = not known */
};
/* Adds it as the next suspect, which has no way to the failure: what the line's executions gave
 * with the change is not known. */
void describe_code_change(struct explanation *e, const struct image *im,
			  const struct code_change *c);

/* Adds what each line that the failure depends on gave last: a variable, a condition.  Those that
 * are not named in time are left out. */
void describe_values(struct describer *d, const struct search *s, const struct deadline *until);
/* Fills in at which executions values of the ways and lines were given.  This walks the run once
 * more. */
void describe_stops(struct describer *w);
/* Call it when all suspects are there, or all so far.  It puts them in order (proven ones
 * first, then the cheaper ones), and fills in ranks, scores (unproven ones have a tenth),
 * lines, and the text of the files that are named, as far as an image knows it. */
void describe_finish(struct explanation *e, struct image *const *images, size_t n_images);
/* Fills in the files again when lines were added since. */
void describe_sources(struct explanation *e, struct image *const *images, size_t n_images);

#endif
