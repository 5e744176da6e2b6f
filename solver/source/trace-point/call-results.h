/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the calls in the line that failed returned, for `f(a) = 3, f(b) = 4' beside
 * `assert(f(a) == f(b))'.  C does not say which operand is evaluated first, so a call in the code
 * is matched with one in the text by the arguments that it was given.  Where they do not tell,
 * a result is not known.
 */
#ifndef SOLVER_SOURCE_TRACE_POINT_CALL_RESULTS_H
#define SOLVER_SOURCE_TRACE_POINT_CALL_RESULTS_H

#include "solver/image/variable/variable.h"
#include "solver/source/expression/expression.h"
#include "solver/trace/run.h"

struct call_results;

/* line: 0 = none, then no result is known.  images must outlive it. */
struct call_results *call_results_new(struct image *const *images, size_t n_images, unsigned line);
void call_results_free(struct call_results *r);

/* Is there any call in the line? */
bool call_results_any(const struct call_results *r);
/* Does anything have to be noted when control is at this address of the image? */
bool call_results_is_noted_at(const struct call_results *r, const struct image *im, uint64_t link);
/* Notes it; the cursor stands there. */
void call_results_note(struct call_results *r, const struct image *im, uint64_t link,
		       const struct trace_cursor *cursor);

/* What the i-th of the parts of the condition, a call, returned; NULL = it is not known.  frame:
 * in which the condition failed. */
char *call_results_text(const struct call_results *r, const struct image *im,
			const struct image_frame *frame, const GArray *parts, guint i);

#endif
