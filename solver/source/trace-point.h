/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A trace point of the recorded run, which is re-computed until then, so that what the
 * program held can be asked for by name: where it failed, or where it came to a
 * stop.
 */
#ifndef SOLVER_SOURCE_TRACE_POINT_H
#define SOLVER_SOURCE_TRACE_POINT_H

#include "solver/explanation.h"
#include "solver/image/image.h"
#include "solver/source/stop.h"
#include "solver/trace/reverse-index.h"

struct trace_point;

/* record: of the failing run; thread: the one that failed; line: where, 0 = not
 * known (then the results of calls there are not either).  images must outlive
 * it. */
struct trace_point *trace_point_new(struct image *const *images, size_t n_images,
				    const char *record, unsigned thread, unsigned line,
				    GError **error);
/* The same where the run comes to a stop (NULL = where it failed).  history: gets
 * every step until then; NULL = none.  STOP_ERROR_REACHED when the run does not
 * come there so often. */
struct trace_point *trace_point_new_at(struct image *const *images, size_t n_images,
				       const char *record, unsigned thread, const struct stop *stop,
				       struct reverse_index *index, GError **error);
void trace_point_free(struct trace_point *m);
/* How often the run comes to the stop in all. */
bool trace_point_count(struct image *const *images, size_t n_images, const char *record,
		       unsigned thread, const struct stop *stop, uint64_t *count, GError **error);
/* The first time that the run comes to the stop and is_meant says so; 0: never.  is_meant
 * is given a trace point that it may look at until it returns. */
typedef bool trace_point_is_meant_fn(const struct trace_point *m, void *arg);
bool trace_point_find(struct image *const *images, size_t n_images, const char *record,
		      unsigned thread, const struct stop *stop, trace_point_is_meant_fn *is_meant,
		      void *arg, uint64_t *count, GError **error);
/* Stands at the trace point. */
const struct trace_cursor *trace_point_cursor(const struct trace_point *m);

/* The frame that failed, at the call that said so. */
const struct image_frame *trace_point_frame(const struct trace_point *m);
/* The statement that failed, NULL where its code has no line. */
const struct image_statement *trace_point_statement(const struct trace_point *m);
/* Of the code that failed. */
const struct image *trace_point_image(const struct trace_point *m);
/* The image that holds a runtime address, NULL = none; *bias is the module's. */
const struct image *trace_point_image_at(const struct trace_point *m, uint64_t pc, uint64_t *bias);
/* Instructions before those, of which there is no record. */
uint64_t trace_point_left_out(const struct trace_point *m);
/* Where the image was loaded; false when it was not. */
bool trace_point_bias_of(const struct trace_point *m, const struct image *im, uint64_t *bias);
/* Fills what the sources of e say of lines that were executed until then. */
void trace_point_coverage(const struct trace_point *m, struct explanation *e);
/* The stack pointer when the thread's record begins: two runs whose stacks lie elsewhere
 * do not share addresses. */
uint64_t trace_point_stack(const struct trace_point *m);
uint64_t trace_point_instructions(const struct trace_point *m); /* of that thread */
unsigned trace_point_threads(const struct trace_point *m);	/* that ran traced code */

/* Appends the values of the parts of a condition to values (struct
 * explanation_value), those that are known. */
void trace_point_values(const struct trace_point *m, struct explanation *e, const char *condition,
			GArray *values);

#endif
