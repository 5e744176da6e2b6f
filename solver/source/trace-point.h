/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A moment of the recorded run, which is re-computed until then, so that what the
 * program held can be asked for by name: where it failed, or where it came to a
 * stop.
 */
#ifndef SOLVER_SOURCE_TRACE_POINT_H
#define SOLVER_SOURCE_TRACE_POINT_H

#include "solver/explanation.h"
#include "solver/image/image.h"
#include "solver/source/stop.h"
#include "solver/trace/reverse-index.h"

struct moment;

/* record: of the failing run; thread: the one that failed; line: where, 0 = not
 * known (then the results of calls there are not either).  images must outlive
 * it. */
struct moment *moment_new(struct image *const *images, size_t n_images, const char *record,
			  unsigned thread, unsigned line, GError **error);
/* The same where the run comes to a stop (NULL = where it failed).  history: gets
 * every step until then; NULL = none.  STOP_ERROR_REACHED when the run does not
 * come there so often. */
struct moment *moment_new_at(struct image *const *images, size_t n_images, const char *record,
			     unsigned thread, const struct stop *stop, struct history *history,
			     GError **error);
void moment_free(struct moment *m);
/* How often the run comes to the stop in all. */
bool moment_count(struct image *const *images, size_t n_images, const char *record, unsigned thread,
		  const struct stop *stop, uint64_t *count, GError **error);
/* The first time that the run comes to the stop and is_meant says so; 0: never.  is_meant
 * is given a moment that it may look at until it returns. */
typedef bool moment_is_meant_fn(const struct moment *m, void *arg);
bool moment_find(struct image *const *images, size_t n_images, const char *record, unsigned thread,
		 const struct stop *stop, moment_is_meant_fn *is_meant, void *arg, uint64_t *count,
		 GError **error);
/* Stands at the moment. */
const struct trace_cursor *moment_cursor(const struct moment *m);

/* The frame that failed, at the call that said so. */
const struct image_frame *moment_frame(const struct moment *m);
/* The statement that failed, NULL where its code has no line. */
const struct image_statement *moment_statement(const struct moment *m);
/* Of the code that failed. */
const struct image *moment_image(const struct moment *m);
/* The image that holds a runtime address, NULL = none; *bias is the module's. */
const struct image *moment_image_at(const struct moment *m, uint64_t pc, uint64_t *bias);
/* Instructions before those, of which there is no record. */
uint64_t moment_left_out(const struct moment *m);
/* Where the image was loaded; false when it was not. */
bool moment_bias_of(const struct moment *m, const struct image *im, uint64_t *bias);
/* Fills what the sources of e say of lines that were executed until then. */
void moment_coverage(const struct moment *m, struct explanation *e);
uint64_t moment_instructions(const struct moment *m); /* of that thread */
unsigned moment_threads(const struct moment *m);      /* that ran traced code */

/* Appends the values of the parts of a condition to values (struct
 * explanation_value), those that are known. */
void moment_values(const struct moment *m, struct explanation *e, const char *condition,
		   GArray *values);

#endif
